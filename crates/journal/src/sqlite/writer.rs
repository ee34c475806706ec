//! The one thread that writes: it takes what waits, commits it together, and answers.

use std::sync::PoisonError;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Instant;

use rusqlite::{Connection, OptionalExtension};
use tokio::sync::oneshot;

use super::Shared;
use super::catalogue;
use super::link::{Link, Place, Trouble};
use super::options::BATCH_MOST;
use crate::{Card, Fault, Hash, Key, Note};

/// Something to write, and whom to tell.
pub(super) struct Request {
    pub(super) change: Change,
    pub(super) answer: oneshot::Sender<Result<Done, Fault>>,
}

/// Something to write.
pub(super) enum Change {
    Append {
        key: Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    },
    Put {
        hash: Hash,
        line: Box<str>,
    },
    Forget {
        hash: Hash,
    },
    File {
        cards: Vec<Card>,
        turn: u64,
    },
    Edition(u32),
    /// Takes its turn, and changes nothing.
    Nothing,
}

/// What came of it.
#[derive(Clone, Copy)]
pub(super) enum Done {
    Written,
    /// The table has so many lines, and nothing was written to it.
    Conflict {
        found: u64,
    },
}

/// Writes until every sender is gone and the queue is empty.
pub(super) fn run(mut link: Link, place: &Place, queue: &Receiver<Request>, shared: &Shared) {
    let mut ready = Instant::now();
    while let Ok(first) = queue.recv() {
        thread::sleep(ready.saturating_duration_since(Instant::now()));
        let now = Instant::now();
        ready = now.checked_add(place.options.pace).unwrap_or(now);
        let waiting = std::iter::once(first).chain(queue.try_iter()).take(BATCH_MOST);
        let (changes, answers): (Vec<_>, Vec<_>) =
            waiting.map(|request| (request.change, request.answer)).unzip();
        let done = {
            let _gate = shared.gate.lock().unwrap_or_else(PoisonError::into_inner);
            link.run(|connection| commit(connection, &changes))
        };
        match done {
            Ok(done) => {
                shared.count_commit();
                answers.into_iter().zip(done).for_each(|(to, done)| tell(to, Ok(done)));
            }
            // Even a conflict was found beside changes that are gone now, so all hear of the fault.
            Err(fault) => answers.into_iter().for_each(|to| tell(to, Err(fault.clone()))),
        }
    }
}

fn tell(to: oneshot::Sender<Result<Done, Fault>>, answer: Result<Done, Fault>) {
    let _nobody_waits_for_it = to.send(answer);
}

/// Makes all changes in one transaction. Each is checked before anything of it is written, so one
/// that conflicts leaves the others alone.
fn commit(connection: &mut Connection, changes: &[Change]) -> Result<Vec<Done>, Trouble> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let done = changes.iter().map(|change| write(connection, change)).collect::<Result<_, _>>()?;
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(done)
}

fn write(connection: &Connection, change: &Change) -> Result<Done, Trouble> {
    match change {
        Change::Append { key, after, lines, note } => {
            return append(connection, key, *after, lines, note.as_ref());
        }
        Change::Put { hash, line } => {
            let sql = "INSERT INTO people (hash, line) VALUES (?1, ?2)
                ON CONFLICT (hash) DO UPDATE SET line = excluded.line";
            connection.prepare_cached(sql)?.execute((hash, line))?;
        }
        Change::Forget { hash } => catalogue::forget(connection, hash)?,
        Change::File { cards, turn } => catalogue::file(connection, cards, *turn)?,
        Change::Edition(edition) => catalogue::begin(connection, *edition)?,
        Change::Nothing => {}
    }
    Ok(Done::Written)
}

/// Finds a table by its key, and how many lines it has.
pub(super) const FIND: &str = "SELECT id, coalesce(
    (SELECT seq FROM lines WHERE table_id = id ORDER BY seq DESC LIMIT 1), 0)
    FROM tables WHERE key = ?1";

fn append(
    connection: &Connection,
    key: &Key,
    after: u64,
    lines: &[Box<str>],
    note: Option<&Note>,
) -> Result<Done, Trouble> {
    let row = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let table = connection.prepare_cached(FIND)?.query_one((key.as_str(),), row).optional()?;
    let last = table.map_or(0, |(_, last)| last);
    let found = last.unsigned_abs();
    if found != after {
        return Ok(Done::Conflict { found });
    }
    if lines.is_empty() && note.is_none() {
        return Ok(Done::Written);
    }
    let id = match table {
        Some((id, _)) => id,
        None => connection
            .prepare_cached("INSERT INTO tables (key) VALUES (?1)")?
            .insert((key.as_str(),))?,
    };
    let sql = "INSERT INTO lines (table_id, seq, line) VALUES (?1, ?2, ?3)";
    let mut insert = connection.prepare_cached(sql)?;
    for (seq, line) in (last.saturating_add(1)..).zip(lines) {
        insert.execute((id, seq, line))?;
    }
    if let Some(Note { text, listed, ended }) = note {
        // The row that is replaced still counts when the new one is given its turn, so turns grow.
        let sql = "REPLACE INTO notes (table_id, listed, ended, text) VALUES (?1, ?2, ?3, ?4)";
        connection.prepare_cached(sql)?.execute((id, listed, ended, text))?;
    }
    Ok(Done::Written)
}
