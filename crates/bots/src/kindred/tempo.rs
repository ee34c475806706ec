//! What is believed of one player's tempo: a posterior over pace, curvature and noise.
//!
//! The model is `wait = pace · gap^c · noise`, with a hand of a tenth of a second on top. In
//! logarithms it is a line with noise, so for each of a few Weber fractions the belief about pace
//! and curvature is a Gaussian, kept by exact updates for waits that ended in a play and by
//! moment-matched ones for waits that did not. The fractions are weighted by how well each of them
//! foretold what happened.

use std::f64::consts::TAU;

use crate::timing::normal_below;

/// The Weber fractions that are told apart.
pub const FRACTIONS: [f64; 8] = [0.05, 0.08, 0.12, 0.17, 0.25, 0.37, 0.55, 0.8];
/// What is thought of them before anything is known.
const PRIOR: [f64; 8] = [0.05, 0.17, 0.26, 0.22, 0.13, 0.08, 0.05, 0.04];
/// The gap at which the belief about the wait is kept: that about the curvature is about how the
/// wait differs from it.
const MIDDLE: f64 = 15.0;
/// The hand's own noise, in seconds.
const MOTOR_S: f64 = 0.1;
/// How often a wait says nothing about the tempo: somebody was elsewhere.
const LAPSES: f64 = 0.02;
/// Fractions less likely than this are left out of what is foretold.
const RARE: f64 = 0.02;
/// Waits shorter than this are all the same.
const SHORTEST_S: f64 = 0.05;

/// A belief before anything is known: which pace is likely, and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The likeliest pace, in seconds for each card of the gap.
    pub pace_s: f64,
    /// The standard deviation of its logarithm.
    pub log_sd: f64,
    /// The likeliest curvature.
    pub curvature: f64,
    /// Its standard deviation.
    pub curvature_sd: f64,
}

impl Prior {
    /// What is thought of anybody.
    pub const ANYBODY: Self = Self { pace_s: 0.5, log_sd: 0.5, curvature: 1.0, curvature_sd: 0.06 };
}

/// The belief about one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tempo {
    beliefs: [Belief; FRACTIONS.len()],
    /// How often this player has hurried when alone with their cards, and how often not.
    hurried: [f64; 2],
}

/// What a wait is foretold to be: its logarithm is normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The middle of the logarithm.
    pub log_s: f64,
    /// Its standard deviation, the hand's own noise left out.
    pub spread: f64,
}

/// A player under one Weber fraction.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'a> {
    belief: &'a Belief,
    weber: f64,
}

impl Kind<'_> {
    /// How likely that is.
    pub fn weight(&self) -> f64 {
        self.belief.weight
    }

    /// What is foretold of the wait over a gap.
    pub fn forecast(&self, gap: f64) -> Forecast {
        let (log_s, variance) = self.belief.line(offset(gap));
        Forecast { log_s, spread: (variance + self.weber * self.weber).sqrt() }
    }
}

/// Pace and curvature under one Weber fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Belief {
    weight: f64,
    /// The logarithm of the wait at the middle gap, and the curvature.
    mean: [f64; 2],
    /// Variances and, in the middle, the covariance.
    cov: [f64; 3],
}

impl Tempo {
    /// Before anything is known.
    pub fn new(prior: &Prior) -> Self {
        let mean = [prior.pace_s.ln() + prior.curvature * MIDDLE.ln(), prior.curvature];
        let cov = [prior.log_sd.powi(2), 0.0, prior.curvature_sd.powi(2)];
        let beliefs = PRIOR.map(|weight| Belief { weight, mean, cov });
        Self { beliefs, hurried: [1.0; 2] }
    }

    /// A wait over that gap ended in a play.
    pub fn played(&mut self, gap: f64, wait_s: f64) {
        self.weigh(|belief, weber| belief.played(gap, wait_s, weber, 1.0));
    }

    /// A wait over that gap had not ended yet when something else happened.
    pub fn waited(&mut self, gap: f64, wait_s: f64) {
        if wait_s > SHORTEST_S {
            self.weigh(|belief, weber| belief.waited(gap, wait_s, weber));
        }
    }

    /// A play of somebody who was alone with their cards: many do not wait then.
    pub fn played_alone(&mut self, gap: f64, wait_s: f64) {
        let log_s = wait_s.max(SHORTEST_S).ln();
        let foretold = self.forecast(gap);
        let by_tempo = density((log_s - foretold.log_s) / foretold.spread) / foretold.spread;
        let hurrying = density((log_s - ALONE_LOG_S) / ALONE_SPREAD) / ALONE_SPREAD;
        let [hurried, kept] = self.hurried;
        let (by_tempo, hurrying) = (kept * by_tempo + 1e-12, hurried * hurrying + 1e-12);
        let share = by_tempo / (by_tempo + hurrying);
        self.hurried = [hurried + 1.0 - share, kept + share];
        if share > 0.05 {
            self.weigh(|belief, weber| belief.played(gap, wait_s, weber, share));
        }
    }

