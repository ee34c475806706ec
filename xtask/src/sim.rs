//! Whole tables in simulated time, with faults.

use std::process::Command;

use anyhow::{Result, ensure};
use clap::Args;

use crate::shell::{built, cargo, run as sh};

/// The options of the simulation; `cargo xtask sim --help` lists them.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Options of the simulation: --seed, --minutes, --games, --faults, --steps, --threads
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// Simulates.
pub fn run(options: &Options) -> Result<()> {
    let mut command = cargo(&["run", "--release", "--package", "sim", "--locked", "--"]);
    sh(command.args(&options.options))
}

/// How long the simulation runs for every change, on one of the cores.
const MINUTES: &str = "2";

/// The run that every change has to pass, with the program that the tests have built: built by
/// itself it would use other features of its dependencies, and all of them would be built again.
pub fn test() -> Result<Command> {
    let program = built("debug", "sim");
    ensure!(program.exists(), "{} was not built", program.display());
    let mut command = Command::new(program);
    command.args(["--minutes", MINUTES, "--threads", "1"]);
    Ok(command)
}
