//! People from logs: the population that makes the logged waits likeliest.
//!
//! The model is `wait = (base + pace · gap^exponent · higher^−rarity · after) · e^(weber · z)`,
//! where `higher` is the share of the cards to come that are not lower, and `after` a factor of
//! waits that begin with the computer's card. Pace and that factor are log-normal over people. Some
//! waits go astray: they have little to do with what was intended. A wait that somebody else ended
//! counts as longer than it was. The likelihood of one person is summed over a grid of paces and
//! factors; the figures are found by a pattern search.

use bots::normal_below;

use crate::logs::{Log, Round};
use crate::people::{Change, Curve, Lapse, Noise, Pace, People, Shape, Stars};
use crate::person::higher;

/// What a fit is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The logarithm of the likelihood of all waits.
    pub log_likelihood: f64,
    /// That of the best model in which waits follow the gap alone.
    pub gap_alone: f64,
    /// The same two for people who were left out of the fit, each in turn one part of five.
    pub left_out: (f64, f64),
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
    /// Among how many cards it was.
    pub among: f64,
    /// How long they waited.
    pub wait_s: f64,
    /// Whether they played then.
    pub played: bool,
    /// Whether the wait began with a card of the computer.
    pub after_other: bool,
    /// Whether the computer had no cards left.
    pub alone: bool,
}

/// The population of the logs, and how well it fits.
pub fn fit(logs: &[Log], source: &str) -> (People, Quality) {
    let waits = logs.iter().map(|log| log.iter().flat_map(waits_of).collect::<Vec<_>>());
    let (alone, company): (Vec<_>, Vec<_>) =
        waits.map(|waits| waits.into_iter().partition::<Vec<_>, _>(|wait| wait.alone)).unzip();
    let free = search(&company, ALL);
    let left_out = |free| {
        let parts = (0..PARTS).map(|part| {
            let of_part = |index: usize| index % PARTS == part;
            let pick = |wanted: bool| {
                let people = company.iter().enumerate();
                people.filter(move |(index, _)| of_part(*index) == wanted).map(|(_, waits)| waits)
            };
            let (figures, _) = search(&pick(false).cloned().collect::<Vec<_>>(), free);
            pick(true).map(|waits| of_person(waits, &figures)).sum::<f64>()
        });
        parts.sum::<f64>()
    };
    let all = || company.iter().flatten();
    let quality = Quality {
        log_likelihood: free.1,
        gap_alone: search(&company, GAP_ALONE).1,
        left_out: (left_out(ALL), left_out(GAP_ALONE)),
        plays: all().filter(|wait| wait.played).count(),
        silences: all().filter(|wait| !wait.played).count(),
    };
    (people(&free.0, &alone, source), quality)
}

/// The waits of the person in a round.
pub fn waits_of(round: &Round) -> Vec<Wait> {
    let (mut hand, mut computer) = (round.person.clone(), round.computer.clone());
    let (mut top, mut after_other) = (0, false);
    let mut waits = Vec::new();
    for play in &round.plays {
        if let Some(&lowest) = hand.iter().min()
            && lowest > top
        {
            waits.push(Wait {
                gap: f64::from(lowest - top),
                among: f64::from(100 - top),
                wait_s: play.wait_s.max(0.05),
                played: play.by_person,
                after_other,
                alone: computer.is_empty(),
            });
        }
        hand.retain(|card| *card != play.card);
        computer.retain(|card| *card != play.card);
        top = play.card.max(top);
        after_other = !play.by_person;
    }
    waits
}

/// Into how many parts people are divided, each of which is left out once.
const PARTS: usize = 5;

/// Logarithm of the pace, its spread over people, exponent, logarithm of the noise, base, rarity,
/// logarithm of the factor after another's card, its spread over people, share of stray waits.
const FIGURES: usize = 9;
const START: [f64; FIGURES] = [-1.0, 0.4, 1.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.05];
const STEPS: [f64; FIGURES] = [0.4, 0.2, 0.2, 0.3, 0.2, 0.2, 0.3, 0.3, 0.05];
const LEAST: [f64; FIGURES] = [-9.0, 0.02, 0.1, -4.0, 0.0, 0.0, -3.0, 0.0, 0.0];
const MOST: [f64; FIGURES] = [9.0, 3.0, 4.0, 1.0, 9.0, 3.0, 3.0, 3.0, 0.5];
const ALL: [bool; FIGURES] = [true; FIGURES];
const GAP_ALONE: [bool; FIGURES] = [true, true, true, true, true, false, false, false, true];
/// How far stray waits scatter, as the standard deviation of a logarithm.
const STRAY_LOG_SD: f64 = 1.5;

fn people(figures: &[f64; FIGURES], alone: &[Vec<Wait>], source: &str) -> People {
    let [log_pace, log_sd, exponent, log_weber, base, rarity, after, after_log_sd, stray] =
        *figures;
    let played = alone.iter().flatten().filter(|wait| wait.played);
    let mut alone_s = played.map(|wait| wait.wait_s).collect::<Vec<_>>();
    alone_s.sort_by(f64::total_cmp);
    People {
        name: "fitted".to_owned(),
        source: source.to_owned(),
        pace: Pace { median_s: round(log_pace.exp()), log_sd: round(log_sd) },
        curve: Curve {
            exponent: round(exponent),
            base_s: round(base),
            rarity: round(rarity),
            after_other: round(after.exp()),
            after_other_log_sd: round(after_log_sd),
            alone_s: alone_s.get(alone_s.len() / 2).map(|wait_s| round(*wait_s)),
            ..Curve::default()
        },
        noise: Noise {
            weber: round(log_weber.exp()),
            stray: round(stray),
            stray_log_sd: STRAY_LOG_SD,
            motor_s: 0.0,
            shape: Shape::LogNormal,
            ..Noise::default()
        },
        change: Change::default(),
        lapse: Lapse::default(),
        stars: Stars::default(),
    }
}