    /// Time has passed: people change a little from level to level.
    pub fn drift(&mut self, log_sd: f64) {
        for belief in &mut self.beliefs {
            belief.cov[0] += log_sd * log_sd;
        }
    }

    /// What is foretold of the wait over a gap.
    pub fn forecast(&self, gap: f64) -> Forecast {
        let h = offset(gap);
        let (mut mean, mut square, mut noise) = (0.0, 0.0, 0.0);
        for (belief, weber) in self.beliefs.iter().zip(FRACTIONS) {
            let (log_s, variance) = belief.line(h);
            mean += belief.weight * log_s;
            square += belief.weight * log_s * log_s;
            noise += belief.weight * (variance + weber * weber);
        }
        Forecast { log_s: mean, spread: (noise + (square - mean * mean).max(0.0)).sqrt() }
    }

    /// What they may be like, one kind for each Weber fraction; those that are out of the question
    /// left out.
    pub fn kinds(&self) -> impl Iterator<Item = Kind<'_>> {
        let likely = self.beliefs.iter().zip(FRACTIONS).filter(|(belief, _)| belief.weight > RARE);
        likely.map(|(belief, weber)| Kind { belief, weber })
    }

    /// The expected pace for a gap of one, curvature and Weber fraction.
    pub fn expected(&self) -> (f64, f64, f64) {
        let sum = |value: &dyn Fn(&Belief, f64) -> f64| {
            self.beliefs.iter().zip(FRACTIONS).map(|(b, w)| b.weight * value(b, w)).sum::<f64>()
        };
        let curvature = sum(&|belief, _| belief.mean[1]);
        let log_pace = sum(&|belief, _| belief.mean[0] - belief.mean[1] * MIDDLE.ln());
        (log_pace.exp(), curvature, sum(&|_, weber| weber))
    }

    /// Lets every fraction learn, and weighs it by the likelihood that it gives.
    fn weigh(&mut self, learn: impl Fn(&mut Belief, f64) -> f64) {
        let mut total = 0.0;
        for (belief, weber) in self.beliefs.iter_mut().zip(FRACTIONS) {
            belief.weight *= learn(belief, weber);
            total += belief.weight;
        }
        for (belief, prior) in self.beliefs.iter_mut().zip(PRIOR) {
            // No fraction is ever out of the question for good.
            belief.weight = (belief.weight / total).max(1e-6 * prior);
        }
    }
}

/// How those who hurry play when they are alone with their cards: the logarithm of seconds.
const ALONE_LOG_S: f64 = -0.4;
const ALONE_SPREAD: f64 = 0.5;

impl Belief {
    /// The logarithm of the wait and how uncertain it is, the noise of the wait itself left out.
    fn line(&self, h: f64) -> (f64, f64) {
        let log_s = self.mean[0] + h * self.mean[1];
        let variance = self.cov[0] + 2.0 * h * self.cov[1] + h * h * self.cov[2];
        (log_s, variance)
    }

    /// Learns from a play; how likely it was. A share below one is a play that may have had other
    /// reasons.
    fn played(&mut self, gap: f64, wait_s: f64, weber: f64, share: f64) -> f64 {
        let h = offset(gap);
        let (log_s, variance) = self.line(h);
        let z = wait_s.max(SHORTEST_S).ln() - log_s;
        let noise = weber * weber + hand(log_s, wait_s);
        let spread = (variance + noise).sqrt();
        let regular = (1.0 - LAPSES) * density(z / spread) / spread;
        let lapsed = LAPSES * density((z - 1.0) / 1.5) / 1.5;
        let share = share * regular / (regular + lapsed);
        self.correct(h, z, noise / share.max(1e-3));
        regular + lapsed
    }

    /// Learns from a wait that had not ended; how likely that was.
    fn waited(&mut self, gap: f64, wait_s: f64, weber: f64) -> f64 {
        let h = offset(gap);
        let (log_s, variance) = self.line(h);
        let noise = weber * weber + hand(log_s, wait_s);
        let total = variance + noise;
        let d = (log_s - wait_s.ln()) / total.sqrt();
        if d > 4.0 {
            return 1.0;
        }
        let longer = normal_below(d);
        let likely = (1.0 - LAPSES) * longer + LAPSES;
        // The mean and the variance of a normal cut off at the wait, had there been no lapse.
        let share = (1.0 - LAPSES) * longer / likely;
        let ratio = density(d) / longer.max(1e-12);
        let [p0, p1] = self.gain(h);
        let step = share * ratio / total.sqrt();
        let shrink = share * ratio * (ratio + d).max(0.0) / total;
        self.mean = [self.mean[0] + p0 * step, self.mean[1] + p1 * step];
        self.cov[0] -= p0 * p0 * shrink;
        self.cov[1] -= p0 * p1 * shrink;
        self.cov[2] -= p1 * p1 * shrink;
        likely
    }

