//! `unspoken examples FILE…`: worked examples against the rules.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::out::outln;

/// Which files.
#[derive(Args)]
pub struct Options {
    /// Files in the format of docs/notation.md
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the files; the exit code is 1 if a line did not come out as written.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut mismatches = 0;
    for path in &options.files {
        let name = path.display();
        let text = fs::read_to_string(path)
            .with_context(|| format!("{name} cannot be read, give the path of a text file"))?;
        let report = rules::examples::run(&text);
        for found in &report.mismatches {
            outln!("{name}:{}: {}", found.line, found.text);
        }
        let (examples, checks) = (report.examples.len(), report.checks);
        outln!("{name}: {examples} examples, {checks} lines, {} wrong", report.mismatches.len());
        mismatches += report.mismatches.len();
    }
    Ok(ExitCode::from(u8::from(mismatches > 0)))
}
