//! Opening does not take longer when more is stored.

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
