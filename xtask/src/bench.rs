//! How fast things are.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::shell::{cargo, run as sh};

/// What to measure.
#[derive(Args)]
pub struct Options {
    /// The part of the project
    part: Part,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// The rules engine: `submit` in each game, Royale's answer to a row
    Rules,
}

/// Measures it.
pub fn run(options: &Options) -> Result<()> {
    match options.part {
        Part::Rules => sh(&mut cargo(&["bench", "--package", "rules", "--bench", "rules"])),
    }
}
