//! `unspoken load`: many tables of simulated people who play over real sockets, with measurements.
//!
//! It only talks to this machine, and it stops by itself. One thread plays for all people, so that
//! one core can keep the server busy: it sends each move when it is due ([`schedule`]), reads all
//! sockets ([`connections`]) and looks at no more of an update than it needs ([`update`]). What the
//! people of a table do next is decided in [`table`], without sockets and clocks.

mod bare;
mod choice;
mod connection;
mod connections;
mod driver;
mod frame;
mod http;
mod idle;
mod opening;
mod play;
mod poll;
mod process;
mod report;
mod schedule;
mod search;
mod table;
mod tally;
mod target;
mod update;
mod wake;

use anyhow::Result;
use clap::Args;
use rules::door::GameName;
use wire::Code;

use process::Process;
use report::Report as _;
use target::Target;

use crate::play::games;

pub(crate) use choice::Choice;
pub(crate) use update::{Update, is_update};

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
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    #[arg(help = games(), long, default_value = "mind")]
    game: GameName,
    /// How the tables are set up, as in "levels=1"
    #[arg(long, default_value = "")]
    setup: String,
    /// Moves a second of all tables together, whatever the server does; flat out if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Option<u32>,
    /// Find the highest rate at which 99 % of the moves take at most 50 ms, to 5 %
    #[arg(long, conflicts_with = "rate")]
    highest: bool,
    /// How long to play before measuring
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=60))]
    warm_up: u64,
    /// How long to measure
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// The server is the yardstick, `cargo run --release -p server --example bare_room`
    #[arg(long, conflicts_with_all = ["game", "setup", "idle", "wake"])]
    bare: bool,
    /// Only connect this number of people, who sit idle
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=50_000), conflicts_with = "wake")]
    idle: Option<u32>,
    /// Only join these tables, one after the other: how long each takes to wake
    #[arg(long, value_delimiter = ',')]
    wake: Vec<Code>,
    /// The protocol to speak: 2 for a server that was built before protocol 3
    #[arg(long, default_value_t = wire::PROTOCOL)]
    protocol: u32,
    /// The server's process, to read its memory and CPU time
    #[arg(long)]
    pid: Option<u32>,
    /// Write the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Measures and prints the results.
pub fn run(options: &Options) -> Result<()> {
    let process = options.pid.map(Process::new);
    if !options.wake.is_empty() {
        wake::measure(options, &options.wake)?.print(options.json)
    } else if let Some(people) = options.idle {
        idle::measure(options, people, process)?.print(options.json)
    } else {
        play::measure(options, process)?.print(options.json)
    }
}
