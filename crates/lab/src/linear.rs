//! The player to compare with: a fixed pace, every card of the gap worth the same.

use bots::{Span, Timing, Wait};
use rules::kit::Chance;

/// Waits so many seconds for each card of the gap and knows nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// Those seconds.
    pub pace_s: f64,
    /// How well they are kept.
    pub timing: Timing,
}

impl Wait for Linear {
    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        self.timing.wait_s((self.pace_s * span.gap - span.run_s).max(0.0), chance)
    }
}
