//! The journal as its users see it: a real file, and real faults.

mod catalogue;
mod copies;
mod crash;
mod faults;
mod files;
mod invitations;
mod log;
mod many;
mod model;
mod operations;
mod pace;
mod recent;

use std::future::Future;
use std::path::Path;

use journal::{AppendError, Journal, Key, Options, Sqlite};

/// Waits for an answer, outside of any runtime.
fn wait<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(answer)
}

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

fn open(path: &Path) -> Sqlite {
    Sqlite::open(path, Options::default()).unwrap()
}

/// Appends one line and waits for it.
fn append(journal: &Sqlite, table: &str, after: u64, line: &str) -> Result<(), AppendError> {
    wait(journal.append(&key(table), after, vec![line.into()], None))
}

/// Everything that a table has.
fn lines(journal: &Sqlite, table: &str) -> Vec<String> {
    wait(journal.read(&key(table), 0)).unwrap().into_iter().map(String::from).collect()
}

/// SQLite's own check of a file that is not open.
fn check_integrity(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let answer = |sql| connection.query_one(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(answer("PRAGMA integrity_check"), "ok");
    let orphans = connection.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap();
    assert!(!orphans, "a line or a note belongs to no table");
}
