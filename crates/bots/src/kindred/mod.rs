//! A partner who finds the tempo of whoever they play with.

mod field;
mod mind;
mod partner;
mod tempo;

use rules::family::Cards;
use rules::kit::{Chance, Game, Moment};
use rules::mind::{Command, Mind, Mode, Phase, Setup, Sight, View};

use crate::Bot;
use crate::paced::{Paced, Run, Star};
use crate::span::{Intent, Resolve};

pub use field::Field;
pub use mind::Ledger;
pub use partner::Partner;
pub use tempo::{Forecast, Prior, Tempo};

/// However late a card is, a hand has to move first, and of two cards the lower one first.
const HAND_S: f64 = 0.1;
const STEP_S: f64 = 0.002;
/// How long somebody waits who is alone with their cards.
const ALONE_S: f64 = 0.5;

/// When the common pulse has a card of that gap.
pub(crate) fn pulse_s(field: &Field, gap: f64) -> f64 {
    field.due_s(gap).max(HAND_S) + STEP_S * gap
}

/// A player who learns.
#[derive(Clone, Debug)]
pub struct Kindred {
    prior: Prior,
    ledger: Option<Ledger>,
    run: Run,
    resolve: Resolve<Command>,
}

impl Kindred {
    /// What it has noted.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// Somebody who thinks this of anybody.
    pub fn new(prior: Prior) -> Self {
        Self { prior, ledger: None, run: Run::default(), resolve: Resolve::default() }
    }
}

impl Bot<Mind> for Kindred {
    fn watch(&mut self, setup: &Setup, at: Moment, sight: &Sight) {
        Mind::count(&mut self.run, setup, at, sight);
        let prior = self.prior;
        self.ledger.get_or_insert_with(|| Ledger::new(setup.players, &prior)).watch(at, sight);
    }

    fn plan(&mut self, view: &View, now: Moment, chance: &mut Chance) -> Option<(Moment, Command)> {
        let intent = crate::paced::agreeing::<Mind>(view, &self.run, chance);
        let ledger = self.ledger.as_ref()?;
        self.resolve.settle(intent, now, chance, |span, _| {
            if span.alone {
                return ALONE_S;
            }
            let card = view.hand().lowest().map_or(0, |card| card.number());
            let reference = ledger.reference();
            if card <= reference {
                return HAND_S + STEP_S;
            }
            let me = view.me.seat().unwrap_or_default();
            pulse_s(&ledger.field_from(me, view.hand()), f64::from(card - reference))
        })
    }
}
