//! What Kindred has to know of a game.

use std::borrow::Cow;
use std::fmt::Debug;

use rules::kit::{Chance, Moment};

use super::belief::Step;
use super::field::Field;
use super::partner::Partner;
use super::tempo::Prior;
use crate::paced::{Paced, Run};
use crate::span::Intent;

/// When a card is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// Seconds after the clock was set.
    pub due_s: f64,
    /// The shortest time that has to pass after the last event.
    pub least_s: f64,
}

/// The risks of a card that is played when it is due.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Risks {
    /// The probability that another player still holds an earlier card by then.
    pub risk: f64,
    /// The chance, as the wait begins, that it ends out of order one way or the other.
    pub hazard: f64,
}

/// What decides when the bot's next card is due.
#[derive(Clone, Debug)]
pub enum Prospect<'a> {
    /// The cards that the other players may hold.
    Field {
        /// Their cards and tempos.
        field: Cow<'a, Field>,
        /// The gap of the bot's own card.
        gap: f64,
    },
    /// A clock that no card sets, because all lie face down.
    Clock {
        /// When the clock reaches the bot's own card.
        due_s: f64,
        /// The gap of that card.
        gap: f64,
    },
}

impl Prospect<'_> {
    /// When the card is due.
    pub fn due(&self) -> Due {
        match self {
            Self::Field { field, gap } => {
                Due { due_s: pulse_s(field, *gap), least_s: least_s(*gap) }
            }
            Self::Clock { due_s, gap } => Due { due_s: *due_s, least_s: least_s(*gap) },
        }
    }

    /// The risks of playing the card then. With a clock they are unknown and count as zero.
    pub fn risks(&self, due_s: f64) -> Risks {
        match self {
            Self::Field { field, gap } => {
                Risks { risk: field.risk(*gap, due_s), hazard: field.hazard(*gap, due_s) }
            }
            Self::Clock { .. } => Risks::default(),
        }
    }

    /// The probability that another player holds an earlier card although all have been silent for
    /// `silent_s`; `None` if it is unknown.
    pub fn risk(&self, silent_s: f64) -> Option<f64> {
        match self {
            Self::Field { field, gap } => Some(field.risk(*gap, silent_s)),
            Self::Clock { .. } => None,
        }
    }
}

/// The shortest wait, also for a card that is late: the time a hand needs to move. The lower of two
/// late cards goes first.
pub const HAND_S: f64 = 0.22;
const STEP_S: f64 = 0.002;
/// How near a play has to be to the pulse to be compared with it, as a share of the wait.
const NEAR: f64 = 0.1;

/// The least wait before a card of that gap.
fn least_s(gap: f64) -> f64 {
    HAND_S + STEP_S * gap
}

/// When a card of that gap is due by the common pulse.
pub fn pulse_s(field: &Field, gap: f64) -> f64 {
    field.due_s(gap).max(HAND_S) + STEP_S * gap
}

/// When a card of that gap was due by the common pulse, if that is near `wait_s`, after which it
/// was played. `None` if it is far from it: the exact moment does not matter then and would be
/// expensive to compute.
pub fn met_s(field: &Field, gap: f64, wait_s: f64) -> Option<f64> {
    let due_s = wait_s - STEP_S * gap;
    let is_early = |share: f64| field.is_early(gap, (share * due_s).max(0.0));
    let may_be = due_s < 2.0 * HAND_S || is_early(1.0 - NEAR) && !is_early(1.0 + NEAR);
    may_be.then(|| pulse_s(field, gap))
}

/// When a clock that no card sets reaches that gap: at the tempo of the players who do not follow
/// the pulse.
pub fn clock_s<'a>(partners: impl Iterator<Item = &'a Partner> + Clone, gap: f64) -> f64 {
    let all_follow = partners.clone().all(Partner::follows);
    let (mut sum, mut weights) = (0.0, 0.0);
    for partner in partners.filter(|partner| all_follow || !partner.follows()) {
        sum += partner.weight() * partner.tempo().forecast(Step::over(gap)).log_s;
        weights += partner.weight();
    }
    (sum / weights).exp() + STEP_S * gap
}

/// What Kindred has to know of a game beside the clock.
pub trait Kin: Paced {
    /// How many cards of a deck of a hundred a place of this game's deck is worth: a small deck
    /// takes about as long as a large one.
    const DECK_SHARE: f64 = 1.0;

    /// What the chair has noted of everyone's tempo.
    type Ledger: Clone + Debug + Send;

    /// A new record.
    fn ledger(setup: &Self::Setup, prior: &Prior) -> Self::Ledger;

    /// Notes what the chair noticed.
    fn note(ledger: &mut Self::Ledger, setup: &Self::Setup, at: Moment, sight: &Self::Sight);

    /// What is to be done next, stars apart.
    fn wish(view: &Self::View, run: &Run, chance: &mut Chance) -> Intent<Self::Command> {
        Self::intent(view, run, chance)
    }

    /// What decides when the next card is due; `None` if no other player can hold an earlier one.
    fn prospect<'a>(ledger: &'a Self::Ledger, view: &Self::View) -> Option<Prospect<'a>>;

    /// Whether the tempo of every player with cards has been observed.
    fn has_heard_all(ledger: &Self::Ledger) -> bool;

    /// The team's stars; `None` in a game without stars.
    fn star_stock(view: &Self::View) -> Option<StarStock>;
}

/// The stars of a team, and how long they have to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StarStock {
    /// Stars that the team has.
    pub stars: u8,
    /// How many cards are to be played before the next star is earned, or before the end.
    pub plays_left: u16,
}
