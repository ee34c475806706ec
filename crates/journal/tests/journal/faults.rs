//! What happens when the disk, the file or another program gets in the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use journal::{AppendError, Fault, Glance, Journal, OpenError, Operations, Options, Sqlite};

use crate::{append, check_integrity, key, lines, open, wait};

/// No checkpoint comes while the test runs, so that everything stands in the write-ahead log.
const NO_CHECKPOINT: Duration = Duration::from_hours(1);

fn fault(answer: Result<(), AppendError>) -> Fault {
    match answer {
        Err(AppendError::Fault(fault)) => fault,
        other => panic!("no fault but {other:?}"),
    }
}

/// Runs a system program and returns whether it succeeded.
fn system(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let command = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn filled(seq: usize) -> String {
    format!("{seq} {}", "x".repeat(2_000))
}

/// Appends until it fails, and returns the number of acknowledged lines.
fn fill(journal: &Sqlite) -> usize {
    for seq in 0..100_000 {
        match append(journal, "t", seq as u64, &filled(seq)) {
            Ok(()) => {}
            Err(error) => {
                assert_eq!(error, AppendError::Fault(Fault::Full));
                return seq;
            }
        }
    }
    panic!("never full");
}

fn check_filled(journal: &Sqlite, count: usize) {
    assert_eq!(lines(journal, "t"), (0..count).map(filled).collect::<Vec<_>>());
}

/// A disk of its own, unmounted at the end.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let mounted = system("mount", &["-t", "tmpfs", "-o", "size=2m", "tmpfs", path]);
        mounted.then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        system("umount", &[self.0.path().to_str().unwrap()]);
    }
}

/// Fails a test that could not do this, unless the developer has chosen to leave such tests out.
fn needs_root(what: &str) {
    let left_out = std::env::var_os("UNSPOKEN_WITHOUT_ROOT").is_some();
    assert!(left_out, "only root can {what}: set UNSPOKEN_WITHOUT_ROOT=1 to leave this test out");
}

fn check_full_disk(checkpoint_every: Duration) {
    let Some(disk) = SmallDisk::mount() else {
        return needs_root("mount a small disk");
    };
    let path = disk.0.path().join("j.db");
    let ballast = disk.0.path().join("ballast");
    fs::write(&ballast, vec![0; 1 << 20]).unwrap();
    let options = Options { checkpoint_every, pace: Duration::ZERO, ..Options::default() };
    let journal = Sqlite::open(&path, options).unwrap();

    let count = fill(&journal);
    assert!(count > 0, "full from the start");
    check_filled(&journal, count);
    // A checkpoint can make a little room, so it may take more than one.
    let mut count = count;
    while append(&journal, "t", count as u64, &filled(count)).is_ok() {
        count += 1;
    }
    fs::remove_file(&ballast).unwrap();
    append(&journal, "t", count as u64, &filled(count)).unwrap();
    check_filled(&journal, count + 1);
    drop(journal);
    check_filled(&open(&path), count + 1);
    check_integrity(&path);
}

#[test]
fn a_full_disk_fills_the_log() {
    check_full_disk(NO_CHECKPOINT);
}

#[test]
fn a_full_disk_fills_the_database() {
    check_full_disk(Duration::from_millis(1));
}

#[test]
fn a_file_that_may_not_grow_is_full_and_goes_on_when_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let small = Options { pages_most: Some(60), ..Options::default() };
    let journal = Sqlite::open(&path, small).unwrap();
    let count = fill(&journal);
    assert!(count > 10, "full after {count}");
    check_filled(&journal, count);
    assert!(Fault::Full.to_string().contains("free some space"));
    // The other requests of the batch are not written either, and get the same fault.
    let answers = ["a", "b", "t"].map(|table| {
        let after = if table == "t" { count as u64 } else { 0 };
        journal.append(&key(table), after, vec!["x".repeat(40_000).into()], None)
    });
    assert!(answers.into_iter().map(wait).all(|answer| fault(answer) == Fault::Full));
    drop(journal);
    let journal = open(&path);
    check_filled(&journal, count);
    append(&journal, "t", count as u64, &filled(count)).unwrap();
}

