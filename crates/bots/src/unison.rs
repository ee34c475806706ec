//! The policy that bots play among themselves: one curve that all of them know.

use rules::kit::Chance;

use crate::curve::Curve;
use crate::span::Span;
use crate::timing::Timing;
use crate::waiting::Wait;

/// Waits by a curve, and assumes that all other players do the same.
#[derive(Clone, Copy, Debug)]
pub struct Unison {
    /// When a card is due.
    pub curve: Curve,
    /// How exactly the waits are kept.
    pub timing: Timing,
}

impl Wait for Unison {
    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        self.timing.wait_s((self.curve.due_s(span) - span.run_s).max(0.0), chance)
    }
}
