//! The full state of a table of The Mind, and what commands make of it.

use serde::{Deserialize, Serialize};

use super::command::Command;
use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::view::View;
use crate::family::ritual::{Course, Mistakes, Stage, leveled, set_aside, stages};
use crate::family::{Cards, CourseNotice, Deck, Face, Focus, Hand, Laid, Offer, OfferNotice};
use crate::family::{Pile, Reward, Vote, mistakes};
use crate::kit::text::is_default;
use crate::kit::{BySeat, Chance, Game, Moment, Outcome, Play, Seat, Viewer, own_types};

/// A table of The Mind with all its secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mind {
    pub(super) public: Public,
    pub(super) hands: BySeat<Cards>,
    pub(super) pile: Pile,
}

/// What everyone at the table sees (M14), beside the pile and the sizes of the hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindPublic"))]
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
    /// The game or its blind encore. Left out in the game itself.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Mode>"))]
    pub mode: Mode,
    /// What the table is doing.
    pub phase: Phase,
    /// Cards set aside face up, and whose they were. Left out if there are none.
    #[serde(skip_serializing_if = "BySeat::are_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<BySeat<Cards>>"))]
    pub aside: BySeat<Cards>,
    /// When hands were last lifted or the last card was played. Not written: no client is sent it.
    #[serde(skip_serializing, default)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub since: Moment,
}

/// What the table is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindPhase"))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Hands are laid on the table (M2).
    Focus(Focus),
    /// Cards are played.
    Playing(Vote),
    /// The game is won; the team may go on blind (M12).
    Offer(Offer),
    /// Nothing more can happen.
    Over {
        /// Whether the team had won.
        won: bool,
    },
}

stages! {
    Phase { Focus(Focus), Playing(Vote), Offer(Offer) }
    playing = Self::Playing(Vote::NONE)
}

impl Public {
    /// How cards are laid: open, or face down in the encore (M12) and at a table that plays blind
    /// from the start (H3).
    pub fn face(&self) -> Face {
        match self.mode {
            Mode::Game => self.setup.face,
            Mode::Blind { .. } => Face::Blind,
        }
    }
}

/// The game itself, or its blind encore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindMode"))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The game itself.
    #[default]
    #[cfg_attr(feature = "ts", ts(skip))]
    Game,
    /// The encore, in which cards are laid face down (M12).
    Blind {
        /// How many levels were completed so.
        completed: u8,
    },
}

impl Mind {
    /// The number on the highest card.
    pub const HIGHEST: u8 = 100;

    fn set_aside(&mut self, cards: &BySeat<Cards>) {
        set_aside(cards, &mut self.hands, &mut self.public.aside);
        self.public.phase = Phase::Focus(Focus::WITHIN);
    }

    fn notice(&mut self, at: Moment, notice: Notice) {
        let Public { setup, lives, stars, mode, phase, since, .. } = &mut self.public;
        match notice {
            Notice::Focus(notice) => notice.apply(phase, since, at),
            Notice::Vote(notice) => notice.apply(phase),
            Notice::Offer(notice) => notice.apply(phase),
            Notice::Erred { lower } => {
                *lives = lives.saturating_sub(1);
                self.set_aside(&lower);
            }
            Notice::Starred { lowest } => {
                *stars = stars.saturating_sub(1);
                self.set_aside(&lowest);
            }
            Notice::Turned { cost, .. } => *lives = lives.saturating_sub(cost),
            Notice::Completed { reward, .. } => {
                reward.earn(lives, stars);
                if let Mode::Blind { completed } = mode {
                    *completed = completed.saturating_add(1);
                }
            }
            Notice::Course(notice) => {
                let victory = match setup.face {
                    // The victory stands; the encore is an offer afterwards (M12).
                    Face::Open => Phase::Offer(Offer::NONE),
                    // What the encore would be has been played already (H3).
                    Face::Blind => Phase::Over { won: true },
                };
                notice.apply(phase, victory);
            }
            Notice::Encored => *mode = Mode::Blind { completed: 0 },
        }
    }
}

leveled!(Mind holds Cards);

impl Course for Mind {
    fn last_level(&self) -> u8 {
        self.public.setup.levels
    }