/// Makes a file unchangeable, even for root. For other users, file permissions are enough for files
/// that are not open yet.
struct Frozen(PathBuf);

impl Frozen {
    fn freeze(path: &Path) -> Option<Self> {
        let done = system("chattr", &["+i", path.to_str().unwrap()]);
        done.then(|| Self(path.into()))
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        assert!(system("chattr", &["-i", self.0.to_str().unwrap()]));
    }
}

#[test]
fn a_file_that_becomes_read_only_is_written_again_when_it_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    append(&journal, "t", 0, "1").unwrap();
    let Some(frozen) = Frozen::freeze(&path) else {
        return needs_root("freeze an open file");
    };
    let frozen = (frozen, Frozen::freeze(&folder.path().join("j.db-wal")));
    for _ in 0..3 {
        assert_eq!(fault(append(&journal, "t", 1, "2")), Fault::ReadOnly);
        assert_eq!(lines(&journal, "t"), ["1"]);
    }
    drop(frozen);
    append(&journal, "t", 1, "2").unwrap();
    assert_eq!(lines(&journal, "t"), ["1", "2"]);
    drop(journal);
    check_integrity(&path);
}

#[test]
fn a_read_only_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    append(&open(&path), "t", 0, "1").unwrap();
    let writable = fs::metadata(&path).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    fs::set_permissions(&path, read_only).unwrap();
    let frozen = Frozen::freeze(&path);
    match Sqlite::open(&path, Options::default()) {
        Err(error) => {
            assert!(matches!(error, OpenError::Fault { fault: Fault::ReadOnly, .. }), "{error:?}");
            assert!(error.to_string().contains("j.db"), "{error}");
            assert!(error.to_string().contains("writable for the server"), "{error}");
        }
        // Root may write to it all the same.
        Ok(_) => assert!(frozen.is_none(), "a frozen file was opened"),
    }
    drop(frozen);
    fs::set_permissions(&path, writable).unwrap();
    append(&open(&path), "t", 1, "2").unwrap();
}

#[test]
fn a_lock_of_another_program_is_waited_for_and_then_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    append(&journal, "t", 0, "1").unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    assert_eq!(fault(append(&journal, "t", 1, "2")), Fault::Locked);
    assert!(started.elapsed() < Duration::from_secs(5), "took {:?}", started.elapsed());
    assert_eq!(lines(&journal, "t"), ["1"], "reading goes on");
    other.execute_batch("COMMIT").unwrap();
    append(&journal, "t", 1, "2").unwrap();

    // A short lock is not even noticed.
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = journal.append(&key("t"), 2, vec!["3".into()], None);
    std::thread::sleep(Duration::from_millis(20));
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(wait(answer), Ok(()));
}

#[test]
fn a_file_locked_at_the_start_is_reported_and_opens_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = Sqlite::open(&path, Options::default()).err();
    assert!(matches!(error, Some(OpenError::Fault { fault: Fault::Locked, .. })), "{error:?}");
    other.execute_batch("COMMIT").unwrap();
    append(&open(&path), "t", 0, "1").unwrap();
}

/// Power fails while the last commit is on its way: its record is cut off or garbled.
#[test]
fn a_torn_last_record_costs_only_what_was_not_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let options = Options { checkpoint_every: NO_CHECKPOINT, ..Options::default() };
    let journal = Sqlite::open(&path, options).unwrap();
    for seq in 0..9 {
        append(&journal, "t", seq, &filled(seq as usize)).unwrap();
    }
    let database = fs::read(&path).unwrap();
    let before = fs::read(folder.path().join("j.db-wal")).unwrap().len();
    append(&journal, "t", 9, "the last").unwrap();
    let log = fs::read(folder.path().join("j.db-wal")).unwrap();
    assert!(log.len() > before, "the last commit made the log longer");

    let torn = folder.path().join("torn.db");
    let check = |log: &[u8], what: &str| {
        fs::write(&torn, &database).unwrap();
        fs::write(folder.path().join("torn.db-wal"), log).unwrap();
        let journal = open(&torn);
        assert_eq!(lines(&journal, "t").len(), 9, "{what}");
        check_filled(&journal, 9);
        append(&journal, "t", 9, "again").unwrap();
        drop(journal);
        check_integrity(&torn);
    };
    for cut in [1, 2, 100, 4_095, 4_096, 4_120, log.len() - before] {
        check(&log[..log.len() - cut], &format!("{cut} bytes cut"));
    }
    for place in [before, before + 8, before + 30, log.len() - 4_000, log.len() - 1] {
        let mut garbled = log.clone();
        garbled[place] ^= 0x40;
        check(&garbled, &format!("byte {place} garbled"));
    }
}

