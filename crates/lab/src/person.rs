//! A simulated person at a table.

use bots::{Bot, Intent, Paced, Resolve, Run, Span, Star, normal_below, normal_pair, uniform};
use rules::kit::{Chance, Moment};

use crate::people::{Change, Curve, Lapse, Noise, People, Shape, Stars};

/// A simulated person in a chair.
#[derive(Clone, Copy, Debug)]
pub struct Person<G: Paced> {
    log_pace: f64,
    curve: Curve,
    noise: Noise,
    change: Change,
    lapse: Lapse,
    stars: Stars,
    /// Whether they agree to the star that is proposed, once they have made up their mind.
    agrees: Option<bool>,
    run: Run,
    resolve: Resolve<G::Command>,
    /// The number of the deal that the pace was last changed for.
    deal: u32,
    /// The wait that this person had just begun and the card it is for, to compare with the time
    /// that passes.
    watching: Option<(Span, G::Command)>,
    /// The card that they are waiting for, since when, and whether another player's card began the
    /// wait.
    begun: Option<(G::Command, Moment, bool)>,
}

/// Cards that come sooner draw no pace towards theirs.
const NOTICED_S: f64 = 0.1;

impl People {
    /// A random person of this population.
    pub fn person<G: Paced>(&self, chance: &mut Chance) -> Person<G> {
        let (pace, exponent) = normal_pair(chance);
        let (weber, after_other) = normal_pair(chance);
        Person {
            log_pace: self.pace.median_s.ln() + self.pace.log_sd * pace,
            curve: Curve {
                exponent: (self.curve.exponent + self.curve.exponent_sd * exponent).max(0.1),
                after_other: self.curve.after_other
                    * (self.curve.after_other_log_sd * after_other).exp(),
                ..self.curve
            },
            noise: Noise {
                weber: self.noise.weber * (self.noise.weber_log_sd * weber).exp(),
                ..self.noise
            },
            change: self.change,
            lapse: self.lapse,
            stars: self.stars,
            agrees: None,
            run: Run::default(),
            resolve: Resolve::default(),
            deal: 0,
            watching: None,
            begun: None,
        }
    }
}

impl<G: Paced> Person<G> {
    /// The pace of this person, in seconds for a gap of one.
    pub fn pace_s(&self) -> f64 {
        self.log_pace.exp()
    }

    /// The same person, never proposing a star.
    #[must_use]
    pub fn without_stars(mut self) -> Self {
        self.stars.propose_s = None;
        self
    }

    /// How long they mean to wait for a card.
    pub fn intended_s(&self, span: &Span) -> f64 {
        self.means_s(span, matches!(self.begun, Some((.., true))))
    }

    /// The same, given whether another player's card began the wait.
    pub fn means_s(&self, span: &Span, after_other: bool) -> f64 {
        match self.curve.alone_s {
            Some(alone_s) if span.alone => alone_s,
            _ => {
                let crowd = span.out.max(1.0).powf(-self.curve.cards_out);
                let rare = higher(span.gap, span.among).powf(-self.curve.rarity);
                let after = if after_other { self.curve.after_other } else { 1.0 };
                let steps = span.gap.max(0.0).powf(self.curve.exponent);
                self.curve.base_s + self.pace_s() * steps * crowd * rare * after - span.run_s
            }
        }
    }

    /// The probability that a wait intended to last `intended_s` is over after `wait_s`, lapses
    /// apart.
    pub fn before(&self, intended_s: f64, wait_s: f64) -> f64 {
        let Noise { weber, motor_s, stray, stray_log_sd, .. } = self.noise;
        let log = (wait_s / intended_s.max(1e-3)).ln();
        let kept = match self.noise.shape {
            Shape::Normal => {
                normal_below((wait_s - intended_s) / (weber * intended_s).hypot(motor_s).max(1e-6))
            }
            Shape::LogNormal => normal_below(log / weber.max(1e-6)),
        };
        let outlier = normal_below(log / stray_log_sd.max(1e-6));
        (1.0 - stray) * kept + stray * outlier
    }

    /// The same with lapses.
    pub(crate) fn over(&self, intended_s: f64, wait_s: f64) -> f64 {
        let kept = self.before(intended_s, wait_s);
        let Lapse { rate, mean_s } = self.lapse;
        if rate <= 0.0 || mean_s <= 0.0 {
            return kept;
        }
        let late_s = (wait_s - intended_s).max(0.0);
        kept * (1.0 - rate * (-late_s / mean_s).exp())
    }

    /// Notes what began the wait for a card: another player's card, if this person waited for the
    /// same card already.
    fn begin(&mut self, span: &Span, command: G::Command) {
        self.begun = match self.begun {
            Some((same, since, _)) if same == command && since == span.since => self.begun,
            Some((same, ..)) => Some((command, span.since, same == command)),
            None => Some((command, span.since, false)),
        };
    }