    fn gain(&self, h: f64) -> [f64; 2] {
        [self.cov[0] + h * self.cov[1], self.cov[1] + h * self.cov[2]]
    }

    fn correct(&mut self, h: f64, z: f64, noise: f64) {
        let [p0, p1] = self.gain(h);
        let total = p0 + h * p1 + noise;
        self.mean = [self.mean[0] + p0 * z / total, self.mean[1] + p1 * z / total];
        self.cov[0] -= p0 * p0 / total;
        self.cov[1] -= p0 * p1 / total;
        self.cov[2] -= p1 * p1 / total;
    }
}

/// The variance of a wait's logarithm that the hand brings.
fn hand(log_s: f64, wait_s: f64) -> f64 {
    (MOTOR_S / log_s.exp().max(wait_s).max(SHORTEST_S)).powi(2)
}

fn offset(gap: f64) -> f64 {
    (gap.max(0.5) / MIDDLE).ln()
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The posterior means of log wait at a gap and of curvature by brute force: every pace,
    /// curvature and fraction of a fine grid.
    fn by_grid(prior: &Prior, plays: &[(f64, f64)], silences: &[(f64, f64)], gap: f64) -> f64 {
        let steps = |low: f64, high: f64, count: i32| {
            (0..=count).map(move |step| low + (high - low) * f64::from(step) / f64::from(count))
        };
        let (mut sum, mut all) = (0.0, 0.0);
        for (weber, weight) in FRACTIONS.into_iter().zip(PRIOR) {
            for a in steps(-3.0, 3.0, 240) {
                for c in steps(-4.0, 4.0, 40) {
                    let log_middle =
                        prior.pace_s.ln() + prior.curvature * MIDDLE.ln() + prior.log_sd * a;
                    let curvature = prior.curvature + prior.curvature_sd * c;
                    let log_s = |gap: f64| log_middle + curvature * offset(gap);
                    let mut likely = weight * (-0.5 * (a * a + c * c)).exp();
                    for &(gap, wait_s) in plays {
                        let spread = (weber * weber + hand(log_s(gap), wait_s)).sqrt();
                        let z = wait_s.ln() - log_s(gap);
                        likely *= (1.0 - LAPSES) * density(z / spread) / spread
                            + LAPSES * density((z - 1.0) / 1.5) / 1.5;
                    }
                    for &(gap, wait_s) in silences {
                        let spread = (weber * weber + hand(log_s(gap), wait_s)).sqrt();
                        let longer = normal_below((log_s(gap) - wait_s.ln()) / spread);
                        likely *= (1.0 - LAPSES) * longer + LAPSES;
                    }
                    sum += likely * log_s(gap);
                    all += likely;
                }
            }
        }
        sum / all
    }

    fn check(plays: &[(f64, f64)], silences: &[(f64, f64)], off: f64) {
        let prior = Prior { curvature_sd: 0.15, ..Prior::ANYBODY };
        let mut tempo = Tempo::new(&prior);
        for (gap, wait_s) in plays {
            tempo.played(*gap, *wait_s);
        }
        for (gap, wait_s) in silences {
            tempo.waited(*gap, *wait_s);
        }
        for gap in [4.0, 15.0, 40.0] {
            let (found, grid) = (tempo.forecast(gap).log_s, by_grid(&prior, plays, silences, gap));
            assert!((found - grid).abs() < off, "gap {gap}: {found} instead of {grid}");
        }
    }

    #[test]
    fn the_posterior_is_that_of_a_grid() {
        check(&[], &[], 0.01);
        check(&[(30.0, 9.0)], &[], 0.03);
        check(&[(30.0, 9.0), (8.0, 2.6), (3.0, 1.0), (20.0, 6.5)], &[], 0.03);
    }

    #[test]
    fn waits_that_did_not_end_count_too() {
        check(&[], &[(20.0, 14.0)], 0.06);
        check(&[(30.0, 9.0)], &[(20.0, 7.0), (6.0, 3.0)], 0.06);
        let mut tempo = Tempo::new(&Prior::ANYBODY);
        let before = tempo.forecast(10.0).log_s;
        tempo.waited(10.0, 12.0);
        assert!(tempo.forecast(10.0).log_s > before);
    }

    #[test]
    fn somebody_who_hurries_alone_is_not_thought_quick() {
        let mut tempo = Tempo::new(&Prior::ANYBODY);
        tempo.played(20.0, 10.0);
        let before = tempo.forecast(20.0).log_s;
        for _ in 0..5 {
            tempo.played_alone(20.0, 0.7);
        }
        assert!((tempo.forecast(20.0).log_s - before).abs() < 0.15);
    }
}
