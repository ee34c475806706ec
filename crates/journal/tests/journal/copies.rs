//! Backups, made while the journal is written to, and their way back.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;

use journal::{CopyError, Glance, Journal, OpenError, back_up, integrity, restore};

use crate::{append, check_integrity, key, lines, open, wait};

#[test]
fn a_backup_of_a_running_journal_has_all_that_was_acknowledged_before() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("j.db"), folder.path().join("copy.db"));
    let journal = open(&path);
    for seq in 0..200 {
        append(&journal, "a", seq, &format!("line {seq}")).unwrap();
    }
    let more = journal.append(&key("a"), 200, vec!["later".into()], None);
    let bytes = back_up(&path, &copy).unwrap();
    wait(more).unwrap();
    let found = fs::metadata(&copy).unwrap();
    assert_eq!((found.len(), found.permissions().mode() & 0o777), (bytes, 0o600));
    check_integrity(&copy);
    let saved = Glance::open(&copy).unwrap().lines(&key("a")).unwrap();
    assert!(saved.len() >= 200 && &*saved[199] == "line 199", "{}", saved.len());
    assert_eq!(Glance::open(&copy).unwrap().keys().unwrap(), [key("a")]);
    // The journal goes on, and no file is overwritten.
    append(&journal, "a", 201, "latest").unwrap();
    let again = back_up(&path, &copy);
    assert!(matches!(&again, Err(CopyError::Exists { path }) if *path == copy), "{again:?}");
    let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    let mut names = names.map(|name| name.into_string().unwrap()).collect::<Vec<_>>();
    names.sort();
    assert_eq!(names, ["copy.db", "j.db", "j.db-shm", "j.db-wal"]);
}

#[test]
fn a_backup_takes_the_place_of_a_journal_that_no_server_uses() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("j.db"), folder.path().join("copy.db"));
    let journal = open(&path);
    append(&journal, "a", 0, "saved").unwrap();
    back_up(&path, &copy).unwrap();
    append(&journal, "a", 1, "lost").unwrap();
    let busy = restore(&copy, &path);
    assert!(matches!(busy, Err(CopyError::Open(OpenError::InUse { .. }))), "{busy:?}");
    journal.close();

    let before = restore(&copy, &path).unwrap().expect("there was a journal");
    assert_eq!(before, folder.path().join("j.db.before-1"));
    let journal = open(&path);
    assert_eq!(lines(&journal, "a"), ["saved"]);
    append(&journal, "a", 1, "new").unwrap();
    journal.close();
    let old = open(&before);
    assert_eq!(lines(&old, "a"), ["saved", "lost"], "what was there is kept");
    old.close();

    assert_eq!(restore(&copy, &path).unwrap(), Some(folder.path().join("j.db.before-2")));
    let fresh = folder.path().join("fresh.db");
    assert_eq!(restore(&copy, &fresh).unwrap(), None);
    assert_eq!(lines(&open(&fresh), "a"), ["saved"]);
}

/// After a crash the newest lines are in the log alone: it moves with the file.
#[test]
fn the_log_of_a_replaced_journal_is_kept_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("j.db"), folder.path().join("copy.db"));
    let journal = open(&path);
    append(&journal, "a", 0, "saved").unwrap();
    back_up(&path, &copy).unwrap();
    append(&journal, "a", 1, "in the log").unwrap();
    let crashed = folder.path().join("crashed.db");
    for ending in ["", "-wal"] {
        let name = |base: &str| folder.path().join(format!("{base}{ending}"));
        fs::copy(name("j.db"), name("crashed.db")).unwrap();
    }
    let before = restore(&copy, &crashed).unwrap().unwrap();
    assert_eq!(lines(&open(&crashed), "a"), ["saved"]);
    assert_eq!(lines(&open(&before), "a"), ["saved", "in the log"]);
}

#[test]
fn a_damaged_backup_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("j.db"), folder.path().join("copy.db"));
    let journal = open(&path);
    let many = (0..2_000).map(|line| format!("line {line} {}", "x".repeat(100)).into());
    wait(journal.append(&key("a"), 0, many.collect(), None)).unwrap();
    back_up(&path, &copy).unwrap();
    journal.close();
    assert_eq!(integrity(&copy).unwrap(), Vec::<String>::new());
    let mut file = fs::OpenOptions::new().write(true).open(&copy).unwrap();
    file.seek(SeekFrom::Start(40 * 4096)).unwrap();
    file.write_all(&[0xff; 4096]).unwrap();
    drop(file);
    let damaged = restore(&copy, &path);
    assert!(
        matches!(
            damaged,
            Err(CopyError::Damaged { .. } | CopyError::Open(OpenError::Fault { .. }))
        ),
        "{damaged:?}"
    );
    assert_eq!(lines(&open(&path), "a").len(), 2_000, "nothing was changed");
    let foreign = folder.path().join("text");
    fs::write(&foreign, "not a database").unwrap();
    assert!(restore(&foreign, &path).is_err());
    let nowhere = restore(folder.path().join("nowhere"), &path);
    assert!(matches!(nowhere, Err(CopyError::Open(OpenError::NoFile { .. }))), "{nowhere:?}");
}
