//! `unspoken journal`: tables out of a server's file or cluster, and into it, one by one or all.

mod copy;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use server::ClusterAccess;
use server::journal_file::{self, Place};
use tokio::runtime::Runtime;
use wire::Code;

use self::copy::Copy;
use crate::out::outln;

pub use self::copy::{Bar, say};

/// What to do with tables.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write a table as JSON lines, or its plays as CSV; a server may be using it meanwhile
    Export {
        /// The table's code
        table: Code,
        /// The file to write, by default standard output; an existing file is not overwritten
        #[arg(long)]
        out: Option<PathBuf>,
        /// Only the plays of the games that are over, with their times, for a spreadsheet
        #[arg(long)]
        csv: bool,
        #[command(flatten)]
        stored: Stored,
    },
    /// Check an exported table by the rules and store it; no server may be using the file
    Import {
        /// The file to read, - for standard input
        file: PathBuf,
        /// Another code for the table
        #[arg(long)]
        code: Option<Code>,
        #[command(flatten)]
        stored: Stored,
    },
    /// Copy everything that a server stores from its file into a cluster, or out of it into a file
    Copy {
        #[command(subcommand)]
        copy: Box<Copy>,
    },
}

/// Where tables are stored.
#[derive(Args)]
struct Stored {
    /// The server's data file, unless --cluster is given
    #[arg(long, env = "UNSPOKEN_DATA", default_value = "unspoken.db")]
    data: PathBuf,
    #[command(flatten)]
    access: ClusterAccess,
}

impl Stored {
    fn place(&self) -> Place<'_> {
        if self.access.brokers.is_empty() {
            Place::File(&self.data)
        } else {
            Place::Cluster(&self.access)
        }
    }
}

/// Exports or imports a table, or copies everything.
pub fn run(options: &Options) -> Result<()> {
    match &options.task {
        Task::Export { table, out: None, csv, stored } => {
            export(stored.place(), *table, *csv, &mut stdout().lock())
        }
        Task::Export { table, out: Some(path), csv, stored } => {
            let file = File::create_new(path).with_context(|| {
                format!("{} cannot be created, name another file", path.display())
            })?;
            export(stored.place(), *table, *csv, &mut BufWriter::new(file))
        }
        Task::Import { file, code, stored } => {
            let place = stored.place();
            let code = import(place, file, *code)?;
            outln!("table {code} is stored in {place}");
            Ok(())
        }
        Task::Copy { copy } => copy::run(copy),
    }
}

fn export(place: Place<'_>, table: Code, csv: bool, out: &mut impl Write) -> Result<()> {
    let runtime = runtime()?;
    if csv {
        runtime.block_on(journal_file::export_plays(place, table, out))
    } else {
        runtime.block_on(journal_file::export(place, table, out))
    }
}

fn import(place: Place<'_>, file: &Path, code: Option<Code>) -> Result<Code> {
    let runtime = runtime()?;
    if file.as_os_str() == "-" {
        let lines = stdin().lock();
        runtime.block_on(journal_file::import(place, lines, "standard input", code))
    } else {
        let name = file.display().to_string();
        let lines = File::open(file).with_context(|| format!("{name} cannot be read"))?;
        runtime.block_on(journal_file::import(place, BufReader::new(lines), &name, code))
    }
}

/// What the operator's tools run in.
pub fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}
