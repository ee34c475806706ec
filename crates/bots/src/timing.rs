//! How exactly a player keeps an intended wait: noise proportional to the wait, and the noise of
//! the hand.

use rules::kit::Chance;

/// The noise of a player's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The standard deviation of a wait as a share of it (Weber's fraction).
    pub weber: f64,
    /// The standard deviation of the hand that follows, in seconds.
    pub motor_s: f64,
}

impl Timing {
    /// A perfect clock.
    pub const EXACT: Self = Self { weber: 0.0, motor_s: 0.0 };

    /// An intended wait with noise added; never negative.
    pub fn wait_s(self, intended_s: f64, chance: &mut Chance) -> f64 {
        if self == Self::EXACT {
            return intended_s.max(0.0);
        }
        let (share, hand) = normal_pair(chance);
        (intended_s * (1.0 + self.weber * share) + self.motor_s * hand).max(0.0)
    }

    /// The standard deviation of a wait.
    pub fn spread_s(self, intended_s: f64) -> f64 {
        (self.weber * intended_s).hypot(self.motor_s)
    }
}

/// Two independent draws from the standard normal distribution.
pub fn normal_pair(chance: &mut Chance) -> (f64, f64) {
    let radius = (-2.0 * uniform(chance).ln()).sqrt();
    let (sin, cos) = (std::f64::consts::TAU * uniform(chance)).sin_cos();
    (radius * cos, radius * sin)
}

/// A number between 0 and 1, neither of them included.
pub fn uniform(chance: &mut Chance) -> f64 {
    (f64::from(chance.bits()) + 0.5) / 4_294_967_296.0
}

/// The share of the standard normal distribution that lies below.
pub fn normal_below(z: f64) -> f64 {
    // Abramowitz and Stegun 26.2.17: off by less than 1e-7, which no wait ever shows.
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let poly = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let upper = poly * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    if z < 0.0 { upper } else { 1.0 - upper }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::Seed;

    #[test]
    fn waits_scatter_as_declared() {
        let timing = Timing { weber: 0.2, motor_s: 0.1 };
        let mut chance = Chance::new(Seed::from(3), 0);
        let waits = (0..40_000).map(|_| timing.wait_s(2.0, &mut chance)).collect::<Vec<_>>();
        let count = waits.len() as f64;
        let mean = waits.iter().sum::<f64>() / count;
        let variance = waits.iter().map(|wait| (wait - mean).powi(2)).sum::<f64>() / count;
        assert!((mean - 2.0).abs() < 0.01, "mean {mean}");
        assert!((variance.sqrt() - timing.spread_s(2.0)).abs() < 0.01, "variance {variance}");
    }

    #[test]
    fn a_perfect_clock_draws_nothing() {
        let mut chance = Chance::new(Seed::from(3), 0);
        assert!((Timing::EXACT.wait_s(1.25, &mut chance) - 1.25).abs() < f64::EPSILON);
        assert_eq!(chance.bits(), Chance::new(Seed::from(3), 0).bits());
    }

    #[test]
    fn the_normal_distribution_is_as_in_the_tables() {
        for (z, share) in [(0.0, 0.5), (1.0, 0.841_345), (-1.96, 0.024_998), (3.0, 0.998_650)] {
            assert!((normal_below(z) - share).abs() < 1e-6, "{z}");
        }
    }
}
