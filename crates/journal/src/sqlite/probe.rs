//! Whether the disk takes anything.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::database::Trouble;
use crate::Fault;

/// What has to fit beside the database. The write-ahead log may still have room of its own when the
/// disk has none, so a write to the database alone does not tell.
const BYTES: usize = 64 << 10;

/// How many probes there were: several can be under way.
static PROBES: AtomicU64 = AtomicU64::new(0);

/// Writes a file beside the database, makes it durable and removes it.
pub(super) fn write(database: &Path) -> Result<(), Trouble> {
    let number = PROBES.fetch_add(1, Ordering::Relaxed);
    let path = PathBuf::from(format!("{}.probe-{number}", database.display()));
    let open = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&path);
    let written = open.and_then(|mut file| {
        file.write_all(&vec![0; BYTES])?;
        file.sync_data()
    });
    let removed = fs::remove_file(&path);
    written.and(removed).map_err(|error| Trouble::Fault(Fault::Disk(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_a_probe() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("j.db")).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(write(&folder.path().join("nowhere/j.db")).is_err());
    }
}
