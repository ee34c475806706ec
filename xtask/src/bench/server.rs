//! The release server under load on this machine, beside the targets of the project.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use super::process::{Server, files_most};
use crate::shell::{built, cargo, run as sh};

/// What a move may take at the most when the highest rate is looked for.
const P99_MS_MOST: f64 = 50.0;
/// Files that a server has open beside its connections.
const FILES_BESIDE: usize = 100;

/// How the server is measured.
#[derive(Args)]
pub struct Options {
    /// How long each measurement takes
    #[arg(long, default_value_t = 5)]
    seconds: u32,
    /// Where the data file is put: the disk that is measured
    #[arg(long)]
    folder: Option<PathBuf>,
    /// How many people sit idle
    #[arg(long, default_value_t = 20_000)]
    idle: usize,
    /// How many tables sleep on disk
    #[arg(long, default_value_t = 100_000)]
    sleepers: u32,
    /// A server that was built before, to compare with; then nothing is built
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Builds it, measures it and prints what came of it.
pub fn run(options: &Options) -> Result<()> {
    if options.program.is_none() {
        sh(&mut cargo(&["build", "--release", "--package", "unspoken"]))?;
        sh(&mut cargo(&["build", "--release", "--package", "server", "--example", "sleepers"]))?;
    }
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let bench = Bench {
        server: options.program.clone().unwrap_or_else(|| built("release", "unspoken")),
        generator: built("release", "unspoken"),
        folder: folder.path(),
        seconds: options.seconds.to_string(),
    };
    let mut rows = Vec::new();
    let sync = bench.sync()?;
    rows.push(Row::new("the disk: write and sync 4 KiB, p50 / p99", "", sync.to_string()));
    rows.extend(bench.at_1000(sync)?);
    rows.extend(bench.highest()?);
    rows.push(bench.memory()?);
    rows.push(bench.idle(options.idle)?);
    rows.extend(bench.sleepers(options.sleepers)?);
    println!();
    for Row { what, target, found } in rows {
        println!("{what:<58} {target:<24} {found}");
    }
    Ok(())
}

/// One line of the result.
struct Row {
    what: String,
    target: &'static str,
    found: String,
}

impl Row {
    fn new(what: impl Into<String>, target: &'static str, found: impl Into<String>) -> Self {
        Self { what: what.into(), target, found: found.into() }
    }
}

/// What the disk takes by itself.
#[derive(Clone, Copy)]
struct Sync {
    p50_ms: f64,
    p99_ms: f64,
}

impl std::fmt::Display for Sync {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:.2} / {:.2} ms", self.p50_ms, self.p99_ms)
    }
}

struct Bench<'a> {
    server: PathBuf,
    generator: PathBuf,
    folder: &'a Path,
    seconds: String,
}

