//! A check of a whole data file or cluster: the lines of every table, and every game made again.

use std::path::Path;
use std::pin::pin;

use anyhow::Result;
use cluster::Archive;
use futures_util::{StreamExt, stream};
use journal::{Fault, Glance, Inventory, Journal, Key, OpenError, integrity};
use serde::Serialize;
use table::{AnyMatch, TableState};
use wire::Code;

use crate::ClusterAccess;
use crate::replay::{Games, check as check_game};

/// How many tables of a cluster are read at once.
const READ_AT_ONCE: usize = 16;

/// What a check has found.
#[derive(Debug, Default, Serialize)]
pub struct FileCheck {
    /// What SQLite finds wrong with the file, nothing if it is sound or is a cluster.
    pub integrity: Vec<String>,
    /// How many tables were read.
    pub tables: u64,
    /// How many games were made again, move by move.
    pub games: u64,
    /// How many lines were read.
    pub lines: u64,
    /// How many of them have no checksum, because they are from before format 9.
    pub without_checksum: u64,
    /// The tables that are damaged.
    pub damaged: Vec<DamagedTable>,
}

/// A table that cannot be read, or a game that cannot have gone as it says.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct DamagedTable {
    /// The table's code, or the name of a log beside a table.
    pub table: String,
    /// What is wrong with it.
    pub error: String,
}

impl FileCheck {
    /// Checks a cluster: reads all messages of each table, each of which has a hash of itself and of
    /// the one before it, and makes every game again. Nodes may serve it meanwhile.
    pub async fn of_cluster(access: &ClusterAccess) -> Result<Self> {
        let archive = Archive::find(&access.reading()).await?;
        let mut found = Self::default();
        let tables = archive.tables().await?;
        let reading = stream::iter(tables).map(|listed| {
            let lines = archive.read(&listed.key, 0);
            async move { (listed.key, lines.await) }
        });
        let mut reading = pin!(reading.buffered(READ_AT_ONCE));
        while let Some((key, lines)) = reading.next().await {
            match lines {
                Ok(lines) => found.take(&key, &lines),
                Err(Fault::Damaged(error)) => found.damage(&key, error),
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(found)
    }

    /// Checks a file. A server may use it meanwhile. Takes some seconds for a thousand games.
    pub fn of(data: &Path) -> Result<Self> {
        let integrity = match integrity(data) {
            Ok(wrong) => wrong,
            Err(OpenError::Fault { fault: Fault::Damaged(error), .. }) => vec![error],
            Err(error) => return Err(error.into()),
        };
        let mut found = Self { integrity, ..Self::default() };
        let mut glance = Glance::open(data)?;
        for key in glance.keys()? {
            let lines = match glance.lines(&key) {
                Ok(lines) => lines,
                Err(Fault::Damaged(error)) => {
                    found.damage(&key, error);
                    continue;
                }
                Err(fault) => return Err(fault.into()),
            };
            found.take(&key, &lines);
        }
        found.without_checksum = match glance.without_checksum() {
            Ok(count) => count.unwrap_or(found.lines),
            // The pages that cannot be read are in `integrity` already.
            Err(Fault::Damaged(_)) => 0,
            Err(fault) => return Err(fault.into()),
        };
        Ok(found)
    }

    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.integrity.is_empty() && self.damaged.is_empty()
    }

    /// Takes a table or side log into what was found.
    fn take(&mut self, key: &Key, lines: &[Box<str>]) {
        self.lines += lines.len() as u64;
        let read = match key.as_str().parse::<Code>() {
            Ok(table) => self.read_table(table, lines),
            Err(_side_log) => read_side_log(lines),
        };
        if let Err(error) = read {
            self.damage(key, error);
        }
    }

    fn damage(&mut self, key: &Key, error: String) {
        self.damaged.push(DamagedTable { table: key.as_str().to_owned(), error });
    }

    fn read_table(&mut self, table: Code, lines: &[Box<str>]) -> Result<(), String> {
        self.tables += 1;
        TableState::<Box<dyn AnyMatch>>::read(lines).map_err(|bad| bad.to_string())?;
        let Games { over, on } = Games::read(lines, table).map_err(|none| none.to_string())?;
        for (game, is_over) in
            over.iter().map(|game| (game, true)).chain(on.iter().map(|on| (on, false)))
        {
            check_game(game, table.as_str(), is_over).map_err(|error| error.to_string())?;
            self.games += 1;
        }
        Ok(())
    }
}

/// A log beside a table has a JSON value a line.
fn read_side_log(lines: &[Box<str>]) -> Result<(), String> {
    for (line, number) in lines.iter().zip(1..) {
        serde_json::from_str::<serde_json::Value>(line)
            .map_err(|error| format!("line {number}: {error}"))?;
    }
    Ok(())
}
