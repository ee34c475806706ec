//! People from logs: the population that makes the logged waits likeliest.
//!
//! The model is `wait = (base + pace · gap^exponent · higher^−rarity · after · e^(trend · deal)) ·
//! e^(weber · z)`, where `higher` is the share of the cards to come that are not lower, `after` a
//! factor of waits that begin with the computer's card, and `deal` the number of deals before. Pace, noise and that factor are log-normal over
//! people. Some waits are outliers: they have little to do with the intended wait. A wait that was
//! ended by another player's card is censored: it would have been longer. The likelihood of one
//! person is summed over a grid of paces, noises and factors; the figures are found by a pattern
//! search.

use bots::normal_below;
use rayon::prelude::*;
use serde::Serialize;

use crate::logs::{Log, Round};
use crate::people::{Change, Curve, Lapse, Noise, Pace, People, Shape, Stars};
use crate::person::higher;

/// How well a fit describes the logs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// The logarithm of the likelihood of all waits.
    pub log_likelihood: f64,
    /// That of the best model without a trend.
    pub no_trend: f64,
    /// That of the best model in which waits follow the gap alone.
    pub gap_alone: f64,
    /// The same three for people who were left out of the fit, each in turn one part of five.
    pub left_out: [f64; 3],
    /// Waits that ended in a play.
    pub plays: usize,
    /// Waits that did not.
    pub silences: usize,
}

/// A wait of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// How many deals the person had had before.
    pub deal: f64,
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
    let waits = logs.iter().map(|log| waits_of(log));
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
            let (model, _) = search(&pick(false).cloned().collect::<Vec<_>>(), free);
            pick(true).map(|waits| of_person(waits, &model)).sum::<f64>()
        });
        parts.sum::<f64>()
    };
    let all = || company.iter().flatten();
    let quality = Quality {
        log_likelihood: free.1,
        no_trend: search(&company, NO_TREND).1,
        gap_alone: search(&company, GAP_ALONE).1,
        left_out: [ALL, NO_TREND, GAP_ALONE].map(left_out),
        plays: all().filter(|wait| wait.played).count(),
        silences: all().filter(|wait| !wait.played).count(),
    };
    (people(&free.0, &alone, source), quality)
}

/// The waits of the person in all rounds of a log.
pub fn waits_of(log: &[Round]) -> Vec<Wait> {
    let of_round = |(deal, round): (usize, &Round)| of_round(deal as f64, round);
    log.iter().enumerate().flat_map(of_round).collect()
}

