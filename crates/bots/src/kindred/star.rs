//! What a star is worth: the risk that it saves, against what it could save later.

/// Stars that a team can have, and plays that are looked ahead.
const STARS: usize = 3;
const PLAYS: usize = 200;

/// From which risk on a star is well spent, as a multiple of the usual risk of a play, with `stars`
/// stars and `plays` plays to go.
///
/// Taking risks as exponential, the value `V` of stars is that of an optimal stopping problem:
/// with one play to go a star saves its risk, and before that it is spent where the risk exceeds
/// what the star would be worth later.
pub fn threshold(stars: u8, plays: u16) -> f64 {
    let (stars, plays) = (usize::from(stars).min(STARS), usize::from(plays).min(PLAYS));
    let mut value = [0.0; STARS + 1];
    for _ in 1..plays {
        value = one_play_more(value);
    }
    if stars == 0 { f64::INFINITY } else { value[stars] - value[stars - 1] }
}

/// The values with one play more to go.
fn one_play_more(value: [f64; STARS + 1]) -> [f64; STARS + 1] {
    let mut more = value;
    for stars in 1..=STARS {
        let later = value[stars] - value[stars - 1];
        // What an exponential risk is worth if it can be left for something better.
        more[stars] = value[stars - 1] + later + (-later).exp();
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::uniform;
    use rules::kit::{Chance, Seed};

    #[test]
    fn the_last_chance_is_taken() {
        assert!(threshold(1, 1).abs() < 1e-12);
        assert!(threshold(3, 3).abs() < 1e-12);
        assert!(threshold(0, 10).is_infinite());
    }

    #[test]
    fn a_star_is_dearer_early_and_when_it_is_the_only_one() {
        assert!(threshold(1, 50) > threshold(1, 10));
        assert!(threshold(1, 50) > threshold(3, 50));
    }

    /// What is saved on average by spending one star above a threshold that goes with the plays
    /// left.
    fn saved(plays: u16, factor: f64) -> f64 {
        let mut chance = Chance::new(Seed::from(8), 0);
        let rounds = 20_000;
        let thresholds = (1..=plays).map(|left| factor * threshold(1, left)).collect::<Vec<_>>();
        let saved = (0..rounds).map(|_| {
            let risks = thresholds.iter().rev().map(|least| (-uniform(&mut chance).ln(), *least));
            risks.filter(|(risk, least)| risk >= least).map(|(risk, _)| risk).next().unwrap_or(0.0)
        });
        saved.sum::<f64>() / f64::from(rounds)
    }

    /// The value of a star in simulated levels: what the threshold says, and less with any other.
    #[test]
    fn simulation_agrees() {
        let value = threshold(1, 31);
        let found = saved(30, 1.0);
        assert!((found - value).abs() < 0.05, "{found} against {value}");
        assert!(saved(30, 0.6) < found && saved(30, 1.4) < found);
    }
}
