//! The catalogue in SQLite: derived from the lines, written by the same thread.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::database::Trouble;
use super::readers::whole;
use crate::{Behind, Card, Collection, Filed, Hash, Labels, PAGE_MOST, Search};

/// Starts over if the cards are of another edition.
pub(super) fn begin(connection: &Connection, edition: u32) -> Result<(), Trouble> {
    let kept: u32 = connection.query_one("SELECT edition FROM catalogue", [], |row| row.get(0))?;
    if kept != edition {
        connection.execute_batch("DELETE FROM names; DELETE FROM shelved; DELETE FROM cards")?;
        connection.execute("UPDATE catalogue SET turn = 0, edition = ?1", (edition,))?;
    }
    Ok(())
}

/// Adds cards. A card that is there already keeps its place in the order, and what it says is
/// replaced if that has changed.
pub(super) fn add<'a>(
    connection: &Connection,
    cards: impl IntoIterator<Item = &'a Card>,
) -> Result<(), Trouble> {
    cards.into_iter().try_for_each(|card| add_one(connection, card))
}

/// The catalogue has everything up to this turn of the notes.
pub(super) fn reach(connection: &Connection, turn: u64) -> Result<(), Trouble> {
    connection
        .prepare_cached("UPDATE catalogue SET turn = max(turn, ?1)")?
        .execute((whole(turn),))?;
    Ok(())
}

fn add_one(connection: &Connection, card: &Card) -> Result<(), Trouble> {
    let sql = "INSERT OR IGNORE INTO cards (table_id, number, text)
        SELECT id, ?2, ?3 FROM tables WHERE key = ?1";
    let added =
        connection.prepare_cached(sql)?.execute((card.key.as_str(), card.number, &card.text))?;
    let id =
        if added == 0 { replace(connection, card)? } else { Some(connection.last_insert_rowid()) };
    let Some(id) = id else { return Ok(()) };
    let mut find = connection.prepare_cached("SELECT 1 FROM forgotten WHERE hash = ?1")?;
    let sql = "INSERT OR IGNORE INTO shelved (shelf, label, card_id) VALUES (?1, ?2, ?3)";
    let mut shelve = connection.prepare_cached(sql)?;
    for (collection, labels) in &card.places {
        if find.exists((collection,))? {
            continue;
        }
        for label in labels.iter().map(AsRef::as_ref).chain([""]) {
            shelve.execute((collection, label, id))?;
        }
    }
    let sql = "INSERT OR IGNORE INTO names (card_id, hash, name, folded) VALUES (?1, ?2, ?3, ?4)";
    let mut call = connection.prepare_cached(sql)?;
    for (hash, name) in &card.names {
        if find.exists((hash,))? {
            continue;
        }
        call.execute((id, hash, name, name.to_lowercase()))?;
    }
    Ok(())
}

/// Replaces the text of a card that is there, and takes it out of the collections that it is to be
/// added to. Its number; `None` if it says the same already or its table is unknown.
fn replace(connection: &Connection, card: &Card) -> Result<Option<i64>, Trouble> {
    let sql = "UPDATE cards SET text = ?3
        WHERE table_id = (SELECT id FROM tables WHERE key = ?1) AND number = ?2 AND text <> ?3
        RETURNING id";
    let mut update = connection.prepare_cached(sql)?;
    let values = (card.key.as_str(), card.number, &card.text);
    let Some(id) = update.query_row(values, |row| row.get::<_, i64>(0)).optional()? else {
        return Ok(None);
    };
    let sql = "DELETE FROM shelved WHERE shelf = ?1 AND card_id = ?2";
    let mut take = connection.prepare_cached(sql)?;
    for (collection, _) in &card.places {
        take.execute((collection, id))?;
    }
    connection.prepare_cached("DELETE FROM names WHERE card_id = ?1")?.execute((id,))?;
    Ok(Some(id))
}

/// Removes a person's collection and names. Their cards stay in the collections of the other
/// players.
pub(super) fn forget(connection: &Connection, hash: &Hash) -> Result<(), Trouble> {
    for sql in [
        "DELETE FROM people WHERE hash = ?1",
        "INSERT OR IGNORE INTO forgotten (hash) VALUES (?1)",
        "DELETE FROM names WHERE hash = ?1
            AND card_id IN (SELECT card_id FROM shelved WHERE shelf = ?1 AND label = '')",
        "DELETE FROM shelved WHERE shelf = ?1",
    ] {
        connection.prepare_cached(sql)?.execute((hash,))?;
    }
    Ok(())
}

