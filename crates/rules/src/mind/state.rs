//! The full state of a table of The Mind, and what commands make of it.

use serde::{Deserialize, Serialize};

use super::command::Command;
use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::view::View;
use crate::family::{Card, Cards, Deck, Face, Focus, Hand, Laid, Pile, Reward, mistakes};
use crate::kit::text::is_default;
use crate::kit::{BySeat, Chance, Game, Moment, Outcome, Play, Seat, Seats, Viewer};

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
    /// When hands were last lifted or the last card was played. Not written: nobody is shown it.
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
    Playing {
        /// Whose hands are raised for a star (M7). Left out if none is.
        #[serde(default, skip_serializing_if = "is_default")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Seats>"))]
        raised: Seats,
    },
    /// The game is won; the team may go on blind (M12).
    Offer {
        /// Who has agreed.
        agreed: Seats,
    },
    /// Nothing more can happen.
    Over {
        /// Whether the team had won.
        won: bool,
    },
}

/// The game itself, or its blind encore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindMode"))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Cards are played open.
    #[default]
    #[cfg_attr(feature = "ts", ts(skip))]
    Open,
    /// Cards are played face down (M12).
    Blind {
        /// How many levels were completed so.
        completed: u8,
    },
}

impl Mode {
    /// How cards are laid.
    pub fn face(self) -> Face {
        match self {
            Self::Open => Face::Open,
            Self::Blind { .. } => Face::Blind,
        }
    }
}

impl Mind {
    /// The number on the highest card.
    pub const HIGHEST: u8 = 100;

    /// What of everyone's cards is lower than the one just played.
    fn lower(&self, card: Card) -> BySeat<Cards> {
        self.hands.map(|_, hand| hand.below(card))
    }

    fn nobody_holds_a_card(&self) -> bool {
        self.hands.values().all(Cards::is_empty)
    }

    fn set_aside(&mut self, cards: &BySeat<Cards>) {
        for (seat, cards) in cards.iter() {
            self.hands[seat] -= cards;
            self.public.aside[seat] |= cards;
        }
        self.public.phase = Phase::Focus(Focus::WITHIN);
    }

    fn notice(&mut self, notice: &Notice) {
        match (*notice, &mut self.public.phase) {
            (Notice::Rested(seat), Phase::Focus(focus)) => focus.resting = focus.resting.with(seat),
            (Notice::Lifted(seat), Phase::Focus(focus)) => {
                focus.resting = focus.resting.without(seat);
            }
            (Notice::Raised(seat), Phase::Playing { raised }) => *raised = raised.with(seat),
            (Notice::Lowered(seat), Phase::Playing { raised }) => *raised = raised.without(seat),
            (Notice::Agreed(seat), Phase::Offer { agreed }) => *agreed = agreed.with(seat),
            (
                Notice::Rested(_)
                | Notice::Lifted(_)
                | Notice::Raised(_)
                | Notice::Lowered(_)
                | Notice::Agreed(_),
                _,
            ) => {}
            (Notice::Begun, _) => self.public.phase = Phase::Playing { raised: Seats::NONE },
            (Notice::Stopped(_), _) => self.public.phase = Phase::Focus(Focus::WITHIN),
            (Notice::Erred { lower }, _) => {
                self.public.lives = self.public.lives.saturating_sub(1);
                self.set_aside(&lower);
            }
            (Notice::Starred { lowest }, _) => {
                self.public.stars = self.public.stars.saturating_sub(1);
                self.set_aside(&lowest);
            }
            (Notice::Turned { cost, .. }, _) => {
                self.public.lives = self.public.lives.saturating_sub(cost);
            }
            (Notice::Completed { reward, .. }, _) => {
                reward.earn(&mut self.public.lives, &mut self.public.stars);
                if let Mode::Blind { completed } = &mut self.public.mode {
                    *completed = completed.saturating_add(1);
                }
            }
            (Notice::Won, _) => self.public.phase = Phase::Offer { agreed: Seats::NONE },
            (Notice::Encored, _) => self.public.mode = Mode::Blind { completed: 0 },
            (Notice::Finished(_) | Notice::Ended, _) => {
                self.public.phase = Phase::Over { won: true }
            }
            (Notice::Lost, _) => self.public.phase = Phase::Over { won: false },
        }
    }
}

impl Game for Mind {
    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type View = View;
    type Sight = Sight;

    const NAME: &'static str = "mind";

