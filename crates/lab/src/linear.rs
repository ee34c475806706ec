//! The player to compare with: a fixed pace, every card of the gap worth the same.

use bots::{Span, Timing, Wait};
use rules::kit::Chance;

/// Waits a fixed number of seconds for each card of the gap.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// Seconds for each card.
    pub pace_s: f64,
    /// How exactly the waits are kept.
    pub timing: Timing,
}

impl Wait for Linear {
    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        self.timing.wait_s((self.pace_s * span.gap - span.run_s).max(0.0), chance)
    }
}
