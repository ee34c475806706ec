//! The full state of a table of Extreme, and what commands make of it.

use serde::{Deserialize, Serialize};

use super::card::{ByColour, Card, Colour, Hand, Holding};
use super::command::Command;
use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::view::View;
use crate::family::ritual::{Course, Mistakes, Stage, leveled, set_aside, stages};
use crate::family::{Cards, Deck, Face, Focus, Laid, Pile, Vote};
use crate::kit::{BySeat, Chance, Game, Moment, Outcome, Play, Seat, Seats, Viewer, own_types};

/// A table of Extreme with all its secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    pub(super) public: Public,
    pub(super) hands: BySeat<Holding>,
    pub(super) piles: ByColour<Pile>,
    /// The colour that each player has chosen for a star (X5).
    pub(super) choices: BySeat<Option<Colour>>,
}

/// What everyone at the table sees (M14, X7), beside the piles and the sizes of the hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremePublic"))]
pub struct Public {
    /// How the table is set up. Not written: it is the table's.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub setup: Setup,
    /// The level that is played.
    pub level: u8,
    /// Lives left.
    pub lives: u8,
    /// Stars left.
    pub stars: u8,
    /// What the table is doing.
    pub phase: Phase,
    /// Cards set aside face up, and whose they were. Left out if there are none.
    #[serde(skip_serializing_if = "BySeat::are_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<BySeat<Holding>>"))]
    pub aside: BySeat<Holding>,
    /// How many cards of the first colour were played before the second was begun. Left out before
    /// that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub lead: Option<Lead>,
    /// When hands were last lifted or the last card was played. Not written: no client is sent it.
    #[serde(skip_serializing, default)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub since: Moment,
}

/// What the table is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremePhase"))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Hands are laid on the table (M2).
    Focus(Focus),
    /// Cards are played.
    Playing(Vote),
    /// Each player with cards chooses one for the star (X5).
    Choosing {
        /// Who has chosen. Those with one colour act too: it would tell the table about their
        /// hand if the choice were made for them.
        chosen: Seats,
    },
    /// Nothing more can happen.
    Over {
        /// Whether the team won.
        won: bool,
    },
}

stages! {
    Phase { Focus(Focus), Playing(Vote) }
    playing = Self::Playing(Vote::NONE)
}

/// How many cards of one colour were played before the first card of the other (X6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeLead"))]
pub struct Lead {
    /// The colour that came first.
    pub colour: Colour,
    /// How many of its cards were played by then.
    pub played: u8,
}

impl Public {
    /// How a colour is laid at this level (X4).
    pub fn face(&self, colour: Colour) -> Face {
        self.setup.level(self.level).faces[colour]
    }
}

impl Extreme {
    /// The colour that was finished before the other was begun, although a card of the other
    /// belonged before its last one (X6). Only played cards count, two of each colour at least.
    fn one_sided(&self) -> Option<Colour> {
        let Lead { colour, played } = self.public.lead?;
        let [own, others] = [colour, colour.other()].map(|colour| self.piles[colour].cards());
        let last = Card { colour, value: colour.last(own)? };
        let first = Card { colour: colour.other(), value: colour.other().first(others)? };
        let finished = played == own.len() && own.len() >= 2 && others.len() >= 2;
        (finished && first.place() < last.place()).then_some(colour)
    }

    /// Who holds a card, and so chooses one for a star.
    fn holders(&self) -> Seats {
        self.hands.iter().filter(|(_, hand)| !hand.is_empty()).map(|(seat, _)| seat).collect()
    }

    fn set_aside(&mut self, cards: &BySeat<Holding>) {
        set_aside(cards, &mut self.hands, &mut self.public.aside);
        self.public.phase = Phase::Focus(Focus::WITHIN);
    }

    fn notice(&mut self, at: Moment, notice: Notice) {
        let Public { lives, stars, phase, since, .. } = &mut self.public;
        match notice {
            Notice::Focus(notice) => notice.apply(phase, since, at),
            Notice::Vote(notice) => notice.apply(phase),
            Notice::Erred { earlier } => {
                *lives = lives.saturating_sub(1);
                self.set_aside(&earlier);
            }
            Notice::Choosing => *phase = Phase::Choosing { chosen: Seats::NONE },
            Notice::Starred { chosen } => {
                *stars = stars.saturating_sub(1);
                self.choices = self.choices.map(|_, _| None);
                self.set_aside(&chosen);
            }
            Notice::Turned { .. } => {}
            Notice::Checked { cost } => *lives = lives.saturating_sub(cost),
            Notice::Completed { reward, .. } => reward.earn(lives, stars),
            Notice::Course(notice) => notice.apply(phase, Phase::Over { won: true }),
        }
    }

    fn played(&mut self, at: Moment, colour: Colour, laid: Laid) {
        let other = colour.other();
        if self.piles[colour].is_empty() && !self.piles[other].is_empty() {
            self.public.lead = Some(Lead { colour: other, played: self.piles[other].len() });
        }
        self.hands[laid.seat][colour] -= Cards::one(laid.card);
        self.piles[colour].lay(laid.seat, laid.card);
        // A card played lowers every raised hand (M7).
        self.public.phase = Phase::Playing(Vote::NONE);
        self.public.since = at;
    }
}

leveled!(Extreme holds Holding);

