//! The belief about one player's tempo, given that the player is of one kind: a Gaussian over
//! traits. Waits that ended in a play update it exactly, waits that did not by moment matching.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use crate::timing::normal_below;

/// The gap whose wait is the first trait. The curvature says how waits for other gaps differ from
/// it.
pub const MIDDLE: f64 = 15.0;
/// The noise of a player's hand, in seconds.
pub const MOTOR_S: f64 = 0.1;
/// Shorter waits are treated as this long.
pub const SHORTEST_S: f64 = 0.05;
/// The traits that add up to the logarithm of a wait: the wait at the middle gap, the curvature,
/// the effect of another player's card, and the effect of few higher cards being left.
const TRAITS: usize = 4;

/// One value for each trait.
pub type Traits = [f64; TRAITS];

/// The distance to a card that a player waits for, and its circumstances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// How far it is from where the clock was set.
    pub gap: f64,
    /// Whether another player's card began the wait.
    pub after_other: bool,
    /// Minus the logarithm of the share of the possible cards that are not lower.
    pub rarity: f64,
}

impl Step {
    /// A step of which only the distance is known.
    pub fn over(gap: f64) -> Self {
        Self { gap, after_other: false, rarity: 0.0 }
    }

    /// How much each trait counts for the wait.
    pub fn traits(&self) -> Traits {
        let bend = log_of(self.gap.max(0.5)) - log_of(MIDDLE);
        [1.0, bend, f64::from(u8::from(self.after_other)), self.rarity]
    }
}

/// The predicted wait: its logarithm is normally distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The middle of the logarithm.
    pub log_s: f64,
    /// Its standard deviation, the hand's own noise left out.
    pub spread: f64,
    /// The standard deviation that would be left if the tempo were known.
    pub noise: f64,
}

/// Waits that do not follow the tempo: their share, and by how much their median is longer, as a
/// logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outliers {
    /// As a share of all.
    pub share: f64,
    /// The middle of the logarithm.
    pub longer: f64,
}

/// How far waits that follow no tempo scatter.
const OUTLIER_SPREAD: f64 = 1.5;

impl Outliers {
    /// The density of outliers at this difference from the tempo, times their share.
    fn density(self, z: f64) -> f64 {
        self.share * density((z - self.longer) / OUTLIER_SPREAD) / OUTLIER_SPREAD
    }
}

/// What all players of one kind have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Their Weber fraction.
    pub weber: f64,
    /// Their waits that do not follow the tempo.
    pub outliers: Outliers,
    /// The share of the difference by which their pace follows another player's card.
    pub adaptation: f64,
    /// The standard deviation of the step that the logarithm of their pace takes with every deal.
    pub drift_log_sd: f64,
}

/// The belief about a player of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    /// How likely it is that they are of this kind.
    pub weight: f64,
    /// Which kind it is.
    pub kind: Kind,
    mean: Traits,
    cov: [Traits; TRAITS],
}

impl Belief {
    /// Before anything is known: the middle of each trait, and its standard deviation.
    pub fn new(weight: f64, kind: Kind, mean: Traits, sd: Traits) -> Self {
        let mut cov = [[0.0; TRAITS]; TRAITS];
        for (index, sd) in sd.into_iter().enumerate() {
            cov[index][index] = sd * sd;
        }
        Self { weight, kind, mean, cov }
    }

    /// The same with a middle wait that goes with the curvature: with 0 players of every curvature
    /// take as long for the middle gap, with 1 for a gap of one.
    #[must_use]
    pub fn tied(mut self, share: f64) -> Self {
        let slope = share * MIDDLE.ln();
        let curvature = self.cov[1][1];
        self.cov[0][0] += slope * slope * curvature;
        (self.cov[0][1], self.cov[1][0]) = (slope * curvature, slope * curvature);
        self
    }

    /// Predicts the wait for a step with these traits.
    pub fn forecast(&self, traits: &Traits) -> Forecast {
        let (log_s, variance, _) = self.line(traits);
        let noise = self.kind.weber;
        Forecast { log_s, spread: (variance + noise * noise).sqrt(), noise }
    }

