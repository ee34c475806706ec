//! `unspoken replay FILE`: a game as text, every move of it checked by the rules.

use std::fs::File;
use std::io::{BufReader, BufWriter, stdin, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use server::journal_file::{self, Form};

/// What to print.
#[derive(Args)]
pub struct Options {
    /// A table that `unspoken journal export` wrote, - for standard input
    file: PathBuf,
    /// Only this game of the table, the first one is 1
    #[arg(long)]
    game: Option<u32>,
    /// Only the plays, with their times, for a spreadsheet
    #[arg(long)]
    csv: bool,
}

/// Prints it; a move that does not follow by the rules is an error.
pub fn run(Options { file, game, csv }: &Options) -> Result<()> {
    let form = if *csv { Form::Plays } else { Form::Transcript };
    let mut out = BufWriter::new(stdout().lock());
    if file.as_os_str() == "-" {
        return journal_file::replay(stdin().lock(), "standard input", *game, form, &mut out);
    }
    let name = file.display().to_string();
    let lines = File::open(file).with_context(|| format!("{name} cannot be read"))?;
    journal_file::replay(BufReader::new(lines), &name, *game, form, &mut out)
}