fn of_round(deal: f64, round: &Round) -> Vec<Wait> {
    let (mut hand, mut computer) = (round.person.clone(), round.computer.clone());
    let (mut top, mut after_other) = (0, false);
    let mut waits = Vec::new();
    for play in &round.plays {
        if let Some(&lowest) = hand.iter().min()
            && lowest > top
        {
            waits.push(Wait {
                deal,
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

/// The parameters that are fitted. Spreads are over people.
#[derive(Clone, Copy, Debug)]
struct Model {
    log_pace: f64,
    pace_log_sd: f64,
    exponent: f64,
    log_weber: f64,
    weber_log_sd: f64,
    base_s: f64,
    rarity: f64,
    /// The logarithm of the factor after another player's card.
    log_after: f64,
    after_log_sd: f64,
    stray: f64,
    /// The step of the logarithm of the pace with every deal.
    trend: f64,
}

/// The same as the search takes it.
type Figures = [f64; FIGURES];

impl From<Figures> for Model {
    fn from(figures: Figures) -> Self {
        let [log_pace, pace_log_sd, exponent, log_weber, weber_log_sd, ..] = figures;
        let [.., base_s, rarity, log_after, after_log_sd, stray, trend] = figures;
        Self {
            log_pace,
            pace_log_sd,
            exponent,
            log_weber,
            weber_log_sd,
            base_s,
            rarity,
            log_after,
            after_log_sd,
            stray,
            trend,
        }
    }
}

const FIGURES: usize = 11;
const START: Figures = [-1.0, 0.4, 1.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.0];
const STEPS: Figures = [0.4, 0.2, 0.2, 0.3, 0.3, 0.2, 0.2, 0.3, 0.3, 0.05, 0.03];
const LEAST: Figures = [-9.0, 0.02, 0.1, -4.0, 0.0, 0.0, 0.0, -3.0, 0.0, 0.0, -0.3];
const MOST: Figures = [9.0, 3.0, 4.0, 1.0, 3.0, 9.0, 3.0, 3.0, 3.0, 0.5, 0.3];
const ALL: [bool; FIGURES] = [true; FIGURES];
/// The same without a trend, without the effects of another player's card and of high cards, and
/// with the same noise for all people.
const GAP_ALONE: [bool; FIGURES] =
    [true, true, true, true, false, true, false, false, false, true, false];
/// The same as all, without a trend.
const NO_TREND: [bool; FIGURES] =
    [true, true, true, true, true, true, true, true, true, true, false];
/// How far stray waits scatter, as the standard deviation of a logarithm.
const STRAY_LOG_SD: f64 = 1.5;

fn people(model: &Model, alone: &[Vec<Wait>], source: &str) -> People {
    let played = alone.iter().flatten().filter(|wait| wait.played);
    let mut alone_s = played.map(|wait| wait.wait_s).collect::<Vec<_>>();
    alone_s.sort_by(f64::total_cmp);
    People {
        name: "fitted".to_owned(),
        source: source.to_owned(),
        pace: Pace { median_s: round(model.log_pace.exp()), log_sd: round(model.pace_log_sd) },
        curve: Curve {
            exponent: round(model.exponent),
            base_s: round(model.base_s),
            rarity: round(model.rarity),
            after_other: round(model.log_after.exp()),
            after_other_log_sd: round(model.after_log_sd),
            alone_s: alone_s.get(alone_s.len() / 2).map(|wait_s| round(*wait_s)),
            ..Curve::default()
        },
        noise: Noise {
            weber: round(model.log_weber.exp()),
            weber_log_sd: round(model.weber_log_sd),
            stray: round(model.stray),
            stray_log_sd: STRAY_LOG_SD,
            motor_s: 0.0,
            shape: Shape::LogNormal,
        },
        change: Change { trend_log: round(model.trend), ..Change::default() },
        lapse: Lapse::default(),
        stars: Stars::default(),
    }
}

fn search(people: &[Vec<Wait>], free: [bool; FIGURES]) -> (Model, f64) {
    let mut best = START;
    let mut value = likelihood(people, &best.into());
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
                let found = likelihood(people, &other.into());
                if found > value {
                    (best, value, moved) = (other, found, true);
                }
            }
        }
        if !moved {
            scale /= 2.0;
        }
    }
    (best.into(), value)
}

fn likelihood(people: &[Vec<Wait>], model: &Model) -> f64 {
    // Sum in a fixed order: another order would give a slightly different sum.
    people.par_iter().map(|waits| of_person(waits, model)).collect::<Vec<_>>().iter().sum()
}

/// Grids of a normal deviation, by how far they reach and by their steps to either side. Paces and
/// factors are told apart more exactly than noises.
const FINE: (f64, i32) = (2.8, 7);
const COARSE: (f64, i32) = (2.1, 3);

/// The logarithm of how likely one person's waits are, averaged over their pace, their noise and
/// their factor after another player's card. Given pace and noise, waits with and without that
/// factor are independent.
fn of_person(waits: &[Wait], model: &Model) -> f64 {
    let Model { base_s, stray, .. } = *model;
    let far = |wait: &Wait| {
        let rare = higher(wait.gap, wait.among).powf(-model.rarity);
        wait.gap.powf(model.exponent) * rare * (model.trend * wait.deal).exp()
    };
    let waits = waits.iter().map(|wait| (wait, far(wait)));
    let (after, own): (Vec<_>, Vec<_>) = waits.partition(|(wait, _)| wait.after_other);
    let all = |waits: &[(&Wait, f64)], pace: f64, weber: f64| {
        waits
            .iter()
            .map(|(wait, far)| of_wait(wait, base_s + pace * far, weber, stray))
            .sum::<f64>()
    };
    mean_over(model.weber_log_sd, COARSE, |weber| {
        let weber = (model.log_weber + weber).exp();
        mean_over(model.pace_log_sd, FINE, |pace| {
            let pace = (model.log_pace + pace).exp();
            let after = mean_over(model.after_log_sd, FINE, |factor| {
                all(&after, pace * (model.log_after + factor).exp(), weber)
            });
            all(&own, pace, weber) + after
        })
    })
}

/// The logarithm of the mean likelihood over a normal deviation of that size.
fn mean_over(sd: f64, (reach, grid): (f64, i32), log_likely: impl Fn(f64) -> f64) -> f64 {
    if sd == 0.0 {
        return log_likely(0.0);
    }
    let steps = || (-grid..=grid).map(|step| reach * f64::from(step) / f64::from(grid));
    let values = steps().map(|z| log_likely(sd * z) - 0.5 * z * z).collect::<Vec<_>>();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all = steps().map(|z| (-0.5 * z * z).exp()).sum::<f64>();
    most + (values.iter().map(|value| (value - most).exp()).sum::<f64>() / all).ln()
}

/// The same of one wait around that middle.
fn of_wait(wait: &Wait, middle_s: f64, weber: f64, stray: f64) -> f64 {
    let off = (wait.wait_s / middle_s).ln();
    let likely = |log_sd: f64| {
        let z = off / log_sd;
        if wait.played {
            (-0.5 * z * z).exp() / (log_sd * std::f64::consts::TAU.sqrt())
        } else {
            normal_below(-z)
        }
    };
    let all = (1.0 - stray) * likely(weber) + stray * likely(STRAY_LOG_SD);
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
            let ((pace, factor), (weber, _)) = (normal_pair(chance), normal_pair(chance));
            let (pace, factor) = (0.4 * (0.3 * pace).exp(), 0.5 * (0.4 * factor).exp());
            let weber = 0.4 * (0.5 * weber).exp();
            let wait = |deal: f64, chance: &mut Chance| {
                let gap = 1.0 + (39.0 * uniform(chance)).floor();
                let among = gap + (50.0 * uniform(chance)).floor();
                let after_other = uniform(chance) < 0.5;
                let after = if after_other { factor } else { 1.0 };
                let slower = (0.03 * deal).exp();
                let middle_s =
                    pace * slower * gap.powf(0.8) * higher(gap, among).powf(-0.3) * after;
                let log_sd = if uniform(chance) < 0.1 { STRAY_LOG_SD } else { weber };
                let wait_s = middle_s * (log_sd * normal_pair(chance).0).exp();
                let cut_s = 12.0 * uniform(chance);
                let played = wait_s < cut_s;
                let wait_s = wait_s.min(cut_s);
                Wait { deal, gap, among, wait_s, played, after_other, alone: false }
            };
            (0..40).map(|number| wait(f64::from(number / 5), chance)).collect::<Vec<_>>()
        };
        let people = (0..40).map(|_| person(&mut chance)).collect::<Vec<_>>();
        let (model, _) = search(&people, ALL);
        let near = |found: f64, made: f64, off: f64| {
            assert!((found - made).abs() < off, "{found} instead of {made}");
        };
        near(model.exponent, 0.8, 0.1);
        near(model.log_weber.exp(), 0.4, 0.08);
        near(model.weber_log_sd, 0.5, 0.15);
        near(
            model.log_pace.exp() * 10_f64.powf(model.exponent) + model.base_s,
            0.4 * 10_f64.powf(0.8),
            0.4,
        );
        near(model.pace_log_sd, 0.3, 0.12);
        near(model.rarity, 0.3, 0.1);
        near(model.log_after.exp(), 0.5, 0.1);
        near(model.after_log_sd, 0.4, 0.15);
        near(model.stray, 0.1, 0.05);
        near(model.trend, 0.03, 0.015);
    }

    #[test]
    fn waits_ended_by_another_player_are_censored() {
        let text = "Game 1\nHand Participant: [10, 20]\nHand Computer: [5]\n\
            Computer played 5. Time passed: 1500\nParticipant played 10. Time passed: 700\n\
            Participant played 20. Time passed: 400\nWON";
        let log = crate::logs::read_log(text).unwrap();
        let wait = |gap, among, wait_s, played, after_other, alone| Wait {
            deal: 0.0,
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
        assert_eq!(waits_of(&log), expected);
    }
}