    /// Learns from a wait that ended in a play, and returns the likelihood of the play. A share
    /// below one is a play that may have had other reasons. `unsure` is the variance of the wait's
    /// logarithm because the card is not known exactly.
    pub fn played(&mut self, traits: &Traits, wait_s: f64, share: f64, unsure: f64) -> f64 {
        let Kind { weber, outliers, .. } = self.kind;
        let (log_s, variance, gain) = self.line(traits);
        let z = wait_s.max(SHORTEST_S).ln() - log_s;
        let noise = weber * weber + hand(log_s, wait_s) + unsure;
        let spread = (variance + noise).sqrt();
        let regular = (1.0 - outliers.share) * density(z / spread) / spread;
        let likely = regular + outliers.density(z);
        let total = variance + noise / (share * regular / likely).max(1e-3);
        self.learn(gain, z / total, 1.0 / total);
        likely
    }

    /// Learns from a wait that had not ended, and returns the likelihood of that.
    pub fn waited(&mut self, traits: &Traits, wait_s: f64) -> f64 {
        let Kind { weber, outliers, .. } = self.kind;
        let (log_s, variance, gain) = self.line(traits);
        let total = variance + weber * weber + hand(log_s, wait_s);
        let d = (log_s - wait_s.ln()) / total.sqrt();
        if d > 4.0 {
            return 1.0;
        }
        let below = normal_below(d);
        let longer = (1.0 - outliers.share) * below;
        let likely = longer + outliers.share;
        // The mean and the variance of a normal distribution cut off at the wait, for a wait that
        // is no outlier.
        let ratio = density(d) / below.max(1e-12);
        let by_tempo = longer / likely * ratio;
        let shrink = by_tempo * (ratio + d).max(0.0) / total;
        self.learn(gain, by_tempo / total.sqrt(), shrink);
        likely
    }

    /// Another player's card lay that step further on after `passed_s`: the pace of a player who
    /// adapts follows it. `traits` are those of the step for the player themselves.
    pub fn adapt(&mut self, traits: &Traits, passed_s: f64) {
        let share = self.kind.adaptation;
        if share <= 0.0 {
            return;
        }
        let (log_s, _, gain) = self.line(traits);
        let off = passed_s.ln() - log_s;
        self.mean[0] += share * off.clamp(-MOST_OFF, MOST_OFF);
        // A difference that is cut off moves the pace by the same amount wherever it was.
        if off.abs() < MOST_OFF {
            // The covariance of a vector whose first trait loses a share of the line.
            let own = dot(&gain, traits);
            for (index, gained) in gain.into_iter().enumerate() {
                self.cov[0][index] -= share * gained;
                self.cov[index][0] -= share * gained;
            }
            self.cov[0][0] += share * share * own;
        }
    }

    /// A new deal widens the belief: people change with time. `log_sd` is how much every kind does.
    pub fn drift(&mut self, log_sd: f64) {
        let own = self.kind.drift_log_sd;
        self.cov[0][0] += log_sd * log_sd + own * own;
    }

    /// The middle of the logarithm of the wait for a gap of one, and that of the curvature.
    pub fn middle(&self) -> (f64, f64) {
        (self.mean[0] - self.mean[1] * MIDDLE.ln(), self.mean[1])
    }

    /// Whether both predict almost the same waits.
    pub fn is_like(&self, other: &Self) -> bool {
        let [one, two] = [self, other].map(|belief| {
            let weber = belief.kind.weber;
            belief.cov[0][0] + weber * weber
        });
        let near = |index: usize| (self.mean[index] - other.mean[index]).abs() < LIKE_OFF;
        let off = self.mean[0] - other.mean[0];
        let (least, most) = (one.min(two), one.max(two));
        most < LIKE_RATIO * least && off * off < LIKE_SHARE * least && near(1) && near(2) && near(3)
    }

