//! `unspoken manual` and `unspoken completions`: the description of all options, for man and for
//! shells.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::out;

/// `unspoken manual`
#[derive(Args)]
pub(crate) struct Manual {
    /// The folder to write to; it is made if it is not there
    folder: PathBuf,
}

/// `unspoken completions`
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Writes a man page for the program and one for each command.
pub(crate) fn write_manual(Manual { folder }: &Manual, command: Command) -> Result<()> {
    let name = || folder.display().to_string();
    fs::create_dir_all(folder).with_context(name)?;
    clap_mangen::generate_to(command, folder).with_context(name)
}

/// Prints what a shell completes commands and options by.
pub(crate) fn print_completions(Completions { shell }: &Completions, mut command: Command) {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut command, name, &mut script);
    out::text(&String::from_utf8_lossy(&script));
}