    fn new(setup: &Setup) -> Self {
        let nothing = BySeat::new(setup.players, |_| Cards::NONE);
        let public = Public {
            setup: *setup,
            level: 1,
            lives: setup.lives,
            stars: setup.stars,
            mode: Mode::Open,
            phase: Phase::Focus(Focus::BEFORE),
            aside: nothing,
            since: Moment::START,
        };
        Self { public, hands: nothing, pile: Pile::default() }
    }

    fn setup(&self) -> &Setup {
        &self.public.setup
    }

    fn players(&self) -> u8 {
        self.public.setup.players
    }

    fn open(play: &mut Play<Self>, chance: &mut Chance) {
        deal(play, 1, chance);
    }

    fn act(play: &mut Play<Self>, seat: Seat, command: Command, chance: &mut Chance) {
        match command {
            Command::Rest => {
                play.emit(Notice::Rested(seat));
                if let Phase::Focus(focus) = play.state().public.phase
                    && focus.resting.are_all(play.state().players())
                {
                    play.emit(Notice::Begun);
                }
            }
            Command::Lift => play.emit(Notice::Lifted(seat)),
            Command::Stop => play.emit(Notice::Stopped(seat)),
            Command::Raise => {
                play.emit(Notice::Raised(seat));
                if let Phase::Playing { raised } = play.state().public.phase
                    && raised.are_all(play.state().players())
                {
                    throw_star(play, chance);
                }
            }
            Command::Lower => play.emit(Notice::Lowered(seat)),
            Command::Play(card) => lay(play, Laid { seat, card }, chance),
            Command::Continue => {
                play.emit(Notice::Agreed(seat));
                if let Phase::Offer { agreed } = play.state().public.phase
                    && agreed.are_all(play.state().players())
                {
                    play.emit(Notice::Encored);
                    deal(play, 1, chance);
                }
            }
            Command::Finish => play.emit(Notice::Finished(seat)),
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
                self.public.phase = Phase::Playing { raised: Seats::NONE };
                self.public.since = at;
            }
            Event::Notice(notice) => {
                self.notice(&notice);
                if notice == Notice::Begun {
                    self.public.since = at;
                }
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let me = viewer.at_table_of(self.players());
        View {
            me,
            public: self.public,
            hands: self.hands.map(|seat, cards| Hand::seen(cards, seat, me)),
            pile: self.pile.seen(self.public.mode.face(), me),
        }
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Sight> {
        Some(event.witness(viewer))
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.public.phase {
            Phase::Focus(_) | Phase::Playing { .. } | Phase::Offer { .. } => None,
            Phase::Over { won: true } => Some(Outcome::Won),
            Phase::Over { won: false } => Some(Outcome::Lost),
        }
    }
}

fn deal(play: &mut Play<Mind>, level: u8, chance: &mut Chance) {
    let mut deck = Deck::of(Cards::deck(Mind::HIGHEST));
    let hands = BySeat::new(play.state().players(), |_| deck.draw_many(level, chance));
    play.emit(Event::Dealt { level, hands });
}

fn lay(play: &mut Play<Mind>, laid: Laid, chance: &mut Chance) {
    let face = play.state().public.mode.face();
    play.emit(Event::Played { laid, face });
    let lower = play.state().lower(laid.card);
    // Face down, nobody notices before the pile is turned over.
    if face == Face::Open && lower.values().any(|cards| !cards.is_empty()) {
        play.emit(Notice::Erred { lower });
        if play.state().public.lives == 0 {
            // Lost even if no card is left: no reward comes to the rescue (M10).
            return play.emit(Notice::Lost);
        }
    }
    end_level_when_done(play, chance);
}

fn throw_star(play: &mut Play<Mind>, chance: &mut Chance) {
    let lowest = play.state().hands.map(|_, hand| hand.lowest().into_iter().collect());
    play.emit(Notice::Starred { lowest });
    end_level_when_done(play, chance);
}

fn end_level_when_done(play: &mut Play<Mind>, chance: &mut Chance) {
    let Mind { public: Public { setup, level, mode, .. }, pile, .. } = *play.state();
    if !play.state().nobody_holds_a_card() {
        return;
    }
    if mode.face() == Face::Blind {
        let mistakes = mistakes(&pile);
        play.emit(Notice::Turned { pile, mistakes, cost: setup.blind_cost.lives(mistakes) });
        // The check comes before the reward (B2).
        if play.state().public.lives == 0 {
            return play.emit(Notice::Ended);
        }
    }
    play.emit(Notice::Completed { level, reward: Reward::of(level) });
    match mode {
        _ if level < setup.levels => deal(play, level + 1, chance),
        Mode::Open => play.emit(Notice::Won),
        Mode::Blind { .. } => play.emit(Notice::Ended),
    }
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
