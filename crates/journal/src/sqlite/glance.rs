//! Read-only access to a journal that a server may be writing.

use std::path::Path;
use std::sync::Arc;

use super::database::{Database, Place, Role};
use super::options::{Content, Options};
use super::schema::{self, Found};
use super::{readers, resolve};
use crate::{Fault, Hash, Key, OpenError};

/// A journal opened for reading only. It takes no lock, so a server can run at the same time.
pub struct Glance(Database);

impl Glance {
    /// Opens a file that is a journal already.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = resolve(path.as_ref());
        if !path.exists() {
            return Err(OpenError::NoFile { path });
        }
        let place = Arc::new(Place::new(path.clone(), Options::default()));
        let mut database = Database::new(place, Role::Reader);
        match database.run(schema::find) {
            Ok(Found::Journal(Content::Tables)) => Ok(Self(database)),
            Ok(Found::Journal(Content::Index)) => Err(OpenError::Index { path }),
            Ok(Found::Foreign) => Err(OpenError::Foreign { path }),
            Ok(Found::Newer(found)) => Err(OpenError::Newer { path, found, known: schema::FORMAT }),
            Err(fault) => Err(OpenError::Fault { path, fault }),
        }
    }

    /// Whether the file has the newest format.
    pub fn is_newest(&mut self) -> Result<bool, Fault> {
        self.0.run(|connection| Ok(schema::format(connection)? == schema::FORMAT))
    }

    /// The keys of all tables and side logs.
    pub fn keys(&mut self) -> Result<Vec<Key>, Fault> {
        self.0.run(|connection| readers::keys(connection))
    }

    /// All lines of a table, none if there is no such table.
    pub fn lines(&mut self, key: &Key) -> Result<Vec<Box<str>>, Fault> {
        self.0.run(|connection| readers::lines_outside(connection, key))
    }

    /// How many lines have no checksum, because they are from before format 9; `None` if no line of
    /// the file has one. Reads every line.
    pub fn without_checksum(&mut self) -> Result<Option<u64>, Fault> {
        self.0.run(|connection| readers::without_checksum(connection))
    }

    pub(super) fn into_database(self) -> Database {
        self.0
    }

    /// Those of these people who were deleted. A file in an older format has no list of deleted
    /// people and gives an empty answer.
    pub fn forgotten(&mut self, of: Vec<Hash>) -> Result<Vec<Hash>, Fault> {
        self.0.run(|connection| {
            if connection.table_exists(None, "forgotten")? {
                readers::forgotten(connection, of)
            } else {
                Ok(Vec::new())
            }
        })
    }
}
