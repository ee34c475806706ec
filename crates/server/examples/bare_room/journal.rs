//! Moves in SQLite: one thread writes, and all that waits is committed together, at once.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context, Result};
use axum::extract::ws::Utf8Bytes;
use rusqlite::{Connection, params};
use tokio::sync::oneshot;

/// How many moves wait to be written: a room has one at the most.
const QUEUE_MOST: usize = 65_536;
/// How many moves are committed together.
const BATCH_MOST: usize = 1_024;
/// How many pages the write-ahead log grows to before it is copied into the file.
const CHECKPOINT_PAGES: u32 = 4_000;

/// A move on its way to the disk.
pub struct Row {
    pub room: u32,
    pub number: u32,
    pub seat: u8,
    pub text: Utf8Bytes,
}

/// The way to the writer.
#[derive(Clone)]
pub struct Journal(SyncSender<(Row, oneshot::Sender<()>)>);

impl Journal {
    /// Opens a file for moves and starts its writer.
    pub fn open(path: &Path) -> Result<Self> {
        let database = Connection::open(path)?;
        database.pragma_update(None, "journal_mode", "WAL")?;
        database.pragma_update(None, "synchronous", "FULL")?;
        database.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        database.execute_batch(
            "CREATE TABLE moves (room INTEGER, number INTEGER, seat INTEGER, text TEXT,
                PRIMARY KEY (room, number)) WITHOUT ROWID",
        )?;
        let (sender, rows) = sync_channel(QUEUE_MOST);
        thread::Builder::new().name("journal".to_owned()).spawn(move || {
            if let Err(error) = write(&database, &rows) {
                eprintln!("moves cannot be stored: {error}");
                std::process::exit(1);
            }
        })?;
        Ok(Self(sender))
    }

    /// Stores a move; returns when it is durable.
    pub async fn append(&self, row: Row) -> Result<()> {
        let (done, durable) = oneshot::channel();
        self.0.try_send((row, done)).context("too many moves wait to be stored")?;
        durable.await.context("the writer is gone")
    }
}

fn write(
    database: &Connection,
    rows: &Receiver<(Row, oneshot::Sender<()>)>,
) -> rusqlite::Result<()> {
    let mut insert = database.prepare("INSERT INTO moves VALUES (?, ?, ?, ?)")?;
    let mut durable = Vec::with_capacity(BATCH_MOST);
    while let Ok(first) = rows.recv() {
        database.execute_batch("BEGIN IMMEDIATE")?;
        for (row, done) in std::iter::once(first).chain(rows.try_iter()).take(BATCH_MOST) {
            insert.execute(params![row.room, row.number, row.seat, row.text.as_str()])?;
            durable.push(done);
        }
        database.execute_batch("COMMIT")?;
        for done in durable.drain(..) {
            // A room that has ended waits for nothing.
            let _waits = done.send(());
        }
    }
    Ok(())
}
