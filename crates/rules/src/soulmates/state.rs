//! The full state of a table of Soulmates, and what commands make of it.

use serde::{Deserialize, Serialize};

use super::command::Command;
use super::event::{Event, Notice, Sight, face_after_check};
use super::level::{BEYOND_MOST, Row};
use super::setup::Setup;
use super::view::{View, Vision};
use crate::family::mistakes;
use crate::family::ritual::{Course, Stage, leveled, stages};
use crate::family::{Cards, CourseNotice, Deck, Face, Focus, Hand, LEVELS_MOST, Laid};
use crate::family::{Offer, OfferNotice, Pile};
use crate::kit::text::is_default;
use crate::kit::{BySeat, Chance, Game, Moment, Outcome, Play, Seat, Viewer, own_types};

/// A table of Soulmates with all its secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soulmates {
    pub(super) public: Public,
    /// All cards in play.
    pub(super) drawn: Cards,
    /// Those that the Seer has seen: some at first, all once an attempt has failed (S7).
    pub(super) looked: Cards,
    pub(super) hands: BySeat<Cards>,
    pub(super) pile: Pile,
}

/// What everyone at the table sees (S11), beside the pile and the sizes of the hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesPublic"))]
pub struct Public {
    /// How the table is set up. Not written: it is the table's.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub setup: Setup,
    /// The level that is played.
    pub level: u8,
    /// Which attempt at the level it is, counted from 1.
    pub attempt: u8,
    /// Lives left; zero is the last stand (S9).
    pub lives: u8,
    /// Who is the Seer (S3).
    pub seer: Seat,
    /// The game, or the levels beyond it. Left out in the game itself.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Mode>"))]
    pub mode: Mode,
    /// What the table is doing.
    pub phase: Phase,
    /// The hints given for this level (S8).
    pub slate: Cards,
    /// When hands were last lifted or the last card was played. Not written: no client is sent it.
    #[serde(skip_serializing, default)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub since: Moment,
}

impl Public {
    /// What the card of the level says (S4).
    pub fn row(&self) -> Row {
        self.setup.table.row(self.level).unwrap_or_default()
    }

    /// How many cards are in play: none before the Seer looks.
    pub fn in_play(&self) -> u8 {
        if self.phase == Phase::Looking { 0 } else { self.row().cards }
    }

    /// How many of them the Seer has looked at before the deal.
    pub fn looked_at(&self) -> u8 {
        if self.phase == Phase::Looking { 0 } else { self.row().look }
    }

    /// Whether the pile was found to be out of order (S7), which everyone has learnt.
    pub fn failed(&self) -> bool {
        match (self.phase, self.mode) {
            (Phase::Amending | Phase::Over { won: false }, _) => true,
            (Phase::Over { won: true }, Mode::Extra { completed }) => completed < EXTRA_MOST,
            (Phase::Over { won: true }, Mode::Game) => false,
            (Phase::Looking | Phase::Hinting | Phase::Focus(_), _) => false,
            (Phase::Playing | Phase::Offer { .. }, _) => false,
        }
    }

    /// Whether the pile was in order and lies open for everyone (S7).
    pub fn revealed(&self) -> bool {
        matches!(self.phase, Phase::Offer { .. } | Phase::Over { .. }) && !self.failed()
    }
}

/// What the table is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesPhase"))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// A level is over or none was played yet; the Seer has not looked, so people may talk (M15).
    Looking,
    /// The Seer has looked and writes the first hints (S5).
    Hinting,
    /// Hands are laid on the table (M2).
    Focus(Focus),
    /// Cards are played.
    Playing,
    /// The order was wrong; the Seer may add a hint (S7).
    Amending,
    /// The game is won; the team may go on (S10).
    Offer(Offer),
    /// Nothing more can happen.
    Over {
        /// Whether the team had won.
        won: bool,
    },
}

stages! {
    Phase { Focus(Focus), Offer(Offer) }
    playing = Self::Playing
}

