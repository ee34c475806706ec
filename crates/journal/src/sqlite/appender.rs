//! Appends lines to tables.
//!
//! In `lines` the lines of a table lie together, so each of the tables that share a commit would
//! cost it a page of 4 KiB. A line is therefore written to `recent` first, where the lines of a
//! commit lie side by side, and is moved to `lines` together with the table's other recent lines
//! when half of the places in `recent` are taken. A commit moves about as many lines as it appends.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use super::checksum::{checksum, place, verified};
use super::database::Trouble;
use super::options::RECENT_LINES_MOST;
use super::readers::whole;
use super::recent::{Lines, Update};
use super::writer::Done;
use crate::{Fault, Key, Note};

/// How many tables are remembered beyond those with recent lines.
const TABLES_MOST: usize = 1 << 16;

/// An append with this number of lines fills a page by itself and is written to `lines` at once.
const FULL_PAGE: usize = 16;

/// The most lines of one table that are moved together: several pages, and no long wait.
const SETTLED_TOGETHER: usize = 64;

/// What the writer knows of the tables: what it wrote itself, and nothing that another connection
/// could have changed since.
pub(super) struct Appender {
    tables: HashMap<Key, Table>,
    /// The places in `recent`, used in turn: which table has a line there that is not in `lines`.
    slots: Vec<Option<Key>>,
    /// How many places are taken.
    taken: usize,
    /// The place of the next line, and that of the oldest one or one before it.
    next_slot: usize,
    oldest_slot: usize,
    /// Lines that this transaction appended less lines that it moved: as many are still to be moved.
    to_settle: usize,
    /// The database version that these fields describe; `None` if they have to be loaded.
    version: Option<i64>,
    updates: Vec<Update>,
}

struct Table {
    id: i64,
    /// The number of its last line.
    last: u64,
    /// Where its recent lines are, in the order of their numbers.
    slots: Vec<usize>,
}

/// Finds a table by its key, and how many lines it has in `lines`.
pub(super) const FIND: &str = "SELECT id, coalesce(
    (SELECT place & 0xffffffff FROM lines WHERE place > id << 32 AND place < (id + 1) << 32
        ORDER BY place DESC LIMIT 1), 0)
    FROM tables WHERE key = ?1";

/// All lines that are not in `lines` yet. What was moved there stays in its place until that is
/// needed.
const LOAD: &str = "SELECT slot, key, seq, line, checksum
    FROM recent JOIN tables ON tables.id = recent.table_id
    WHERE NOT EXISTS (SELECT 1 FROM lines WHERE place = recent.table_id << 32 | recent.seq)
    ORDER BY recent.table_id, recent.seq";

impl Appender {
    /// An appender that keeps at most `lines_most` lines in `recent`.
    pub(super) fn new(recent_lines_most: usize) -> Self {
        Self {
            tables: HashMap::new(),
            slots: vec![None; recent_lines_most],
            taken: 0,
            next_slot: 0,
            oldest_slot: 0,
            to_settle: 0,
            version: None,
            updates: Vec::new(),
        }
    }

    /// Has to be called at the start of each transaction: reloads the state after a fault, or after
    /// another connection changed the file.
    pub(super) fn begin(&mut self, connection: &Connection) -> Result<(), Trouble> {
        let sql = "PRAGMA data_version";
        let version = connection.prepare_cached(sql)?.query_one([], |row| row.get(0))?;
        if self.version != Some(version) {
            self.load(connection)?;
            self.version = Some(version);
        }
        if self.tables.len() > self.slots.len().saturating_add(TABLES_MOST) {
            self.tables.retain(|_, table| !table.slots.is_empty());
        }
        Ok(())
    }

