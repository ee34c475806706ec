//! The operator's questions and changes in SQLite.

use std::thread;
use std::time::Duration;

use rusqlite::{Connection, Row};

use super::appender::Appender;
use super::checksum::{checksum, is_sound};
use super::database::Trouble;
use super::readers::{read_note, whole};
use crate::{
    AuditLine, Block, Fault, Hash, Key, PAGE_MOST, Replacement, Span, StoredPerson, StoredTable,
};

/// A person's time is written again after this number of seconds.
const SEEN_EVERY_S: u64 = 600;

/// How often the log is tried to be emptied, and how long to wait before each further attempt.
const TRUNCATE_TIMES: u32 = 40;
const TRUNCATE_PAUSE: Duration = Duration::from_millis(50);

pub(super) fn touch(connection: &Connection, key: &Key, at_s: u64) -> Result<(), Trouble> {
    let sql = "INSERT OR REPLACE INTO changed (table_id, at_s)
        SELECT id, ?2 FROM tables WHERE key = ?1";
    connection.prepare_cached(sql)?.execute((key.as_str(), whole(at_s)))?;
    Ok(())
}

pub(super) fn seen(connection: &Connection, hash: &Hash, at_s: u64) -> Result<(), Trouble> {
    let sql = "UPDATE people SET seen_s = ?2
        WHERE hash = ?1 AND (seen_s IS NULL OR seen_s <= ?2 - ?3)";
    connection.prepare_cached(sql)?.execute((hash, whole(at_s), whole(SEEN_EVERY_S)))?;
    Ok(())
}

const TABLES: &str = "SELECT text, listed, ended, key,
    (SELECT at_s FROM changed WHERE changed.table_id = notes.table_id),
    (SELECT count(*) FROM cards WHERE cards.table_id = notes.table_id)
    FROM notes JOIN tables ON tables.id = notes.table_id
    ORDER BY turn DESC LIMIT ?1 OFFSET ?2";

pub(super) fn tables(
    connection: &mut Connection,
    span: Span,
) -> Result<(Vec<StoredTable>, u64), Trouble> {
    listed(connection, TABLES, "SELECT count(*) FROM notes", span, |row| {
        Ok(StoredTable {
            note: read_note(row)?,
            key: row.get(3)?,
            changed_s: row.get::<_, Option<i64>>(4)?.map(i64::unsigned_abs),
            cards: row.get::<_, i64>(5)?.unsigned_abs(),
        })
    })
}

const PEOPLE: &str = "SELECT hash, line, seen_s,
    (SELECT count(*) FROM shelved WHERE shelf = hash AND label = '')
    FROM people ORDER BY seen_s DESC, hash LIMIT ?1 OFFSET ?2";

pub(super) fn people(
    connection: &mut Connection,
    span: Span,
) -> Result<(Vec<StoredPerson>, u64), Trouble> {
    listed(connection, PEOPLE, "SELECT count(*) FROM people", span, |row| {
        Ok(StoredPerson {
            hash: row.get(0)?,
            line: row.get(1)?,
            seen_s: row.get::<_, Option<i64>>(2)?.map(i64::unsigned_abs),
            cards: row.get::<_, i64>(3)?.unsigned_abs(),
        })
    })
}

const AUDIT: &str = "SELECT at_s, line FROM audit ORDER BY id DESC LIMIT ?1 OFFSET ?2";

pub(super) fn audited(
    connection: &mut Connection,
    span: Span,
) -> Result<(Vec<AuditLine>, u64), Trouble> {
    listed(connection, AUDIT, "SELECT count(*) FROM audit", span, |row| {
        Ok(AuditLine { at_s: row.get::<_, i64>(0)?.unsigned_abs(), line: row.get(1)? })
    })
}

/// Rows of a list and how many there are in all, at one moment.
fn listed<T>(
    connection: &mut Connection,
    sql: &str,
    count: &str,
    Span { skip, most }: Span,
    read: impl FnMut(&Row) -> rusqlite::Result<T>,
) -> Result<(Vec<T>, u64), Trouble> {
    let moment = connection.transaction()?;
    let total = moment.query_one(count, [], |row| row.get::<_, i64>(0))?.unsigned_abs();
    let mut statement = moment.prepare_cached(sql)?;
    let rows = statement.query_map((most.min(PAGE_MOST) as u32, whole(skip)), read)?;
    Ok((rows.collect::<Result<_, _>>()?, total))
}

pub(super) fn audit(connection: &Connection, line: &AuditLine) -> Result<(), Trouble> {
    let sql = "INSERT INTO audit (at_s, line) VALUES (?1, ?2)";
    connection.prepare_cached(sql)?.execute((whole(line.at_s), &line.line))?;
    Ok(())
}

/// How many blocks are new: one or none.
pub(super) fn block(connection: &Connection, block: &Block) -> Result<u64, Trouble> {
    let sql = "INSERT OR IGNORE INTO blocks (subject, at_s) VALUES (?1, ?2)";
    Ok(connection.prepare_cached(sql)?.execute((&block.subject, whole(block.at_s)))? as u64)
}

