//! Everything that the file stores, item by item, for copies.

use rusqlite::{Connection, OptionalExtension, Row};

use super::database::Trouble;
use super::readers::{self, whole};
use super::writer::{Change, Work};
use super::{Sqlite, bars, catalogue, devices, invitations, operations, schema};
use crate::{
    Administration, AppendError, AuditLine, Bar, BoxFuture, Fault, Hash, Inventory, Invitation,
    Journal, Key, ListedTable, Note, Operations, PresentPerson, WholePerson, WholeTable,
};

/// A change that a copy makes.
pub(super) enum Copied {
    Person(Hash, WholePerson),
    Administration(Administration),
    Secret([u8; 32]),
}

/// Makes it, within a transaction.
pub(super) fn write(connection: &Connection, copied: Copied) -> Result<(), Trouble> {
    match copied {
        Copied::Person(hash, WholePerson::Deleted) => {
            devices::forget(connection, &hash)?;
            invitations::forget(connection, &hash)?;
            catalogue::forget(connection, &hash)
        }
        Copied::Person(hash, WholePerson::Present(person)) => {
            write_person(connection, &hash, &person)
        }
        Copied::Administration(all) => write_administration(connection, &all),
        Copied::Secret(secret) => {
            let sql = "UPDATE secrets SET secret = ?1 WHERE name = 'deals'";
            connection.prepare_cached(sql)?.execute((secret,))?;
            Ok(())
        }
    }
}

fn write_person(
    connection: &Connection,
    hash: &Hash,
    person: &PresentPerson,
) -> Result<(), Trouble> {
    let PresentPerson { line, seen_s, devices, phrase, received, invited: _ } = person;
    let sql = "INSERT OR REPLACE INTO people (hash, line, seen_s) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute((hash, line, seen_s.map(whole)))?;
    for sql in [
        "DELETE FROM devices WHERE person = ?1",
        "DELETE FROM phrases WHERE person = ?1",
        "DELETE FROM invitations WHERE recipient = ?1",
    ] {
        connection.prepare_cached(sql)?.execute((hash,))?;
    }
    for (at_s, device) in devices {
        let sql = "INSERT INTO devices (hash, person, at_s) VALUES (?1, ?2, ?3)";
        connection.prepare_cached(sql)?.execute((device, hash, whole(*at_s)))?;
    }
    if let Some(phrase) = phrase {
        let sql = "INSERT INTO phrases (hash, person) VALUES (?1, ?2)";
        connection.prepare_cached(sql)?.execute((phrase, hash))?;
    }
    // The senders' side is the same rows.
    for Invitation { to, from, at_s, line } in received {
        let sql = "INSERT INTO invitations (recipient, sender, at_s, line) VALUES (?1, ?2, ?3, ?4)";
        connection.prepare_cached(sql)?.execute((to, from, whole(*at_s), line))?;
    }
    Ok(())
}

fn write_administration(connection: &Connection, all: &Administration) -> Result<(), Trouble> {
    connection.execute_batch("DELETE FROM blocks; DELETE FROM bars; DELETE FROM audit;")?;
    for block in &all.blocks {
        operations::block(connection, block)?;
    }
    for (key, bar) in &all.bars {
        bars::add(connection, key, bar, 0)?;
    }
    for line in &all.audit {
        operations::audit(connection, line)?;
    }
    Ok(())
}

/// Side logs first, which have no note, and then tables in the order of their notes.
const TABLES: &str = "SELECT key, (SELECT at_s FROM changed WHERE changed.table_id = tables.id)
    FROM tables LEFT JOIN notes ON notes.table_id = tables.id ORDER BY turn, tables.id";