    /// Takes another belief in, so that means and variances are those of both.
    pub fn merge(&mut self, other: &Self) {
        let weight = self.weight + other.weight;
        let share = other.weight / weight;
        let off: Traits = std::array::from_fn(|index| other.mean[index] - self.mean[index]);
        for (index, row) in self.cov.iter_mut().enumerate() {
            for (column, cov) in row.iter_mut().enumerate() {
                let between = share * (1.0 - share) * off[index] * off[column];
                *cov += share * (other.cov[index][column] - *cov) + between;
            }
            self.mean[index] += share * off[index];
        }
        let [own, others] = [self.kind.weber, other.kind.weber].map(|weber| weber * weber);
        self.kind.weber = (own + share * (others - own)).sqrt();
        self.weight = weight;
    }

    /// The logarithm of the wait, how uncertain it is (the noise of the wait itself left out), and
    /// the gain of each trait: how much it changes with the wait.
    fn line(&self, traits: &Traits) -> (f64, f64, Traits) {
        let gain = self.cov.map(|row| dot(&row, traits));
        (dot(&self.mean, traits), dot(&gain, traits), gain)
    }

    fn learn(&mut self, gain: Traits, step: f64, shrink: f64) {
        for (index, gained) in gain.into_iter().enumerate() {
            self.mean[index] += gained * step;
            for (other, cov) in gain.into_iter().zip(&mut self.cov[index]) {
                *cov -= gained * other * shrink;
            }
        }
    }
}

/// The largest difference of logarithms that a pace follows at once.
const MOST_OFF: f64 = 1.0;
/// Beliefs are alike if the variances of what they predict differ by less than this ratio, the
/// squares of their middles by less than this share of it, and the other traits by less than this.
const LIKE_RATIO: f64 = 2.2;
const LIKE_SHARE: f64 = 0.16;
const LIKE_OFF: f64 = 0.05;

/// The logarithm; that of a whole number up to the highest card is looked up.
pub fn log_of(value: f64) -> f64 {
    static LOGS: LazyLock<[f64; 102]> =
        LazyLock::new(|| std::array::from_fn(|whole| (whole as f64).ln()));
    // A number below zero is taken for 0 here and differs from it below.
    #[expect(clippy::cast_sign_loss, reason = "the cast stops at 0")]
    let whole = value as usize;
    match LOGS.get(whole) {
        Some(log) if (whole as f64).to_bits() == value.to_bits() => *log,
        _ => value.ln(),
    }
}

fn dot(one: &Traits, other: &Traits) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// The part of the variance of a wait's logarithm that is due to the hand.
fn hand(log_s: f64, wait_s: f64) -> f64 {
    (MOTOR_S / log_s.exp().max(wait_s).max(SHORTEST_S)).powi(2)
}

