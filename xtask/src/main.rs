//! The project's chores: `cargo xtask test`, `deny`, `laws`, `sim`, `crash`, `cluster`, `bench`,
//! `shots`, `orca`, `gen`, `wheel`, `soak`, `siege`, `dist`.

mod bench;
mod cluster;
mod crash;
mod deny;
mod dist;
mod generate;
mod laws;
mod orca;
mod python;
mod shell;
mod shots;
mod siege;
mod sim;
mod soak;
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
    /// Licences, sources and duplicate versions of all dependencies, by deny.toml
    Deny,
    /// The laws of the rules over a given number of random games
    Laws(laws::Options),
    /// Whole tables in simulated time, with faults, checked at every step
    Sim(sim::Options),
    /// Kill the server while people play, and check that nothing is lost
    Crash(crash::Options),
    /// Kill and freeze the brokers and nodes of a cluster while people play, and check the same; then
    /// run the tests of the server over brokers
    Cluster(cluster::Options),
    /// Hours of games, people who come and go, sleeps and wakes, as a picture
    Soak(soak::Options),
    /// Attack a server, and print what each attack came to
    Siege(siege::Options),
    /// Measure speed and memory
    Bench(bench::Options),
    /// Pictures of every page and moment in web/shots, and one sheet of them all
    Shots(shots::Options),
    /// A level of each game with the screen reader Orca, compared with docs/accessibility.md
    Orca(orca::Options),
    /// Write web/src/wire.gen.ts: the messages as TypeScript types
    Gen,
    /// Build the wheel of the Python package in target/wheels
    Wheel,
    /// Build a release in target/dist/release: archives, a Debian package, checksums, an SBOM
    Dist(dist::Options),
}

fn main() -> Result<()> {
    match Arguments::parse().chore {
        Chore::Test(options) => test::run(&options),
        Chore::Deny => deny::run(),
        Chore::Laws(options) => laws::run(&options),
        Chore::Sim(options) => sim::run(&options),
        Chore::Crash(options) => crash::run(&options),
        Chore::Cluster(options) => cluster::run(&options),
        Chore::Soak(options) => soak::run(&options),
        Chore::Siege(options) => siege::run(&options),
        Chore::Bench(options) => bench::run(&options),
        Chore::Shots(options) => shots::run(&options),
        Chore::Orca(options) => orca::run(&options),
        Chore::Gen => generate::run(),
        Chore::Wheel => python::wheel(),
        Chore::Dist(options) => dist::run(&options),
    }
}
