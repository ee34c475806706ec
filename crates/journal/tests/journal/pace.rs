//! The queue, the batches, the checkpoints and the end.

use std::time::{Duration, Instant};

use journal::{AppendError, BATCH_MOST, Content, Fault, Journal, Options, QUEUE_MOST, Sqlite};

use crate::{append, check_integrity, key, lines, open, wait};

/// With a pace of a second nothing but the first commit would be quick if lone requests were paced.
#[test]
fn a_lone_request_is_a_commit_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { pace: Duration::MAX, ..Options::default() };
    let journal = Sqlite::open(folder.path().join("j.db"), options).unwrap();
    for after in 0..100 {
        append(&journal, "t", after, "lone").unwrap();
        assert_eq!(journal.commits(), after + 1);
    }
}

#[test]
fn requests_that_wait_share_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let options = Options { busy: Duration::from_mins(1), ..Options::default() };
    let journal = Sqlite::open(&path, options).unwrap();
    append(&journal, "t", 0, "1").unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The writer takes some of them and waits for the other connection; the rest waits for it.
    let appends = (0..100)
        .map(|number| journal.append(&key(&format!("t{number}")), 0, vec!["1".into()], None));
    let answers = appends.collect::<Vec<_>>();
    let conflict = journal.append(&key("t"), 0, vec!["late".into()], None);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(wait(conflict), Err(AppendError::Conflict { found: 1 }));
    for answer in answers {
        assert_eq!(wait(answer), Ok(()));
    }
    assert!((2..=3).contains(&journal.commits()), "{} commits", journal.commits());
}

/// One table can have several appends under way: they are written in the order of the calls.
#[test]
fn appends_are_queued_by_the_call_and_dropping_the_answer_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    for after in 0..20 {
        drop(journal.append(&key("t"), after, vec![after.to_string().into()], None));
    }
    append(&journal, "t", 20, "20").unwrap();
    assert_eq!(lines(&journal, "t"), (0..=20).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[test]
fn a_full_queue_refuses_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let options = Options { busy: Duration::from_mins(1), ..Options::default() };
    let journal = Sqlite::open(&path, options).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let append = |number| {
        journal.append(&key(&format!("t{}", number % 7)), number / 7, vec!["x".into()], None)
    };
    // The writer holds one batch while it waits for the other connection.
    let answers = (0..(QUEUE_MOST + BATCH_MOST) as u64).map(append).collect::<Vec<_>>();
    let full = wait(journal.append(&key("more"), 0, vec!["x".into()], None));
    assert_eq!(full, Err(AppendError::Fault(Fault::Busy)));
    other.execute_batch("ROLLBACK").unwrap();
    let written = answers.into_iter().filter_map(|answer| wait(answer).ok()).count();
    assert!(written >= QUEUE_MOST, "only {written}");
    assert_eq!(wait(journal.append(&key("more"), 0, vec!["x".into()], None)), Ok(()));
    assert_eq!((0..7).map(|n| lines(&journal, &format!("t{n}")).len()).sum::<usize>(), written);
}

/// Options come from a file or a command line: no value may bring the journal down.
#[test]
fn extreme_options_are_taken_for_what_is_possible() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    for (after, time) in (0..).zip([Duration::ZERO, Duration::MAX]) {
        let options = Options {
            content: Content::Tables,
            pace: time,
            recent_lines_most: if time.is_zero() { 0 } else { usize::MAX },
            busy: time,
            readers: 0,
            checkpoint_every: time,
            wal_bytes_most: u64::from(time.is_zero()),
            pages_most: Some(u32::MAX),
        };
        let journal = Sqlite::open(&path, options).unwrap();
        append(&journal, "t", after, "x").unwrap();
        assert_eq!(lines(&journal, "t").len() as u64, after + 1);
    }
}

#[test]
fn closing_finishes_what_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    let answers = (0..5_000)
        .map(|after| journal.append(&key("t"), after, vec!["x".into()], None))
        .collect::<Vec<_>>();
    let read = journal.read(&key("t"), 0);
    journal.close();
    assert!(answers.into_iter().map(wait).all(|answer| answer == Ok(())));
    assert!(wait(read).is_ok());
    assert_eq!(append(&journal, "t", 5_000, "x"), Err(AppendError::Fault(Fault::Closed)));
    assert_eq!(wait(journal.read(&key("t"), 0)), Err(Fault::Closed));
    assert!(!folder.path().join("j.db-wal").exists(), "the log was not carried over");
    journal.close();
    assert_eq!(lines(&open(&path), "t").len(), 5_000);
}

#[test]
fn the_log_stays_small_under_load_and_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let wal = folder.path().join("j.db-wal");
    let options = Options {
        pace: Duration::ZERO,
        checkpoint_every: Duration::from_millis(20),
        wal_bytes_most: 1 << 20,
        ..Options::default()
    };
    let journal = Sqlite::open(&path, options).unwrap();
    let length = || std::fs::metadata(&wal).unwrap().len();
    let mut longest = 0;
    let mut after = 0;
    // Two are always under way, so that the writer has no idle moment.
    let mut before = journal.append(&key("t"), 0, Vec::new(), None);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(3) {
        let line = "x".repeat(20_000).into();
        let next = journal.append(&key("t"), after, vec![line], None);
        after += 1;
        wait(std::mem::replace(&mut before, next)).unwrap();
        longest = longest.max(length());
    }
    wait(before).unwrap();
    let written = after * 20_000;
    assert!(written > 8 << 20, "too slow to tell: {written} bytes");
    assert!(longest < written / 2, "the log grew to {longest} of {written} bytes");
    // A commit after everything was carried cuts it back to the size that is allowed.
    while length() > 1 << 20 {
        assert!(started.elapsed() < Duration::from_secs(20), "never cut back");
        std::thread::sleep(Duration::from_millis(40));
        append(&journal, "t", after, "last").unwrap();
        after += 1;
    }
    assert_eq!(lines(&journal, "t").len() as u64, after);
    drop(journal);
    check_integrity(&path);
}
