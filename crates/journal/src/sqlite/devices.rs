//! Devices and recovery phrases in SQLite.

use rusqlite::{Connection, OptionalExtension};

use super::database::Trouble;
use super::readers::whole;
use crate::{Hash, NewDevice};

/// Stores a person and their first device.
pub(super) fn introduce(
    connection: &Connection,
    hash: &Hash,
    line: &str,
    at_s: u64,
) -> Result<(), Trouble> {
    let sql = "INSERT INTO people (hash, line) VALUES (?1, ?2)
        ON CONFLICT (hash) DO UPDATE SET line = excluded.line";
    connection.prepare_cached(sql)?.execute((hash, line))?;
    let sql = "INSERT OR IGNORE INTO devices (hash, person, at_s) VALUES (?1, ?1, ?2)";
    connection.prepare_cached(sql)?.execute((hash, whole(at_s)))?;
    Ok(())
}

/// How many devices were added: one or none.
pub(super) fn add(connection: &Connection, device: &NewDevice, most: u32) -> Result<u64, Trouble> {
    let sql = "INSERT OR IGNORE INTO devices (hash, person, at_s)
        SELECT ?1, hash, ?3 FROM people
        WHERE hash = ?2 AND (SELECT count(*) FROM devices WHERE person = ?2) < ?4";
    let row = (device.hash, device.person, whole(device.at_s), most);
    Ok(connection.prepare_cached(sql)?.execute(row)? as u64)
}

/// How many devices were removed.
pub(super) fn keep(connection: &Connection, person: &Hash, device: &Hash) -> Result<u64, Trouble> {
    let sql = "DELETE FROM devices WHERE person = ?1 AND hash <> ?2";
    Ok(connection.prepare_cached(sql)?.execute((person, device))? as u64)
}

pub(super) fn set_phrase(
    connection: &Connection,
    person: &Hash,
    phrase: Option<&Hash>,
) -> Result<(), Trouble> {
    connection.prepare_cached("DELETE FROM phrases WHERE person = ?1")?.execute((person,))?;
    let sql = "INSERT INTO phrases (hash, person) SELECT ?2, hash FROM people WHERE hash = ?1";
    if let Some(phrase) = phrase {
        connection.prepare_cached(sql)?.execute((person, phrase))?;
    }
    Ok(())
}

/// Removes all devices and the phrase of a person who is deleted.
pub(super) fn forget(connection: &Connection, person: &Hash) -> Result<(), Trouble> {
    for sql in ["DELETE FROM devices WHERE person = ?1", "DELETE FROM phrases WHERE person = ?1"] {
        connection.prepare_cached(sql)?.execute((person,))?;
    }
    Ok(())
}

pub(super) fn signed_in(
    connection: &Connection,
    device: &Hash,
) -> Result<Option<(Hash, Box<str>)>, Trouble> {
    let sql = "SELECT people.hash, line FROM devices JOIN people ON people.hash = devices.person
        WHERE devices.hash = ?1";
    let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?));
    Ok(connection.prepare_cached(sql)?.query_one((device,), row).optional()?)
}

pub(super) fn of_person(
    connection: &Connection,
    person: &Hash,
) -> Result<(Vec<u64>, bool), Trouble> {
    let sql = "SELECT at_s FROM devices WHERE person = ?1 ORDER BY at_s, hash";
    let mut times = connection.prepare_cached(sql)?;
    let times = times.query_map((person,), |row| Ok(row.get::<_, i64>(0)?.unsigned_abs()))?;
    let times = times.collect::<Result<_, _>>()?;
    let sql = "SELECT EXISTS (SELECT 1 FROM phrases WHERE person = ?1)";
    Ok((times, connection.prepare_cached(sql)?.query_one((person,), |row| row.get(0))?))
}

pub(super) fn of_phrase(connection: &Connection, phrase: &Hash) -> Result<Option<Hash>, Trouble> {
    let sql = "SELECT person FROM phrases WHERE hash = ?1";
    Ok(connection.prepare_cached(sql)?.query_one((phrase,), |row| row.get(0)).optional()?)
}