/// The density of the standard normal distribution.
pub fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The likelihood of waits, and the mean logarithm of a wait, summed over a fine grid.
    fn by_grid(
        (weber, outliers, mean, sd): (f64, Outliers, Traits, Traits),
        plays: &[(Step, f64)],
        silences: &[(Step, f64)],
        to: Step,
    ) -> (f64, f64) {
        let steps = |sd: f64, count: i32| {
            let count = if sd > 0.0 { count } else { 0 };
            (-count..=count).map(move |step| 4.0 * f64::from(step) / f64::from(count.max(1)))
        };
        let (mut sum, mut all, mut weights) = (0.0, 0.0, 0.0);
        for a in steps(sd[0], 60) {
            for b in steps(sd[1], 16) {
                for c in steps(sd[2], 16) {
                    let z = [a, b, c, 0.0];
                    let values: Traits = std::array::from_fn(|i| mean[i] + sd[i] * z[i]);
                    let log_s = |step: &Step| dot(&values, &step.traits());
                    let weight = (-0.5 * dot(&z, &z)).exp();
                    let mut likely = weight;
                    for (step, wait_s) in plays {
                        let spread = (weber * weber + hand(log_s(step), *wait_s)).sqrt();
                        let z = wait_s.ln() - log_s(step);
                        likely *= (1.0 - outliers.share) * density(z / spread) / spread
                            + outliers.density(z);
                    }
                    for (step, wait_s) in silences {
                        let spread = (weber * weber + hand(log_s(step), *wait_s)).sqrt();
                        let longer = normal_below((log_s(step) - wait_s.ln()) / spread);
                        likely *= (1.0 - outliers.share) * longer + outliers.share;
                    }
                    sum += likely * log_s(&to);
                    all += likely;
                    weights += weight;
                }
            }
        }
        (all / weights, sum / all)
    }

    /// Two kinds: one whose waits follow the gap, and one that minds whose card came before.
    fn kinds() -> [(f64, Outliers, Traits, Traits); 2] {
        let middle = 0.5_f64.ln() + MIDDLE.ln();
        let even = Outliers { share: 0.02, longer: 1.0 };
        let uneven = Outliers { share: 0.15, longer: 0.0 };
        [
            (0.12, even, [middle, 1.0, 0.0, 0.0], [0.5, 0.15, 0.0, 0.0]),
            (0.4, uneven, [middle, 0.9, -0.5, 0.4], [0.5, 0.2, 0.6, 0.0]),
        ]
    }

    fn kind_of(weber: f64, outliers: Outliers) -> Kind {
        Kind { weber, outliers, adaptation: 0.0, drift_log_sd: 0.0 }
    }

    fn check(plays: &[(Step, f64)], silences: &[(Step, f64)], off: f64) {
        for kind in kinds() {
            let (weber, outliers, mean, sd) = kind;
            let mut belief = Belief::new(1.0, kind_of(weber, outliers), mean, sd);
            let mut likely = 1.0;
            for (step, wait_s) in plays {
                likely *= belief.played(&step.traits(), *wait_s, 1.0, 0.0);
            }
            for (step, wait_s) in silences {
                likely *= belief.waited(&step.traits(), *wait_s);
            }
            for step in [Step::over(4.0), after_other(15.0), Step::over(40.0)] {
                let (all, log_s) = by_grid(kind, plays, silences, step);
                let found = belief.forecast(&step.traits()).log_s;
                assert!((found - log_s).abs() < off, "{step:?}: {found} instead of {log_s}");
                assert!((likely / all).ln().abs() < 2.0 * off, "{likely} instead of {all}");
            }
        }
    }

    fn after_other(gap: f64) -> Step {
        Step { after_other: true, rarity: 0.36, ..Step::over(gap) }
    }

    #[test]
    fn the_posterior_is_that_of_a_grid() {
        check(&[], &[], 0.01);
        check(&[(Step::over(30.0), 9.0)], &[], 0.04);
        let plays = [
            (Step::over(30.0), 9.0),
            (after_other(8.0), 2.6),
            (Step::over(3.0), 1.0),
            (after_other(20.0), 6.5),
        ];
        check(&plays, &[], 0.04);
    }

    #[test]
    fn waits_that_did_not_end_count_too() {
        check(&[], &[(Step::over(20.0), 14.0)], 0.06);
        let silences = [(after_other(20.0), 7.0), (Step::over(6.0), 3.0)];
        check(&[(Step::over(30.0), 9.0)], &silences, 0.06);
    }

    #[test]
    fn what_anothers_card_changes_is_learnt() {
        let [_, (weber, outliers, mean, sd)] = kinds();
        let mut belief = Belief::new(1.0, kind_of(weber, outliers), mean, sd);
        for _ in 0..10 {
            belief.played(&Step::over(20.0).traits(), 8.0, 1.0, 0.0);
            belief.played(&after_other(20.0).traits(), 2.0, 1.0, 0.0);
        }
        let gap = |step: Step| belief.forecast(&step.traits()).log_s.exp();
        assert!((7.0..9.0).contains(&gap(Step::over(20.0))), "{}", gap(Step::over(20.0)));
        assert!((1.7..2.4).contains(&gap(after_other(20.0))), "{}", gap(after_other(20.0)));
    }
}
