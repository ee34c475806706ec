//! The clocks of a team: how fast they go, and how far they differ.
//!
//! A wait is divided by its distance and its logarithm taken. These logarithms are taken to be
//! normally distributed around one value for each level, with one spread for all. A wait that ended
//! without a play only says that its logarithm lies above: it is censored. Mean and spread are those
//! of the greatest likelihood, found by expectation and maximization.

use rules::kit::{BySeat, Seat};

/// The least spread that can be told from none.
const SPREAD_LEAST: f64 = 1e-4;
const ROUNDS_MOST: usize = 2_000;
const CLOSE_ENOUGH: f64 = 1e-10;
/// How much evidence it takes to believe half of a player's lean.
const LEAN_DOUBT: f64 = 2.0;
/// How many more plays than levels there have to be.
const PLAYS_LEAST: usize = 2;

/// How long a player waited for a card at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wait {
    pub(crate) seat: Seat,
    /// In any unit: it makes no difference to the spread.
    pub(crate) time: f64,
    /// How many numbers lie between where the pile was and the card.
    pub(crate) distance: f64,
    /// Whether the card went down then. If not, they would have waited longer.
    pub(crate) played: bool,
}

impl Wait {
    fn pace(&self) -> f64 {
        (self.time / self.distance).ln()
    }
}

/// The result of the fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clocks {
    /// The standard deviation of the logarithms, zero for a team in perfect step.
    pub(crate) spread: f64,
    /// How much later than the team each player is, as a logarithm; earlier if it is negative.
    pub(crate) leans: BySeat<f64>,
    pub(crate) plays: u32,
    pub(crate) waits: u32,
}

/// The clocks behind the waits of some levels; `None` if there are too few plays to say.
pub(crate) fn fit(levels: &[Vec<Wait>], players: u8) -> Option<Clocks> {
    let usable = |level: &&Vec<Wait>| level.iter().any(|wait| wait.played);
    let levels = levels.iter().filter(usable).collect::<Vec<_>>();
    let played = levels.iter().flat_map(|level| level.iter()).filter(|wait| wait.played).count();
    if levels.is_empty() || played < levels.len() + PLAYS_LEAST {
        return None;
    }
    let mut means = levels.iter().map(|level| mean_of_plays(level)).collect::<Vec<_>>();
    let mut spread = 0.5;
    for _ in 0..ROUNDS_MOST {
        let (mut squares, mut count) = (0.0, 0.0);
        for (level, mean) in levels.iter().zip(&mut means) {
            let guesses = level.iter().map(|wait| guess(wait, *mean, spread)).collect::<Vec<_>>();
            let next = guesses.iter().map(|(value, _)| value).sum::<f64>() / guesses.len() as f64;
            squares +=
                guesses.iter().map(|(value, rest)| (value - next).powi(2) + rest).sum::<f64>();
            count += guesses.len() as f64;
            *mean = next;
        }
        let next = (squares / count).sqrt().max(SPREAD_LEAST);
        let done = (next - spread).abs() < CLOSE_ENOUGH * spread;
        spread = next;
        if done {
            break;
        }
    }
    let all = levels.iter().map(|level| level.len()).sum::<usize>();
    let count = all as f64;
    let leans = leans(&levels, &means, spread, players);
    // Each level's own speed was found from the same waits.
    let corrected = spread * (count / (count - levels.len() as f64)).sqrt();
    let waits = (all - played) as u32;
    Some(Clocks { spread: corrected, leans, plays: played as u32, waits })
}

fn mean_of_plays(level: &[Wait]) -> f64 {
    let plays = level.iter().filter(|wait| wait.played).map(Wait::pace).collect::<Vec<_>>();
    plays.iter().sum::<f64>() / plays.len() as f64
}

/// The expected logarithm of a wait and its remaining variance: a wait that did not lead to a play
/// was longer by an unknown amount.
pub(crate) fn guess(wait: &Wait, mean: f64, spread: f64) -> (f64, f64) {
    let pace = wait.pace();
    if wait.played {
        return (pace, 0.0);
    }
    let z = (pace - mean) / spread;
    let hazard = hazard(z);
    (mean + spread * hazard, spread.powi(2) * (1.0 + z * hazard - hazard.powi(2)).max(0.0))
}

/// The density of the normal distribution over what is left of it above `z`.
fn hazard(z: f64) -> f64 {
    // Far out both vanish, and their ratio does not.
    if z > 25.0 {
        return z + 1.0 / z;
    }
    let above = libm::erfc(z / std::f64::consts::SQRT_2) / 2.0;
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() / above
}

