//! Bots that differ only in how long they wait before a card.

use rules::kit::{Chance, Game, Moment};

use crate::Bot;
use crate::paced::{Paced, Run, agreeing};
use crate::span::{Resolve, Span};

/// A way to wait.
pub trait Wait {
    /// How long before a card, in seconds.
    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64;
}

/// A player who lays a hand, agrees to stars, and plays each card after a wait.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<G: Game, W> {
    wait: W,
    run: Run,
    resolve: Resolve<G::Command>,
}

impl<G: Paced, W: Wait> Waiting<G, W> {
    /// A bot that waits by `wait`.
    pub fn new(wait: W) -> Self {
        Self { wait, run: Run::default(), resolve: Resolve::default() }
    }
}

impl<G: Paced, W: Wait> Bot<G> for Waiting<G, W> {
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
        let wait = &self.wait;
        self.resolve.settle(intent, now, chance, |span, chance| wait.wait_s(span, chance))
    }
}
