//! Whole tables in simulated time, with faults.

use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::shell::{built, cargo, run as sh};

/// What is handed on to the simulation; `cargo xtask sim --help` lists it.
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

/// The run that every change has to pass. It uses the build of the tests, which optimises what the
/// simulation spends its time in. Built with `--workspace`: by itself, the package would use other
/// features of its dependencies, and they would be built twice.
pub fn test() -> Result<()> {
    sh(&mut cargo(&["build", "--workspace", "--bin", "sim", "--locked"]))?;
    sh(Command::new(built("debug", "sim")).args(["--minutes", "2"]))
}
