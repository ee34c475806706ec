//! `cargo xtask laws`: the laws of the rules over a given number of random games.

use anyhow::Result;
use clap::Args;

use crate::shell::{cargo, run as sh};

/// How many games, and which.
#[derive(Args)]
pub struct Options {
    /// Random games of each set-up
    #[arg(long, default_value_t = 2_000)]
    games: u64,
    /// The seed of the first game; the others follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only this set-up, as a failure names it: "mind players=3"
    #[arg(long)]
    setup: Option<String>,
}

/// Plays the games and checks the laws.
pub fn run(options: &Options) -> Result<()> {
    let mut command = cargo(&["test", "--package", "rules", "--test", "laws", "--", "--nocapture"]);
    command
        .env("UNSPOKEN_LAWS_GAMES", options.games.to_string())
        .env("UNSPOKEN_LAWS_SEED", options.seed.to_string());
    if let Some(setup) = &options.setup {
        command.env("UNSPOKEN_LAWS_SETUP", setup);
    }
    sh(&mut command)
}
