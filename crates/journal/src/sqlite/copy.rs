//! Copies of a journal's file: backups, and their way back.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;

use super::database::{Place, Trouble};
use super::lock::Lock;
use super::options::Options;
use super::{Glance, Sqlite, resolve};
use crate::OpenError;

/// Why there is no copy. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The file to copy, or the file in whose place the copy goes, cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// No file is overwritten.
    #[error("there is a file {} already: name another one", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("{} is damaged ({first}): use another one", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first thing that is wrong with it.
        first: String,
    },
    /// The copy cannot be written.
    #[error("{} cannot be written: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// What SQLite finds wrong with a journal's file, nothing if it is sound. A server may use the file.
/// Takes as long as reading it.
pub fn integrity(path: impl AsRef<Path>) -> Result<Vec<String>, OpenError> {
    let path = resolve(path.as_ref());
    let mut database = Glance::open(&path)?.into_database();
    database.run(find_wrong).map_err(|fault| OpenError::Fault { path, fault })
}

fn find_wrong(connection: &mut Connection) -> Result<Vec<String>, Trouble> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(rows.into_iter().filter(|row| row != "ok").collect())
}

/// Copies a journal to a new file and checks the copy; returns its bytes. A server may write to the
/// journal meanwhile: the copy is that of one moment. It has no free pages, so it contains nothing
/// that was deleted.
pub fn back_up(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<u64, CopyError> {
    let (from, to) = (resolve(from.as_ref()), resolve(to.as_ref()));
    if to.exists() {
        return Err(CopyError::Exists { path: to });
    }
    let mut database = Glance::open(&from)?.into_database();
    let partial = beside(&to, ".partial");
    let written = |error| CopyError::Write { path: partial.clone(), error };
    // SQLite fills an empty file. It is made here, so that it is never readable for others.
    let file = create(&partial).map_err(written)?;
    let copied = database.run(|connection| {
        // Only this connection is meant, and it is not used for anything else.
        connection.pragma_update(None, "query_only", false)?;
        connection.execute("VACUUM INTO ?1", [partial.to_string_lossy()])?;
        Ok(())
    });
    let kept = copied
        .map_err(|fault| OpenError::Fault { path: from, fault }.into())
        .and_then(|()| sound(&partial))
        .and_then(|()| file.sync_all().map_err(written))
        .and_then(|()| fs::rename(&partial, &to).and_then(|()| sync_folder(&to)).map_err(written))
        .and_then(|()| Ok(file.metadata().map_err(written)?.len()));
    if kept.is_err() {
        let _not_there = fs::remove_file(&partial);
    }
    kept
}

/// A journal that is being made beside the name that it will have. It is never in the place of a
/// journal that a server uses, and what an attempt that was killed has left is gone on with.
pub struct Partial {
    partial: PathBuf,
    to: PathBuf,
}

impl Partial {
    /// The journal that will be called `to`, with what is there of it already. Fails if there is a
    /// file of that name.
    pub fn begin(to: impl AsRef<Path>) -> Result<(Self, Sqlite), CopyError> {
        let to = resolve(to.as_ref());
        if to.exists() {
            return Err(CopyError::Exists { path: to });
        }
        let partial = beside(&to, ".partial");
        let journal = Sqlite::open(&partial, Options::default())?;
        Ok((Self { partial, to }, journal))
    }

    /// The file while it is being made.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Checks the file, which has to be closed, and gives it its name; returns its bytes.
    pub fn finish(self) -> Result<u64, CopyError> {
        let Self { partial, to } = self;
        sound(&partial)?;
        let placed = File::open(&partial).and_then(|file| {
            file.sync_all()?;
            remove_empty_log(&partial)?;
            fs::rename(&partial, &to)?;
            sync_folder(&to)?;
            Ok(file.metadata()?.len())
        });
        placed.map_err(|error| CopyError::Write { path: to, error })
    }
}

/// Puts a backup in the place of a journal. The journal that was there is kept under the name that
/// is returned. Fails if a server uses it, or if the backup is damaged or of a newer program.
pub fn restore(
    backup: impl AsRef<Path>,
    to: impl AsRef<Path>,
) -> Result<Option<PathBuf>, CopyError> {
    let (backup, to) = (resolve(backup.as_ref()), resolve(to.as_ref()));
    sound(&backup)?;
    let _lock = if to.exists() {
        let place = Arc::new(Place::new(to.clone(), Options::default()));
        Some(Lock::take(&place)?)
    } else {
        None
    };
    let partial = beside(&to, ".partial");
    let written = |error| CopyError::Write { path: partial.clone(), error };
    let copied = create(&partial).and_then(|mut copy| {
        io::copy(&mut File::open(&backup)?, &mut copy)?;
        copy.sync_all()
    });
    let placed = copied.and_then(|()| {
        let before = if to.exists() { Some(move_away(&to)?) } else { None };
        fs::rename(&partial, &to)?;
        sync_folder(&to)?;
        Ok(before)
    });
    if placed.is_err() {
        let _not_there = fs::remove_file(&partial);
    }
    placed.map_err(written)
}

/// Fails unless the file is a sound journal that this program can read.
fn sound(path: &Path) -> Result<(), CopyError> {
    match integrity(path)?.into_iter().next() {
        None => Ok(()),
        Some(first) => Err(CopyError::Damaged { path: path.to_owned(), first }),
    }
}

/// Gives a journal another name, and its log with it; returns the name.
fn move_away(path: &Path) -> io::Result<PathBuf> {
    let mut names = (1..).map(|number: u32| beside(path, &format!(".before-{number}")));
    let free = names.find(|name| !name.exists());
    let before = free.ok_or(io::ErrorKind::AlreadyExists)?;
    // What was not checkpointed is in the log, which SQLite looks for under the file's name.
    for ending in ["-wal", "-shm"] {
        match fs::rename(beside(path, ending), beside(&before, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    fs::rename(path, &before)?;
    Ok(before)
}

/// Removes the log that a reader of a closed journal has left, which has nothing in it.
fn remove_empty_log(path: &Path) -> io::Result<()> {
    let log = beside(path, "-wal");
    match log.metadata() {
        Ok(found) if found.len() > 0 => return Err(io::ErrorKind::ResourceBusy.into()),
        Ok(_) => fs::remove_file(&log)?,
        Err(_not_there) => {}
    }
    match fs::remove_file(beside(path, "-shm")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn create(path: &Path) -> io::Result<File> {
    let _left_by_a_crash = fs::remove_file(path);
    OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

/// Makes a rename durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
