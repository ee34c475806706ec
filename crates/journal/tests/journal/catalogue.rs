//! Cards are found where they were put, and without the names of deleted people.

use std::path::Path;

use journal::{Card, Catalogue, Fault, Hash, Journal, Note, Page, People, Search, Sqlite};

use crate::{check_integrity, key, open, wait};

const ADA: Hash = [1; 32];
const BOB: Hash = [2; 32];
const TEAM: Hash = [9; 32];

fn noted(journal: &Sqlite, table: &str, after: u64) {
    let note = Note { text: "a note".into(), listed: false, ended: true };
    wait(journal.append(&key(table), after, vec!["line".into()], Some(note))).unwrap();
}

fn card(table: &str, number: u32, labels: &[&str], bob: &str) -> Card {
    let labels = labels.iter().map(|label| (*label).into()).collect::<Vec<_>>();
    Card {
        key: key(table),
        number,
        text: format!("{table} {number}").into(),
        places: [ADA, BOB, TEAM].map(|collection| (collection, labels.clone())).to_vec(),
        names: vec![(ADA, "Ada".into()), (BOB, bob.into())],
    }
}

/// Three cards of two tables.
fn filled(path: &Path) -> Sqlite {
    let journal = open(path);
    noted(&journal, "t1", 0);
    noted(&journal, "t2", 0);
    let cards = vec![
        card("t1", 1, &["mind", "won"], "Bob"),
        card("t1", 2, &["mind", "lost"], "Björn"),
        card("t2", 1, &["royale", "won"], "Bob"),
    ];
    let turn = wait(journal.behind(9)).unwrap().last().unwrap().turn;
    wait(journal.file(cards, turn)).unwrap();
    journal
}

fn search(collection: Hash, labels: &[&str], name: &str) -> Search {
    Search {
        collection,
        labels: labels.iter().map(|label| (*label).into()).collect(),
        name: (!name.is_empty()).then(|| (name.into(), ADA)),
        page: Page::first(9),
    }
}

fn check(journal: &Sqlite, search: Search, expected: &[&str]) {
    let asked = format!("{search:?}");
    let found = wait(journal.find(search)).unwrap();
    let found = found.iter().map(|card| &*card.text).collect::<Vec<_>>();
    assert_eq!(found, expected, "{asked}");
}

#[test]
fn cards_are_found_by_collection_label_and_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = filled(&path);
    for collection in [ADA, TEAM] {
        check(&journal, search(collection, &[], ""), &["t2 1", "t1 2", "t1 1"]);
        check(&journal, search(collection, &["mind"], ""), &["t1 2", "t1 1"]);
        check(&journal, search(collection, &["won", "mind"], ""), &["t1 1"]);
        check(&journal, search(collection, &["won", "nothing"], ""), &[]);
        check(&journal, search(collection, &[], "BJÖ"), &["t1 2"]);
        check(&journal, search(collection, &["won"], "bob"), &["t2 1", "t1 1"]);
        check(&journal, search(collection, &[], "ada"), &[]);
        check(&journal, search(collection, &[], "%"), &[]);
    }
    check(&journal, search([7; 32], &[], ""), &[]);
    let first = wait(journal.find(Search { page: Page::first(2), ..search(ADA, &[], "") }));
    let before = first.unwrap().last().map(|card| card.turn);
    let rest = Search { page: Page { before, most: 2 }, ..search(ADA, &[], "") };
    check(&journal, rest, &["t1 1"]);
    let counts = [("", 3), ("lost", 1), ("mind", 2), ("royale", 1), ("won", 2)];
    let counts = counts.map(|(label, count)| (label.into(), count)).to_vec();
    assert_eq!(wait(journal.labels(ADA)), Ok(counts));
    drop(journal);
    check_integrity(&path);
}

#[test]
fn what_is_forgotten_stays_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = filled(&path);
    wait(journal.forget(BOB)).unwrap();
    assert_eq!(wait(journal.forgotten(vec![ADA, BOB])), Ok(vec![BOB]));
    check(&journal, search(BOB, &[], ""), &[]);
    check(&journal, search(ADA, &[], "bob"), &[]);
    let found = wait(journal.find(search(ADA, &[], ""))).unwrap();
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|card| card.names == [(ADA, "Ada".into())]));

    // Neither a later card nor another edition brings them back.
    wait(journal.file(vec![card("t2", 2, &[], "Bob")], 0)).unwrap();
    check(&journal, search(BOB, &[], ""), &[]);
    check(&journal, search(ADA, &[], "bob"), &[]);
    wait(journal.edition(7)).unwrap();
    check(&journal, search(ADA, &[], ""), &[]);
    wait(journal.file(vec![card("t1", 1, &[], "Bob")], 0)).unwrap();
    check(&journal, search(BOB, &[], ""), &[]);
    check(&journal, search(ADA, &[], ""), &["t1 1"]);
    drop(journal);
    let bytes = std::fs::read(&path).unwrap();
    assert!(!bytes.windows(3).any(|part| part == b"Bob"), "the name is still in the file");
    check_integrity(&path);
}

