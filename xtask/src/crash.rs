//! `cargo xtask crash`: kills the server at random moments and checks that nothing is lost.

use anyhow::Result;
use clap::Args;

use crate::shell::{cargo, run as sh};

/// How often, and when.
#[derive(Args)]
pub struct Options {
    /// How often the server is killed
    #[arg(long, default_value_t = 200)]
    rounds: u32,
    /// Decides what is played and when the server is killed
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

/// Plays and kills.
pub fn run(options: &Options) -> Result<()> {
    let words = ["test", "--release", "--package", "unspoken", "--test", "crash", "--"];
    let mut command = cargo(&words);
    command
        .arg("--nocapture")
        .env("UNSPOKEN_CRASH_ROUNDS", options.rounds.to_string())
        .env("UNSPOKEN_CRASH_SEED", options.seed.to_string());
    sh(&mut command)
}
