//! `unspoken journal`: tables out of the server's file, and into it.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use server::archive;
use wire::Code;

/// What to do with tables.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    task: Task,
    /// The file that the tables are kept in
    #[arg(long, env = "UNSPOKEN_DATA", default_value = "unspoken.db", global = true)]
    data: PathBuf,
}

#[derive(Subcommand)]
enum Task {
    /// Write a table as JSON lines, or its plays as CSV; a server may be using the file meanwhile
    Export {
        /// The table's code
        table: Code,
        /// The file to write, standard output if none is named; an existing file is kept
        #[arg(long)]
        out: Option<PathBuf>,
        /// Only the plays of the games that are over, with their times, for a spreadsheet
        #[arg(long)]
        csv: bool,
    },
    /// Check a table that was exported by the rules, and keep it; no server may be using the file
    Import {
        /// The file to read, - for standard input
        file: PathBuf,
        /// Another code for the table
        #[arg(long)]
        code: Option<Code>,
    },
}

/// Does it.
pub fn run(options: &Options) -> Result<()> {
    match &options.task {
        Task::Export { table, out: None, csv } => {
            export(&options.data, *table, *csv, &mut stdout().lock())
        }
        Task::Export { table, out: Some(path), csv } => {
            let file = File::create_new(path)
                .with_context(|| format!("{} cannot be made, name another file", path.display()))?;
            export(&options.data, *table, *csv, &mut BufWriter::new(file))
        }
        Task::Import { file, code } => {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            let code = if file.as_os_str() == "-" {
                let lines = stdin().lock();
                runtime.block_on(archive::import(&options.data, lines, "standard input", *code))?
            } else {
                let name = file.display().to_string();
                let lines = File::open(file).with_context(|| format!("{name} cannot be read"))?;
                let lines = BufReader::new(lines);
                runtime.block_on(archive::import(&options.data, lines, &name, *code))?
            };
            println!("table {code} is kept in {}", options.data.display());
            Ok(())
        }
    }
}

fn export(data: &Path, table: Code, csv: bool, out: &mut impl Write) -> Result<()> {
    if csv { archive::export_plays(data, table, out) } else { archive::export(data, table, out) }
}