/// The game itself, or the levels beyond it (S10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesMode"))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// There is a game to win.
    #[default]
    #[cfg_attr(feature = "ts", ts(skip))]
    Game,
    /// It is won, and the team plays on.
    Extra {
        /// How many levels were completed so.
        completed: u8,
    },
}

/// How many levels there are beyond the game.
pub(super) const EXTRA_MOST: u8 = BEYOND_MOST - LEVELS_MOST;

impl Soulmates {
    /// The number on the highest card.
    pub const HIGHEST: u8 = 50;

    /// How the pile lies for a viewer.
    fn face(&self, viewer: Viewer) -> Face {
        if self.public.revealed() {
            Face::Open
        } else if self.public.failed() {
            face_after_check(self.public.seer, viewer)
        } else {
            Face::Blind
        }
    }

    /// An empty table for the next level (S8).
    fn clear(&mut self, level: u8, seer: Seat) {
        let phase = Phase::Looking;
        self.public = Public { level, seer, attempt: 1, phase, slate: Cards::NONE, ..self.public };
        self.drawn = Cards::NONE;
        self.looked = Cards::NONE;
        self.hands = self.hands.map(|_, _| Cards::NONE);
        self.pile = Pile::default();
    }

    fn notice(&mut self, at: Moment, notice: Notice) {
        let Public { setup, mode, phase, slate, since, .. } = &mut self.public;
        match notice {
            Notice::Next { level, seer } => self.clear(level, seer),
            Notice::Hinted { cards, .. } => *slate |= cards,
            Notice::Focus(notice) => notice.apply(phase, since, at),
            Notice::Completed { .. } => {
                *slate = Cards::NONE;
                if let Mode::Extra { completed } = mode {
                    *completed = completed.saturating_add(1);
                }
            }
            Notice::Course(notice) if setup.table.goes_beyond() => {
                notice.apply(phase, Phase::Offer(Offer::NONE));
            }
            Notice::Course(notice) => notice.apply(phase, Phase::Over { won: true }),
            Notice::Offer(notice) => notice.apply(phase),
            Notice::Continued => *mode = Mode::Extra { completed: 0 },
        }
    }
}

leveled!(Soulmates holds Cards);

impl Course for Soulmates {
    fn last_level(&self) -> u8 {
        match self.public.mode {
            Mode::Game => self.public.setup.table.levels(),
            Mode::Extra { .. } => BEYOND_MOST,
        }
    }

    /// Passes the slate to the next Seer, who begins the level (S3).
    fn start(play: &mut Play<Self>, level: u8, _: &mut Chance) {
        let Public { setup, seer, .. } = play.state().public;
        play.emit(Notice::Next { level, seer: seer.left(setup.players) });
    }

    /// However the levels beyond the game end, the victory stays (S10).
    fn end(&self, how: CourseNotice) -> Event {
        match self.public.mode {
            Mode::Game => how.into(),
            Mode::Extra { .. } => OfferNotice::Ended.into(),
        }
    }
}

impl Game for Soulmates {
    own_types!("soulmates", 2..=5);

    fn new(setup: &Setup) -> Self {
        let level = setup.first_level();
        let public = Public {
            setup: *setup,
            level,
            attempt: 1,
            lives: setup.lives,
            seer: setup.seer_of(level).unwrap_or_default(),
            mode: Mode::Game,
            phase: Phase::Looking,
            slate: Cards::NONE,
            since: Moment::START,
        };
        Self {
            public,
            drawn: Cards::NONE,
            looked: Cards::NONE,
            hands: BySeat::new(setup.players, |_| Cards::NONE),
            pile: Pile::default(),
        }
    }

    fn open(play: &mut Play<Self>, chance: &mut Chance) {
        let Public { setup, level, .. } = play.state().public;
        let drawn_by_lot = || Seat::new(chance.below(u32::from(setup.players)) as usize);
        let seer = setup.first_seer.or_else(drawn_by_lot).unwrap_or_default();
        play.emit(Notice::Next { level, seer });
    }