fn tables(connection: &Connection) -> Result<Vec<ListedTable>, Trouble> {
    let mut statement = connection.prepare(TABLES)?;
    let rows = statement.query_map([], |row| {
        let changed_s = row.get::<_, Option<i64>>(1)?.map(i64::unsigned_abs);
        Ok(ListedTable { key: row.get(0)?, changed_s })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn persons(connection: &Connection) -> Result<Vec<Hash>, Trouble> {
    let sql = "SELECT hash FROM people UNION SELECT hash FROM forgotten ORDER BY 1";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn person(connection: &mut Connection, hash: &Hash) -> Result<Option<WholePerson>, Trouble> {
    let moment = connection.transaction()?;
    if moment.prepare_cached(readers::FORGOTTEN)?.exists((hash,))? {
        return Ok(Some(WholePerson::Deleted));
    }
    let sql = "SELECT line, seen_s FROM people WHERE hash = ?1";
    let row = |row: &Row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?));
    let Some((line, seen_s)) = moment.prepare_cached(sql)?.query_one((hash,), row).optional()?
    else {
        return Ok(None);
    };
    let sql = "SELECT at_s, hash FROM devices WHERE person = ?1 ORDER BY at_s, hash";
    let mut statement = moment.prepare_cached(sql)?;
    let device = |row: &Row| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?));
    let devices = statement.query_map((hash,), device)?.collect::<Result<_, _>>()?;
    let sql = "SELECT hash FROM phrases WHERE person = ?1";
    let phrase = moment.prepare_cached(sql)?.query_one((hash,), |row| row.get(0)).optional()?;
    let sql = "SELECT sender, at_s, line FROM invitations WHERE recipient = ?1 ORDER BY sender";
    let mut statement = moment.prepare_cached(sql)?;
    let invitation = |row: &Row| {
        let at_s = row.get::<_, i64>(1)?.unsigned_abs();
        Ok(Invitation { to: *hash, from: row.get(0)?, at_s, line: row.get(2)? })
    };
    let received = statement.query_map((hash,), invitation)?.collect::<Result<_, _>>()?;
    let sql = "SELECT recipient, at_s FROM invitations WHERE sender = ?1 ORDER BY recipient";
    let mut statement = moment.prepare_cached(sql)?;
    let recipient = |row: &Row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()));
    let invited = statement.query_map((hash,), recipient)?.collect::<Result<_, _>>()?;
    let seen_s = seen_s.map(i64::unsigned_abs);
    let present = PresentPerson { line, seen_s, devices, phrase, received, invited };
    Ok(Some(WholePerson::Present(present)))
}

fn administration(connection: &mut Connection, now_s: u64) -> Result<Administration, Trouble> {
    let moment = connection.transaction()?;
    let sql = "SELECT key, subject, until_s FROM bars JOIN tables ON tables.id = bars.table_id
        WHERE until_s > ?1 ORDER BY key, subject";
    let mut statement = moment.prepare(sql)?;
    let bar = |row: &Row| {
        let until_s = row.get::<_, i64>(2)?.unsigned_abs();
        Ok((row.get(0)?, Bar { subject: row.get(1)?, until_s }))
    };
    let bars = statement.query_map((whole(now_s),), bar)?.collect::<Result<_, _>>()?;
    let mut statement = moment.prepare("SELECT at_s, line FROM audit ORDER BY id")?;
    let line =
        |row: &Row| Ok(AuditLine { at_s: row.get::<_, i64>(0)?.unsigned_abs(), line: row.get(1)? });
    let audit = statement.query_map([], line)?.collect::<Result<_, _>>()?;
    Ok(Administration { blocks: operations::blocks(&moment)?, bars, audit })
}

impl Inventory for Sqlite {
    fn tables(&self) -> BoxFuture<Result<Vec<ListedTable>, Fault>> {
        self.ask(|connection| tables(connection))
    }

    fn table(&self, key: &Key) -> BoxFuture<Result<WholeTable, Fault>> {
        let (lines, note) = (self.read(key, 0), self.note(key));
        Box::pin(async { Ok(WholeTable { lines: lines.await?, note: note.await? }) })
    }

    fn extend(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>> {
        self.append(key, after, lines, note)
    }

    fn set_changed(&self, key: &Key, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.touch(key, at_s)
    }

    fn persons(&self) -> BoxFuture<Result<Vec<Hash>, Fault>> {
        self.ask(|connection| persons(connection))
    }

    fn person(&self, hash: Hash) -> BoxFuture<Result<Option<WholePerson>, Fault>> {
        self.ask(move |connection| person(connection, &hash))
    }

    fn set_person(&self, hash: Hash, person: WholePerson) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Copied(Copied::Person(hash, person))))
    }

    fn administration(&self, now_s: u64) -> BoxFuture<Result<Administration, Fault>> {
        self.ask(move |connection| administration(connection, now_s))
    }

    fn set_administration(
        &self,
        administration: Administration,
        _now_s: u64,
    ) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Copied(Copied::Administration(administration))))
    }

    fn secret(&self) -> BoxFuture<Result<[u8; 32], Fault>> {
        self.ask(schema::deal_secret)
    }

    fn set_secret(&self, secret: [u8; 32]) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Copied(Copied::Secret(secret))))
    }
}
