//! `cargo xtask bench`: measurements of speed and memory.

mod cluster;
mod disk;
mod process;
mod programs;
mod rates;
mod record;
mod row;
mod server;
mod sizes;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::shell::{cargo, run as sh};

/// What to measure.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// The rules engine: `submit` in each game, Royale's answer to a row
    Rules,
    /// The pages of a person with thousands of games, against their target
    Record(record::Options),
    /// The release server under load, beside its targets and a yardstick
    Server(server::Options),
}

/// Measures it.
pub fn run(options: &Options) -> Result<()> {
    match &options.part {
        Part::Rules => sh(&mut cargo(&["bench", "--package", "rules", "--bench", "rules"])),
        Part::Record(options) => record::run(options),
        Part::Server(options) => server::run(options),
    }
}
