//! The policy that machines play among themselves: one curve that all of them know.

use rules::kit::{Chance, Moment};

use crate::Bot;
use crate::curve::Curve;
use crate::paced::{Paced, Run, agreeing};
use crate::span::Resolve;
use crate::timing::Timing;

/// A player who waits by a curve and counts on everyone else to do the same.
#[derive(Clone, Copy, Debug)]
pub struct Unison<G: Paced> {
    curve: Curve,
    timing: Timing,
    run: Run,
    resolve: Resolve<G::Command>,
}

impl<G: Paced> Unison<G> {
    /// A player by that curve.
    pub fn new(curve: Curve, timing: Timing) -> Self {
        Self { curve, timing, run: Run::default(), resolve: Resolve::default() }
    }
}

impl<G: Paced> Bot<G> for Unison<G> {
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
        let Self { curve, timing, .. } = *self;
        self.resolve.settle(intent, now, chance, |span, chance| {
            timing.wait_s((curve.due_s(span) - span.run_s).max(0.0), chance)
        })
    }
}