pub(super) const BEHIND: &str = "SELECT turn, key,
    coalesce((SELECT max(number) FROM cards WHERE cards.table_id = notes.table_id), 0)
    FROM notes JOIN tables ON tables.id = notes.table_id
    WHERE turn > (SELECT turn FROM catalogue) ORDER BY turn LIMIT ?1";

pub(super) fn behind(connection: &Connection, most: usize) -> Result<Vec<Behind>, Trouble> {
    let mut statement = connection.prepare_cached(BEHIND)?;
    let rows = statement.query_map((most.min(PAGE_MOST) as u32,), |row| {
        let turn = row.get::<_, i64>(0)?.unsigned_abs();
        Ok(Behind { turn, key: row.get(1)?, last: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) const LABELS: &str =
    "SELECT label, count(*) FROM shelved WHERE shelf = ?1 GROUP BY label";

pub(super) fn labels(connection: &Connection, collection: &Collection) -> Result<Labels, Trouble> {
    let mut statement = connection.prepare_cached(LABELS)?;
    let rows = statement
        .query_map((collection,), |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) const NAMES: &str = "SELECT hash, name FROM names WHERE card_id = ?1 ORDER BY hash";

pub(super) const COUNT: &str = "SELECT count(*) FROM shelved WHERE shelf = ?1 AND label = ?2";

pub(super) fn find(connection: &mut Connection, mut search: Search) -> Result<Vec<Filed>, Trouble> {
    // One transaction: a person deleted between two reads must not leave a name in the answer.
    let moment = connection.transaction()?;
    if search.labels.len() > 1 {
        let mut count = moment.prepare_cached(COUNT)?;
        let mut counted = Vec::new();
        for label in search.labels {
            let cards: i64 = count.query_one((&search.collection, &label), |row| row.get(0))?;
            counted.push((cards, label));
        }
        counted.sort_unstable();
        search.labels = counted.into_iter().map(|(_, label)| label).collect();
    }
    let (sql, values) = question(&search);
    let mut statement = moment.prepare_cached(&sql)?;
    let mut names = moment.prepare_cached(NAMES)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get::<_, i64>(0)?;
        let called = names.query_map((id,), |row| Ok((row.get(0)?, row.get(1)?)))?;
        found.push(Filed {
            turn: id.unsigned_abs(),
            key: row.get(1)?,
            number: row.get(2)?,
            text: row.get(3)?,
            names: called.collect::<Result<_, _>>()?,
        });
    }
    Ok(found)
}

/// The SQL of a search. The first label, which should be the rarest, selects the rows; the others
/// filter them.
pub(super) fn question(search: &Search) -> (String, Vec<Value>) {
    let Search { collection, labels, name, page } = search;
    let mut labels = labels.iter().map(|label| Value::Text(label.to_string()));
    let first = labels.next().unwrap_or(Value::Text(String::new()));
    let before = page.before.map_or(i64::MAX, whole);
    let most = whole(page.most.min(PAGE_MOST) as u64);
    let mut values = vec![Value::Blob(collection.to_vec()), first, Value::Integer(before)];
    let mut only = String::new();
    // A name filters more than any label, so it is tested first.
    if let Some((part, but)) = name {
        values.extend([Value::Blob(but.to_vec()), Value::Text(part.to_lowercase())]);
        only += OTHER_NAME;
    }
    for label in labels {
        values.push(label);
        only += OTHER_LABEL;
    }
    let sql = format!(
        "SELECT cards.id, tables.key, cards.number, cards.text
        FROM shelved CROSS JOIN cards ON cards.id = shelved.card_id
        CROSS JOIN tables ON tables.id = cards.table_id
        WHERE shelf = ?1 AND label = ?2 AND card_id < ?3 {only}
        ORDER BY card_id DESC LIMIT ?"
    );
    values.push(Value::Integer(most));
    (sql, values)
}

/// The conditions for a further label and for a name. A question mark without a number stands for
/// the next value in order.
const OTHER_LABEL: &str = " AND EXISTS (SELECT 1 FROM shelved AS other
    WHERE other.shelf = ?1 AND other.label = ? AND other.card_id = shelved.card_id)";
const OTHER_NAME: &str = " AND EXISTS (SELECT 1 FROM names
    WHERE names.card_id = shelved.card_id AND hash <> ? AND instr(folded, ?))";
