//! The full state of a table of Royale Mastermind, and what commands make of it.

use serde::{Deserialize, Serialize};

use super::answer::answer;
use super::card::{Card, Pack};
use super::code::{Code, SeenCode};
use super::command::Command;
use super::event::{Event, Notice, Sight};
use super::possible::Possible;
use super::role::Roles;
use super::row::Row;
use super::rows::Rows;
use super::score::{Entry, Sheet};
use super::setup::{Setup, Variant};
use super::view::View;
use super::zone::ByZone;
use crate::kit::text::words;
use crate::kit::{BySeat, Chance, Game, Moment, Outcome, Play, Seat, Viewer, own_types};

/// A table of Royale Mastermind with all its secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Royale {
    pub(super) public: Public,
    /// There is one while it is being broken.
    pub(super) code: Option<Code>,
    pub(super) marks: BySeat<Pack>,
}

/// What everyone at the table sees (Y9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyalePublic"))]
pub struct Public {
    /// How the table is set up. Not written: it is the table's.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub setup: Setup,
    /// The round that is played, counted from 1.
    pub round: u8,
    /// Who does what in it.
    pub roles: Roles,
    /// The cards that are not covered on the grid.
    pub pack: Pack,
    /// What the table is doing.
    pub phase: Phase,
    /// What was asked in this round, with the answers.
    pub rows: ByZone<Rows>,
    /// What everyone has scored as codemaker.
    pub scores: BySeat<u8>,
    /// The rounds that are over.
    pub sheet: Sheet,
}

/// What the table is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyalePhase"))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The codemaker chooses a code.
    Choosing,
    /// The code is being broken.
    Breaking,
    /// Nothing more can happen.
    Over,
}

words!(Phase { Choosing = "choose", Breaking = "break", Over = "over" });

impl Public {
    /// The codes that the pack and the rows leave possible.
    pub fn possible(&self) -> Possible {
        Possible::after(self.pack, &self.rows)
    }

    fn is_last_round(&self) -> bool {
        self.round >= self.setup.rounds
    }

    /// Roles swap once in a series, after half of the rounds (Y7).
    fn is_half_of_a_series(&self) -> bool {
        self.setup.variant == Variant::Series && self.round == self.setup.rounds / 2
    }
}

impl Royale {
    fn notice(&mut self, notice: &Notice) {
        let public = &mut self.public;
        match *notice {
            Notice::Begun { round } => {
                public.round = round;
                public.roles = Roles::of(&public.setup, round);
                public.phase = Phase::Choosing;
            }
            Notice::Asked { row, pegs, .. } => public.rows[row.zone()].ask(row.triple(), pegs),
            Notice::Scored(entry) => {
                public.rows = ByZone::default();
                public.sheet.add(entry);
                public.scores = public.sheet.scores(public.setup.players);
                self.code = None;
                self.marks = self.marks.map(|_, _| Pack::NONE);
            }
            Notice::Covered(cards) => public.pack -= cards,
            Notice::Restored => public.pack = Pack::WHOLE,
            Notice::Ended => public.phase = Phase::Over,
        }
    }
}

impl Game for Royale {
    own_types!("royale", 2..=3);

    const IS_COOPERATIVE: bool = false;

    fn new(setup: &Setup) -> Self {
        let public = Public {
            setup: *setup,
            round: 1,
            roles: Roles::of(setup, 1),
            pack: Pack::WHOLE,
            phase: Phase::Choosing,
            rows: ByZone::default(),
            scores: BySeat::new(setup.players, |_| 0),
            sheet: Sheet::default(),
        };
        Self { public, code: None, marks: BySeat::new(setup.players, |_| Pack::NONE) }
    }

    fn open(play: &mut Play<Self>, _chance: &mut Chance) {
        play.emit(Notice::Begun { round: 1 });
    }

    fn act(play: &mut Play<Self>, seat: Seat, command: Command, chance: &mut Chance) {
        match command {
            Command::Hide(code) => play.emit(Event::Hidden { seat, code }),
            Command::Ask(row) => ask(play, seat, row, chance),
            Command::Mark(card) => play.emit(Event::Marked { seat, card }),
            Command::Unmark(card) => play.emit(Event::Unmarked { seat, card }),
        }
    }

    fn apply(&mut self, _at: Moment, event: &Event) {
        match *event {
            Event::Hidden { code, .. } => {
                self.code = Some(code);
                self.public.phase = Phase::Breaking;
            }
            Event::Marked { seat, card } => self.marks[seat] |= Pack::one(card),
            Event::Unmarked { seat, card } => self.marks[seat] -= Pack::one(card),
            Event::Notice(notice) => self.notice(&notice),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let me = viewer.at_table_of(self.players());
        let own = me == Viewer::Seat(self.public.roles.maker);
        View {
            me,
            public: self.public,
            code: self.code.map(|code| if own { SeenCode::Known(code) } else { SeenCode::Backs }),
            marks: me.seat().map_or(Pack::NONE, |seat| self.marks[seat]),
        }
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Sight> {
        event.witness(viewer)
    }

    /// The highest score wins; equal scores share the win (Y6).
    fn outcome(&self) -> Option<Outcome> {
        let scores = &self.public.scores;
        let best = scores.values().max()?;
        let seats = scores.iter().filter(|(_, score)| *score == best).map(|(seat, _)| seat);
        (self.public.phase == Phase::Over).then(|| Outcome::Best(seats.collect()))
    }
}

fn ask(play: &mut Play<Royale>, seat: Seat, row: Row, chance: &mut Chance) {
    let Some(code) = play.state().code else { return };
    let pegs = answer(row.triple(), code.zone(row.zone()));
    play.emit(Notice::Asked { seat, row, pegs });
    let Public { setup, round, rows, .. } = play.state().public;
    if rows.values().any(Rows::are_open) {
        return;
    }
    let efforts = ByZone::new(|zone| rows[zone].effort());
    play.emit(Notice::Scored(Entry::of(&setup, round, code, efforts)));
    cover(play, code, chance);
    let public = play.state().public;
    if public.is_last_round() {
        return play.emit(Notice::Ended);
    }
    if public.is_half_of_a_series() {
        play.emit(Notice::Restored);
    }
    play.emit(Notice::Begun { round: round + 1 });
}

/// What two players have used is covered (Y5). With three it returns to the pack, and after each
/// group of three rounds chance takes three cards out (Y8).
fn cover(play: &mut Play<Royale>, code: Code, chance: &mut Chance) {
    let public = play.state().public;
    if public.setup.players == 2 {
        play.emit(Notice::Covered(code.pack()));
    } else if public.round.is_multiple_of(3) && !public.is_last_round() {
        let mut cards = public.pack.iter().collect::<Vec<Card>>();
        let drawn = chance.draw(&mut cards, 3).iter().copied().collect();
        play.emit(Notice::Covered(drawn));
    }
}