/// How many blocks ended: one or none.
pub(super) fn unblock(connection: &Connection, subject: &str) -> Result<u64, Trouble> {
    let sql = "DELETE FROM blocks WHERE subject = ?1";
    Ok(connection.prepare_cached(sql)?.execute((subject,))? as u64)
}

pub(super) fn blocks(connection: &Connection) -> Result<Vec<Block>, Trouble> {
    let mut statement = connection.prepare("SELECT subject, at_s FROM blocks ORDER BY subject")?;
    let rows = statement.query_map([], |row| {
        Ok(Block { subject: row.get(0)?, at_s: row.get::<_, i64>(1)?.unsigned_abs() })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn deleted(connection: &Connection) -> Result<Vec<Hash>, Trouble> {
    let mut statement = connection.prepare("SELECT hash FROM forgotten")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What a damaged line gets when it is replaced, so that it is still found to be damaged: checksums
/// of lines have 32 bits.
const OF_NO_LINE: i64 = i64::MAX;

/// Replaces lines in one transaction; returns how many. All lines are in `lines` afterwards.
pub(super) fn replace_lines(
    connection: &Connection,
    appender: &mut Appender,
    replacement: &Replacement,
) -> Result<u64, Trouble> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    appender.begin(connection)?;
    appender.settle_all(connection)?;
    let mut replaced = Vec::<(i64, Box<str>, i64)>::new();
    let mut statement = connection.prepare("SELECT place, line, checksum FROM lines")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let place = row.get(0)?;
        let before = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        if let Some(line) = replacement(before).map_err(Trouble::Fault)? {
            let is_damaged = !is_sound(place, before, row.get(2)?);
            let checksum = if is_damaged { OF_NO_LINE } else { checksum(place, &line) };
            replaced.push((place, line, checksum));
        }
    }
    drop(rows);
    let mut update =
        connection.prepare("UPDATE lines SET line = ?2, checksum = ?3 WHERE place = ?1")?;
    for (place, line, checksum) in &replaced {
        update.execute((place, line, checksum))?;
    }
    connection.execute("DELETE FROM names WHERE hash IN (SELECT hash FROM forgotten)", [])?;
    connection.execute_batch("COMMIT")?;
    Ok(replaced.len() as u64)
}

/// Removes tables in one transaction; returns how many there were.
pub(super) fn remove(
    connection: &Connection,
    appender: &mut Appender,
    keys: &[Key],
) -> Result<u64, Trouble> {
    // Checked references would cost a search of all collections for each card: the statements below
    // leave none open. The setting cannot change within a transaction.
    connection.pragma_update(None, "foreign_keys", false)?;
    let removed = remove_all(connection, appender, keys);
    if !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    removed
}

fn remove_all(
    connection: &Connection,
    appender: &mut Appender,
    keys: &[Key],
) -> Result<u64, Trouble> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    appender.begin(connection)?;
    let mut removed = 0;
    for key in keys {
        let Some(id) = appender.take_out(connection, key)? else { continue };
        for sql in [
            // A later table may get the same number, so nothing of this one may stay.
            "DELETE FROM recent WHERE table_id = ?1",
            "DELETE FROM lines WHERE place > ?1 << 32 AND place < (?1 + 1) << 32",
            "DELETE FROM names WHERE card_id IN (SELECT id FROM cards WHERE table_id = ?1)",
            "DELETE FROM cards WHERE table_id = ?1",
            "DELETE FROM notes WHERE table_id = ?1",
            "DELETE FROM changed WHERE table_id = ?1",
            "DELETE FROM bars WHERE table_id = ?1",
            "DELETE FROM tables WHERE id = ?1",
        ] {
            connection.prepare_cached(sql)?.execute((id,))?;
        }
        removed += 1;
    }
    if removed > 0 {
        connection.execute_batch(
            "DELETE FROM shelved WHERE card_id NOT IN (SELECT id FROM cards);
            -- The next note may get a turn that a removed note had: it is not catalogued yet.
            UPDATE catalogue SET turn = min(turn, (SELECT coalesce(max(turn), 0) FROM notes));",
        )?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(removed)
}

/// Writes the file anew and empties the write-ahead log. `secure_delete` is not enough: when rows
/// move to other pages, the space that they leave is not overwritten.
pub(super) fn write_anew(connection: &Connection) -> Result<(), Trouble> {
    connection.execute_batch("VACUUM")?;
    for _ in 0..TRUNCATE_TIMES {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy: bool = connection.query_one(sql, [], |row| row.get(0))?;
        if !is_busy {
            return Ok(());
        }
        thread::sleep(TRUNCATE_PAUSE);
    }
    // A reader outside of this process, as a backup that is being made.
    Err(Trouble::Fault(Fault::Locked))
}