    fn act(play: &mut Play<Self>, seat: Seat, command: Command, chance: &mut Chance) {
        match command {
            Command::Look => draw(play, chance),
            Command::Hint(cards) => {
                play.emit(Notice::Hinted { seer: seat, cards });
                deal(play, chance);
            }
            Command::Focus(command) => command.act(play, seat),
            Command::Play(card) => {
                play.emit(Event::Played(Laid { seat, card }));
                if play.state().is_played_out() {
                    check_pile(play, chance);
                }
            }
            Command::Offer(command) => {
                if command.act(play, seat) {
                    play.emit(Notice::Continued);
                    Self::advance(play, chance);
                }
            }
        }
    }

    fn apply(&mut self, at: Moment, event: &Event) {
        match *event {
            Event::Drawn { cards } => {
                self.drawn = cards;
                self.public.phase = Phase::Hinting;
            }
            Event::Looked { cards, .. } => self.looked = cards,
            Event::Dealt(hands) => {
                if self.public.phase == Phase::Amending {
                    self.public.attempt = self.public.attempt.saturating_add(1);
                }
                self.hands = hands;
                self.pile = Pile::default();
                self.public.phase = Phase::Focus(Focus::BEFORE);
            }
            Event::Played(laid) => {
                self.hands[laid.seat] -= Cards::one(laid.card);
                self.pile.lay(laid.seat, laid.card);
                self.public.since = at;
            }
            Event::Failed { .. } => {
                self.public.lives = self.public.lives.saturating_sub(1);
                self.public.phase = Phase::Amending;
                self.looked = self.drawn;
            }
            Event::Notice(notice) => self.notice(at, notice),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let me = viewer.at_table_of(self.players());
        View {
            me,
            public: self.public,
            vision: Vision::of(self.looked, self.public.seer, me),
            hands: self.hands.map(|seat, cards| Hand::seen(cards, seat, me)),
            pile: self.pile.seen(self.face(me), me),
        }
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Sight> {
        Some(event.witness(viewer))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.public.phase.outcome()
    }

    fn decided(&self) -> Option<Outcome> {
        match (self.public.phase, self.public.mode) {
            (Phase::Offer(_), _) | (_, Mode::Extra { .. }) => Some(Outcome::Won),
            (_, Mode::Game) => self.outcome(),
        }
    }
}

fn draw(play: &mut Play<Soulmates>, chance: &mut Chance) {
    let (row, seer) = (play.state().public.row(), play.state().public.seer);
    let cards = Deck::of(Cards::deck(Soulmates::HIGHEST)).draw_many(row.cards, chance);
    play.emit(Event::Drawn { cards });
    let cards = Deck::of(cards).draw_many(row.look, chance);
    play.emit(Event::Looked { seer, cards });
}

/// One by one, starting at the Seer's left (S5).
fn deal(play: &mut Play<Soulmates>, chance: &mut Chance) {
    let Soulmates { public: Public { setup, seer, .. }, drawn, .. } = *play.state();
    let mut hands = BySeat::new(setup.players, |_| Cards::NONE);
    let mut deck = Deck::of(drawn);
    let mut seat = seer.left(setup.players);
    while let Some(card) = deck.draw(chance) {
        hands[seat] |= Cards::one(card);
        seat = seat.left(setup.players);
    }
    play.emit(Event::Dealt(hands));
}

/// Looks at the pile: a level is complete only if it lies in order (S7).
fn check_pile(play: &mut Play<Soulmates>, chance: &mut Chance) {
    let Soulmates { public: Public { level, lives, seer, .. }, pile, .. } = *play.state();
    if mistakes(&pile) == 0 {
        play.emit(Notice::Completed { level, pile });
        return Soulmates::advance(play, chance);
    }
    play.emit(Event::Failed { seer, pile });
    // The team plays on without lives; the next failure after that is the last (S9).
    if lives == 0 {
        let defeat = play.state().end(CourseNotice::Lost);
        play.emit(defeat);
    }
}