#[test]
fn the_catalogue_knows_what_it_has_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = filled(&path);
    let behind = |journal: &Sqlite| {
        let behind = wait(journal.behind(9)).unwrap();
        behind.iter().map(|table| (table.key.to_string(), table.last)).collect::<Vec<_>>()
    };
    let table = |key: &str, last| (key.to_owned(), last);
    assert_eq!(behind(&journal), []);
    noted(&journal, "t1", 1);
    drop(journal);
    let journal = open(&path);
    assert_eq!(behind(&journal), [table("t1", 2)]);

    // A card that is there already is not made twice, and keeps its place.
    let turn = wait(journal.behind(9)).unwrap()[0].turn;
    let again = vec![card("t1", 1, &["changed"], "Carl"), card("t1", 3, &[], "Bob")];
    wait(journal.file(again, turn)).unwrap();
    check(&journal, search(ADA, &[], ""), &["t1 3", "t2 1", "t1 2", "t1 1"]);
    check(&journal, search(ADA, &["changed"], ""), &[]);
    assert_eq!(behind(&journal), []);

    wait(journal.edition(1)).unwrap();
    let all = [table("t2", 0), table("t1", 0)];
    assert_eq!(behind(&journal), all, "everything is to be made again");
    wait(journal.file(vec![], turn)).unwrap();
    wait(journal.edition(1)).unwrap();
    assert_eq!(behind(&journal), [], "the same edition throws nothing away");
}

/// More cards than go into one commit.
fn many_cards() -> Vec<Card> {
    (1..=50).map(|number| card("t1", number, &["mind"], "Bob")).collect()
}

/// The numbers of all cards in a collection, the oldest first.
fn numbers(journal: &Sqlite) -> Vec<u32> {
    let all = Search { page: Page::first(1_000), ..search(ADA, &[], "") };
    wait(journal.find(all)).unwrap().iter().rev().map(|card| card.number).collect()
}

#[test]
fn cards_take_several_commits_and_are_acknowledged_when_all_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    noted(&journal, "t1", 0);
    let turn = wait(journal.behind(9)).unwrap()[0].turn;
    let before = journal.commits();
    wait(journal.file(many_cards(), turn)).unwrap();
    assert_eq!(numbers(&journal), (1..=50).collect::<Vec<_>>());
    assert_eq!(wait(journal.behind(9)), Ok(Vec::new()));
    assert!(journal.commits() > before + 5, "{} commits", journal.commits() - before);
}

/// A change to the catalogue that fails in the middle, and a crash right there.
#[test]
fn cards_that_were_filed_in_part_are_filed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    noted(&journal, "t1", 0);
    let turn = wait(journal.behind(9)).unwrap()[0].turn;
    let other = rusqlite::Connection::open(&path).unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON cards WHEN new.number = 30
        BEGIN SELECT RAISE(ABORT, 'refused'); END";
    other.execute_batch(refuse).unwrap();
    let answer = wait(journal.file(many_cards(), turn));
    assert!(matches!(answer, Err(Fault::Disk(_))), "{answer:?}");
    let filed = numbers(&journal);
    assert!((1..30).contains(&filed.len()), "{filed:?}");
    assert_eq!(wait(journal.behind(9)).unwrap()[0].last, filed.len() as u32);

    let copy = folder.path().join("crashed.db");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::copy(folder.path().join("j.db-wal"), folder.path().join("crashed.db-wal")).unwrap();
    let journal = open(&copy);
    assert_eq!(numbers(&journal), filed);
    assert_eq!(wait(journal.behind(9)).unwrap()[0].last, filed.len() as u32);
    rusqlite::Connection::open(&copy).unwrap().execute_batch("DROP TRIGGER refuse").unwrap();
    wait(journal.file(many_cards(), turn)).unwrap();
    assert_eq!(numbers(&journal), (1..=50).collect::<Vec<_>>());
    assert_eq!(wait(journal.behind(9)), Ok(Vec::new()));
    drop(journal);
    check_integrity(&copy);
}

/// Cards of an edition that is being thrown away do not come after it.
#[test]
fn changes_to_the_catalogue_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    noted(&journal, "t1", 0);
    let turn = wait(journal.behind(9)).unwrap()[0].turn;
    let old = journal.file(many_cards(), turn);
    let edition = journal.edition(7);
    let new = journal.file(vec![card("t1", 99, &[], "Bob")], 0);
    for answer in [old, edition, new] {
        wait(answer).unwrap();
    }
    assert_eq!(numbers(&journal), [99]);
    assert_eq!(wait(journal.behind(9)).unwrap().len(), 1);
}
