//! What much costs: opening takes no longer, and a line takes about its own size.

use std::time::{Duration, Instant};

use journal::{Filter, Journal, Note, Options, Page, Sqlite};

use crate::{append, key, lines, open, wait};

#[test]
fn a_hundred_thousand_tables_open_within_a_second() {
    let tables = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let options = Options { pace: Duration::ZERO, ..Options::default() };
    let journal = Sqlite::open(&path, options).unwrap();
    let building = Instant::now();
    // As many at a time as the queue takes.
    for start in (0..tables).step_by(10_000) {
        let appends = (start..start + 10_000).map(|number| {
            let line = |what| format!("{what} {number:0>90}").into_boxed_str();
            let text = format!("table {number}").into();
            let note = Note { text, listed: number % 2 == 0, ended: number % 10 != 0 };
            let lines = vec![line("opened"), line("dealt"), line("played")];
            journal.append(&key(&format!("k{number}")), 0, lines, Some(note))
        });
        for answer in appends.collect::<Vec<_>>() {
            wait(answer).unwrap();
        }
    }
    drop(journal);
    let built = building.elapsed();

    let opening = Instant::now();
    let journal = open(&path);
    let opened = opening.elapsed();
    let filter = Filter { listed: Some(true), ended: Some(false) };
    let entries = wait(journal.list(filter, Page::first(50))).unwrap();
    let listed = opening.elapsed();
    assert_eq!(lines(&journal, "k77777").len(), 3);
    append(&journal, "k77777", 3, "woken").unwrap();
    println!("built in {built:?}, opened after {opened:?}, listed after {listed:?}");
    assert_eq!(entries.len(), 50);
    assert_eq!(entries[0].key, key("k99990"));
    assert!(listed < Duration::from_secs(1), "took {listed:?}");
}

#[test]
fn a_line_takes_about_its_own_size_in_the_file() {
    for bytes in [200, 1_100, 1_900] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        let options = Options { pace: Duration::ZERO, ..Options::default() };
        let journal = Sqlite::open(&path, options).unwrap();
        let (tables, each) = (40, 100);
        for after in 0..each {
            let append = |table| {
                let line = format!("{after:0>bytes$}").into_boxed_str();
                journal.append(&key(&format!("t{table}")), after, vec![line], None)
            };
            for answer in (0..tables).map(append).collect::<Vec<_>>() {
                wait(answer).unwrap();
            }
        }
        // Lines are in one place when the journal is closed.
        drop(journal);
        let connection = rusqlite::Connection::open(&path).unwrap();
        let used = "SELECT (SELECT page_count FROM pragma_page_count)
            - (SELECT freelist_count FROM pragma_freelist_count)";
        let pages = connection.query_one(used, [], |row| row.get::<_, u32>(0)).unwrap();
        let (stored, written) = (u64::from(pages) * 4_096, tables * each * bytes as u64);
        assert!(stored < written * 3 / 2, "{written} bytes of lines of {bytes} take {stored}");
    }
}
