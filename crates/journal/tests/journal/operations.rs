//! What the operator's tools ask of the journal.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use journal::{
    AuditLine, Block, Card, Catalogue, Journal, Note, Operations, Options, Page, People, Search,
    Span, Sqlite,
};

use crate::{append, check_integrity, key, lines, open, wait};

const ALL: Span = Span { skip: 0, most: 100 };

fn note(text: &str) -> Note {
    Note { text: text.into(), listed: false, ended: false }
}

/// How often a text is in the files of a journal.
fn occurrences(path: &Path, text: &str) -> usize {
    let mut found = 0;
    for file in fs::read_dir(path.parent().unwrap()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        found += bytes.windows(text.len()).filter(|part| *part == text.as_bytes()).count();
    }
    found
}

#[test]
fn tables_and_people_have_times() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    wait(journal.append(&key("one"), 0, vec!["a".into()], Some(note("first")))).unwrap();
    wait(journal.append(&key("two"), 0, vec!["a".into()], Some(note("second")))).unwrap();
    wait(journal.touch(&key("one"), 500)).unwrap();
    wait(journal.touch(&key("none"), 500)).unwrap();
    let (tables, total) = wait(journal.tables(ALL)).unwrap();
    let found = tables.iter().map(|it| (it.key.as_str(), &*it.note.text, it.changed_s));
    assert_eq!(found.collect::<Vec<_>>(), [("two", "second", None), ("one", "first", Some(500))]);
    assert_eq!(total, 2);
    let (tables, total) = wait(journal.tables(Span { skip: 1, most: 1 })).unwrap();
    assert_eq!((tables.len(), tables[0].key.as_str(), total), (1, "one", 2));

    for (hash, name) in [([1; 32], "Ada"), ([2; 32], "Ben"), ([3; 32], "Cleo")] {
        wait(journal.put(hash, name.into())).unwrap();
    }
    wait(journal.seen([2; 32], 10_000)).unwrap();
    wait(journal.seen([3; 32], 20_000)).unwrap();
    wait(journal.seen([3; 32], 20_599)).unwrap();
    wait(journal.seen([2; 32], 10_600)).unwrap();
    // A new name keeps the time.
    wait(journal.put([2; 32], "Bea".into())).unwrap();
    let (people, total) = wait(journal.people(ALL)).unwrap();
    let found = people.iter().map(|it| (&*it.line, it.seen_s)).collect::<Vec<_>>();
    assert_eq!(found, [("Cleo", Some(20_000)), ("Bea", Some(10_600)), ("Ada", None)]);
    assert_eq!(total, 3);
}

#[test]
fn blocks_and_the_audit_log_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    assert_eq!(wait(journal.block("b".into(), 7)), Ok(true));
    assert_eq!(wait(journal.block("b".into(), 8)), Ok(false));
    assert_eq!(wait(journal.block("a".into(), 9)), Ok(true));
    for at_s in 1..=3 {
        let line = format!("did {at_s}").into();
        wait(journal.audit(AuditLine { at_s, line })).unwrap();
    }
    drop(journal);
    let journal = open(&path);
    let block = |subject: &str, at_s| Block { subject: subject.into(), at_s };
    assert_eq!(wait(journal.blocks()), Ok(vec![block("a", 9), block("b", 7)]));
    assert_eq!(wait(journal.unblock("b".into())), Ok(true));
    assert_eq!(wait(journal.unblock("b".into())), Ok(false));
    assert_eq!(wait(journal.blocks()), Ok(vec![block("a", 9)]));
    let (audited, total) = wait(journal.audited(Span { skip: 1, most: 1 })).unwrap();
    assert_eq!((audited, total), (vec![AuditLine { at_s: 2, line: "did 2".into() }], 3));
}

/// Many lines of many lengths, so that pages are split and rows move between them.
#[test]
fn what_was_rewritten_is_in_no_byte_of_any_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let options = Options { recent_lines_most: 64, ..Options::default() };
    let journal = Sqlite::open(&path, options).unwrap();
    let line = |table: usize, number: u64| {
        let length = (table * 37 + number as usize * 101) % 1_500;
        format!("{}Xantippe{}", "x".repeat(length), "y".repeat(length / 3))
    };
    let tables = (0..40).map(|table| format!("table{table}")).collect::<Vec<_>>();
    for number in 0..30 {
        for (place, table) in tables.iter().enumerate() {
            append(&journal, table, number, &line(place, number)).unwrap();
        }
    }
    wait(journal.put([1; 32], "Xantippe".into())).unwrap();
    wait(journal.forget([1; 32])).unwrap();
    assert!(occurrences(&path, "Xantippe") > 0);
    let replacement = |line: &str| {
        Ok(line.contains("Xantippe").then(|| line.replace("Xantippe", "someone").into()))
    };
    assert_eq!(wait(journal.deleted()), Ok(vec![[1; 32]]));
    assert_eq!(wait(journal.rewrite(Arc::new(replacement))), Ok(40 * 30));
    assert_eq!(occurrences(&path, "Xantippe"), 0);
    for (place, table) in tables.iter().enumerate() {
        let expected = (0..30).map(|number| line(place, number).replace("Xantippe", "someone"));
        assert_eq!(lines(&journal, table), expected.collect::<Vec<_>>());
        append(&journal, table, 30, "goes on").unwrap();
    }
    assert_eq!(wait(journal.rewrite(Arc::new(replacement))), Ok(0));
    drop(journal);
    check_integrity(&path);
}

#[test]
fn a_removed_table_leaves_nothing_and_the_next_one_is_catalogued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    let shelf = [9; 32];
    let file = |table: &str, turn| {
        let card = Card {
            key: key(table),
            number: 1,
            text: "a card".into(),
            places: vec![(shelf, vec!["label".into()])],
            names: vec![([1; 32], "Ada".into())],
        };
        wait(journal.file(vec![card], turn)).unwrap();
    };
    for (table, turn) in [("one", 1), ("two", 2)] {
        wait(journal.append(&key(table), 0, vec!["old".into()], Some(note(table)))).unwrap();
        wait(journal.touch(&key(table), 5)).unwrap();
        file(table, turn);
    }
    assert_eq!(wait(journal.remove(vec![key("two"), key("none")])), Ok(1));
    assert!(lines(&journal, "two").is_empty());
    assert_eq!(wait(journal.note(&key("two"))), Ok(None));
    let search = Search { collection: shelf, labels: vec![], name: None, page: Page::first(9) };
    let found = wait(journal.find(search)).unwrap();
    assert_eq!(found.iter().map(|card| card.key.as_str()).collect::<Vec<_>>(), ["one"]);
    // The next table gets the number of the removed one.
    wait(journal.append(&key("three"), 0, vec!["new".into()], Some(note("three")))).unwrap();
    assert_eq!(lines(&journal, "three"), ["new"]);
    let behind = wait(journal.behind(9)).unwrap();
    assert_eq!(behind.iter().map(|it| it.key.as_str()).collect::<Vec<_>>(), ["three"]);
    drop(journal);
    assert_eq!(lines(&open(&path), "three"), ["new"]);
    check_integrity(&path);
}
