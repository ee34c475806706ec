//! The threads that read. They see what is committed and never hold up the writer.

use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};

use super::checksum::verified;
use super::database::{Database, Trouble};
use super::recent::Numbered;
use super::schema;
use crate::{Entry, Fault, Filter, Hash, Key, Note, PAGE_MOST, Page};

/// Something to read; it sends its own answer.
pub(super) type Job = Box<dyn FnOnce(&mut Database) + Send>;

/// Reads until every sender is gone and the queue is empty.
pub(super) fn run(mut database: Database, queue: &Mutex<Receiver<Job>>) {
    loop {
        // Lock while waiting for a job, and unlock before doing it.
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(&mut database),
            Err(_closed) => break,
        }
    }
}

const LINES: &str = "SELECT place, line, checksum FROM tables CROSS JOIN lines
    ON place > id << 32 | min(?2, 0xffffffff) AND place < (id + 1) << 32
    WHERE key = ?1 ORDER BY place";

/// The same in a file of a format before [`PLACED_FROM`](schema::PLACED_FROM).
const LINES_BEFORE: &str = "SELECT table_id << 32 | seq, line, checksum FROM lines
    WHERE table_id = (SELECT id FROM tables WHERE key = ?1) AND seq > ?2 ORDER BY seq";

/// The lines of a table after the first `after` ones. `recent` are those that were not in `lines`
/// at a moment before this call.
pub(super) fn lines(
    connection: &Connection,
    key: &Key,
    after: u64,
    recent: Vec<Numbered>,
) -> Result<Vec<Box<str>>, Trouble> {
    in_order(numbered(connection, LINES, key, after)?, key, after, recent)
}

/// Puts recent lines behind the others. Fails if one is missing or is not the one that was written.
fn in_order(
    mut lines: Vec<Numbered>,
    key: &Key,
    after: u64,
    recent: Vec<Numbered>,
) -> Result<Vec<Box<str>>, Trouble> {
    if !recent.is_empty() {
        lines.extend(recent);
        lines.sort_by_key(|(seq, _)| *seq);
        lines.dedup_by_key(|(seq, _)| *seq);
    }
    let numbered = lines.into_iter().zip(after.saturating_add(1)..);
    let check = |((seq, line), expected)| {
        let wrong = match line {
            Some(line) if seq == expected => return Ok(line),
            None if seq == expected => "is not as it was written",
            Some(_) | None => "is missing",
        };
        let text = format!("line {expected} of table {key} {wrong}");
        Err(Trouble::Fault(Fault::Damaged(text)))
    };
    numbered.map(check).collect()
}

const MENTIONS: &str = "SELECT 1 FROM tables CROSS JOIN lines
    ON place > id << 32 AND place < (id + 1) << 32
    WHERE key = ?1 AND instr(line, ?2)";

/// Whether a line of a table, other than recent ones, contains a text.
pub(super) fn mentions(connection: &Connection, key: &Key, text: &str) -> Result<bool, Trouble> {
    Ok(connection.prepare_cached(MENTIONS)?.exists((key.as_str(), text))?)
}

/// The keys of all tables, in the order in which they were made.
pub(super) fn keys(connection: &Connection) -> Result<Vec<Key>, Trouble> {
    let mut statement = connection.prepare("SELECT key FROM tables ORDER BY id")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

const RECENT: &str = "SELECT table_id << 32 | seq, line, checksum FROM recent
    WHERE table_id = (SELECT id FROM tables WHERE key = ?1) AND seq > ?2 ORDER BY seq";

/// The same for a process other than the writer's. Scans all recent lines.
pub(super) fn lines_outside(
    connection: &mut Connection,
    key: &Key,
) -> Result<Vec<Box<str>>, Trouble> {
    // One transaction: a line moved from `recent` to `lines` between two reads must not be missed.
    let moment = connection.transaction()?;
    let format = schema::format(&moment)?;
    let read = |sql: &str| match format {
        schema::CHECKSUMS_FROM.. => numbered(&moment, sql, key, 0),
        _ => numbered(&moment, &sql.replace("checksum", "NULL"), key, 0),
    };
    let is_old = !moment.table_exists(None, "recent")?;
    let recent = if is_old { Vec::new() } else { read(RECENT)? };
    let lines = read(if format >= schema::PLACED_FROM { LINES } else { LINES_BEFORE })?;
    in_order(lines, key, 0, recent)
}

/// What was moved to `lines` is still in `recent`.
const WITHOUT_CHECKSUM: &str = "SELECT count(*) FROM (
    SELECT place FROM lines WHERE checksum IS NULL
    UNION SELECT table_id << 32 | seq FROM recent WHERE checksum IS NULL)";

/// How many lines have no checksum; `None` if no line has one, as in a file from before format 9.
/// Reads every line.
pub(super) fn without_checksum(connection: &Connection) -> Result<Option<u64>, Trouble> {
    if schema::format(connection)? < schema::CHECKSUMS_FROM {
        return Ok(None);
    }
    let count = connection.query_one(WITHOUT_CHECKSUM, [], |row| row.get::<_, i64>(0))?;
    Ok(Some(count.unsigned_abs()))
}

