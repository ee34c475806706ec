//! The results of a scenario, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use super::scenario::Scenario;
use super::seen::{Pair, Seen, Trust};

/// The results of a scenario.
#[derive(Serialize)]
pub struct Report {
    pub name: String,
    pub title: String,
    pub runs: u32,
    pub seed: u64,
    pub pairs: usize,
    /// Pairs that did not count, because the level had paused.
    pub paused: usize,
    /// The share of pairs that were said to be too close to tell, in percent.
    pub photo_finishes: f64,
    pub gaps: Vec<Gap>,
    pub held: Quantiles,
    pub delay: Quantiles,
    pub spread: Quantiles,
    /// The same if cards were shown as they come.
    pub plain_spread: Quantiles,
    pub players: Vec<Player>,
    pub targets: Vec<Target>,
}

/// Pairs of one gap.
#[derive(Serialize)]
pub struct Gap {
    pub gap_ms: u32,
    pub pairs: usize,
    /// The share in the right order, in percent.
    pub fair: f64,
    /// By how much chance may have moved that share, either way, with 95 of 100 chances.
    pub within: f64,
    /// What the arrival of packets would give.
    pub arrival: f64,
    /// Both for pairs of players who do not lie.
    pub honest: Honest,
}

/// Pairs of one gap whose players do not lie.
#[derive(Serialize)]
pub struct Honest {
    pub pairs: usize,
    pub fair: f64,
    pub arrival: f64,
}

/// Of many times, in milliseconds.
#[derive(Serialize)]
pub struct Quantiles {
    pub p50_ms: f64,
    pub p99_ms: f64,
    /// Nine points in a hundred and their ends, for the plots.
    #[serde(skip)]
    pub curve: Vec<(f64, f64)>,
}

/// The results of one player's claims.
#[derive(Serialize)]
pub struct Player {
    pub name: String,
    pub presses: u32,
    /// The share of claims that reached back further than believed, in percent.
    pub clamped: f64,
    /// The most by which a press counted as earlier than it was.
    pub gained_ms: f64,
    /// The largest bound of the player's connection.
    pub bound_ms: f64,
}

/// A target of the scenario, and the result.
#[derive(Serialize)]
pub struct Target {
    pub what: String,
    pub reach: f64,
    pub found: f64,
    pub holds: bool,
}

impl Report {
    /// The report of all runs.
    #[allow(clippy::cast_precision_loss, reason = "counts of simulated presses")]
    pub fn of(name: &str, scenario: &Scenario, runs: Vec<Seen>) -> Self {
        let pairs = runs.iter().flat_map(|seen| &seen.pairs).copied().collect::<Vec<_>>();
        let mut gaps_ms = scenario.gaps_ms.clone();
        gaps_ms.sort_unstable();
        gaps_ms.dedup();
        let gaps = gaps_ms.into_iter().map(|gap_ms| {
            let of = pairs.iter().filter(|pair| pair.gap_ms == gap_ms).collect::<Vec<_>>();
            let (fair, arrival) = shares(&of);
            let within = chance(fair, of.len());
            let honest = of.iter().copied().filter(|pair| pair.honest).collect::<Vec<_>>();
            let (honest_fair, honest_arrival) = shares(&honest);
            let honest = Honest { pairs: honest.len(), fair: honest_fair, arrival: honest_arrival };
            Gap { gap_ms, pairs: of.len(), fair, within, arrival, honest }
        });
        let all = |of: fn(&Seen) -> &Vec<f64>| {
            Quantiles::of(runs.iter().flat_map(|seen| of(seen).iter().copied()).collect())
        };
        let players = scenario.players.iter().enumerate().map(|(who, player)| {
            let sum = runs.iter().map(|seen| seen.players[who]).fold(Trust::default(), join);
            Player {
                name: player.name.clone(),
                presses: sum.presses,
                clamped: 100.0 * f64::from(sum.clamped) / f64::from(sum.presses.max(1)),
                gained_ms: sum.gained_ms,
                bound_ms: sum.bound_ms,
            }
        });
        let photo_finishes = pairs.iter().filter(|pair| pair.photo_finish).count();
        let mut report = Self {
            name: name.to_owned(),
            title: scenario.title.clone(),
            runs: scenario.runs,
            seed: scenario.seed,
            pairs: pairs.len(),
            paused: runs.iter().map(|seen| seen.paused).sum(),
            photo_finishes: 100.0 * photo_finishes as f64 / pairs.len().max(1) as f64,
            gaps: gaps.collect(),
            held: all(|seen| &seen.held_ms),
            delay: all(|seen| &seen.delay_ms),
            spread: all(|seen| &seen.spread_ms),
            plain_spread: all(|seen| &seen.plain_spread_ms),
            players: players.collect(),
            targets: Vec::new(),
        };
        report.targets = report.judge(scenario);
        report
    }

    /// Whether all targets are met.
    pub fn holds(&self) -> bool {
        self.targets.iter().all(|target| target.holds)
    }

