//! `unspoken load`: many tables of people who play over real sockets, and what that takes.
//!
//! It only talks to this machine, and it stops by itself.

mod choice;
mod idle;
mod person;
mod process;
mod report;
mod table;
mod target;
mod wake;

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use rules::door::GameName;
use wire::Code;

use process::Process;
use report::Report as _;
use target::Target;

/// How much load, and on what.
#[derive(Args)]
pub struct Options {
    /// The server's address, which has to be on this machine
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: Target,
    /// How many tables play at once
    #[arg(long, default_value_t = 250, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    tables: u32,
    /// How many people sit at each
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=5))]
    players: u8,
    /// mind, extreme, soulmates or royale
    #[arg(long, default_value = "mind")]
    game: GameName,
    /// Moves a second of all tables together, whatever the server does; flat out if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Option<u32>,
    /// How long to measure
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Only connect so many people, who sit there and do nothing
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=50_000), conflicts_with = "wake")]
    idle: Option<u32>,
    /// Only join these tables, one after the other: how long each takes to wake
    #[arg(long, value_delimiter = ',')]
    wake: Vec<Code>,
    /// The server's process, to read its memory and CPU time
    #[arg(long)]
    pid: Option<u32>,
    /// Write the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Measures and prints what came of it.
pub fn run(options: &Options) -> Result<()> {
    // One thread is enough, and it leaves the other cores to the server.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let process = options.pid.map(Process::new);
    let seconds = Duration::from_secs(options.seconds);
    runtime.block_on(async {
        if !options.wake.is_empty() {
            let report = wake::measure(options.url, &options.wake).await?;
            report.print(options.json)
        } else if let Some(people) = options.idle {
            let report = idle::measure(options.url, people, seconds, process).await?;
            report.print(options.json)
        } else {
            let report = table::measure(options, seconds, process).await?;
            report.print(options.json)
        }
    })
}
