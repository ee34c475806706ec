//! The thread that carries committed pages from the write-ahead log into the database.

use std::fs;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::Connection;

use super::Shared;
use super::link::{Link, Place, Trouble};
use crate::Fault;

/// Checkpoints from time to time, until told to stop, and then once more.
pub(super) fn run(mut link: Link, place: &Place, stop: &Receiver<()>, shared: &Shared) {
    let options = &place.options;
    let pause = options.checkpoint_every.max(Duration::from_millis(1));
    let wal = place.beside("-wal");
    let mut carried = 0;
    loop {
        let closing = match stop.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => false,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
        };
        let commits = shared.commits();
        let length = fs::metadata(&wal).map_or(0, |file| file.len());
        let idle = commits == carried;
        let done = if closing || idle && length > options.wal_bytes_most / 16 {
            start_over(&mut link, shared, "TRUNCATE")
        } else if idle {
            Ok(())
        } else {
            carry(&mut link, options.wal_bytes_most, shared)
        };
        if done.is_ok() {
            carried = commits;
        }
        if closing {
            break;
        }
        // A checkpoint that failed lost nothing: the log is still there. It is tried again.
    }
}

/// Carries pages while commits go on, and starts the log over if it is long all the same.
fn carry(link: &mut Link, bytes_most: u64, shared: &Shared) -> Result<(), Fault> {
    let pages = link.run(|connection| checkpoint(connection, "PASSIVE"))?;
    if pages.saturating_mul(4096) < bytes_most {
        return Ok(());
    }
    // Under steady load the log never is wholly carried at the moment of a commit, so SQLite would
    // never start it over. What came in during the long pass is carried in a short one, and the
    // writer waits only for the little that is left after it.
    link.run(|connection| checkpoint(connection, "PASSIVE"))?;
    start_over(link, shared, "RESTART")
}

/// Carries the rest while no commit can begin, so that the next one starts the log over.
fn start_over(link: &mut Link, shared: &Shared, mode: &str) -> Result<(), Fault> {
    let _gate = shared.gate.lock().unwrap_or_else(PoisonError::into_inner);
    link.run(|connection| checkpoint(connection, mode)).map(|_pages| ())
}

/// Does a checkpoint; returns how many pages the log has.
fn checkpoint(connection: &mut Connection, mode: &str) -> Result<u64, Trouble> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let pages: i64 = connection.query_one(&sql, [], |row| row.get(1))?;
    Ok(u64::try_from(pages).unwrap_or(0))
}