    /// A new deal changes the pace: by the trend after the first deal, and by drift, which has luck
    /// of its own; without luck it is left out.
    pub(crate) fn begin_deal(&mut self, first: bool, chance: Option<&mut Chance>) {
        if !first {
            self.log_pace += self.change.trend_log;
        }
        if let Some(chance) = chance.filter(|_| self.change.drift_log_sd > 0.0) {
            self.log_pace += self.change.drift_log_sd * normal_pair(chance).0;
        }
    }

    /// Another player's card lay `step` further on after `passed_s`: it moves the pace towards
    /// that player's.
    pub(crate) fn follow(&mut self, step: f64, passed_s: f64) {
        if self.change.adaptation > 0.0 && step > 0.0 && passed_s > NOTICED_S {
            let own_s = self.pace_s() * step.powf(self.curve.exponent);
            self.log_pace += self.change.adaptation * (passed_s / own_s).ln().clamp(-1.0, 1.0);
        }
    }

    /// What differs from person to person: the logarithm of the pace, the exponent, and the
    /// logarithms of the noise and of the factor after another player's card.
    pub(crate) fn traits(&self) -> [f64; 4] {
        let logs = [self.noise.weber, self.curve.after_other].map(|share| share.max(1e-9).ln());
        [self.log_pace, self.curve.exponent, logs[0], logs[1]]
    }

    /// The same person with other traits.
    pub(crate) fn set_traits(&mut self, [log_pace, exponent, weber, after_other]: [f64; 4]) {
        (self.log_pace, self.curve.exponent) = (log_pace, exponent.max(0.1));
        (self.noise.weber, self.curve.after_other) = (weber.exp(), after_other.exp());
    }

    /// A new deal changes the pace a little, and so does another player's card. The other player's
    /// distance is not known to this seat, so the pace follows the ratio of the time that passed to
    /// the time that this person would have let pass for the same step. A card is another player's
    /// if this person still waits for the same one.
    fn change(&mut self, wait: Option<(Span, G::Command)>, chance: &mut Chance) {
        if self.run.deals != self.deal {
            self.begin_deal(self.deal == 0, Some(chance));
            self.deal = self.run.deals;
        }
        if self.change.adaptation > 0.0 {
            if let (Some((before, card)), Some((after, next))) = (self.watching, wait)
                && card == next
            {
                let passed_s = before.since.until(after.since).as_secs_f64();
                self.follow(before.gap - after.gap, passed_s);
            }
            self.watching = wait;
        }
    }

    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        let intended_s = self.intended_s(span).max(0.0);
        let (share, hand) = normal_pair(chance);
        let is_outlier = self.noise.stray > 0.0 && uniform(chance) < self.noise.stray;
        let kept_s = match self.noise.shape {
            _ if is_outlier => intended_s * (self.noise.stray_log_sd * share).exp(),
            Shape::Normal => intended_s * (1.0 + self.noise.weber * share),
            Shape::LogNormal => intended_s * (self.noise.weber * share).exp(),
        };
        let lost_s = if self.lapse.rate > 0.0 && uniform(chance) < self.lapse.rate {
            -self.lapse.mean_s * uniform(chance).ln()
        } else {
            0.0
        };
        (kept_s + self.noise.motor_s * hand + lost_s).max(0.0)
    }
}

impl<G: Paced> Bot<G> for Person<G> {
    fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        G::count(&mut self.run, setup, at, sight);
    }

    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        if let Intent::After { span, command } = G::intent(view, &self.run, chance) {
            self.begin(&span, command);
        }
        let intent = match (G::star(view), G::RAISE) {
            (Star::Proposed, Some(raise)) => {
                let agree = self.stars.agree;
                if *self.agrees.get_or_insert_with(|| agree >= 1.0 || uniform(chance) < agree) {
                    Intent::Soon(raise)
                } else {
                    G::intent(view, &self.run, chance)
                }
            }
            (star, raise) => {
                self.agrees = None;
                let intent = G::intent(view, &self.run, chance);
                match (intent, star, raise, self.stars.propose_s) {
                    (Intent::After { span, .. }, Star::Offered, Some(raise), Some(long_s))
                        if !span.alone && self.intended_s(&span) > long_s =>
                    {
                        Intent::Soon(raise)
                    }
                    _ => intent,
                }
            }
        };
        let wait = match intent {
            Intent::After { span, command } => Some((span, command)),
            _ => None,
        };
        self.change(wait, chance);
        let person = *self;
        self.resolve.settle(intent, now, chance, |span, chance| person.wait_s(span, chance))
    }
}

