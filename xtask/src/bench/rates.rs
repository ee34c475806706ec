//! The server beside the yardstick: how many moves, how quick, how much CPU time.

use anyhow::{Context, Result};
use serde_json::Value;

use super::disk::Sync;
use super::programs::{Programs, Subject, number};
use super::row::{Row, Target, median};

/// Of the bare room's highest rate.
const RATE: Target = Target::AtLeast(0.70, " of it");
/// Of the bare room's CPU time a move.
const CPU: Target = Target::AtMost(1.3, " of it");
const CARD_BYTES: Target = Target::AtMost(350.0, " bytes");
const ABOVE_DISK_P50: Target = Target::AtMost(0.7, " ms");
const ABOVE_DISK_P99: Target = Target::AtMost(2.5, " ms");
const ENDING_P99: Target = Target::AtMost(15.0, " ms");

/// Reports of the server and of the yardstick, taken one right after the other.
struct Pair {
    tables: Value,
    bare: Value,
}

impl Pair {
    fn measure(programs: &Programs, arguments: &[&str]) -> Result<Self> {
        Self::measure_with(programs, arguments, &[])
    }

    /// The same with arguments for the server only: the yardstick has no set-ups.
    fn measure_with(programs: &Programs, arguments: &[&str], setup: &[&str]) -> Result<Self> {
        let tables = programs.measure(Subject::Tables, &[arguments, setup].concat())?;
        let bare = programs.measure(Subject::Bare, arguments)?;
        Ok(Self { tables, bare })
    }
}

/// The middle of a figure over some pairs: of the server, of the yardstick, and of their ratio.
fn compared(pairs: &[Pair], figure: impl Fn(&Value) -> f64) -> (f64, f64, f64) {
    let of = |value: fn(&Pair) -> &Value| {
        pairs.iter().map(|pair| figure(value(pair))).collect::<Vec<_>>()
    };
    let (tables, bare) = (of(|pair| &pair.tables), of(|pair| &pair.bare));
    let ratios = tables.iter().zip(&bare).map(|(tables, bare)| tables / bare).collect();
    (median(tables), median(bare), median(ratios))
}

/// The highest rate at which 99 % of the moves take at most 50 ms.
pub fn highest(programs: &Programs, repeats: u32) -> Result<Vec<Row>> {
    let words = ["--tables", "250", "--highest"];
    let pairs =
        (0..repeats).map(|_| Pair::measure(programs, &words)).collect::<Result<Vec<_>>>()?;
    let (rate, bare_rate, rates) = compared(&pairs, |report| number(&report["rate"]));
    let (cpu, bare_cpu, cpus) = compared(&pairs, |report| number(&report["cpu_us_per_move"]));
    let (own, bare_own, _) =
        compared(&pairs, |report| number(&report["generator"]["cpu_us_per_move"]));
    let (bytes, bare_bytes, _) =
        compared(&pairs, |report| number(&report["card_updates"]["mean_bytes"]));
    Ok(vec![
        Row::new(
            "The Mind 250 × 4, highest rate at p99 ≤ 50 ms",
            format!("{rate:.0} ({rates:.2})"),
        )
        .judged(rates, RATE)
        .beside(format!("{bare_rate:.0}")),
        Row::new("CPU time a move at that rate", format!("{cpu:.1} µs ({cpus:.2})"))
            .judged(cpus, CPU)
            .beside(format!("{bare_cpu:.1} µs")),
        Row::new("the generator's own CPU time a move", format!("{own:.1} µs"))
            .beside(format!("{bare_own:.1} µs")),
        Row::new("an update that brings one card, mean", format!("{bytes:.0} bytes"))
            .judged(bytes, CARD_BYTES)
            .beside(format!("{bare_bytes:.0} bytes")),
    ])
}

/// One move at a rate that leaves the server idle most of the time.
pub fn steady(programs: &Programs, repeats: u32) -> Result<Vec<Row>> {
    let words = ["--tables", "250", "--rate", "1000"];
    let (mut syncs, mut pairs) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        syncs.push(Sync::measure(programs.folder, programs.time())?);
        pairs.push(Pair::measure(programs, &words)?);
    }
    let p50 = |report: &Value| number(&report["latency"]["p50_ms"]);
    let p99 = |report: &Value| number(&report["latency"]["p99_ms"]);
    let disk_p50 = median(syncs.iter().map(|sync| sync.p50_ms).collect());
    let disk_p99 = median(syncs.iter().map(|sync| sync.p99_ms).collect());
    let mut rows = vec![Row::new(
        "the disk: 4 KiB written and synced 1,000 times a second, p50 / p99",
        format!("{disk_p50:.2} / {disk_p99:.2} ms"),
    )];
    let what = "The Mind 250 × 4 at 1,000 moves a second";
    let (found, bare, _) = compared(&pairs, p50);
    rows.push(
        Row::new(
            format!("{what}, p50 above the disk"),
            format!("{:.2} ms ({found:.2} in all)", found - disk_p50),
        )
        .judged(found - disk_p50, ABOVE_DISK_P50)
        .beside(format!("{:.2} ms", bare - disk_p50)),
    );
    let (found, bare, _) = compared(&pairs, p99);
    rows.push(
        Row::new(
            format!("{what}, p99 above the disk"),
            format!("{:.2} ms ({found:.2} in all)", found - disk_p99),
        )
        .judged(found - disk_p99, ABOVE_DISK_P99)
        .beside(format!("{:.2} ms", bare - disk_p99)),
    );
    let (cpu, bare, _) = compared(&pairs, |report| number(&report["cpu_us_per_move"]));
    rows.push(
        Row::new(format!("{what}, CPU time a move"), format!("{cpu:.1} µs"))
            .beside(format!("{bare:.1} µs")),
    );
    Ok(rows)
}

/// All tables end a level and a game every few moves.
pub fn ending(programs: &Programs, repeats: u32) -> Result<Vec<Row>> {
    let (words, setup) = (["--tables", "250", "--rate", "6000"], ["--setup", "levels=1"]);
    let measure = |_| Pair::measure_with(programs, &words, &setup);
    let pairs = (0..repeats).map(measure).collect::<Result<Vec<_>>>()?;
    let (p99, bare, _) = compared(&pairs, |report| number(&report["latency"]["p99_ms"]));
    let (made, ..) = compared(&pairs, |report| number(&report["moves_per_s"]));
    let games = pairs.iter().map(|pair| &pair.tables);
    let games = games.map(|report| number(&report["games"]) / number(&report["seconds"]));
    let games = median(games.collect());
    let lost = pairs.iter().map(|pair| pair.tables["lost"].as_u64()).sum::<Option<u64>>();
    let lost = lost.context("a report says how many tables were lost")?;
    let mut row =
        Row::new("250 tables of one level at 6,000 moves a second, p99", format!("{p99:.1} ms"));
    // A server that does not keep up, or loses tables, has missed it however quick the rest was.
    let kept_up = made >= 6_000.0 * 0.98 && lost == 0;
    row = row.judged(if kept_up { p99 } else { f64::NAN }, ENDING_P99);
    row = row.beside(format!("{bare:.1} ms"));
    Ok(vec![
        row,
        Row::new("moves and games a second meanwhile", format!("{made:.0} and {games:.0}")),
    ])
}
