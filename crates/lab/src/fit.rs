//! People from logs: the population that makes the logged waits likeliest.
//!
//! The model is `wait = (base + pace · gap^exponent) · e^(weber · z)`, the pace log-normal over
//! people. A wait that somebody else ended counts as longer than it was. The likelihood of one
//! person is summed over a grid of paces; the five figures are found by a pattern search.

use bots::normal_below;

use crate::logs::{Log, Round};
use crate::people::{Change, Curve, Lapse, Noise, Pace, People, Shape, Stars};

/// What a fit is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The logarithm of the likelihood of all waits.
    pub log_likelihood: f64,
    /// That of the best line without curvature and base.
    pub straight: f64,
    /// Waits that ended in a play.
    pub plays: usize,
    /// Waits that did not.
    pub silences: usize,
}

/// A wait of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// How far the card was away.
    pub gap: f64,
    /// How long they waited.
    pub wait_s: f64,
    /// Whether they played then.
    pub played: bool,
    /// Whether the computer had no cards left.
    pub alone: bool,
}

/// The population of the logs, and how well it fits.
pub fn fit(logs: &[Log], source: &str) -> (People, Quality) {
    let waits = logs.iter().map(|log| log.iter().flat_map(waits_of).collect::<Vec<_>>());
    let waits = waits.collect::<Vec<_>>();
    let company =
        |waits: &Vec<Wait>| waits.iter().copied().filter(|wait| !wait.alone).collect::<Vec<_>>();
    let company = waits.iter().map(company).collect::<Vec<_>>();
    let all = || company.iter().flatten();
    let free = search(&company, [true; FIGURES]);
    let straight = search(&company, [true, true, false, true, false]);
    let [log_pace, log_sd, exponent, log_weber, base] = free.0;
    let mut alone_s = waits.iter().flatten().filter(|wait| wait.alone && wait.played);
    let mut alone_s = alone_s.by_ref().map(|wait| wait.wait_s).collect::<Vec<_>>();
    alone_s.sort_by(f64::total_cmp);
    let people = People {
        name: "fitted".to_owned(),
        source: source.to_owned(),
        pace: Pace { median_s: round(log_pace.exp()), log_sd: round(log_sd) },
        curve: Curve {
            exponent: round(exponent),
            base_s: round(base),
            alone_s: alone_s.get(alone_s.len() / 2).map(|wait_s| round(*wait_s)),
            ..Curve::default()
        },
        noise: Noise {
            weber: round(log_weber.exp()),
            motor_s: 0.0,
            shape: Shape::LogNormal,
            ..Noise::default()
        },
        change: Change::default(),
        lapse: Lapse::default(),
        stars: Stars::default(),
    };
    let quality = Quality {
        log_likelihood: free.1,
        straight: straight.1,
        plays: all().filter(|wait| wait.played).count(),
        silences: all().filter(|wait| !wait.played).count(),
    };
    (people, quality)
}

/// The waits of the person in a round.
pub fn waits_of(round: &Round) -> Vec<Wait> {
    let (mut hand, mut computer) = (round.person.clone(), round.computer.clone());
    let mut top = 0;
    let mut waits = Vec::new();
    for play in &round.plays {
        if let Some(&lowest) = hand.iter().min()
            && lowest > top
        {
            waits.push(Wait {
                gap: f64::from(lowest - top),
                wait_s: play.wait_s.max(0.05),
                played: play.by_person,
                alone: computer.is_empty(),
            });
        }
        hand.retain(|card| *card != play.card);
        computer.retain(|card| *card != play.card);
        top = play.card.max(top);
    }
    waits
}

/// Logarithm of the pace, its spread over people, exponent, logarithm of the noise, base.
const FIGURES: usize = 5;
const START: [f64; FIGURES] = [-1.0, 0.4, 1.0, -0.5, 0.0];
const STEPS: [f64; FIGURES] = [0.4, 0.2, 0.2, 0.3, 0.2];