    fn judge(&self, scenario: &Scenario) -> Vec<Target> {
        let reach = &scenario.reach;
        let right = self.gaps.iter().filter_map(|gap| {
            let least = *reach.right.get(&gap.gap_ms.to_string())?;
            let what = format!("pairs {} ms apart in the right order, %", gap.gap_ms);
            Some(Target { what, reach: least, found: gap.fair, holds: gap.fair >= least })
        });
        let most = |what: &str, found: f64, reach: Option<f64>| {
            reach.map(|reach| Target { what: what.to_owned(), reach, found, holds: found <= reach })
        };
        let spread =
            most("spread of the shown instant p99, ms", self.spread.p99_ms, reach.spread_p99_ms);
        let delay = most("delay added p99, ms", self.delay.p99_ms, reach.delay_p99_ms);
        let players = self.players.iter().zip(&scenario.players).filter(|(_, player)| !player.bot);
        let (liars, honest) = players.partition::<Vec<_>, _>(|(_, player)| player.lies_ms > 0.0);
        let gained = liars.iter().map(|(found, _)| found.gained_ms).fold(0.0, f64::max);
        let gained = most("gained by a lie at most, ms", gained, reach.gained_ms);
        let corrected = honest.iter().map(|(found, _)| found.clamped).fold(0.0, f64::max);
        let corrected = most("honest claims put right, %", corrected, reach.corrected);
        let gaps = self.gaps.iter().filter(|_| reach.no_worse_than_arrival);
        let no_worse = gaps.map(|gap| {
            let what = format!("honest pairs {} ms apart, no worse than by arrival, %", gap.gap_ms);
            let Honest { pairs, fair, arrival } = gap.honest;
            let by_chance = chance(fair, pairs).hypot(chance(arrival, pairs));
            let holds = fair + by_chance >= arrival;
            Target { what, reach: arrival, found: fair, holds }
        });
        let single = [spread, delay, gained, corrected].into_iter().flatten();
        right.chain(single).chain(no_worse).collect()
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.title);
        let (pairs, paused) = (self.pairs, self.paused);
        let _ = writeln!(
            text,
            "  {pairs} pairs of presses at {} tables, {paused} more while paused, {:.2} % photo finishes",
            self.runs, self.photo_finishes
        );
        text += "  gap     fair order   arrival order\n";
        for gap in &self.gaps {
            let _ = writeln!(
                text,
                "  {:>3} ms   {:>8.3} ± {:<5.3} % {:>8.3} %",
                gap.gap_ms, gap.fair, gap.within, gap.arrival
            );
        }
        for (what, of) in [
            ("held before it counts", &self.held),
            ("delay added until it is seen", &self.delay),
            ("first to last who sees it", &self.spread),
            ("  the same, shown as it comes", &self.plain_spread),
        ] {
            let _ = writeln!(
                text,
                "  {what:<30} p50 {:>6.1} ms   p99 {:>6.1} ms",
                of.p50_ms, of.p99_ms
            );
        }
        text += "  player                   claims put right   most gained   bound\n";
        for player in &self.players {
            let _ = writeln!(
                text,
                "  {:<24} {:>14.2} % {:>10.1} ms {:>4.0} ms",
                player.name, player.clamped, player.gained_ms, player.bound_ms
            );
        }
        for target in &self.targets {
            let holds = if target.holds { "holds" } else { "MISSED" };
            let _ = writeln!(
                text,
                "  {holds}: {} {:.3}, to reach {}",
                target.what, target.found, target.reach
            );
        }
        text
    }
}

impl Quantiles {
    #[allow(clippy::cast_precision_loss, reason = "a share of a hundred")]
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |share: usize| {
            let place = (times.len() * share / 1_000).min(times.len().saturating_sub(1));
            times.get(place).copied().unwrap_or(0.0)
        };
        let curve = (0..=999).step_by(9).map(|share| (at(share), share as f64 / 10.0));
        Self { p50_ms: at(500), p99_ms: at(990), curve: curve.collect() }
    }
}

/// The shares of pairs that are in the right order by presses, and by arrival, in percent.
#[allow(clippy::cast_precision_loss, reason = "counts of simulated presses")]
fn shares(of: &[&Pair]) -> (f64, f64) {
    let share = |right: usize| 100.0 * right as f64 / of.len().max(1) as f64;
    let fair = of.iter().filter(|pair| pair.fair).count();
    let arrival = of.iter().filter(|pair| pair.arrival).count();
    (share(fair), share(arrival))
}

/// By how much chance moves a share of `count` pairs, in percent: two standard deviations, of one more of
/// each kind than were found, so that all of a few are not taken for certain.
#[allow(clippy::cast_precision_loss, reason = "counts of simulated presses")]
fn chance(percent: f64, count: usize) -> f64 {
    let count = count as f64;
    let share = (percent / 100.0 * count + 1.0) / (count + 2.0);
    196.0 * (share * (1.0 - share) / (count + 2.0)).sqrt()
}

fn join(a: Trust, b: Trust) -> Trust {
    Trust {
        presses: a.presses + b.presses,
        clamped: a.clamped + b.clamped,
        gained_ms: a.gained_ms.max(b.gained_ms),
        bound_ms: a.bound_ms.max(b.bound_ms),
    }
}