fn leans(levels: &[&Vec<Wait>], means: &[f64], spread: f64, players: u8) -> BySeat<f64> {
    let mut sums = BySeat::new(players, |_| (0.0, 0.0));
    for (level, mean) in levels.iter().zip(means) {
        for wait in *level {
            let (value, _) = guess(wait, *mean, spread);
            let (sum, count) = sums[wait.seat];
            sums[wait.seat] = (sum + value - mean, count + 1.0);
        }
    }
    sums.map(|_, (sum, count): (f64, f64)| sum / (count + LEAN_DOUBT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(seat: Seat, time: f64, distance: f64, played: bool) -> Wait {
        Wait { seat, time, distance, played }
    }

    /// Seat A waits as it should, seat B longer by a factor.
    fn two(factor: f64, scale: f64) -> Vec<Vec<Wait>> {
        let b = Seat::A.left(2);
        let level = (2..12).flat_map(|distance| {
            let distance = f64::from(distance);
            [
                wait(Seat::A, scale * distance, distance, true),
                wait(b, scale * factor * distance, distance, true),
            ]
        });
        vec![level.collect()]
    }

    #[test]
    fn a_team_in_step_has_no_spread_at_any_speed() {
        for scale in [0.01, 1.0, 60.0] {
            let clocks = fit(&two(1.0, scale), 2).unwrap();
            assert!(clocks.spread < 1e-3, "{clocks:?}");
        }
    }

    #[test]
    fn the_spread_is_that_of_the_logarithms() {
        // Two clocks of which one takes e times as long: their logarithms are one apart.
        let clocks = fit(&two(1f64.exp(), 1.0), 2).unwrap();
        let expected = 0.5 * (20f64 / 19.0).sqrt();
        assert!((clocks.spread - expected).abs() < 1e-9, "{clocks:?}");
        let lean = 0.5 * 10.0 / 12.0;
        assert!((clocks.leans[Seat::A] + lean).abs() < 1e-9, "{clocks:?}");
        assert!((clocks.leans[Seat::A.left(2)] - lean).abs() < 1e-9, "{clocks:?}");
    }

    #[test]
    fn waits_without_a_play_are_evidence() {
        let calm = two(1.0, 1.0);
        let mut restless = calm.clone();
        // One player waited ten times as long as all the plays suggest, and still did not play.
        restless[0]
            .extend((2..6).map(|far| wait(Seat::A, 10.0 * f64::from(far), f64::from(far), false)));
        let [calm, restless] = [calm, restless].map(|waits| fit(&waits, 2).unwrap());
        assert!(restless.spread > calm.spread + 0.5, "{restless:?}");
        assert!(restless.leans[Seat::A] > 0.2, "{restless:?}");
        assert_eq!((restless.plays, restless.waits), (20, 4));
        // A short wait says next to nothing.
        let mut short = two(1.3, 1.0);
        let before = fit(&short, 2).unwrap().spread;
        short[0].push(wait(Seat::A, 0.001, 10.0, false));
        let after = fit(&short, 2).unwrap().spread;
        assert!((after - before).abs() < 0.01, "{before} {after}");
    }

    #[test]
    fn levels_may_have_their_own_speed() {
        let mut levels = two(1.2, 1.0);
        levels.extend(two(1.2, 50.0));
        let (both, one) = (fit(&levels, 2).unwrap(), fit(&two(1.2, 1.0), 2).unwrap());
        assert!((both.spread - one.spread).abs() < 1e-9);
    }

    #[test]
    fn too_little_says_nothing() {
        assert_eq!(fit(&[], 2), None);
        assert_eq!(
            fit(&[vec![wait(Seat::A, 1.0, 5.0, true), wait(Seat::A, 1.0, 5.0, true)]], 2),
            None
        );
        assert_eq!(fit(&[vec![wait(Seat::A, 1.0, 5.0, false); 9]], 2), None);
    }

    #[test]
    fn the_hazard_is_smooth_and_known() {
        assert!((hazard(0.0) - 0.797_884_560_8).abs() < 1e-9);
        assert!((hazard(2.0) - 2.373_215_532_8).abs() < 1e-8);
        assert!((hazard(24.999) - hazard(25.001)).abs() < 3e-3);
        assert!(hazard(-40.0) < 1e-9);
    }
}