fn search(people: &[Vec<Wait>], free: [bool; FIGURES]) -> ([f64; FIGURES], f64) {
    let mut best = START;
    let mut value = likelihood(people, &best);
    let mut scale = 1.0;
    while scale > 0.01 {
        let mut moved = false;
        for figure in (0..FIGURES).filter(|figure| free[*figure]) {
            for direction in [1.0, -1.0] {
                let mut other = best;
                other[figure] += direction * scale * STEPS[figure];
                if other[1] < 0.02 || other[2] < 0.1 || other[4] < 0.0 {
                    continue;
                }
                let found = likelihood(people, &other);
                if found > value {
                    (best, value, moved) = (other, found, true);
                }
            }
        }
        if !moved {
            scale /= 2.0;
        }
    }
    (best, value)
}

fn likelihood(people: &[Vec<Wait>], figures: &[f64; FIGURES]) -> f64 {
    people.iter().map(|waits| of_person(waits, figures)).sum()
}

/// The logarithm of how likely one person's waits are, whatever their pace.
fn of_person(
    waits: &[Wait],
    &[log_pace, log_sd, exponent, log_weber, base]: &[f64; FIGURES],
) -> f64 {
    const GRID: i32 = 12;
    let weber = log_weber.exp();
    let paces = (-GRID..=GRID).map(|step| {
        let z = 3.0 * f64::from(step) / f64::from(GRID);
        let pace = (log_pace + log_sd * z).exp();
        let sum = waits.iter().map(|wait| {
            let middle = (base + pace * wait.gap.powf(exponent)).ln();
            let off = (wait.wait_s.ln() - middle) / weber;
            if wait.played {
                -0.5 * off * off - weber.ln()
            } else {
                normal_below(-off).max(1e-12).ln()
            }
        });
        sum.sum::<f64>() - 0.5 * z * z
    });
    let paces = paces.collect::<Vec<_>>();
    let most = paces.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = f64::from(2 * GRID + 1);
    most + (paces.iter().map(|value| (value - most).exp()).sum::<f64>() / share).ln()
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::{normal_pair, uniform};
    use rules::kit::{Chance, Seed};

    /// People whose figures are known are found again.
    #[test]
    fn the_fit_finds_what_made_the_waits() {
        let mut chance = Chance::new(Seed::from(5), 0);
        let person = |chance: &mut Chance| {
            let pace = 0.4 * (0.3 * normal_pair(chance).0).exp();
            let wait = |chance: &mut Chance| {
                let gap = 1.0 + (39.0 * uniform(chance)).floor();
                let wait_s = pace * gap.powf(0.8) * (0.4 * normal_pair(chance).0).exp();
                let cut_s = 12.0 * uniform(chance);
                let played = wait_s < cut_s;
                Wait { gap, wait_s: wait_s.min(cut_s), played, alone: false }
            };
            (0..40).map(|_| wait(chance)).collect::<Vec<_>>()
        };
        let people = (0..30).map(|_| person(&mut chance)).collect::<Vec<_>>();
        let ([log_pace, log_sd, exponent, log_weber, base], _) = search(&people, [true; FIGURES]);
        let near = |found: f64, made: f64, off: f64| {
            assert!((found - made).abs() < off, "{found} instead of {made}");
        };
        near(exponent, 0.8, 0.1);
        near(log_weber.exp(), 0.4, 0.05);
        near(log_pace.exp() * 10_f64.powf(exponent) + base, 0.4 * 10_f64.powf(0.8), 0.3);
        near(log_sd, 0.3, 0.12);
    }

    #[test]
    fn waits_that_somebody_else_ended_are_kept_as_such() {
        let text = "Game 1\nHand Participant: [10, 20]\nHand Computer: [5]\n\
            Computer played 5. Time passed: 1500\nParticipant played 10. Time passed: 700\n\
            Participant played 20. Time passed: 400\nWON";
        let log = crate::logs::read_log(text).unwrap();
        let found = waits_of(&log[0]);
        let expected = [(10.0, 1.5, false, false), (5.0, 0.7, true, true), (10.0, 0.4, true, true)];
        let found = found.iter().map(|wait| (wait.gap, wait.wait_s, wait.played, wait.alone));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
