//! The thread that carries committed pages from the write-ahead log into the database.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::{Connection, Row};

use super::Shared;
use super::database::{Database, Place, Trouble};
use crate::Fault;

/// The nice value of this thread.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// While commits go on, pages are carried at every tenth look, or when the log is long. Carrying
/// ends with a sync of the database, and commits that come meanwhile wait for the same disk: they
/// have to stay fewer than one in a hundred.
const LOOKS_MOST: u32 = 10;

/// Checkpoints from time to time, until told to stop, and then once more.
pub(super) fn run(mut database: Database, place: &Place, stop: &Receiver<()>, shared: &Shared) {
    lower_priority();
    let options = &place.options;
    let pause = options.checkpoint_every.max(Duration::from_millis(1));
    let (mut carried, mut seen, mut looks) = (0, 0, 0);
    loop {
        let closing = match stop.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => false,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
        };
        if closing {
            let _log_is_still_there = database.run(|connection| checkpoint(connection, "TRUNCATE"));
            break;
        }
        let commits = shared.commits();
        if commits == carried {
            continue;
        }
        looks += 1;
        let is_idle = std::mem::replace(&mut seen, commits) == commits;
        if !is_idle && looks < LOOKS_MOST && !is_long(&mut database, options.wal_bytes_most) {
            continue;
        }
        looks = 0;
        // A checkpoint that failed lost nothing: the log is still there. It is tried again, and so
        // is one that readers kept from carrying everything.
        if carry(&mut database, options.wal_bytes_most, shared) == Ok(true) {
            carried = commits;
        }
    }
}

/// Whether the log should be started over soon. One that cannot be looked at is long: the attempt
/// to carry its pages finds out why.
fn is_long(database: &mut Database, bytes_most: u64) -> bool {
    let looked = database.run(|connection| checkpoint(connection, "NOOP"));
    looked.map_or(true, |pages| pages.are_many(bytes_most))
}

/// Copies pages of the log into the database while commits go on. Returns whether all were copied:
/// the next commit then starts the log over by itself. Under steady load some are always left, so
/// when the log has become long, a second, short pass copies what came in during the first, and the
/// writer is asked to copy the rest.
fn carry(database: &mut Database, bytes_most: u64, shared: &Shared) -> Result<bool, Fault> {
    let pages = database.run(|connection| checkpoint(connection, "PASSIVE"))?;
    if !pages.are_many(bytes_most) {
        return Ok(pages.log == pages.carried);
    }
    database.run(|connection| checkpoint(connection, "PASSIVE"))?;
    shared.log_is_long.store(true, Ordering::Relaxed);
    Ok(false)
}

/// Copies the rest between two commits, so that the next one starts the log over.
pub(super) fn carry_rest(database: &mut Database) {
    let _log_is_still_there = database.run(|connection| checkpoint(connection, "PASSIVE"));
}

/// Gives way to the threads that players wait for.
fn lower_priority() {
    // A failure is harmless: the thread does the same work at normal priority.
    #[cfg(target_os = "linux")]
    let _as_before = rustix::process::nice(NICE);
}

/// What a checkpoint has found and done.
struct Pages {
    /// How many pages the log has.
    log: u64,
    /// How many of the pages are in the database.
    carried: u64,
}

impl Pages {
    /// Whether the log takes three quarters of what it may: more is written until it is started
    /// over.
    fn are_many(&self, bytes_most: u64) -> bool {
        self.log.saturating_mul(4096) >= bytes_most / 4 * 3
    }
}

fn checkpoint(connection: &mut Connection, mode: &str) -> Result<Pages, Trouble> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let row = |row: &Row| Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
    let (log, carried) = connection.query_one(&sql, [], row)?;
    // Both are -1 when there was nothing to do.
    Ok(Pages { log: log.max(0).unsigned_abs(), carried: carried.max(0).unsigned_abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_at_the_log_carries_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = Connection::open(folder.path().join("j.db")).unwrap();
        let sql = "PRAGMA journal_mode = WAL; CREATE TABLE numbers (number INTEGER)";
        connection.execute_batch(sql).unwrap();
        for _ in 0..2 {
            let Pages { log, carried } = checkpoint(&mut connection, "NOOP").unwrap();
            assert!(log > 0 && carried == 0, "{carried} of {log}");
        }
        let Pages { log, carried } = checkpoint(&mut connection, "PASSIVE").unwrap();
        assert!(log > 0 && carried == log, "{carried} of {log}");
    }
}
