//! The project's chores: `cargo xtask test`, `laws`, `sim`, `crash`, `bench`, `gen`.

mod bench;
mod crash;
mod generate;
mod laws;
mod shell;
mod sim;
mod test;
mod web;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that has to hold before a change lands: format, lints, docs, all tests
    Test(test::Options),
    /// The laws of the rules over as many random games as wanted
    Laws(laws::Options),
    /// Whole tables in simulated time, with faults, checked at every step
    Sim(sim::Options),
    /// Kill the server while people play, and see that nothing is lost
    Crash(crash::Options),
    /// How fast things are
    Bench(bench::Options),
    /// Write web/src/wire.gen.ts: the messages as TypeScript types
    Gen,
}

fn main() -> Result<()> {
    match Arguments::parse().chore {
        Chore::Test(options) => test::run(&options),
        Chore::Laws(options) => laws::run(&options),
        Chore::Sim(options) => sim::run(&options),
        Chore::Crash(options) => crash::run(&options),
        Chore::Bench(options) => bench::run(&options),
        Chore::Gen => generate::run(),
    }
}
