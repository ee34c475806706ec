//! The lock that keeps a second server away from the file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;

use super::database::{Identity, Place, refused};
use crate::{Fault, OpenError};

/// Only the server's own user reads and writes the file: it holds names, hands and seeds. SQLite
/// gives the files beside it the same mode.
const MODE: u32 = 0o600;

/// Held as long as the journal is open. The lock is on the file itself, so that it holds for every
/// name of the file. The system lets go of it when the process ends, however that happens.
///
/// It is another kind of lock than SQLite's own (`flock`, not `fcntl`), so neither is in the way of
/// the other. But closing any descriptor of a file gives up the `fcntl` locks of the process: this
/// one is closed after all connections.
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Makes the file if there is none, and locks it. From now on the place knows which file it is.
    pub(super) fn take(place: &Place) -> Result<Self, OpenError> {
        let path = place.path.clone();
        if path.is_dir() || path.file_name().is_none() {
            let fault = Fault::Disk("it is a folder, or has no name".into());
            return Err(OpenError::Fault { path, fault });
        }
        let open = OpenOptions::new().create(true).append(true).mode(MODE).open(&path);
        let locked = match open {
            Ok(file) => file.try_lock().map(|()| file),
            Err(error) => Err(TryLockError::Error(error)),
        };
        let error = match locked {
            Ok(file) => match file.metadata() {
                Ok(metadata) => {
                    place.identify(Identity::of(&metadata));
                    return Ok(Self { file });
                }
                Err(error) => error,
            },
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse { path }),
            Err(TryLockError::Error(error)) => error,
        };
        Err(match error.kind() {
            ErrorKind::NotFound => OpenError::NoFolder { path },
            _ if refused(&error) => OpenError::Fault { path, fault: Fault::ReadOnly },
            _ => OpenError::Fault { path, fault: Fault::Disk(error.to_string()) },
        })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that another thread is starting inherits
        // it until `exec`.
        let _closing_is_next = self.file.unlock();
    }
}
