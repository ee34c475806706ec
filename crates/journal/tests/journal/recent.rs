//! New lines are stored apart from the older lines of their table; readers get both.

use std::path::Path;

use journal::{AppendError, Fault, Glance, Journal, Options, Sqlite};
use rusqlite::Connection;

use crate::{append, check_integrity, key, lines, open, wait};

fn open_small(path: &Path, recent_lines_most: usize) -> Sqlite {
    Sqlite::open(path, Options { recent_lines_most, ..Options::default() }).unwrap()
}

fn count(path: &Path, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    Connection::open(path).unwrap().query_one(&sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn lines_are_moved_when_their_places_are_needed() {
    for places in [1, 2, 3, 8, 100_u32] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        let journal = open_small(&path, places as usize);
        let expected =
            |table: usize| (0..20).map(|seq| format!("{table} {seq}")).collect::<Vec<_>>();
        for seq in 0..20 {
            for table in 0..3 {
                append(&journal, &format!("t{table}"), seq, &format!("{table} {seq}")).unwrap();
                assert_eq!(lines(&journal, &format!("t{table}")).len() as u64, seq + 1);
            }
        }
        let (recent, moved) = (count(&path, "recent"), count(&path, "lines"));
        assert!(recent <= i64::from(places), "{recent} of {places}");
        assert!(moved >= 60 - recent, "{moved} moved, {recent} recent");
        let mut glance = Glance::open(&path).unwrap();
        for table in 0..3 {
            let name = format!("t{table}");
            assert_eq!(lines(&journal, &name), expected(table));
            let seen = glance.lines(&key(&name)).unwrap();
            assert_eq!(seen.into_iter().map(String::from).collect::<Vec<_>>(), expected(table));
        }
        drop(journal);
        assert_eq!((count(&path, "recent"), count(&path, "lines")), (0, 60));
        check_integrity(&path);
    }
}

/// A crash leaves lines where they are, and another number of places may be set after it.
#[test]
fn recent_lines_survive_a_crash_with_any_number_of_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open_small(&path, 32);
    for after in 0..30 {
        append(&journal, &format!("t{}", after % 2), after / 2, &after.to_string()).unwrap();
    }
    for places in [32, 4, 1] {
        let copy = folder.path().join(format!("copy-{places}.db"));
        std::fs::copy(&path, &copy).unwrap();
        let log = folder.path().join(format!("copy-{places}.db-wal"));
        std::fs::copy(folder.path().join("j.db-wal"), log).unwrap();
        assert!(count(&copy, "recent") > 10);
        let journal = open_small(&copy, places);
        assert_eq!(lines(&journal, "t1").len(), 15, "read before anything is written");
        for after in 15..40 {
            append(&journal, "t1", after, "more").unwrap();
        }
        assert_eq!(append(&journal, "t0", 14, "x"), Err(AppendError::Conflict { found: 15 }));
        assert_eq!((lines(&journal, "t0").len(), lines(&journal, "t1").len()), (15, 40));
        drop(journal);
        check_integrity(&copy);
    }
}

/// An append of many lines goes to `lines` at once.
#[test]
fn a_long_append_follows_the_recent_lines_of_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    append(&journal, "t", 0, "0").unwrap();
    let more = (1..=500).map(|seq| seq.to_string().into()).collect();
    wait(journal.append(&key("t"), 1, more, None)).unwrap();
    append(&journal, "t", 501, "501").unwrap();
    assert_eq!(lines(&journal, "t"), (0..=501).map(|seq| seq.to_string()).collect::<Vec<_>>());
    assert_eq!(wait(journal.read(&key("t"), 501)), Ok(vec!["501".into()]));
    drop(journal);
    check_integrity(&path);
}

/// Lines of a failed transaction are not read.
#[test]
fn a_failed_append_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    append(&journal, "old", 0, "1").unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON recent WHEN new.line = 'refuse'
        BEGIN SELECT RAISE(ABORT, 'refused'); END";
    Connection::open(&path).unwrap().execute_batch(refuse).unwrap();
    for (table, after) in [("old", 1), ("new", 0)] {
        let both = vec!["kept?".into(), "refuse".into()];
        let answer = wait(journal.append(&key(table), after, both, None));
        assert!(matches!(answer, Err(AppendError::Fault(Fault::Disk(_)))), "{answer:?}");
        assert_eq!(lines(&journal, table).len() as u64, after, "{table}");
        let late = append(&journal, table, after + 1, "late");
        assert_eq!(late, Err(AppendError::Conflict { found: after }), "{table}");
        append(&journal, table, after, "2").unwrap();
        assert_eq!(lines(&journal, table).last().map(String::as_str), Some("2"));
    }
    drop(journal);
    check_integrity(&path);
}

/// Writes by another program are detected, as if two servers used one file.
#[test]
fn lines_that_another_program_wrote_are_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    for after in 0..3 {
        append(&journal, "t", after, "ours").unwrap();
    }
    let other = Connection::open(&path).unwrap();
    let insert = "INSERT INTO lines (place, line) SELECT id << 32 | 4, 'theirs' FROM tables";
    other.execute_batch(insert).unwrap();
    assert_eq!(append(&journal, "t", 3, "ours"), Err(AppendError::Conflict { found: 4 }));
    assert_eq!(lines(&journal, "t"), ["ours", "ours", "ours", "theirs"]);
    let insert =
        "INSERT INTO recent (slot, table_id, seq, line) SELECT 99, id, 5, 'theirs' FROM tables";
    other.execute_batch(insert).unwrap();
    assert_eq!(append(&journal, "t", 4, "ours"), Err(AppendError::Conflict { found: 5 }));
    append(&journal, "t", 5, "ours").unwrap();
    assert_eq!(lines(&journal, "t").len(), 6);
    drop(journal);
    check_integrity(&path);
}
