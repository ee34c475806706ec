//! What is believed of one player's tempo if they are of one kind: a Gaussian over what makes
//! their waits long or short, kept by exact updates for waits that ended in a play and by
//! moment-matched ones for waits that did not.

use std::f64::consts::TAU;

use crate::timing::normal_below;

/// The gap at which the belief about the wait is kept: that about the curvature is about how the
/// wait differs from it.
pub const MIDDLE: f64 = 15.0;
/// The noise of anybody's hand, in seconds.
pub const MOTOR_S: f64 = 0.1;
/// Nobody waits less than this: shorter waits are all the same.
pub const SHORTEST_S: f64 = 0.05;
/// What the logarithm of a wait is made of: itself at the middle gap, the curvature, what another's
/// card changes, and what it changes that few higher cards are left.
const TRAITS: usize = 4;

/// A trait each.
pub type Traits = [f64; TRAITS];

/// The way to a card that somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// How far it is from where the clock was set.
    pub gap: f64,
    /// Whether somebody else's card began the wait.
    pub after_other: bool,
    /// Which share of the cards that may come is not lower.
    pub higher: f64,
}

impl Step {
    /// A step of which nothing is known but how far it is.
    pub fn over(gap: f64) -> Self {
        Self { gap, after_other: false, higher: 1.0 }
    }

    fn traits(&self) -> Traits {
        let bend = (self.gap.max(0.5) / MIDDLE).ln();
        [1.0, bend, f64::from(u8::from(self.after_other)), -self.higher.ln()]
    }
}

/// What a wait is foretold to be: its logarithm is normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The middle of the logarithm.
    pub log_s: f64,
    /// Its standard deviation, the hand's own noise left out.
    pub spread: f64,
    /// What that would be if the tempo were known.
    pub noise: f64,
}

/// Waits that do not follow the tempo: how many of them there are, and how much longer than by the
/// tempo they are in the middle, as a logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Astray {
    /// As a share of all.
    pub share: f64,
    /// The middle of the logarithm.
    pub longer: f64,
}

/// How far waits that follow no tempo scatter.
const ASTRAY_SPREAD: f64 = 1.5;

impl Astray {
    /// How likely a wait that differs so much from the tempo is one of them.
    fn density(self, z: f64) -> f64 {
        self.share * density((z - self.longer) / ASTRAY_SPREAD) / ASTRAY_SPREAD
    }
}

/// A player of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    /// How likely it is that they are of this kind.
    pub weight: f64,
    /// Their Weber fraction.
    pub weber: f64,
    astray: Astray,
    mean: Traits,
    cov: [Traits; TRAITS],
}

impl Belief {
    /// Before anything is known: the middle of each trait, and its standard deviation.
    pub fn new(weight: f64, weber: f64, astray: Astray, mean: Traits, sd: Traits) -> Self {
        let mut cov = [[0.0; TRAITS]; TRAITS];
        for (index, sd) in sd.into_iter().enumerate() {
            cov[index][index] = sd * sd;
        }
        Self { weight, weber, astray, mean, cov }
    }

    /// What is foretold of a wait.
    pub fn forecast(&self, step: Step) -> Forecast {
        let (log_s, variance) = self.line(&step.traits());
        let noise = self.weber;
        Forecast { log_s, spread: (variance + noise * noise).sqrt(), noise }
    }

    /// Learns from a play; how likely it was. A share below one is a play that may have had other
    /// reasons.
    pub fn played(&mut self, step: Step, wait_s: f64, share: f64) -> f64 {
        let traits = step.traits();
        let (log_s, variance) = self.line(&traits);
        let z = wait_s.max(SHORTEST_S).ln() - log_s;
        let noise = self.weber * self.weber + hand(log_s, wait_s);
        let spread = (variance + noise).sqrt();
        let regular = (1.0 - self.astray.share) * density(z / spread) / spread;
        let likely = regular + self.astray.density(z);
        let total = variance + noise / (share * regular / likely).max(1e-3);
        self.learn(self.gain(&traits), z / total, 1.0 / total);
        likely
    }