#[test]
fn a_missing_line_is_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    for seq in 0..3 {
        append(&journal, "t", seq, "x").unwrap();
    }
    drop(journal);
    let other = rusqlite::Connection::open(&path).unwrap();
    assert_eq!(other.execute("DELETE FROM lines WHERE place & 0xffffffff = 2", []), Ok(1));
    let journal = open(&path);
    let text = "line 2 of table t is missing".to_string();
    assert_eq!(wait(journal.read(&key("t"), 0)), Err(Fault::Damaged(text)));
    assert_eq!(wait(journal.read(&key("t"), 2)), Ok(vec!["x".into()]));
}

/// A letter of a line that is another one than was written: SQLite notices nothing.
#[test]
fn a_line_that_the_disk_has_changed_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let changed = |number: u64| {
        Err(Fault::Damaged(format!("line {number} of table t is not as it was written")))
    };
    let journal = open(&path);
    for (seq, line) in ["first", "second", "third"].into_iter().enumerate() {
        append(&journal, "t", seq as u64, line).unwrap();
        append(&journal, "other", seq as u64, line).unwrap();
    }
    // In the place of new lines, which another program changes while the server runs.
    let other = rusqlite::Connection::open(&path).unwrap();
    let first = "seq = 1 AND table_id = (SELECT id FROM tables WHERE key = 't')";
    let change = format!("UPDATE recent SET line = 'fibst' WHERE {first}");
    assert_eq!(other.execute(&change, []), Ok(1));
    append(&journal, "other", 3, "fourth").unwrap();
    assert_eq!(wait(journal.read(&key("t"), 0)), changed(1));
    assert_eq!(wait(journal.read(&key("t"), 1)), Ok(vec!["second".into(), "third".into()]));
    // Replacing it does not hide it.
    let replacement = |line: &str| Ok((line == "fibst").then(|| "someone".into()));
    assert_eq!(wait(journal.rewrite(Arc::new(replacement))), Ok(1));
    assert_eq!(wait(journal.read(&key("t"), 0)), changed(1));
    drop((journal, other));

    // On the disk.
    let mut bytes = fs::read(&path).unwrap();
    let places = bytes.windows(6).enumerate().filter(|(_, bytes)| bytes == b"second");
    let places = places.map(|(place, _)| place).collect::<Vec<_>>();
    assert_eq!(places.len(), 2, "one in each table");
    bytes[places[0]] ^= 1;
    fs::write(&path, bytes).unwrap();
    check_integrity(&path);
    let mut glance = Glance::open(&path).unwrap();
    assert!(glance.lines(&key("t")).is_err(), "its first line is damaged already");
    let journal = open(&path);
    let damaged = ["t", "other"].map(|table| wait(journal.read(&key(table), 1)).is_err());
    assert_eq!(damaged.into_iter().filter(|damaged| *damaged).count(), 1, "{damaged:?}");
    assert_eq!(glance.without_checksum(), Ok(Some(0)));
    drop((journal, glance));

    // A line from before there were checksums is believed, and counted.
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute("UPDATE lines SET checksum = NULL", []).unwrap();
    assert_eq!(lines(&open(&path), "t").len(), 3);
    assert_eq!(Glance::open(&path).unwrap().without_checksum(), Ok(Some(7)));
}