    /// Has to be called at the end of each transaction: moves lines, those of the table with the
    /// oldest one first.
    pub(super) fn end(&mut self, connection: &Connection) -> Result<(), Trouble> {
        while self.to_settle > 0 && self.taken > self.slots.len() / 2 {
            self.oldest_slot %= self.slots.len();
            match self.slots[self.oldest_slot].clone() {
                Some(key) => {
                    let settled = self.settle(connection, &key, SETTLED_TOGETHER)?;
                    self.to_settle = self.to_settle.saturating_sub(settled);
                }
                None => self.oldest_slot += 1,
            }
        }
        self.to_settle = 0;
        Ok(())
    }

    /// The changes that readers see after the commit.
    pub(super) fn committed(&mut self) -> impl Iterator<Item = Update> {
        self.updates.drain(..)
    }

    /// Forgets the state after a failed transaction; the next one loads it again.
    pub(super) fn failed(&mut self) {
        self.version = None;
        self.updates.clear();
    }

    fn load(&mut self, connection: &Connection) -> Result<(), Trouble> {
        self.tables.clear();
        self.slots.fill(None);
        (self.taken, self.to_settle) = (0, 0);
        let mut lines = Lines::new();
        let mut statement = connection.prepare_cached(LOAD)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let slot = row.get::<_, u32>(0)? as usize;
            if slot >= RECENT_LINES_MOST {
                let text = format!("a recent line is in place {slot}");
                return Err(Trouble::Fault(Fault::Damaged(text)));
            }
            let key = row.get::<_, Key>(1)?;
            let seq = row.get::<_, i64>(2)?.unsigned_abs();
            let Some(table) = self.find(connection, &key)? else { continue };
            table.last = table.last.max(seq);
            table.slots.push(slot);
            let id = table.id;
            // The file may have been written with more places than there are now.
            if slot >= self.slots.len() {
                self.slots.resize(slot + 1, None);
            }
            self.slots[slot] = Some(key.clone());
            self.taken += 1;
            let line = verified(place(id, whole(seq)), row.get(3)?, row.get(4)?);
            lines.entry(key).or_default().push((seq, line));
        }
        self.updates = vec![Update::Loaded(lines)];
        Ok(())
    }

    /// A table, if there is one.
    fn find(&mut self, connection: &Connection, key: &Key) -> Result<Option<&mut Table>, Trouble> {
        if !self.tables.contains_key(key) {
            let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get::<_, i64>(1)?));
            let found =
                connection.prepare_cached(FIND)?.query_one((key.as_str(),), row).optional()?;
            let Some((id, last)) = found else { return Ok(None) };
            let table = Table { id, last: last.unsigned_abs(), slots: Vec::new() };
            self.tables.insert(key.clone(), table);
        }
        Ok(self.tables.get_mut(key))
    }

    /// Appends lines and sets the note, or finds that the table has not `after` lines and leaves it
    /// as it is.
    pub(super) fn append(
        &mut self,
        connection: &Connection,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<&Note>,
    ) -> Result<Done, Trouble> {
        let table = self.find(connection, key)?.map(|table| (table.id, table.last));
        let found = table.map_or(0, |(_, last)| last);
        if found != after {
            return Ok(Done::Conflict { found });
        }
        if lines.is_empty() && note.is_none() {
            return Ok(Done::Written);
        }
        let id = match table {
            Some((id, _)) => id,
            None => self.add_table(connection, key)?,
        };
        if let Some(Note { text, listed, ended }) = note {
            // The row that is replaced still counts when the new one is given its turn, so turns
            // grow.
            let sql = "REPLACE INTO notes (table_id, listed, ended, text) VALUES (?1, ?2, ?3, ?4)";
            connection.prepare_cached(sql)?.execute((id, listed, ended, text))?;
        }
        if lines.is_empty() {
            return Ok(Done::Written);
        }
        let last = after.saturating_add(lines.len() as u64);
        let slots = if lines.len() >= FULL_PAGE.min(self.slots.len() + 1) {
            self.settle(connection, key, usize::MAX)?;
            let sql = "INSERT INTO lines (place, line, checksum) VALUES (?1, ?2, ?3)";
            let mut insert = connection.prepare_cached(sql)?;
            for (seq, line) in (after + 1..).zip(&lines) {
                let place = place(id, whole(seq));
                insert.execute((place, line, checksum(place, line)))?;
            }
            Vec::new()
        } else {
            let slots = self.make_room(connection, lines.len())?;
            let sql = "REPLACE INTO recent (slot, table_id, seq, line, checksum)
                VALUES (?1, ?2, ?3, ?4, ?5)";
            let mut insert = connection.prepare_cached(sql)?;
            for ((seq, line), &slot) in (after + 1..).zip(&lines).zip(&slots) {
                let seq = whole(seq);
                let checksum = checksum(place(id, seq), line);
                insert.execute((whole(slot as u64), id, seq, line, checksum))?;
                self.slots[slot] = Some(key.clone());
            }
            self.taken += slots.len();
            self.to_settle += slots.len();
            self.updates.push(Update::Appended { key: key.clone(), after, lines });
            slots
        };
        if let Some(table) = self.tables.get_mut(key) {
            table.last = last;
            table.slots.extend(slots);
        }
        Ok(Done::Written)
    }

    fn add_table(&mut self, connection: &Connection, key: &Key) -> Result<i64, Trouble> {
        let sql = "INSERT INTO tables (key) VALUES (?1)";
        let id = connection.prepare_cached(sql)?.insert((key.as_str(),))?;
        self.tables.insert(key.clone(), Table { id, last: 0, slots: Vec::new() });
        Ok(id)
    }

    /// The next `count` places in `recent`. Moves lines that are still there; nearly always the
    /// places are free already.
    fn make_room(&mut self, connection: &Connection, lines: usize) -> Result<Vec<usize>, Trouble> {
        let mut free = Vec::with_capacity(lines);
        for _ in 0..lines {
            let slot = self.next_slot % self.slots.len();
            if let Some(key) = self.slots[slot].clone() {
                self.settle(connection, &key, usize::MAX)?;
            }
            free.push(slot);
            self.next_slot = slot + 1;
        }
        Ok(free)
    }

    /// Moves the first recent lines of a table to `lines` and returns their number.
    fn settle(
        &mut self,
        connection: &Connection,
        key: &Key,
        most: usize,
    ) -> Result<usize, Trouble> {
        let Some(table) = self.tables.get_mut(key) else { return Ok(0) };
        let count = table.slots.len().min(most);
        if count == 0 {
            return Ok(0);
        }
        let sql = "INSERT INTO lines (place, line, checksum)
            SELECT table_id << 32 | seq, line, checksum FROM recent WHERE slot = ?1";
        let mut settle = connection.prepare_cached(sql)?;
        for slot in table.slots.drain(..count) {
            settle.execute((whole(slot as u64),))?;
            self.slots[slot] = None;
        }
        self.taken -= count;
        self.updates.push(Update::Settled { key: key.clone(), count });
        Ok(count)
    }

    /// Forgets a table that is removed, and returns its number; `None` if there is no such table.
    /// Its recent lines are in `lines` afterwards.
    pub(super) fn take_out(
        &mut self,
        connection: &Connection,
        key: &Key,
    ) -> Result<Option<i64>, Trouble> {
        let Some(id) = self.find(connection, key)?.map(|table| table.id) else {
            return Ok(None);
        };
        self.settle(connection, key, usize::MAX)?;
        self.tables.remove(key);
        Ok(Some(id))
    }

    /// Moves all recent lines of all tables to `lines`.
    pub(super) fn settle_all(&mut self, connection: &Connection) -> Result<(), Trouble> {
        let tables = self.tables.iter().filter(|(_, table)| !table.slots.is_empty());
        let mut tables = tables.map(|(key, table)| (table.id, key.clone())).collect::<Vec<_>>();
        tables.sort_unstable_by_key(|(id, _)| *id);
        for (_, key) in tables {
            self.settle(connection, &key, usize::MAX)?;
        }
        connection.prepare_cached("DELETE FROM recent")?.execute([])?;
        Ok(())
    }
}
