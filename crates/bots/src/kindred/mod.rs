//! A partner who finds the tempo of whoever it plays with.
//!
//! It believes something of everyone's pace, curvature and noise ([`Tempo`]) and plays when
//! whoever played now would as likely hold a higher card as a lower one ([`Field`]). What it
//! believes rests on what the whole table has seen, so that several of them agree.

mod extreme;
mod field;
mod kin;
mod mind;
mod partner;
mod pulse;
mod soulmates;
mod star;
mod tempo;

use std::time::Duration;

use rules::kit::{Chance, Moment};

use crate::Bot;
use crate::paced::{Run, Star};
use crate::span::{Intent, Resolve, Span};

pub use field::Field;
pub use kin::{Due, Kin};
pub use mind::Ledger;
pub use partner::Partner;
pub use star::threshold;
pub use tempo::{FRACTIONS, Forecast, Prior, Tempo};

/// A card that nobody can be below goes first of all.
const AT_ONCE_S: f64 = 0.05;
/// How long somebody waits who is alone with their cards.
const ALONE_S: f64 = 0.5;
/// How long a raised hand waits for the others.
const PATIENCE: Duration = Duration::from_secs(4);
/// The risk of a play before any is known, and how many plays that counts for.
const USUAL_RISK: f64 = 0.04;
const USUAL_PLAYS: f64 = 10.0;

/// A player who learns.
#[derive(Clone, Debug)]
pub struct Kindred<G: Kin> {
    prior: Prior,
    uses_stars: bool,
    ledger: Option<G::Ledger>,
    run: Run,
    resolve: Resolve<G::Command>,
    /// The risk of the card that is planned, and for which wait it was reckoned.
    risk: Option<(Span, f64)>,
    /// The risks of plays so far: their sum and their number.
    risks: (f64, f64),
    /// The wait for which a star was proposed, and when.
    proposed: Option<(Span, Moment)>,
    /// Since when this hand has been raised for somebody else's star.
    agreed: Option<Moment>,
}

impl<G: Kin> Kindred<G> {
    /// Somebody who thinks this of anybody.
    pub fn new(prior: Prior) -> Self {
        Self {
            prior,
            uses_stars: true,
            ledger: None,
            run: Run::default(),
            resolve: Resolve::default(),
            risk: None,
            risks: (USUAL_RISK * USUAL_PLAYS, USUAL_PLAYS),
            proposed: None,
            agreed: None,
        }
    }

    /// The same, never proposing a star.
    #[must_use]
    pub fn without_stars(mut self) -> Self {
        self.uses_stars = false;
        self
    }

    /// What it has noted of the table; nothing before the first deal.
    pub fn ledger(&self) -> Option<&G::Ledger> {
        self.ledger.as_ref()
    }

    /// Plays the card, or proposes a star in its place.
    fn card(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
        (span, command): (Span, G::Command),
    ) -> Option<(Moment, G::Command)> {
        let (ledger, run) = (self.ledger.as_ref()?, self.run);
        let mut reckoned = None;
        let intent = Intent::After { span, command };
        let (due, _) = self.resolve.settle(intent, now, chance, |span, _| {
            if span.alone {
                return ALONE_S;
            }
            let Some(Due { due_s, least_s, risk }) = G::due(ledger, view, &run) else {
                return AT_ONCE_S;
            };
            reckoned = Some(risk);
            (due_s - span.run_s).max(least_s)
        })?;
        if let Some(risk) = reckoned {
            self.risk = Some((span, risk));
            self.risks = (self.risks.0 + risk, self.risks.1 + 1.0);
        }
        let risk = self.risk.filter(|(known, _)| *known == span).map_or(0.0, |(_, risk)| risk);
        match (G::star(view), G::RAISE, self.proposed) {
            (_, _, Some((known, at))) if known == span => {
                Some((due.max(at.after(PATIENCE)).max(now), command))
            }
            // The others have not all agreed yet: the card waits for them.
            (Star::Raised, ..) => {
                let since = *self.agreed.get_or_insert(now);
                Some((due.max(since.after(PATIENCE)), command))
            }
            (Star::Offered, Some(raise), _) if self.uses_stars && self.is_worth(view, risk) => {
                self.proposed = Some((span, due));
                Some((due, raise))
            }
            _ => Some((due, command)),
        }
    }

    /// Whether a star is well spent on that risk.
    fn is_worth(&self, view: &G::View, risk: f64) -> bool {
        let usual = self.risks.0 / self.risks.1;
        risk > usual * star::threshold(G::stars(view), G::plays_left(view)).max(1.0)
    }
}

impl<G: Kin> Bot<G> for Kindred<G> {
    fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        G::count(&mut self.run, setup, at, sight);
        let prior = self.prior;
        let ledger = self.ledger.get_or_insert_with(|| G::ledger(setup, &prior));
        G::note(ledger, setup, at, sight);
    }

    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        if G::star(view) != Star::Raised {
            self.agreed = None;
        }
        match (G::wish(view, &self.run, chance), G::star(view), G::RAISE) {
            // Somebody sees a risk that they do not: agreed, unless this card is safe at once.
            (Intent::After { span, .. }, Star::Proposed, Some(raise)) if span.gap > 1.0 => {
                self.resolve.settle(Intent::Soon(raise), now, chance, |_, _| 0.0)
            }
            (Intent::Wait, Star::Proposed, Some(raise)) => {
                self.resolve.settle(Intent::Soon(raise), now, chance, |_, _| 0.0)
            }
            (Intent::After { span, command }, ..) => self.card(view, now, chance, (span, command)),
            (intent, ..) => self.resolve.settle(intent, now, chance, |_, _| 0.0),
        }
    }
}
