//! A connection that mends itself: dropped after a fault, opened again for the next piece of work.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::options::Options;
use crate::Fault;

/// Where the journal is, and what its connections are set to.
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) options: Options,
}

impl Place {
    /// A file that lies beside the journal's.
    pub(super) fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(suffix);
        name.into()
    }
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Writer,
    Reader,
    Checkpointer,
}

/// A connection, while it is any good.
pub(super) struct Link {
    place: Arc<Place>,
    role: Role,
    connection: Option<Connection>,
}

impl Link {
    pub(super) fn new(place: Arc<Place>, role: Role) -> Self {
        Self { place, role, connection: None }
    }

    /// Does something on the connection. After an error nothing of it remains.
    pub(super) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        let opened = match self.connection.take() {
            Some(connection) => Ok(connection),
            None => connect(&self.place, self.role),
        };
        let (connection, fault) = match opened {
            Err(trouble) => return Err(trouble.fault(&self.place)),
            Ok(mut connection) => match work(&mut connection) {
                Ok(done) => {
                    self.connection = Some(connection);
                    return Ok(done);
                }
                Err(trouble) => (connection, trouble.fault(&self.place)),
            },
        };
        let whole = connection.is_autocommit() || connection.execute_batch("ROLLBACK").is_ok();
        // After these two the connection is as good as before. After any other fault only a new
        // one can tell whether the cause is gone.
        if whole && matches!(fault, Fault::Full | Fault::Locked) {
            self.connection = Some(connection);
        }
        Err(fault)
    }
}

fn connect(place: &Place, role: Role) -> Result<Connection, Trouble> {
    let access = match role {
        Role::Reader => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Role::Writer => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Role::Checkpointer => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    // Each connection stays in one thread at a time, so SQLite need not lock it.
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&place.path, flags)?;
    // The writer waits while the log is started over, which therefore waits little for readers.
    let patience_most = match role {
        Role::Writer | Role::Reader => Duration::from_mins(1),
        Role::Checkpointer => Duration::from_millis(20),
    };
    connection.busy_timeout(place.options.busy.min(patience_most))?;
    // SQLite quietly opens a file for reading when it may not write to it.
    if role != Role::Reader && connection.is_readonly("main")? {
        return Err(Trouble::Fault(Fault::ReadOnly));
    }
    match role {
        Role::Reader => connection.pragma_update(None, "query_only", true)?,
        Role::Writer => {
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // All of `recent` stays in memory, beside the pages that lines are moved to.
            connection.pragma_update(None, "cache_size", -16 * 1024)?;
            // What a person had deleted is overwritten, not just unlinked.
            connection.pragma_update(None, "secure_delete", true)?;
            connection.query_one("PRAGMA wal_autocheckpoint = 0", [], |_| Ok(()))?;
            // A log that is started over keeps its place on the disk up to this size: to give it
            // back and to take it again would hold up commits.
            let bytes = i64::try_from(place.options.wal_bytes_most).unwrap_or(i64::MAX);
            let sql = format!("PRAGMA journal_size_limit = {bytes}");
            connection.query_one(&sql, [], |_| Ok(()))?;
            if let Some(pages_most) = place.options.pages_most {
                let sql = format!("PRAGMA max_page_count = {pages_most}");
                connection.query_one(&sql, [], |_| Ok(()))?;
            }
        }
        Role::Checkpointer => {
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.query_one("PRAGMA wal_autocheckpoint = 0", [], |_| Ok(()))?;
        }
    }
    Ok(connection)
}

/// Why a piece of work failed, before it is known what that means.
#[derive(Debug)]
pub(super) enum Trouble {
    Sqlite(rusqlite::Error),
    Fault(Fault),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Trouble {
    fn fault(self, place: &Place) -> Fault {
        use rusqlite::Error;
        let error = match self {
            Self::Fault(fault) => return fault,
            Self::Sqlite(error) => error,
        };
        match &error {
            Error::SqliteFailure(failure, _) => match failure.code {
                ErrorCode::DiskFull => Fault::Full,
                ErrorCode::ReadOnly => Fault::ReadOnly,
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Fault::Locked,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                    Fault::Damaged(error.to_string())
                }
                // The shared index could not grow: its disk has no room.
                _ if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Fault::Full,
                _ if !writable(&place.beside("-wal")) => Fault::ReadOnly,
                _ => Fault::Disk(error.to_string()),
            },
            // A row does not hold what was put there.
            Error::FromSqlConversionFailure(..)
            | Error::InvalidColumnType(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::Utf8Error(..) => Fault::Damaged(error.to_string()),
            _ => Fault::Disk(error.to_string()),
        }
    }
}

/// Whether the file may be written to, as far as one can tell. The database itself must not be
/// tried like this: closing it here would give up the locks that SQLite holds on it.
fn writable(path: &Path) -> bool {
    match OpenOptions::new().append(true).open(path) {
        Ok(_) => true,
        Err(error) => !refused(&error),
    }
}

/// Whether the system does not let us write here.
pub(super) fn refused(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;

    use super::super::schema;
    use super::*;

    /// No test can cut the power, so what durability rests on is looked up.
    #[test]
    fn the_writer_syncs_every_commit_and_leaves_checkpoints_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        let place = Arc::new(Place { path, options: Options::default() });
        let mut link = Link::new(place, Role::Writer);
        link.run(schema::migrate).unwrap();
        let text = |value: Value| match value {
            Value::Text(text) => text,
            Value::Integer(number) => number.to_string(),
            other => panic!("a setting is {other:?}"),
        };
        for (setting, expected) in [
            ("journal_mode", "wal"),
            ("synchronous", "2"),
            ("foreign_keys", "1"),
            ("wal_autocheckpoint", "0"),
            ("secure_delete", "1"),
            ("busy_timeout", "250"),
        ] {
            let found = link.run(|connection| {
                Ok(connection.pragma_query_value(None, setting, |row| row.get(0))?)
            });
            assert_eq!(found.map(text).as_deref(), Ok(expected), "{setting}");
        }
    }
}
