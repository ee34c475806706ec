//! Bars in SQLite.

use rusqlite::Connection;

use super::database::Trouble;
use super::readers::whole;
use crate::{Bar, Key};

/// Stores a bar, and deletes those that have ended.
pub(super) fn add(
    connection: &Connection,
    key: &Key,
    bar: &Bar,
    now_s: u64,
) -> Result<(), Trouble> {
    expire(connection, now_s)?;
    let sql = "INSERT INTO bars (table_id, subject, until_s)
        SELECT id, ?2, ?3 FROM tables WHERE key = ?1
        ON CONFLICT (table_id, subject) DO UPDATE SET until_s = excluded.until_s";
    let row = (key.as_str(), &bar.subject, whole(bar.until_s));
    connection.prepare_cached(sql)?.execute(row)?;
    Ok(())
}

pub(super) fn end(connection: &Connection, key: &Key) -> Result<(), Trouble> {
    let sql = "DELETE FROM bars WHERE table_id = (SELECT id FROM tables WHERE key = ?1)";
    connection.prepare_cached(sql)?.execute((key.as_str(),))?;
    Ok(())
}

pub(super) fn expire(connection: &Connection, now_s: u64) -> Result<(), Trouble> {
    connection.prepare_cached("DELETE FROM bars WHERE until_s <= ?1")?.execute((whole(now_s),))?;
    Ok(())
}

pub(super) const OF_TABLE: &str = "SELECT subject, until_s FROM bars
    WHERE table_id = (SELECT id FROM tables WHERE key = ?1) ORDER BY subject";

pub(super) fn of_table(connection: &Connection, key: &Key) -> Result<Vec<Bar>, Trouble> {
    let mut statement = connection.prepare_cached(OF_TABLE)?;
    let rows = statement.query_map((key.as_str(),), |row| {
        Ok(Bar { subject: row.get(0)?, until_s: row.get::<_, i64>(1)?.unsigned_abs() })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