    /// Learns from a wait that had not ended; how likely that was.
    pub fn waited(&mut self, step: Step, wait_s: f64) -> f64 {
        let traits = step.traits();
        let (log_s, variance) = self.line(&traits);
        let total = variance + self.weber * self.weber + hand(log_s, wait_s);
        let d = (log_s - wait_s.ln()) / total.sqrt();
        if d > 4.0 {
            return 1.0;
        }
        let longer = (1.0 - self.astray.share) * normal_below(d);
        let likely = longer + self.astray.share;
        // The mean and the variance of a normal cut off at the wait, had it not gone astray.
        let ratio = density(d) / normal_below(d).max(1e-12);
        let by_tempo = longer / likely * ratio;
        let shrink = by_tempo * (ratio + d).max(0.0) / total;
        self.learn(self.gain(&traits), by_tempo / total.sqrt(), shrink);
        likely
    }

    /// Time has passed.
    pub fn drift(&mut self, log_sd: f64) {
        self.cov[0][0] += log_sd * log_sd;
    }

    /// The middle of the logarithm of the wait for a gap of one, and that of the curvature.
    pub fn middle(&self) -> (f64, f64) {
        (self.mean[0] - self.mean[1] * MIDDLE.ln(), self.mean[1])
    }

    /// The logarithm of the wait and how uncertain it is, the noise of the wait itself left out.
    fn line(&self, traits: &Traits) -> (f64, f64) {
        (dot(&self.mean, traits), dot(&self.gain(traits), traits))
    }

    /// How each trait goes with the wait.
    fn gain(&self, traits: &Traits) -> Traits {
        self.cov.map(|row| dot(&row, traits))
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

fn dot(one: &Traits, other: &Traits) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// The variance of a wait's logarithm that the hand brings.
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
        (weber, astray, mean, sd): (f64, Astray, Traits, Traits),
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
                        likely *=
                            (1.0 - astray.share) * density(z / spread) / spread + astray.density(z);
                    }
                    for (step, wait_s) in silences {
                        let spread = (weber * weber + hand(log_s(step), *wait_s)).sqrt();
                        let longer = normal_below((log_s(step) - wait_s.ln()) / spread);
                        likely *= (1.0 - astray.share) * longer + astray.share;
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
    fn kinds() -> [(f64, Astray, Traits, Traits); 2] {
        let middle = 0.5_f64.ln() + MIDDLE.ln();
        let even = Astray { share: 0.02, longer: 1.0 };
        let uneven = Astray { share: 0.15, longer: 0.0 };
        [
            (0.12, even, [middle, 1.0, 0.0, 0.0], [0.5, 0.15, 0.0, 0.0]),
            (0.4, uneven, [middle, 0.9, -0.5, 0.4], [0.5, 0.2, 0.6, 0.0]),
        ]
    }

    fn check(plays: &[(Step, f64)], silences: &[(Step, f64)], off: f64) {
        for kind in kinds() {
            let (weber, astray, mean, sd) = kind;
            let mut belief = Belief::new(1.0, weber, astray, mean, sd);
            let mut likely = 1.0;
            for (step, wait_s) in plays {
                likely *= belief.played(*step, *wait_s, 1.0);
            }
            for (step, wait_s) in silences {
                likely *= belief.waited(*step, *wait_s);
            }
            for step in [Step::over(4.0), after_other(15.0), Step::over(40.0)] {
                let (all, log_s) = by_grid(kind, plays, silences, step);
                let found = belief.forecast(step).log_s;
                assert!((found - log_s).abs() < off, "{step:?}: {found} instead of {log_s}");
                assert!((likely / all).ln().abs() < 2.0 * off, "{likely} instead of {all}");
            }
        }
    }

    fn after_other(gap: f64) -> Step {
        Step { after_other: true, higher: 0.7, ..Step::over(gap) }
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
        let [_, (weber, astray, mean, sd)] = kinds();
        let mut belief = Belief::new(1.0, weber, astray, mean, sd);
        for _ in 0..10 {
            belief.played(Step::over(20.0), 8.0, 1.0);
            belief.played(after_other(20.0), 2.0, 1.0);
        }
        let gap = |step| belief.forecast(step).log_s.exp();
        assert!((7.0..9.0).contains(&gap(Step::over(20.0))), "{}", gap(Step::over(20.0)));
        assert!((1.7..2.4).contains(&gap(after_other(20.0))), "{}", gap(after_other(20.0)));
    }
}
