//! A database connection that is dropped after a fault and opened again for the next piece of work.

use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::options::Options;
use crate::Fault;

/// Where the journal is, and what its connections are set to.
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) options: Options,
    /// Which file it is, once that is locked.
    identity: OnceLock<Identity>,
}

/// Which file a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

impl Place {
    pub(super) fn new(path: PathBuf, options: Options) -> Self {
        Self { path, options, identity: OnceLock::new() }
    }

    /// Remembers which file it is.
    pub(super) fn identify(&self, identity: Identity) {
        let _the_same = self.identity.set(identity);
    }

    /// Whether the file still has its name. One system call.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let Some(locked) = self.identity.get() else { return Ok(()) };
        match fs::metadata(&self.path) {
            Ok(found) if Identity::of(&found) == *locked => Ok(()),
            Ok(_) => Err(Fault::Replaced),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Fault::Replaced),
            Err(error) => Err(Fault::Disk(error.to_string())),
        }
    }

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

/// A connection, or `None` after a fault.
pub(super) struct Database {
    place: Arc<Place>,
    role: Role,
    connection: Option<Connection>,
}

impl Database {
    pub(super) fn new(place: Arc<Place>, role: Role) -> Self {
        Self { place, role, connection: None }
    }

    /// Runs `work` on the connection, opening it first if needed. After an error the transaction is
    /// rolled back. What was written to a file that has lost its name meanwhile is an error, too.
    pub(super) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        let opened = match self.connection.take() {
            Some(connection) => Ok(connection),
            // Another file of this name is not touched.
            None => self
                .place
                .check()
                .map_err(Trouble::Fault)
                .and_then(|()| connect(&self.place, self.role)),
        };
        let (connection, fault) = match opened {
            Err(trouble) => return Err(trouble.fault(&self.place)),
            Ok(mut connection) => match work(&mut connection).and_then(|done| {
                if self.role == Role::Writer {
                    self.place.check().map_err(Trouble::Fault)?;
                }
                Ok(done)
            }) {
                Ok(done) => {
                    self.connection = Some(connection);
                    return Ok(done);
                }
                Err(trouble) => (connection, trouble.fault(&self.place)),
            },
        };
        let whole = connection.is_autocommit() || connection.execute_batch("ROLLBACK").is_ok();
        // These two faults leave the connection usable. After any other fault it is opened again.
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
            // In KiB: all of `recent`, and about as much again for the pages that lines are moved to. A
            // page that is not among them is read from the system's cache, for some twenty lines
            // at once.
            connection.pragma_update(None, "cache_size", -4 * 1024)?;
            // Overwrite deleted rows with zeros, so that a deleted name is not left in the file.
            connection.pragma_update(None, "secure_delete", true)?;
            connection.query_one("PRAGMA wal_autocheckpoint = 0", [], |_| Ok(()))?;
            // A log that is started over keeps its space on the disk up to this size: truncating
            // and extending the file would delay commits.
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

/// Why a piece of work failed, before it is classified as a [`Fault`].
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
    use crate::Content;

    /// No test can cut the power, so this one checks the settings that durability depends on.
    #[test]
    fn the_writer_syncs_every_commit_and_leaves_checkpoints_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        let place = Arc::new(Place::new(path, Options::default()));
        let mut database = Database::new(place, Role::Writer);
        database.run(|connection| schema::migrate(connection, Content::Tables)).unwrap();
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
            let found = database.run(|connection| {
                Ok(connection.pragma_query_value(None, setting, |row| row.get(0))?)
            });
            assert_eq!(found.map(text).as_deref(), Ok(expected), "{setting}");
        }
    }
}