fn numbered(
    connection: &Connection,
    sql: &str,
    key: &Key,
    after: u64,
) -> Result<Vec<Numbered>, Trouble> {
    let mut statement = connection.prepare_cached(sql)?;
    let row = |row: &Row| {
        let place = row.get::<_, i64>(0)?;
        let seq = place.unsigned_abs() & 0xffff_ffff;
        Ok((seq, verified(place, row.get(1)?, row.get(2)?)))
    };
    let rows = statement.query_map((key.as_str(), whole(after)), row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

const NOTE: &str = "SELECT text, listed, ended FROM notes
    WHERE table_id = (SELECT id FROM tables WHERE key = ?1)";

pub(super) fn note(connection: &Connection, key: &Key) -> Result<Option<Note>, Trouble> {
    Ok(connection.prepare_cached(NOTE)?.query_one((key.as_str(),), read_note).optional()?)
}

const LIST: &str = "SELECT text, listed, ended, turn, key
    FROM notes JOIN tables ON tables.id = notes.table_id
    WHERE listed = ?1 AND ended = ?2 AND turn < ?3 ORDER BY turn DESC LIMIT ?4";

pub(super) fn list(
    connection: &mut Connection,
    filter: Filter,
    page: Page,
) -> Result<Vec<Entry>, Trouble> {
    let most = page.most.min(PAGE_MOST);
    let before = page.before.map_or(i64::MAX, whole);
    let both = |only: Option<bool>| {
        [false, true].into_iter().filter(move |&x| only.is_none_or(|only| only == x))
    };
    let mut entries = Vec::new();
    // One transaction: a table whose note changes between two reads must not be listed twice.
    let moment = connection.transaction()?;
    let mut statement = moment.prepare_cached(LIST)?;
    // The index knows each of the four states in the order of turns: the newest of each are read
    // and merged.
    for listed in both(filter.listed) {
        for ended in both(filter.ended) {
            let rows = statement.query_map((listed, ended, before, most as u32), |row| {
                Ok(Entry {
                    note: read_note(row)?,
                    turn: row.get::<_, i64>(3)?.unsigned_abs(),
                    key: row.get(4)?,
                })
            })?;
            for entry in rows {
                entries.push(entry?);
            }
        }
    }
    entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.turn));
    entries.truncate(most);
    Ok(entries)
}

pub(super) fn person(connection: &Connection, hash: &Hash) -> Result<Option<Box<str>>, Trouble> {
    let sql = "SELECT line FROM people WHERE hash = ?1";
    Ok(connection.prepare_cached(sql)?.query_one((hash,), |row| row.get(0)).optional()?)
}

pub(super) const FORGOTTEN: &str = "SELECT 1 FROM forgotten WHERE hash = ?1";

pub(super) fn forgotten(connection: &Connection, of: Vec<Hash>) -> Result<Vec<Hash>, Trouble> {
    let mut statement = connection.prepare_cached(FORGOTTEN)?;
    let mut forgotten = Vec::new();
    for hash in of {
        if statement.exists((hash,))? {
            forgotten.push(hash);
        }
    }
    Ok(forgotten)
}

pub(super) fn read_note(row: &Row) -> rusqlite::Result<Note> {
    Ok(Note { text: row.get(0)?, listed: row.get(1)?, ended: row.get(2)? })
}

/// SQLite's numbers end at 2⁶³ − 1, and no table has more lines than that.
pub(super) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl FromSql for Key {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(FromSqlError::other)
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::{BEHIND, COUNT, LABELS, NAMES, question};
    use super::super::{appender, schema};
    use super::*;
    use crate::{Content, Search};

    /// Listing and opening use an index: their cost does not grow with the number of tables.
    #[test]
    fn every_question_is_answered_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = Connection::open(folder.path().join("j.db")).unwrap();
        schema::migrate(&mut connection, Content::Tables).unwrap();
        let plan = |sql: &str| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let mut rows = statement.raw_query();
            let mut plan = String::new();
            while let Some(row) = rows.next().unwrap() {
                let step = row.get::<_, String>(3).unwrap();
                // It has one row.
                if step != "SCAN catalogue" {
                    plan += &(step + "\n");
                }
            }
            plan
        };
        let search = Search {
            collection: [1; 32],
            labels: vec!["one".into(), "other".into()],
            name: Some(("ada".into(), [1; 32])),
            page: Page::first(9),
        };
        let (search, _) = question(&search);
        for (sql, reads_lines) in [
            (LIST, false),
            (NOTE, false),
            (LINES, true),
            (appender::FIND, true),
            (FORGOTTEN, false),
            (BEHIND, false),
            (LABELS, false),
            (COUNT, false),
            (NAMES, false),
            (search.as_str(), false),
        ] {
            let plan = plan(sql);
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP"), "{sql}\n{plan}");
            assert_eq!(plan.contains("SEARCH lines"), reads_lines, "{sql}\n{plan}");
        }
    }
}
