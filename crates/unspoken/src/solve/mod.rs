//! `unspoken solve`: the best row in a position of Royale Mastermind, and the tablebase.

mod limit;
mod matches;
mod position;
mod tablebase;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

/// A position, or something larger.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(flatten)]
    position: position::Options,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Solve classes of packs, check them, and write them to a file; goes on where it stopped
    Tablebase(tablebase::Options),
    /// Let the Master break the codes of many random matches, and measure it
    Match(matches::Options),
}

/// Solves it.
pub fn run(options: &Options) -> Result<()> {
    match &options.task {
        Some(Task::Tablebase(options)) => tablebase::run(options),
        Some(Task::Match(options)) => matches::run(options),
        None if options.position.is_empty() => {
            bail!("give the cards of the pack, as in \"A1 A2 B1 B3\", or `whole` for all 25")
        }
        None => position::run(&options.position),
    }
}