fn search(people: &[Vec<Wait>], free: [bool; FIGURES]) -> ([f64; FIGURES], f64) {
    let mut best = START;
    let mut value = likelihood(people, &best);
    let mut scale = 1.0;
    while scale > 0.02 {
        let mut moved = false;
        for figure in (0..FIGURES).filter(|figure| free[*figure]) {
            for direction in [1.0, -1.0] {
                let mut other = best;
                other[figure] += direction * scale * STEPS[figure];
                if !(LEAST[figure]..=MOST[figure]).contains(&other[figure]) {
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

/// The logarithm of how likely one person's waits are, whatever their pace and their factor after
/// another's card. Given the pace these are two kinds of waits that have nothing to do with each
/// other but it.
fn of_person(waits: &[Wait], figures: &[f64; FIGURES]) -> f64 {
    let [log_pace, log_sd, .., after_other, after_other_log_sd, _] = *figures;
    let (after, own): (Vec<_>, Vec<_>) = waits.iter().partition(|wait| wait.after_other);
    mean_over(log_sd, |pace| {
        let pace = (log_pace + pace).exp();
        let own = own.iter().map(|wait| of_wait(wait, pace, figures)).sum::<f64>();
        own + mean_over(after_other_log_sd, |factor| {
            let pace = pace * (after_other + factor).exp();
            after.iter().map(|wait| of_wait(wait, pace, figures)).sum()
        })
    })
}

/// The logarithm of the mean likelihood over a normal deviation of that size.
fn mean_over(sd: f64, log_likely: impl Fn(f64) -> f64) -> f64 {
    const GRID: i32 = 7;
    if sd == 0.0 {
        return log_likely(0.0);
    }
    let steps = || (-GRID..=GRID).map(|step| 2.8 * f64::from(step) / f64::from(GRID));
    let values = steps().map(|z| log_likely(sd * z) - 0.5 * z * z).collect::<Vec<_>>();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all = steps().map(|z| (-0.5 * z * z).exp()).sum::<f64>();
    most + (values.iter().map(|value| (value - most).exp()).sum::<f64>() / all).ln()
}

fn of_wait(wait: &Wait, pace: f64, figures: &[f64; FIGURES]) -> f64 {
    let [_, _, exponent, log_weber, base, rarity, .., stray] = *figures;
    let rare = higher(wait.gap, wait.among).powf(-rarity);
    let middle_s = base + pace * wait.gap.powf(exponent) * rare;
    let off = (wait.wait_s / middle_s).ln();
    let likely = |log_sd: f64| {
        let z = off / log_sd;
        if wait.played {
            (-0.5 * z * z).exp() / (log_sd * std::f64::consts::TAU.sqrt())
        } else {
            normal_below(-z)
        }
    };
    let all = (1.0 - stray) * likely(log_weber.exp()) + stray * likely(STRAY_LOG_SD);
    all.max(1e-12).ln()
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
            let (pace, factor) = normal_pair(chance);
            let (pace, factor) = (0.4 * (0.3 * pace).exp(), 0.5 * (0.4 * factor).exp());
            let wait = |chance: &mut Chance| {
                let gap = 1.0 + (39.0 * uniform(chance)).floor();
                let among = gap + (50.0 * uniform(chance)).floor();
                let after_other = uniform(chance) < 0.5;
                let after = if after_other { factor } else { 1.0 };
                let middle_s = pace * gap.powf(0.8) * higher(gap, among).powf(-0.3) * after;
                let log_sd = if uniform(chance) < 0.1 { STRAY_LOG_SD } else { 0.4 };
                let wait_s = middle_s * (log_sd * normal_pair(chance).0).exp();
                let cut_s = 12.0 * uniform(chance);
                let played = wait_s < cut_s;
                Wait { gap, among, wait_s: wait_s.min(cut_s), played, after_other, alone: false }
            };
            (0..40).map(|_| wait(chance)).collect::<Vec<_>>()
        };
        let people = (0..40).map(|_| person(&mut chance)).collect::<Vec<_>>();
        let (figures, _) = search(&people, ALL);
        let [log_pace, log_sd, exponent, log_weber, base, rarity, after, after_log_sd, stray] =
            figures;
        let near = |found: f64, made: f64, off: f64| {
            assert!((found - made).abs() < off, "{found} instead of {made}");
        };
        near(exponent, 0.8, 0.1);
        near(log_weber.exp(), 0.4, 0.05);
        near(log_pace.exp() * 10_f64.powf(exponent) + base, 0.4 * 10_f64.powf(0.8), 0.4);
        near(log_sd, 0.3, 0.12);
        near(rarity, 0.3, 0.1);
        near(after.exp(), 0.5, 0.1);
        near(after_log_sd, 0.4, 0.15);
        near(stray, 0.1, 0.05);
    }

    #[test]
    fn waits_that_somebody_else_ended_are_kept_as_such() {
        let text = "Game 1\nHand Participant: [10, 20]\nHand Computer: [5]\n\
            Computer played 5. Time passed: 1500\nParticipant played 10. Time passed: 700\n\
            Participant played 20. Time passed: 400\nWON";
        let log = crate::logs::read_log(text).unwrap();
        let wait = |gap, among, wait_s, played, after_other, alone| Wait {
            gap,
            among,
            wait_s,
            played,
            after_other,
            alone,
        };
        let expected = [
            wait(10.0, 100.0, 1.5, false, false, false),
            wait(5.0, 95.0, 0.7, true, true, true),
            wait(10.0, 90.0, 0.4, true, false, true),
        ];
        assert_eq!(waits_of(&log[0]), expected);
    }
}
