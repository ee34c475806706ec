//! The lock that keeps a second server away from the file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;

use super::link::{Place, refused};
use crate::{Fault, OpenError};

/// Held as long as the journal is open. The system lets go of it when the process ends, however
/// that happens; the empty file stays, because removing it could take it from under a new owner.
pub(super) struct Lock {
    file: File,
}

impl Lock {
    pub(super) fn take(place: &Place) -> Result<Self, OpenError> {
        let path = place.path.clone();
        if path.is_dir() || path.file_name().is_none() {
            let fault = Fault::Disk("it is a folder, or has no name".into());
            return Err(OpenError::Fault { path, fault });
        }
        let open = OpenOptions::new().create(true).append(true).open(place.beside(".lock"));
        let locked = match open {
            Ok(file) => file.try_lock().map(|()| file),
            Err(error) => Err(TryLockError::Error(error)),
        };
        match locked {
            Ok(file) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path }),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::NotFound => {
                Err(OpenError::NoFolder { path })
            }
            Err(TryLockError::Error(error)) if refused(&error) => {
                Err(OpenError::Fault { path, fault: Fault::ReadOnly })
            }
            Err(TryLockError::Error(error)) => {
                Err(OpenError::Fault { path, fault: Fault::Disk(error.to_string()) })
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing alone would not do: a program that is just being started by another thread holds
        // the file too, for the moment until it runs.
        let _closing_is_next = self.file.unlock();
    }
}
