//! The release server under load on this machine, beside the targets of the project and beside a
//! yardstick in the same run.

use std::cell::Cell;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::programs::Programs;
use super::{cluster, rates, row, sizes};
use crate::shell::{built, cargo, run as sh};

/// How the server is measured.
#[derive(Args)]
pub struct Options {
    /// How long each measurement takes
    #[arg(long, default_value_t = 5)]
    seconds: u32,
    /// How often server and yardstick take turns; the figures are medians
    #[arg(long, default_value_t = 3)]
    repeats: u32,
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Where the data files are put: the disk that is measured
    #[arg(long)]
    folder: Option<PathBuf>,
    /// How many people sit idle
    #[arg(long, default_value_t = 19_900)]
    idle: usize,
    /// How many tables sleep on disk
    #[arg(long, default_value_t = 100_000)]
    sleepers: u32,
    /// A server that was built before, to compare with
    #[arg(long)]
    program: Option<PathBuf>,
    /// The protocol that it speaks: 2 before updates left out what has not changed
    #[arg(long, requires = "program")]
    protocol: Option<u32>,
}

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Latency at 1,000 moves a second, above what the disk takes
    Steady,
    /// The highest rate, its CPU time and the size of updates
    Highest,
    /// Levels and games that end all the time
    Ending,
    /// Memory of people who play
    Memory,
    /// Memory of people who do nothing
    Idle,
    /// Tables that sleep on disk
    Sleepers,
    /// Tables that sleep in a cluster of three brokers on this machine
    Cluster,
}

/// Builds the server, measures it and prints the results.
pub fn run(options: &Options) -> Result<()> {
    sh(&mut cargo(&["build", "--release", "--package", "unspoken"]))?;
    let words = ["build", "--release", "--package", "server"];
    let examples = ["--example", "sleepers", "--example", "bare_room"];
    sh(&mut cargo(&[&words[..], &examples].concat()))?;
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let programs = Programs {
        server: options.program.clone().unwrap_or_else(|| built("release", "unspoken")),
        bare: built("release", "examples/bare_room"),
        generator: built("release", "unspoken"),
        protocol: options.protocol.map(|protocol| protocol.to_string()),
        folder: folder.path(),
        seconds: options.seconds,
        files: Cell::new(0),
    };
    let mut rows = Vec::new();
    for part in Part::value_variants() {
        if !options.only.is_empty() && !options.only.contains(part) {
            continue;
        }
        rows.extend(match part {
            Part::Steady => rates::steady(&programs, options.repeats)?,
            Part::Highest => rates::highest(&programs, options.repeats)?,
            Part::Ending => rates::ending(&programs, options.repeats)?,
            Part::Memory => sizes::memory(&programs)?,
            Part::Idle => sizes::idle(&programs, options.idle)?,
            Part::Sleepers => sizes::sleepers(&programs, options.sleepers)?,
            Part::Cluster => cluster::sleepers(&programs, options.sleepers)?,
        });
    }
    row::print(&rows);
    Ok(())
}
