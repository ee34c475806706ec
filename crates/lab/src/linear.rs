//! The player to compare with: a fixed pace, every card of the gap worth the same.

use bots::{Bot, Paced, Resolve, Run, Timing, agreeing};
use rules::kit::{Chance, Moment};

/// Waits so many seconds for each card of the gap and knows nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Linear<G: Paced> {
    pace_s: f64,
    timing: Timing,
    run: Run,
    resolve: Resolve<G::Command>,
}

impl<G: Paced> Linear<G> {
    /// A player of that pace.
    pub fn new(pace_s: f64, timing: Timing) -> Self {
        Self { pace_s, timing, run: Run::default(), resolve: Resolve::default() }
    }
}

impl<G: Paced> Bot<G> for Linear<G> {
    fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        G::count(&mut self.run, setup, at, sight);
    }

    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        let intent = agreeing::<G>(view, &self.run, chance);
        let Self { pace_s, timing, .. } = *self;
        self.resolve.settle(intent, now, chance, |span, chance| {
            timing.wait_s((pace_s * span.gap - span.run_s).max(0.0), chance)
        })
    }
}
