//! The thread that carries committed pages from the write-ahead log into the database.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::{Connection, Row};

use super::Shared;
use super::link::{Link, Place, Trouble};
use crate::Fault;

/// How far this thread stands back behind the others, as the system counts it.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Checkpoints from time to time, until told to stop, and then once more.
pub(super) fn run(mut link: Link, place: &Place, stop: &Receiver<()>, shared: &Shared) {
    lower_priority();
    let options = &place.options;
    let pause = options.checkpoint_every.max(Duration::from_millis(1));
    let mut carried = 0;
    loop {
        let closing = match stop.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => false,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
        };
        if closing {
            let _log_is_still_there = link.run(|connection| checkpoint(connection, "TRUNCATE"));
            break;
        }
        let commits = shared.commits();
        // A checkpoint that failed lost nothing: the log is still there. It is tried again, and so
        // is one that readers kept from carrying everything.
        if commits != carried && carry(&mut link, options.wal_bytes_most, shared) == Ok(true) {
            carried = commits;
        }
    }
}

/// Carries pages while commits go on. Whether all are carried: the next commit then starts the log
/// over by itself. Under steady load that is never so at the moment of a commit. When the log has
/// become long, what came in during the long pass is carried in a short one, and the writer is
/// asked to carry the little that is left.
fn carry(link: &mut Link, bytes_most: u64, shared: &Shared) -> Result<bool, Fault> {
    let Pages { log, carried } = link.run(|connection| checkpoint(connection, "PASSIVE"))?;
    if log.saturating_mul(4096) < bytes_most {
        return Ok(log == carried);
    }
    link.run(|connection| checkpoint(connection, "PASSIVE"))?;
    shared.log_is_long.store(true, Ordering::Relaxed);
    Ok(false)
}

/// Carries what is left between two commits, so that the next one starts the log over.
pub(super) fn carry_rest(link: &mut Link) {
    let _log_is_still_there = link.run(|connection| checkpoint(connection, "PASSIVE"));
}

/// Gives way to the threads that players wait for.
fn lower_priority() {
    // Without it the thread does the same work, only less politely.
    #[cfg(target_os = "linux")]
    let _as_before = rustix::process::nice(NICE);
}

/// What a checkpoint has found and done.
struct Pages {
    /// How many pages the log has.
    log: u64,
    /// How many of them are carried.
    carried: u64,
}

fn checkpoint(connection: &mut Connection, mode: &str) -> Result<Pages, Trouble> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let row = |row: &Row| Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
    let (log, carried) = connection.query_one(&sql, [], row)?;
    // Both are -1 when there was nothing to do.
    Ok(Pages { log: log.max(0).unsigned_abs(), carried: carried.max(0).unsigned_abs() })
}
