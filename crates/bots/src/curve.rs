//! How long to wait among players who all wait by the same curve.
//!
//! A wait that is kept to a share `w` of itself tells two cards apart by the ratio of their
//! waits, not by the difference. Let ρ be the density of the first card's gap and W the curve:
//! the expected number of mistakes goes with ∫ρ·W/W′ and the time with ∫ρ·W. Where ρ falls off
//! exponentially the best W for a given time grows like a power of the gap, counted in cards that
//! one would expect within it, and slower than that near zero, where the hand's own noise counts.
//! The figures were found by search over simulated games.

use crate::span::Span;

/// The curve `scale · out^−crowd · ((1 + expected/bend)^power − 1)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Seconds by which all waits scale.
    pub scale_s: f64,
    /// How many expected cards make the curve bend.
    pub bend: f64,
    /// Its steepness beyond that.
    pub power: f64,
    /// How much quicker it goes with many cards out.
    pub crowd: f64,
}

/// Seconds for each card of the gap where cards lie face down, as a share of the scale.
const BLIND: f64 = 0.6;

impl Curve {
    /// The curve of the self-play policy, at the pace of the linear player with 0.3 s a card.
    pub const COMMON: Self = Self { scale_s: 0.5, bend: 2.1, power: 4.2, crowd: 0.1 };

    /// How long after the clock was set a card is due.
    pub fn due_s(&self, span: &Span) -> f64 {
        if span.alone {
            return 0.0;
        }
        // A clock that no card sets has to keep its pace: the curve would never come to an end.
        if span.blind {
            return BLIND * self.scale_s * span.gap * span.deck_share;
        }
        let steep = (1.0 + span.expected() / self.bend).powf(self.power) - 1.0;
        self.scale_s * span.out.max(1.0).powf(-self.crowd) * steep
    }
}
