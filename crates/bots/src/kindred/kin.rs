//! A game that Kindred plays.

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
    /// The least that has to pass after whatever happened last.
    pub least_s: f64,
    /// The chance that somebody still holds an earlier card by then.
    pub risk: f64,
    /// The chance, as the wait begins, that it ends out of order one way or the other.
    pub hazard: f64,
}

/// What one's next card has to fit in with.
#[derive(Clone, Debug)]
pub enum Prospect<'a> {
    /// What the others may hold.
    Field {
        /// All of it.
        field: Cow<'a, Field>,
        /// How far away one's own card is.
        gap: f64,
    },
    /// A clock that nobody can set.
    Clock {
        /// When it has one's own card.
        due_s: f64,
        /// How far away that is.
        gap: f64,
    },
}

impl Prospect<'_> {
    /// When the card is due, and what may go wrong until then. By the clock nothing is known of
    /// that.
    pub fn due(&self) -> Due {
        match self {
            Self::Field { field, gap } => {
                let due_s = pulse_s(field, *gap);
                let (risk, hazard) = (field.risk(*gap, due_s), field.hazard(*gap, due_s));
                Due { due_s, least_s: least_s(*gap), risk, hazard }
            }
            Self::Clock { due_s, gap } => {
                Due { due_s: *due_s, least_s: least_s(*gap), risk: 0.0, hazard: 0.0 }
            }
        }
    }

    /// The chance that somebody holds an earlier card although all have been silent for so long,
    /// if anything is known of it.
    pub fn risk(&self, silent_s: f64) -> Option<f64> {
        match self {
            Self::Field { field, gap } => Some(field.risk(*gap, silent_s)),
            Self::Clock { .. } => None,
        }
    }
}

/// However late a card is, a hand has to move first, and of two cards the lower one first.
const HAND_S: f64 = 0.22;
const STEP_S: f64 = 0.002;
/// As a share of the wait, what is not exactly then but nearly.
const NEAR: f64 = 0.1;

/// The least wait before a card of that gap.
fn least_s(gap: f64) -> f64 {
    HAND_S + STEP_S * gap
}

/// When the common pulse has a card of that gap.
pub fn pulse_s(field: &Field, gap: f64) -> f64 {
    field.due_s(gap).max(HAND_S) + STEP_S * gap
}

/// When the common pulse had a card of that gap that was played after so long, if it was about
/// then. Far from it nobody cares when exactly, and finding out would take long.
pub fn met_s(field: &Field, gap: f64, wait_s: f64) -> Option<f64> {
    let due_s = wait_s - STEP_S * gap;
    let is_early = |share: f64| field.is_early(gap, (share * due_s).max(0.0));
    let may_be = due_s < 2.0 * HAND_S || is_early(1.0 - NEAR) && !is_early(1.0 + NEAR);
    may_be.then(|| pulse_s(field, gap))
}

/// When a clock that nobody can set has come that far: at the tempo of those who do not follow.
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

    /// What one's next card has to fit in with; `None` if nobody can hold an earlier one.
    fn prospect<'a>(ledger: &'a Self::Ledger, view: &Self::View) -> Option<Prospect<'a>>;

    /// Whether everyone who holds cards has shown something of their tempo.
    fn has_heard_all(ledger: &Self::Ledger) -> bool;

    /// How many cards are to be played before the next star is earned, or before the end.
    fn plays_left(view: &Self::View) -> u16;

    /// Stars that the team has.
    fn stars(view: &Self::View) -> u8;
}