impl Course for Extreme {
    fn last_level(&self) -> u8 {
        self.public.setup.levels()
    }

    /// Deals the level from both colours (X1).
    fn start(play: &mut Play<Self>, level: u8, chance: &mut Chance) {
        // The 100 cards are numbered through: whites as they are, reds fifty higher.
        let mut deck = Deck::of(Cards::deck(2 * Colour::HIGHEST));
        let hands = BySeat::new(play.state().players(), |_| {
            deck.draw_many(level, chance).iter().filter_map(Card::of_both).collect()
        });
        play.emit(Event::Dealt { level, hands });
    }
}

impl Mistakes for Extreme {
    fn erred(earlier: BySeat<Holding>) -> Event {
        Notice::Erred { earlier }.into()
    }

    /// Each face-down pile is turned over, and the mistakes of both are added up (X4).
    fn check(play: &mut Play<Self>) {
        let Self { public, piles, .. } = *play.state();
        let mut total = None;
        for &colour in Colour::ALL {
            if public.face(colour) == Face::Blind {
                let mistakes = colour.mistakes(&piles[colour]);
                play.emit(Notice::Turned { colour, pile: piles[colour], mistakes });
                total = Some(total.unwrap_or(0) + mistakes);
            }
        }
        if let Some(total) = total {
            play.emit(Notice::Checked { cost: public.setup.blind_cost.lives(total) });
        }
    }

    fn completed(&self) -> Event {
        let level = self.public.level;
        let reward = self.public.setup.level(level).reward;
        Notice::Completed { level, reward, one_sided: self.one_sided() }.into()
    }
}

impl Game for Extreme {
    own_types!("extreme", 2..=4);

    fn new(setup: &Setup) -> Self {
        let nothing = BySeat::new(setup.players, |_| Holding::NONE);
        let public = Public {
            setup: *setup,
            level: setup.first_level,
            lives: setup.lives,
            stars: setup.stars,
            phase: Phase::Focus(Focus::BEFORE),
            aside: nothing,
            lead: None,
            since: Moment::START,
        };
        let choices = BySeat::new(setup.players, |_| None);
        Self { public, hands: nothing, piles: ByColour::default(), choices }
    }

    fn open(play: &mut Play<Self>, chance: &mut Chance) {
        Self::start(play, play.state().public.setup.first_level, chance);
    }

    fn act(play: &mut Play<Self>, seat: Seat, command: Command, chance: &mut Chance) {
        match command {
            Command::Focus(command) => command.act(play, seat),
            Command::Vote(command) => {
                if command.act(play, seat) {
                    play.emit(Notice::Choosing);
                }
            }
            Command::Play(card) => lay(play, seat, card, chance),
            Command::Choose(colour) => {
                play.emit(Event::Chose { seat, colour });
                if let Phase::Choosing { chosen } = play.state().public.phase
                    && chosen == play.state().holders()
                {
                    throw_star(play, chance);
                }
            }
        }
    }

    fn apply(&mut self, at: Moment, event: &Event) {
        match *event {
            Event::Dealt { level, hands } => {
                self.public.level = level;
                self.hands = hands;
                self.piles = ByColour::default();
                self.public.aside = hands.map(|_, _| Holding::NONE);
                self.public.lead = None;
                self.public.phase = Phase::Focus(Focus::BEFORE);
            }
            Event::Played { colour, laid, .. } => self.played(at, colour, laid),
            Event::Chose { seat, colour } => {
                self.choices[seat] = Some(colour);
                if let Phase::Choosing { chosen } = &mut self.public.phase {
                    *chosen = chosen.with(seat);
                }
            }
            Event::Notice(notice) => self.notice(at, notice),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let me = viewer.at_table_of(self.players());
        View {
            me,
            public: self.public,
            hands: self.hands.map(|seat, cards| Hand::seen(cards, seat, me)),
            piles: ByColour::new(|colour| self.piles[colour].seen(self.public.face(colour), me)),
            choice: me.seat().and_then(|seat| self.choices[seat]),
        }
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Sight> {
        Some(event.witness(viewer))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.public.phase.outcome()
    }

    /// Earlier releases read X6 otherwise. Their reports of a one-sided colour stay valid.
    fn agrees(made: &Event, recorded: &Event) -> bool {
        use Notice::Completed;
        match (made, recorded) {
            (
                Event::Notice(Completed { level, reward, .. }),
                Event::Notice(Completed { level: other, reward: earned, .. }),
            ) => (level, reward) == (other, earned),
            _ => made == recorded,
        }
    }
}

fn lay(play: &mut Play<Extreme>, seat: Seat, card: Card, chance: &mut Chance) {
    let Card { colour, value } = card;
    let face = play.state().public.face(colour);
    play.emit(Event::Played { colour, laid: Laid { seat, card: value }, face });
    let earlier =
        play.state().hands.map(|_, hand| Holding::of(colour, colour.before(hand[colour], value)));
    Extreme::laid(play, face, earlier, chance);
}

fn throw_star(play: &mut Play<Extreme>, chance: &mut Chance) {
    let state = play.state();
    let chosen = state.choices.map(|seat, choice| {
        let card = choice.and_then(|colour| {
            let value = colour.first(state.hands[seat][colour])?;
            Some(Card { colour, value })
        });
        card.into_iter().collect()
    });
    play.emit(Notice::Starred { chosen });
    Extreme::end_level(play, chance);
}
