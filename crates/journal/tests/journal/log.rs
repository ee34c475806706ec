//! Appending, reading, listing, and people.

use journal::{
    AppendError, Entry, Fault, Filter, Journal, LINE_BYTES_MOST, Note, PAGE_MOST, Page, People,
};

use crate::{append, key, lines, open, wait};

fn note(text: &str, listed: bool, ended: bool) -> Note {
    Note { text: text.into(), listed, ended }
}

fn keys(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.key.as_str()).collect()
}

#[test]
fn lines_come_back_in_order_from_any_place() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    let table = key("t");
    wait(journal.append(&table, 0, vec!["1".into(), "2".into()], None)).unwrap();
    wait(journal.append(&table, 2, vec!["3".into()], None)).unwrap();
    assert_eq!(lines(&journal, "t"), ["1", "2", "3"]);
    assert_eq!(wait(journal.read(&table, 2)).unwrap(), ["3".into()]);
    for after in [3, 4, u64::MAX] {
        assert_eq!(wait(journal.read(&table, after)), Ok(Vec::new()));
    }
    assert_eq!(lines(&journal, "another"), [""; 0]);
}

#[test]
fn a_wrong_count_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    append(&journal, "t", 0, "1").unwrap();
    for after in [0, 2, u64::MAX] {
        let note = Some(note("no", true, true));
        let answer = wait(journal.append(&key("t"), after, vec!["x".into()], note));
        assert_eq!(answer, Err(AppendError::Conflict { found: 1 }));
    }
    assert_eq!(append(&journal, "u", 1, "x"), Err(AppendError::Conflict { found: 0 }));
    assert_eq!(lines(&journal, "t"), ["1"]);
    assert_eq!(wait(journal.note(&key("t"))), Ok(None));
}

#[test]
fn any_text_is_kept_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    let longest = "x".repeat(LINE_BYTES_MOST);
    let texts = ["", "\0", "a\nb", "🂡 '; DROP TABLE lines; --", &longest];
    for (after, text) in (0..).zip(texts) {
        append(&journal, "t", after, text).unwrap();
    }
    assert_eq!(lines(&journal, "t"), texts);

    let long = "x".repeat(LINE_BYTES_MOST + 1);
    let fault = Fault::TooLong { bytes_most: LINE_BYTES_MOST };
    assert_eq!(append(&journal, "t", 5, &long), Err(AppendError::Fault(fault.clone())));
    let note = Some(note(&long, false, false));
    let answer = wait(journal.append(&key("t"), 5, Vec::new(), note));
    assert_eq!(answer, Err(AppendError::Fault(fault.clone())));
    assert_eq!(wait(journal.put([0; 32], long.into())), Err(fault));
}

#[test]
fn a_note_stays_until_an_append_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    let table = key("t");
    assert_eq!(wait(journal.note(&table)), Ok(None));
    let first = note("waiting", true, false);
    wait(journal.append(&table, 0, Vec::new(), Some(first.clone()))).unwrap();
    append(&journal, "t", 0, "1").unwrap();
    assert_eq!(wait(journal.note(&table)), Ok(Some(first)));
    let second = note("over", true, true);
    wait(journal.append(&table, 1, vec!["2".into()], Some(second.clone()))).unwrap();
    assert_eq!(wait(journal.note(&table)), Ok(Some(second)));
    assert_eq!(lines(&journal, "t"), ["1", "2"]);
}

#[test]
fn the_list_has_the_newest_note_first() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    let tell = |table: &str, listed, ended| {
        let note = Some(note(table, listed, ended));
        wait(journal.append(&key(table), 0, Vec::new(), note)).unwrap();
    };
    append(&journal, "no-note", 0, "1").unwrap();
    for (table, listed, ended) in
        [("a", true, false), ("b", false, false), ("c", true, true), ("d", true, false)]
    {
        tell(table, listed, ended);
    }
    let check = |listed, ended, expected: &[&str]| {
        let entries = wait(journal.list(Filter { listed, ended }, Page::first(10))).unwrap();
        assert_eq!(keys(&entries), expected);
    };
    check(None, None, &["d", "c", "b", "a"]);
    check(Some(true), Some(false), &["d", "a"]);
    check(Some(true), None, &["d", "c", "a"]);
    check(None, Some(true), &["c"]);
    check(Some(false), Some(true), &[]);
    tell("a", true, false);
    check(Some(true), Some(false), &["a", "d"]);
    tell("a", true, true);
    check(None, Some(true), &["a", "c"]);
}

#[test]
fn pages_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    for number in 0..5 {
        let note = Some(note("", number % 2 == 0, false));
        wait(journal.append(&key(&format!("t{number}")), 0, Vec::new(), note)).unwrap();
    }
    let page = |page| wait(journal.list(Filter::default(), page)).unwrap();
    let first = page(Page::first(2));
    assert_eq!(keys(&first), ["t4", "t3"]);
    let second = page(Page::after(&first[1], 2));
    assert_eq!(keys(&second), ["t2", "t1"]);
    assert_eq!(keys(&page(Page::after(&second[1], 2))), ["t0"]);
    assert_eq!(page(Page::first(0)), []);
    assert_eq!(page(Page { before: Some(0), most: 9 }), []);
    assert_eq!(page(Page { before: Some(u64::MAX), most: usize::MAX }).len(), 5);
    assert_eq!(PAGE_MOST, 1_000);
}

#[test]
fn people_are_kept_replaced_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    let (ada, bob) = ([1; 32], [2; 32]);
    wait(journal.put(ada, "Ada".into())).unwrap();
    wait(journal.put(bob, "Bob".into())).unwrap();
    wait(journal.put(ada, "Ada L.".into())).unwrap();
    wait(journal.forget(bob)).unwrap();
    wait(journal.forget(bob)).unwrap();
    drop(journal);
    let journal = open(&path);
    assert_eq!(wait(journal.get(ada)), Ok(Some("Ada L.".into())));
    assert_eq!(wait(journal.get(bob)), Ok(None));
    drop(journal);
    let bytes = std::fs::read(&path).unwrap();
    assert!(!bytes.windows(3).any(|part| part == b"Bob"), "the deleted name is still in the file");
}
