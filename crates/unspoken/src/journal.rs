//! `unspoken journal`: tables out of the server's file, and into it.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use server::journal_file;
use wire::Code;

use crate::out::outln;

/// What to do with tables.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    task: Task,
    /// The server's data file
    #[arg(long, env = "UNSPOKEN_DATA", default_value = "unspoken.db", global = true)]
    data: PathBuf,
}

#[derive(Subcommand)]
enum Task {
    /// Write a table as JSON lines, or its plays as CSV; a server may be using the file meanwhile
    Export {
        /// The table's code
        table: Code,
        /// The file to write, by default standard output; an existing file is not overwritten
        #[arg(long)]
        out: Option<PathBuf>,
        /// Only the plays of the games that are over, with their times, for a spreadsheet
        #[arg(long)]
        csv: bool,
    },
    /// Check an exported table by the rules and store it; no server may be using the file
    Import {
        /// The file to read, - for standard input
        file: PathBuf,
        /// Another code for the table
        #[arg(long)]
        code: Option<Code>,
    },
}

/// Exports or imports a table.
pub fn run(options: &Options) -> Result<()> {
    match &options.task {
        Task::Export { table, out: None, csv } => {
            export(&options.data, *table, *csv, &mut stdout().lock())
        }
        Task::Export { table, out: Some(path), csv } => {
            let file = File::create_new(path).with_context(|| {
                format!("{} cannot be created, name another file", path.display())
            })?;
            export(&options.data, *table, *csv, &mut BufWriter::new(file))
        }
        Task::Import { file, code } => {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            let code = if file.as_os_str() == "-" {
                let lines = stdin().lock();
                runtime.block_on(journal_file::import(
                    &options.data,
                    lines,
                    "standard input",
                    *code,
                ))?
            } else {
                let name = file.display().to_string();
                let lines = File::open(file).with_context(|| format!("{name} cannot be read"))?;
                let lines = BufReader::new(lines);
                runtime.block_on(journal_file::import(&options.data, lines, &name, *code))?
            };
            outln!("table {code} is stored in {}", options.data.display());
            Ok(())
        }
    }
}

fn export(data: &Path, table: Code, csv: bool, out: &mut impl Write) -> Result<()> {
    if csv {
        journal_file::export_plays(data, table, out)
    } else {
        journal_file::export(data, table, out)
    }
}
