//! `cargo xtask siege`: attacks a release server on this machine, and prints what each attack came
//! to.

use anyhow::Result;
use clap::Args;

use crate::shell::{built, cargo, run as sh};

/// What is attacked.
#[derive(Args)]
pub struct Options {
    /// Attack as briefly as `cargo xtask test` does, in seconds instead of minutes
    #[arg(long)]
    short: bool,
}

/// Attacks.
pub fn run(options: &Options) -> Result<()> {
    sh(&mut cargo(&["build", "--release", "--locked", "--package", "unspoken"]))?;
    // The attackers are a test: only what is attacked has to be quick.
    let words = ["test", "--locked", "--package", "unspoken", "--test", "siege", "--"];
    let mut command = cargo(&words);
    command.arg("--nocapture").env("UNSPOKEN_SIEGE_PROGRAM", built("release", "unspoken"));
    if !options.short {
        command.env("UNSPOKEN_SIEGE", "full");
    }
    sh(&mut command)
}
