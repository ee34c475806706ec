//! Invitations in SQLite.

use rusqlite::Connection;

use super::database::Trouble;
use super::readers::whole;
use crate::{Hash, Invitation, Side};

/// How many invitations were stored: one or none.
pub(super) fn add(
    connection: &Connection,
    invitation: &Invitation,
    since_s: u64,
    most: u32,
) -> Result<u64, Trouble> {
    let sql = "DELETE FROM invitations WHERE at_s < ?1";
    connection.prepare_cached(sql)?.execute((whole(since_s),))?;
    let sql = "INSERT INTO invitations (recipient, sender, at_s, line)
        SELECT hash, ?2, ?3, ?4 FROM people WHERE hash = ?1 AND
            (SELECT count(*) FROM invitations WHERE recipient = ?1 AND sender <> ?2) < ?5
        ON CONFLICT (recipient, sender) DO UPDATE SET at_s = excluded.at_s, line = excluded.line";
    let Invitation { to, from, at_s, line } = invitation;
    let row = (to, from, whole(*at_s), line, most);
    Ok(connection.prepare_cached(sql)?.execute(row)? as u64)
}

pub(super) fn remove(connection: &Connection, to: &Hash, from: &Hash) -> Result<(), Trouble> {
    let sql = "DELETE FROM invitations WHERE recipient = ?1 AND sender = ?2";
    connection.prepare_cached(sql)?.execute((to, from))?;
    Ok(())
}

/// Removes all invitations to and from a person who is deleted.
pub(super) fn forget(connection: &Connection, person: &Hash) -> Result<(), Trouble> {
    for sql in [
        "DELETE FROM invitations WHERE recipient = ?1",
        "DELETE FROM invitations WHERE sender = ?1",
    ] {
        connection.prepare_cached(sql)?.execute((person,))?;
    }
    Ok(())
}

pub(super) fn of(
    connection: &Connection,
    side: Side,
    since_s: u64,
) -> Result<Vec<Invitation>, Trouble> {
    let (sql, person) = match side {
        Side::To(person) => (
            "SELECT recipient, sender, at_s, line FROM invitations
            WHERE recipient = ?1 AND at_s >= ?2 ORDER BY at_s DESC, sender",
            person,
        ),
        Side::From(person) => (
            "SELECT recipient, sender, at_s, line FROM invitations
            WHERE sender = ?1 AND at_s >= ?2 ORDER BY at_s DESC, recipient",
            person,
        ),
    };
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((person, whole(since_s)), |row| {
        let at_s = row.get::<_, i64>(2)?.unsigned_abs();
        Ok(Invitation { to: row.get(0)?, from: row.get(1)?, at_s, line: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
