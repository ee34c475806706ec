//! Looking into a journal that somebody else may be writing.

use std::path::Path;
use std::sync::Arc;

use super::link::{Link, Place, Role};
use super::options::Options;
use super::schema::{self, Found};
use super::{readers, resolve};
use crate::{Fault, Hash, Key, OpenError};

/// A journal that is only looked into. It needs no lock, so a server can go on beside it.
pub struct Glance(Link);

impl Glance {
    /// Opens a file that is a journal already.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = resolve(path.as_ref());
        if !path.exists() {
            return Err(OpenError::NoFile { path });
        }
        let place = Arc::new(Place { path: path.clone(), options: Options::default() });
        let mut link = Link::new(place, Role::Reader);
        match link.run(schema::find) {
            Ok(Found::Journal) => Ok(Self(link)),
            Ok(Found::Foreign) => Err(OpenError::Foreign { path }),
            Ok(Found::Newer(found)) => Err(OpenError::Newer { path, found, known: schema::FORMAT }),
            Err(fault) => Err(OpenError::Fault { path, fault }),
        }
    }

    /// All lines of a table, none if there is no such table.
    pub fn lines(&mut self, key: &Key) -> Result<Vec<Box<str>>, Fault> {
        self.0.run(|connection| readers::lines_outside(connection, key))
    }

    /// Which of these people were forgotten. A file that no server has brought up to date knows of
    /// nobody.
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
