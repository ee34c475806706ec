//! Tables of people who play, with measurements.

use std::time::Duration;

use anyhow::{Context, Result};
use wire::Setup;

use super::Options;
use super::driver::{Driver, Plan};
use super::http::Http;
use super::opening::{self, ConnectedTable};
use super::process::Process;
use super::report::{CardUpdates, Generator, Memory, PlayReport, Times};
use super::search;
use super::table::Table;
use super::tally::Tally;

/// What a move may take at the most when the highest rate is looked for.
const P99_MS_MOST: f64 = 50.0;
/// How much of what was due has to be done at a rate that holds.
const DONE_LEAST: f64 = 0.98;
/// A moment of rest, so that what belongs to the opening is not measured.
const REST: Duration = Duration::from_millis(500);
/// How long flat out is measured before the search for the highest rate.
const GUESS: Duration = Duration::from_secs(2);

/// Opens the tables, plays and measures.
pub fn measure(options: &Options, process: Option<Process>) -> Result<PlayReport> {
    let target = options.url;
    if options.bare {
        let seats = u32::from(options.players);
        let opener = || Ok(move |number| opening::bare_table(target, seats, number));
        return measure_with(options, process, opener);
    }
    let text = format!("players={} {}", options.players, options.setup);
    let setup = Setup::read(options.game, text.trim()).context("the set-up")?;
    let protocol = options.protocol;
    let opener = || {
        let mut http = Http::connect(target)?;
        Ok(move |number| opening::game_table(target, &mut http, &setup, number, protocol))
    };
    measure_with(options, process, opener)
}

fn measure_with<T: Table + Send, O: FnMut(u32) -> Result<ConnectedTable<T>>>(
    options: &Options,
    process: Option<Process>,
    opener: impl Fn() -> Result<O> + Sync,
) -> Result<PlayReport> {
    let before = process.map(Process::resident_bytes).transpose()?;
    let mut driver = Driver::new(usize::from(options.players))?;
    opening::each(options.tables, opener, |opened| match opened {
        Some(ConnectedTable { table, connections }) => driver.add(table, connections),
        None => driver.rest(Duration::from_millis(1)),
    })?;
    driver.rest(REST)?;
    let warm_up = Duration::from_secs(options.warm_up);
    let measured = Duration::from_secs(options.seconds);
    let mut run = |rate, measured| -> Result<PlayReport> {
        let tally = driver.run(Plan { rate, warm_up, measured }, process)?;
        report(options, rate, tally, driver.lost())
    };
    let mut report = if options.highest {
        highest(|rate, time| run(rate, time.unwrap_or(measured)))?
    } else {
        run(options.rate, measured)?
    };
    report.memory = Memory::since(process, before, report.connections)?;
    Ok(report)
}

/// The report of the highest rate that holds, beginning with what is done flat out. A rate that
/// fails is tried again: something else may have used the machine.
fn highest(
    mut run: impl FnMut(Option<u32>, Option<Duration>) -> Result<PlayReport>,
) -> Result<PlayReport> {
    let flat_out = run(None, Some(GUESS))?.moves / GUESS.as_secs();
    let mut best = None;
    search::highest(u32::try_from(flat_out * 9 / 10)?, |rate| {
        for _ in 0..2 {
            let report = run(Some(rate), None)?;
            let (p99_ms, moves_per_s) = (report.latency.p99_ms, report.moves_per_s);
            eprintln!("{rate} moves a second wanted, {moves_per_s:.0} made, p99 {p99_ms:.1} ms");
            let done = report.moves as f64 / (report.moves + report.late).max(1) as f64;
            let kept_up = moves_per_s >= f64::from(rate) * DONE_LEAST && done >= DONE_LEAST;
            if kept_up && p99_ms <= P99_MS_MOST && report.lost == 0 && report.refusals.is_empty() {
                best = Some(report);
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    best.context("moves take too long at every rate")
}

fn report(
    options: &Options,
    rate: Option<u32>,
    tally: Tally,
    lost: &[String],
) -> Result<PlayReport> {
    let used = tally.used;
    let moves = tally.waits.len() as u64;
    let late = tally.late.len() as u64;
    let waits = tally.waits.into_iter().chain(tally.late).collect();
    let count = tally.card_updates;
    Ok(PlayReport {
        tables: options.tables,
        connections: options.tables * u32::from(options.players),
        rate,
        seconds: used.seconds,
        moves,
        moves_per_s: used.moves_per_s(),
        games: used.games,
        latency: Times::of(waits),
        late,
        refusals: tally.refusals,
        lost: u32::try_from(lost.len())?,
        lost_why: lost.first().cloned(),
        cpu_us_per_move: used.server.map(|server| used.us_per_move(server)),
        generator: Generator {
            cpu_us_per_move: used.us_per_move(used.generator),
            cpu_share: used.generator_share(),
        },
        card_updates: CardUpdates {
            count,
            mean_bytes: tally.card_update_bytes as f64 / count.max(1) as f64,
        },
        memory: None,
    })
}