    /// Deals the level (M1).
    fn start(play: &mut Play<Self>, level: u8, chance: &mut Chance) {
        let mut deck = Deck::of(Cards::deck(Self::HIGHEST));
        let hands = BySeat::new(play.state().players(), |_| deck.draw_many(level, chance));
        play.emit(Event::Dealt { level, hands });
    }

    /// However the encore ends, the victory stays (M12).
    fn end(&self, how: CourseNotice) -> Event {
        match self.public.mode {
            Mode::Game => how.into(),
            Mode::Blind { .. } => OfferNotice::Ended.into(),
        }
    }
}

impl Mistakes for Mind {
    fn erred(lower: BySeat<Cards>) -> Event {
        Notice::Erred { lower }.into()
    }

    fn check(play: &mut Play<Self>) {
        let Self { public, pile, .. } = *play.state();
        if public.face() == Face::Blind {
            let mistakes = mistakes(&pile);
            let cost = public.setup.blind_cost.lives(mistakes);
            play.emit(Notice::Turned { pile, mistakes, cost });
        }
    }

    fn completed(&self) -> Event {
        let level = self.public.level;
        Notice::Completed { level, reward: Reward::of(level) }.into()
    }
}

impl Game for Mind {
    own_types!("mind", 2..=4);

    fn new(setup: &Setup) -> Self {
        let nothing = BySeat::new(setup.players, |_| Cards::NONE);
        let public = Public {
            setup: *setup,
            level: setup.first_level,
            lives: setup.lives,
            stars: setup.stars,
            mode: Mode::Game,
            phase: Phase::Focus(Focus::BEFORE),
            aside: nothing,
            since: Moment::START,
        };
        Self { public, hands: nothing, pile: Pile::default() }
    }

    fn open(play: &mut Play<Self>, chance: &mut Chance) {
        Self::start(play, play.state().public.setup.first_level, chance);
    }

    fn act(play: &mut Play<Self>, seat: Seat, command: Command, chance: &mut Chance) {
        match command {
            Command::Focus(command) => command.act(play, seat),
            Command::Play(card) => lay(play, Laid { seat, card }, chance),
            Command::Vote(command) => {
                if command.act(play, seat) {
                    throw_star(play, chance);
                }
            }
            Command::Offer(command) => {
                if command.act(play, seat) {
                    play.emit(Notice::Encored);
                    Self::start(play, play.state().public.setup.first_level, chance);
                }
            }
        }
    }

    fn apply(&mut self, at: Moment, event: &Event) {
        match *event {
            Event::Dealt { level, hands } => {
                self.public.level = level;
                self.hands = hands;
                self.pile = Pile::default();
                self.public.aside = hands.map(|_, _| Cards::NONE);
                self.public.phase = Phase::Focus(Focus::BEFORE);
            }
            Event::Played { laid, .. } => {
                self.hands[laid.seat] -= Cards::one(laid.card);
                self.pile.lay(laid.seat, laid.card);
                // A card played lowers every raised hand (M7).
                self.public.phase = Phase::Playing(Vote::NONE);
                self.public.since = at;
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
            pile: self.pile.seen(self.public.face(), me),
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
            (Phase::Offer(_), _) | (_, Mode::Blind { .. }) => Some(Outcome::Won),
            (Phase::Focus(_) | Phase::Playing(_) | Phase::Over { .. }, Mode::Game) => {
                self.outcome()
            }
        }
    }
}

fn lay(play: &mut Play<Mind>, laid: Laid, chance: &mut Chance) {
    let face = play.state().public.face();
    play.emit(Event::Played { laid, face });
    let lower = play.state().hands.map(|_, hand| hand.below(laid.card));
    Mind::laid(play, face, lower, chance);
}

fn throw_star(play: &mut Play<Mind>, chance: &mut Chance) {
    let lowest = play.state().hands.map(|_, hand| hand.lowest().into_iter().collect());
    play.emit(Notice::Starred { lowest });
    Mind::end_level(play, chance);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Match;

    /// Simulators keep millions of these, and every step copies one.
    #[test]
    fn a_match_is_small() {
        assert!(size_of::<Match<Mind>>() <= 1024, "{} bytes", size_of::<Match<Mind>>());
    }
}