/// Which share of the cards that may come are higher than one at that gap, itself included.
pub fn higher(gap: f64, among: f64) -> f64 {
    ((among - gap + 1.0) / among.max(1.0)).clamp(0.01, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::family::Card;
    use rules::kit::Seed;
    use rules::mind::{Command, Mind};

    /// A person without noise who waits a second for each card.
    fn person_with(change: Change) -> (Person<Mind>, Chance) {
        let mut chance = Chance::new(Seed::from(3), 0);
        let people = People { change, ..People::model(1.0, 0.0, 0.0) };
        (people.person(&mut chance), chance)
    }

    /// The wait for a card.
    fn wait(card: u8, gap: f64, since_s: u64) -> (Span, Command) {
        (span(gap, since_s), Command::Play(Card::new(card).unwrap()))
    }

    fn span(gap: f64, since_s: u64) -> Span {
        let since = Moment::from_millis(1_000 * since_s);
        let (out, among, deck_share) = (4.0, 100.0, 1.0);
        let (alone, blind) = (false, false);
        Span { since, run_s: 0.0, gap, out, among, alone, blind, deck_share, beside: 0.0 }
    }

    #[test]
    fn a_pace_drifts_from_deal_to_deal_by_as_much_as_the_file_says() {
        let (mut person, mut chance) =
            person_with(Change { drift_log_sd: 0.05, ..Change::default() });
        let steps = [1, 2].into_iter().cycle().take(2_000).map(|level| {
            let before = person.log_pace;
            person.run.reset(level);
            person.change(Some(wait(40, 10.0, 0)), &mut chance);
            person.log_pace - before
        });
        let steps = steps.collect::<Vec<_>>();
        let sd = (steps.iter().map(|step| step * step).sum::<f64>() / 2_000.0).sqrt();
        assert!((sd / 0.05 - 1.0).abs() < 0.06, "{sd}");
        let sum = steps.iter().sum::<f64>();
        assert!(sum.abs() < 3.0 * 0.05 * 2_000_f64.sqrt(), "{sum}");
    }

    #[test]
    fn a_pace_drifts_with_a_deal_and_not_within_it() {
        let (mut person, mut chance) =
            person_with(Change { drift_log_sd: 0.05, ..Change::default() });
        person.run.reset(1);
        person.change(Some(wait(40, 10.0, 0)), &mut chance);
        let before = person.pace_s();
        person.change(Some(wait(40, 4.0, 9)), &mut chance);
        assert!((person.pace_s() - before).abs() < 1e-12);
    }

    /// People who slow down by 30 % from the first deal to the eighth.
    #[test]
    fn a_trend_changes_the_pace_with_every_deal_but_the_first() {
        let trend_log = 1.3_f64.ln() / 7.0;
        let (mut person, mut chance) = person_with(Change { trend_log, ..Change::default() });
        for level in 1..=8 {
            person.run.reset(level);
            person.change(Some(wait(40, 10.0, 0)), &mut chance);
            person.change(Some(wait(40, 4.0, 9)), &mut chance);
            let expected = (trend_log * f64::from(level - 1)).exp();
            assert!((person.pace_s() - expected).abs() < 1e-9, "{level}: {}", person.pace_s());
        }
        assert!((person.pace_s() - 1.3).abs() < 1e-9);
    }

    /// The rounds of a log are all dealt as the same level.
    #[test]
    fn a_level_that_is_dealt_again_is_a_new_deal() {
        let (mut person, mut chance) = person_with(Change { trend_log: 0.1, ..Change::default() });
        for _ in 0..3 {
            person.run.reset(3);
            person.change(Some(wait(40, 10.0, 0)), &mut chance);
        }
        assert!((person.pace_s() - 0.2_f64.exp()).abs() < 1e-9, "{}", person.pace_s());
    }

    #[test]
    fn others_draw_a_pace_towards_theirs() {
        let (mut person, mut chance) = person_with(Change { adaptation: 0.1, ..Change::default() });
        // Another player plays a card twenty further on after ten seconds.
        let once = |person: &mut Person<Mind>, chance: &mut Chance| {
            person.watching = None;
            person.change(Some(wait(40, 30.0, 0)), chance);
            person.change(Some(wait(40, 10.0, 10)), chance);
        };
        once(&mut person, &mut chance);
        assert!((person.pace_s() - 0.5_f64.powf(0.1)).abs() < 1e-9, "{}", person.pace_s());
        for _ in 0..100 {
            once(&mut person, &mut chance);
        }
        assert!((person.pace_s() - 0.5).abs() < 1e-3, "{}", person.pace_s());
    }

    #[test]
    fn own_cards_do_not_change_the_pace() {
        let (mut person, mut chance) = person_with(Change { adaptation: 0.1, ..Change::default() });
        person.change(Some(wait(10, 10.0, 0)), &mut chance);
        // The next card is further away than the one that was waited for, then nearer, then as far.
        person.change(Some(wait(35, 25.0, 3)), &mut chance);
        person.change(Some(wait(39, 4.0, 30)), &mut chance);
        person.change(Some(wait(43, 4.0, 40)), &mut chance);
        assert!((person.pace_s() - 1.0).abs() < 1e-12, "{}", person.pace_s());
    }
}