impl Bench<'_> {
    fn start(&self, data: &str) -> Result<Server> {
        Server::start(&self.server, &self.folder.join(data))
    }

    /// What the disk takes to make 4 KiB at the end of a file durable.
    fn sync(&self) -> Result<Sync> {
        let mut file = File::create(self.folder.join("sync"))?;
        let mut waits = Vec::new();
        for _ in 0..500 {
            let started = Instant::now();
            file.write_all(&[7; 4_096])?;
            file.sync_data()?;
            waits.push(started.elapsed());
            std::thread::sleep(Duration::from_millis(1));
        }
        waits.sort_unstable();
        let at = |place: usize| waits[place].as_secs_f64() * 1_000.0;
        Ok(Sync { p50_ms: at(250), p99_ms: at(495) })
    }

    fn play(&self, server: &Server, tables: &str, rate: u32) -> Result<Value> {
        let rate = rate.to_string();
        let arguments = ["--tables", tables, "--rate", &rate, "--seconds", &self.seconds];
        let report = server.load(&self.generator, &arguments)?;
        eprintln!("{report}");
        Ok(report)
    }

    fn at_1000(&self, sync: Sync) -> Result<[Row; 1]> {
        let server = self.start("steady.db")?;
        let report = self.play(&server, "250", 1_000)?;
        server.stop()?;
        let [p50, p99] = ["p50_ms", "p99_ms"].map(|name| number(&report["latency"][name]));
        let above = format!(
            "{p50:.2} / {p99:.2} ms, above the disk {:.2} / {:.2} ms",
            p50 - sync.p50_ms,
            p99 - sync.p99_ms
        );
        let what = "The Mind 250 × 4 at 1,000 moves a second, p50 / p99";
        Ok([Row::new(what, "≤ 2 / 10 ms above disk", above)])
    }

    /// The highest rate at which moves are still quick: up in steps until one fails.
    fn highest(&self) -> Result<[Row; 2]> {
        let server = self.start("highest.db")?;
        let (mut rate, mut step, mut best) = (2_000, 2_000, None);
        while step >= 500 {
            let report = self.play(&server, "250", rate)?;
            let quick = number(&report["latency"]["p99_ms"]) <= P99_MS_MOST;
            if quick && report["late"] == 0 && report["lost"] == 0 {
                best = Some((rate, number(&report["cpu_us_per_move"])));
                rate += step;
            } else {
                rate -= step;
                step /= 2;
                rate += step;
            }
        }
        server.stop()?;
        let (rate, cpu) = best.unwrap_or((0, f64::NAN));
        let what = "The Mind 250 × 4, highest rate at p99 ≤ 50 ms";
        Ok([
            Row::new(what, "≥ 8,000 moves a second", rate.to_string()),
            Row::new("CPU time a move at that rate", "≤ 120 µs", format!("{cpu:.0} µs")),
        ])
    }

    fn memory(&self) -> Result<Row> {
        let server = self.start("memory.db")?;
        let report = self.play(&server, "1250", 1_000)?;
        server.stop()?;
        let bytes = number(&report["memory"]["per_connection_bytes"]);
        let what = "resident memory a connection, 5,000 people at 1,250 tables";
        Ok(Row::new(what, "≤ 20 KB", format!("{:.1} KB", bytes / 1e3)))
    }

    fn idle(&self, wanted: usize) -> Result<Row> {
        let people = wanted.min(files_most()?.saturating_sub(FILES_BESIDE));
        if people < wanted {
            eprintln!("only {people} files may be open here, so not {wanted} people are connected");
        }
        let server = self.start("idle.db")?;
        let words = ["--idle", &people.to_string(), "--seconds", &self.seconds];
        let report = server.load(&self.generator, &words)?;
        eprintln!("{report}");
        server.stop()?;
        ensure!(report["lost"] == 0, "connections were lost");
        let megabytes = number(&report["memory"]["after_bytes"]) / 1e6;
        let what = format!("resident memory, {people} idle connections");
        Ok(Row::new(what, "≤ 500 MB at 20,000", format!("{megabytes:.0} MB")))
    }

    fn sleepers(&self, count: u32) -> Result<[Row; 3]> {
        let data = self.folder.join("sleepers.db");
        let server = self.start("sleepers.db")?;
        // A few tables that really played, each a few hundred moves.
        self.play(&server, "4", 400)?;
        server.stop()?;
        let output = Command::new(built("release", "examples/sleepers"))
            .arg(&data)
            .args([&count.to_string(), "30"])
            .output()?;
        let codes = String::from_utf8(output.stdout)?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let codes = codes.split_whitespace().collect::<Vec<_>>();
        let (longest, copies) = codes.split_last().context("no table sleeps")?;
        let server = self.start("sleepers.db")?;
        let report = server.load(&self.generator, &["--wake", &copies.join(",")])?;
        let long = server.load(&self.generator, &["--wake", longest])?;
        let ready = server.ready;
        server.stop()?;
        let most = |report: &Value| format!("{:.1} ms", number(&report["wake"]["most_ms"]));
        let what = format!("with {count} sleeping tables: ");
        Ok([
            Row::new(what.clone() + "from start to ready", "≤ 1 s", format!("{ready:.2?}")),
            Row::new(what.clone() + "the slowest of 20 to wake", "≤ 50 ms", most(&report)),
            Row::new(what + "one of many moves", "≤ 50 ms", most(&long)),
        ])
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
