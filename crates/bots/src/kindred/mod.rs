//! A bot that learns the tempo of the players it plays with.
//!
//! It keeps a belief about each player's pace, curvature and noise ([`Tempo`]), and plays at the
//! moment when a player who played now would hold a higher card as likely as a lower one
//! ([`Field`]). The beliefs depend only on public observations, so that several Kindred bots agree.

pub(crate) mod belief;
mod extreme;
pub(crate) mod field;
pub(crate) mod kin;
mod mind;
mod normal;
pub(crate) mod partner;
pub(crate) mod pulse;
mod soulmates;
mod star;
pub(crate) mod tempo;

use std::time::Duration;

use rules::kit::{Chance, Moment};

use crate::Bot;
use crate::paced::{Run, Star};
use crate::span::{Intent, Resolve, Span, seconds};
use crate::timing::uniform;

pub use belief::{Forecast, Step};
pub use field::Field;
use kin::HAND_S;
pub use kin::{Kin, Risks, StarStock};
pub use mind::Ledger;
pub use partner::Partner;
pub use star::threshold;
pub use tempo::{Prior, Tempo};

/// The wait between cards when all other hands are empty.
const ALONE_S: f64 = 0.5;
/// How long a raised hand waits for the others: about as long as a hand needs to answer.
const PATIENCE: Duration = Duration::from_millis(1_800);
/// The hazard of a play before any is known, and how many plays that counts for.
const USUAL_HAZARD: f64 = 0.04;
const USUAL_PLAYS: f64 = 10.0;
/// Of the risk that a star is proposed for, the share that is enough to agree: the proposing player
/// sees something that makes the risk likelier.
const SEEN_BY_ANOTHER: f64 = 0.05;
/// The time into a wait at which the bot notices that it is risky: the least, and the range above
/// it.
const THOUGHT_S: f64 = 0.7;
const THOUGHT_MORE_S: f64 = 0.9;

/// A player who learns.
#[derive(Clone, Debug)]
pub struct Kindred<G: Kin> {
    prior: Prior,
    uses_stars: bool,
    ledger: Option<G::Ledger>,
    run: Run,
    resolve: Resolve<G::Command>,
    /// What may go wrong with the card that is planned.
    stake: Option<Stake>,
    /// The hazards of plays so far: their sum and their number.
    hazards: (f64, f64),
    /// The wait for which this hand was last raised.
    asked: Option<Span>,
    /// Since when it is raised.
    raised: Option<Moment>,
    /// Whether it agrees to the star that another player proposes, and in which wait.
    answer: Option<(Span, bool)>,
}

/// The risks of a wait.
#[derive(Clone, Copy, Debug)]
struct Stake {
    span: Span,
    risks: Risks,
    /// Seconds into the wait, when that is seen.
    thought_s: f64,
}

impl<G: Kin> Kindred<G> {
    /// A bot with this prior belief about every player.
    pub fn new(prior: Prior) -> Self {
        Self {
            prior,
            uses_stars: true,
            ledger: None,
            run: Run::default(),
            resolve: Resolve::default(),
            stake: None,
            hazards: (USUAL_HAZARD * USUAL_PLAYS, USUAL_PLAYS),
            asked: None,
            raised: None,
            answer: None,
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
        let ledger = self.ledger.as_ref()?;
        let mut reckoned = None;
        // Risks decide about stars only.
        let weighs_risks = self.uses_stars && G::star(view) != Star::Absent;
        let intent = Intent::After { span, command };
        let (due, _) = self.resolve.settle(intent, now, chance, |span, chance| {
            if span.alone {
                return ALONE_S;
            }
            let Some(prospect) = G::prospect(ledger, view) else {
                // No other player can hold a lower one.
                return HAND_S;
            };
            let due = prospect.due();
            let thought_s = THOUGHT_S + THOUGHT_MORE_S * uniform(chance);
            if weighs_risks {
                let risks = prospect.risks(due.due_s);
                reckoned = Some(Stake { span: *span, risks, thought_s });
            }
            (due.due_s - span.run_s).max(due.least_s)
        })?;
        if let Some(stake) = reckoned {
            self.stake = Some(stake);
            self.hazards = (self.hazards.0 + stake.risks.hazard, self.hazards.1 + 1.0);
        }
        match (G::star(view), G::RAISE) {
            // The others have not all agreed yet: the card waits for them, but not for ever.
            (Star::Raised, _) => {
                self.asked = Some(span);
                let since = *self.raised.get_or_insert(now);
                Some((due.max(since.after(PATIENCE)), command))
            }
            (Star::Offered, Some(raise)) if self.uses_stars && self.asked != Some(span) => {
                let proposed = self.proposed(view, span, due);
                Some(proposed.map_or((due, command), |at| (at.max(now), raise)))
            }
            _ => Some((due, command)),
        }
    }

    /// When to propose a star instead of playing a card that is due then, if one is well spent
    /// there: in a bad wait early on, and otherwise when the silence has told too little. Before
    /// every player's tempo has been observed, observing a play is worth more than a star.
    fn proposed(&self, view: &G::View, span: Span, due: Moment) -> Option<Moment> {
        let stake = self.stake.filter(|stake| stake.span == span)?;
        if !G::has_heard_all(self.ledger.as_ref()?) {
            return None;
        }
        let least = self.worth(view);
        if stake.risks.hazard > least {
            Some(span.since.after(seconds(stake.thought_s)).min(due))
        } else {
            (stake.risks.risk > least).then_some(due)
        }
    }

    /// From which risk on a star is well spent; never in a game without stars.
    fn worth(&self, view: &G::View) -> f64 {
        let Some(StarStock { stars, plays_left }) = G::star_stock(view) else {
            return f64::INFINITY;
        };
        let usual = self.hazards.0 / self.hazards.1;
        usual * star::threshold(stars, plays_left).max(1.0)
    }

    /// Whether to agree to a star that another player proposes: yes if, after the silence before
    /// the proposal, another player probably holds a card lower than the bot's own. Otherwise the
    /// bot's card is next and should be played. If the risk is unknown it agrees. The answer does
    /// not change while hands are raised, because silence tells nothing then.
    fn agrees(&mut self, view: &G::View, span: &Span, now: Moment) -> bool {
        if let Some((_, answer)) = self.answer.filter(|(asked, _)| asked == span) {
            return answer;
        }
        let silent_s = span.run_s + span.since.until(now).as_secs_f64();
        let prospect = self.ledger.as_ref().and_then(|ledger| G::prospect(ledger, view));
        let answer = prospect.is_some_and(|prospect| {
            let least = SEEN_BY_ANOTHER * self.worth(view);
            prospect.risk(silent_s).is_none_or(|risk| risk > least)
        });
        self.answer = Some((*span, answer));
        answer
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
        let star = G::star(view);
        if star != Star::Raised {
            self.raised = None;
        }
        if star != Star::Proposed {
            self.answer = None;
        }
        match (G::wish(view, &self.run, chance), star, G::RAISE) {
            (Intent::After { span, .. }, Star::Proposed, Some(raise))
                if self.agrees(view, &span, now) =>
            {
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
