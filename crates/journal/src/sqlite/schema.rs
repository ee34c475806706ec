//! The tables in the file, and how older files are brought up to date.

use rusqlite::{Connection, TransactionBehavior};

use super::database::Trouble;
use super::options::Content;
use crate::Fault;

/// Marks the file as ours: "Unsp" in ASCII, and "Unsi" for a node's index of a cluster.
const fn application(content: Content) -> i64 {
    match content {
        Content::Tables => 0x556e_7370,
        Content::Index => 0x556e_7369,
    }
}

/// Each step takes a file from one format to the next. A step that was released is never edited:
/// whatever has to change is a new step at the end.
const STEPS: &[&str] = &[
    // The lines of a table lie together and tables of the same days lie side by side, so that one
    // commit touches few pages. A note gets the next free rowid whenever it is written: that is
    // the order of the list, and the index ends in it.
    "CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE lines (
        table_id INTEGER NOT NULL REFERENCES tables (id),
        seq INTEGER NOT NULL CHECK (seq > 0),
        line TEXT NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE notes (
        turn INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id),
        listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
        ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
        text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX notes_by_state ON notes (listed, ended);
    CREATE TABLE people (
        hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
        line TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;",
    // The people who were deleted, and the catalogue. The cards of a collection (column `shelf`)
    // under one label are stored together in the order of the cards, so that a page of them is read
    // from one place. The one row of the catalogue says up to which note it is complete: none yet,
    // so that tables from before are catalogued like all others.
    "CREATE TABLE forgotten (
        hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE catalogue (
        turn INTEGER NOT NULL,
        edition INTEGER NOT NULL
    ) STRICT;
    INSERT INTO catalogue (turn, edition) VALUES (0, 0);
    CREATE TABLE cards (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id),
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (table_id, number)
    ) STRICT;
    CREATE TABLE shelved (
        shelf BLOB NOT NULL CHECK (length(shelf) = 32),
        label TEXT NOT NULL,
        card_id INTEGER NOT NULL REFERENCES cards (id),
        PRIMARY KEY (shelf, label, card_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE names (
        card_id INTEGER NOT NULL REFERENCES cards (id),
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        name TEXT NOT NULL,
        folded TEXT NOT NULL,
        PRIMARY KEY (card_id, hash)
    ) STRICT, WITHOUT ROWID;",
    // New lines, in a fixed number of places that are used in turn, so that those of one commit lie
    // side by side whatever their tables are. A line stays here until its place is needed again and
    // is moved to `lines` before that. No index and no foreign key: each would cost a commit more
    // pages, or more work, than this saves.
    "CREATE TABLE recent (
        slot INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL CHECK (seq > 0),
        line TEXT NOT NULL
    ) STRICT;",
    // A table without rowids keeps at most a quarter of a page of a row in place: a line of more
    // than 1,002 bytes took a page of its own. A table with rowids keeps nearly a whole page. The
    // rowid, `place`, is the table's id and the line's number, so the lines of a table still lie
    // together and no index is needed.
    "CREATE TABLE placed (
        place INTEGER PRIMARY KEY,
        line TEXT NOT NULL
    ) STRICT;
    INSERT INTO placed (place, line)
        SELECT table_id << 32 | seq, line FROM lines ORDER BY table_id, seq;
    DROP TABLE lines;
    ALTER TABLE placed RENAME TO lines;",
    // Random bytes that are drawn once for a file and that no other file has.
    "CREATE TABLE secrets (
        name TEXT NOT NULL PRIMARY KEY,
        secret BLOB NOT NULL CHECK (length(secret) = 32)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO secrets (name, secret) VALUES ('deals', randomblob(32));",
    // For operators: when tables and people were there, what is blocked, and what operators did.
    // Tables of an older file count as changed now, so that none is pruned for an unknown age.
    "CREATE TABLE changed (
        table_id INTEGER PRIMARY KEY REFERENCES tables (id),
        at_s INTEGER NOT NULL
    ) STRICT;
    INSERT INTO changed (table_id, at_s) SELECT table_id, unixepoch() FROM notes;
    ALTER TABLE people ADD COLUMN seen_s INTEGER;
    CREATE INDEX people_by_time ON people (seen_s);
    CREATE TABLE blocks (
        subject TEXT NOT NULL PRIMARY KEY,
        at_s INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        at_s INTEGER NOT NULL,
        line TEXT NOT NULL
    ) STRICT;",
    // What tables refuse for a time: the addresses of people whom their hosts removed. The devices
    // of people: each person of an older file has one, whose secret has the person's hash.
    "CREATE TABLE bars (
        table_id INTEGER NOT NULL REFERENCES tables (id),
        subject TEXT NOT NULL,
        until_s INTEGER NOT NULL,
        PRIMARY KEY (table_id, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE devices (
        hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
        person BLOB NOT NULL CHECK (length(person) = 32),
        at_s INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devices_by_person ON devices (person);
    CREATE TABLE phrases (
        hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
        person BLOB NOT NULL UNIQUE CHECK (length(person) = 32)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO devices (hash, person, at_s)
        SELECT hash, hash, coalesce(seen_s, unixepoch()) FROM people;",
    // Who is invited by whom.
    "CREATE TABLE invitations (
        recipient BLOB NOT NULL CHECK (length(recipient) = 32),
        sender BLOB NOT NULL CHECK (length(sender) = 32),
        at_s INTEGER NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (recipient, sender)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitations_by_sender ON invitations (sender);",
    // A checksum a line, so that a line which the disk has changed is found. Lines from before have
    // none: nothing tells whether they are as they were written.
    "ALTER TABLE lines ADD COLUMN checksum INTEGER;
    ALTER TABLE recent ADD COLUMN checksum INTEGER;",
];

/// The first format in which `lines` has the column `place`.
pub(super) const PLACED_FROM: u32 = 4;

/// The first format in which lines have a checksum.
pub(super) const CHECKSUMS_FROM: u32 = 9;

/// The newest format of a file.
pub const FORMAT: u32 = STEPS.len() as u32;

/// What kind of database a file is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A journal with this content, after a migration in the newest format.
    Journal(Content),
    /// A journal of a newer program.
    Newer(u32),
    /// Some other database.
    Foreign,
}

/// What kind of database the file is. Changes nothing.
pub(super) fn find(connection: &mut Connection) -> Result<Found, Trouble> {
    let mark = number(connection, "PRAGMA application_id")?;
    let content = [Content::Tables, Content::Index].into_iter().find(|it| application(*it) == mark);
    let format = u32::try_from(number(connection, "PRAGMA user_version")?);
    Ok(match (content, format) {
        (Some(_), Ok(format)) if format > FORMAT => Found::Newer(format),
        (Some(content), Ok(_)) => Found::Journal(content),
        (None, _) | (Some(_), Err(_)) => Found::Foreign,
    })
}

fn number(connection: &Connection, sql: &str) -> Result<i64, Trouble> {
    Ok(connection.query_one(sql, [], |row| row.get(0))?)
}

/// The format of a journal.
pub(super) fn format(connection: &Connection) -> Result<u32, Trouble> {
    Ok(u32::try_from(number(connection, "PRAGMA user_version")?).unwrap_or(0))
}

/// The random bytes that fixed deals are drawn from, which every file has its own of.
pub(super) fn deal_secret(connection: &mut Connection) -> Result<[u8; 32], Trouble> {
    let sql = "SELECT secret FROM secrets WHERE name = 'deals'";
    Ok(connection.query_one(sql, [], |row| row.get(0))?)
}

/// Brings the file up to date, in one transaction. Reads no rows, except for the step to format 4,
/// which copies every line once, the steps to formats 6 and 7, which read the notes and people, and
/// the step to format 9, in which SQLite reads every line once. Does not change a file that is not a
/// journal with this content or has a newer format.
pub(super) fn migrate(connection: &mut Connection, content: Content) -> Result<Found, Trouble> {
    let Ok(format) = usize::try_from(number(connection, "PRAGMA user_version")?) else {
        return Ok(Found::Foreign);
    };
    let new = format == 0 && number(connection, "SELECT count(*) FROM sqlite_schema")? == 0;
    let found = find(connection)?;
    if !new && found != Found::Journal(content) {
        return Ok(found);
    }
    let mode: String = connection.query_one("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        let text = format!("its disk has no shared memory, only the mode `{mode}`");
        return Err(Trouble::Fault(Fault::Disk(text)));
    }
    if format < STEPS.len() {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for step in &STEPS[format..] {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "application_id", application(content))?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        transaction.commit()?;
    }
    Ok(Found::Journal(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as their formats were released: editing a step fails a test.
    const RELEASED: [&str; STEPS.len()] = [
        include_str!("../../tests/journal/format-1.sql"),
        include_str!("../../tests/journal/format-2.sql"),
        include_str!("../../tests/journal/format-3.sql"),
        include_str!("../../tests/journal/format-4.sql"),
        include_str!("../../tests/journal/format-5.sql"),
        include_str!("../../tests/journal/format-6.sql"),
        include_str!("../../tests/journal/format-7.sql"),
        include_str!("../../tests/journal/format-8.sql"),
        include_str!("../../tests/journal/format-9.sql"),
    ];

    fn schema(connection: &Connection) -> Vec<(String, String)> {
        let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name";
        let mut statement = connection.prepare(sql).unwrap();
        let squeeze = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let row = |row: &rusqlite::Row| Ok((row.get(0)?, squeeze(row.get(1)?)));
        statement.query_map([], row).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn no_step_is_ever_edited() {
        let folder = tempfile::tempdir().unwrap();
        let mut made = Connection::open(folder.path().join("made.db")).unwrap();
        for (step, released) in STEPS.iter().zip(RELEASED) {
            made.execute_batch(step).unwrap();
            let kept = Connection::open_in_memory().unwrap();
            kept.execute_batch(released).unwrap();
            assert_eq!(schema(&made), schema(&kept));
        }
        let found = migrate(&mut made, Content::Tables).unwrap();
        assert_eq!(found, Found::Foreign, "it is not marked as ours yet");
    }

    #[test]
    fn a_new_file_gets_the_newest_format_once() {
        let folder = tempfile::tempdir().unwrap();
        for (content, other) in
            [(Content::Tables, Content::Index), (Content::Index, Content::Tables)]
        {
            let path = folder.path().join(format!("{content:?}.db"));
            let mut connection = Connection::open(path).unwrap();
            assert_eq!(migrate(&mut connection, content).unwrap(), Found::Journal(content));
            let before = schema(&connection);
            assert_eq!(migrate(&mut connection, content).unwrap(), Found::Journal(content));
            // A file for the other content is left as it is.
            assert_eq!(migrate(&mut connection, other).unwrap(), Found::Journal(content));
            assert_eq!(schema(&connection), before);
        }
    }
}
