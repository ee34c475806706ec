//! An index of the tables where a person has a seat in a running game.
//!
//! The index is in memory. Tables that are awake keep it up to date; those that slept when the
//! server started are read from the journal, the newest first, while the server answers already.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use journal::{Entry, Fault, Filter, Page};
use table::{PersonId, TableState, Unplayed};
use tracing::{info, warn};
use wire::{Code, Listing};

use crate::limits::lock;
use crate::tables::Shared;

/// How many sleeping tables are read after a start.
const READ_MOST: usize = 20_000;
/// How many notes are read at once.
const NOTES_AT_ONCE: usize = 200;

/// People and the tables where they have a seat.
#[derive(Default)]
pub(crate) struct SeatIndex(Mutex<Seats>);

#[derive(Default)]
struct Seats {
    /// The table that changed last comes last.
    tables_of: HashMap<PersonId, Vec<Code>>,
    people_at: HashMap<Code, Vec<PersonId>>,
}

impl SeatIndex {
    /// Sets the people who have a seat in the game at a table: none if no game is on.
    pub(crate) fn set(&self, code: Code, people: Vec<PersonId>) {
        lock(&self.0).set(code, people);
    }

    /// The same for a table from the journal, unless a running table has set it already.
    fn set_old(&self, code: Code, people: Vec<PersonId>) {
        let mut seats = lock(&self.0);
        if seats.people_at.contains_key(&code) {
            return;
        }
        for person in &people {
            // Tables are read newest first, so each is older than all in the list.
            seats.tables_of.entry(*person).or_default().insert(0, code);
        }
        if !people.is_empty() {
            seats.people_at.insert(code, people);
        }
    }

    /// Removes a person from a table.
    pub(crate) fn remove(&self, code: Code, person: PersonId) {
        let mut seats = lock(&self.0);
        let people = seats.people_at.get(&code).cloned().unwrap_or_default();
        seats.set(code, people.into_iter().filter(|other| *other != person).collect());
    }

    /// The tables where a person has a seat, the one that changed last first.
    pub(crate) fn tables_of(&self, person: PersonId, most: usize) -> Vec<Code> {
        let seats = lock(&self.0);
        let tables = seats.tables_of.get(&person).into_iter().flatten();
        tables.rev().take(most).copied().collect()
    }
}

impl Seats {
    fn set(&mut self, code: Code, people: Vec<PersonId>) {
        for person in self.people_at.remove(&code).unwrap_or_default() {
            if let Some(tables) = self.tables_of.get_mut(&person) {
                tables.retain(|table| *table != code);
                if tables.is_empty() {
                    self.tables_of.remove(&person);
                }
            }
        }
        for person in &people {
            self.tables_of.entry(*person).or_default().push(code);
        }
        if !people.is_empty() {
            self.people_at.insert(code, people);
        }
    }
}

/// The people who have a seat in the running game; none in a lesson, which is not continued.
pub(crate) fn people_in_game<E: table::Events>(state: &TableState<E>) -> Vec<PersonId> {
    if !state.is_playing() || state.is_lesson() {
        return Vec::new();
    }
    state.seating().people().map(|(_, person)| person).collect()
}

/// Adds the tables that slept when the server started. Runs in the background.
pub(crate) async fn read_sleeping(shared: Arc<Shared>) {
    match read_pages(&shared).await {
        Ok(tables) => info!(tables, "read the seats at sleeping tables"),
        Err(Fault::Closed) => {}
        Err(fault) => warn!(%fault, "the seats at sleeping tables could not be read"),
    }
}

async fn read_pages(shared: &Shared) -> Result<usize, Fault> {
    let filter = Filter { listed: None, ended: Some(false) };
    let mut page = Page::first(NOTES_AT_ONCE);
    let mut read = 0;
    loop {
        let started = Instant::now();
        let entries = shared.journal.list(filter, page).await?;
        for entry in &entries {
            read += usize::from(read_table(shared, entry).await?);
        }
        match entries.last() {
            Some(last) if read < READ_MOST => page = Page::after(last, NOTES_AT_ONCE),
            _ => return Ok(read),
        }
        // Rest for as long as the reading took, so that running tables get half of the time.
        tokio::time::sleep(started.elapsed()).await;
    }
}

/// Reads a table if its note says that a game is on; returns whether it did.
async fn read_table(shared: &Shared, Entry { key, note, .. }: &Entry) -> Result<bool, Fault> {
    let listing = serde_json::from_str::<Listing>(&note.text);
    let Ok(Listing { code, playing: true, .. }) = listing else { return Ok(false) };
    let lines = match shared.redacted.lines(key).await {
        Ok(lines) => lines,
        // The tables behind it are read all the same.
        Err(Fault::Damaged(_)) => return Ok(true),
        Err(fault) => return Err(fault),
    };
    match TableState::<Unplayed>::read(&lines) {
        Ok(Some(state)) => shared.seats.set_old(code, people_in_game(&state)),
        Ok(None) => {}
        Err(bad) => shared.damaged.add(code, bad),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(number: u8) -> PersonId {
        PersonId::from_hash([number; 32])
    }

    fn code(text: &str) -> Code {
        text.parse().unwrap()
    }

    #[test]
    fn the_table_that_changed_last_comes_first() {
        let index = SeatIndex::default();
        index.set(code("aaaaaa"), vec![person(1), person(2)]);
        index.set(code("bbbbbb"), vec![person(1)]);
        index.set_old(code("cccccc"), vec![person(1)]);
        let tables = ["bbbbbb", "aaaaaa", "cccccc"].map(code);
        assert_eq!(index.tables_of(person(1), 9), tables);
        assert_eq!(index.tables_of(person(1), 2), tables[..2]);
        assert_eq!(index.tables_of(person(2), 9), [code("aaaaaa")]);
        index.set(code("aaaaaa"), vec![person(1)]);
        assert_eq!(index.tables_of(person(1), 1), [code("aaaaaa")]);
        assert!(index.tables_of(person(2), 9).is_empty());
    }

    #[test]
    fn a_sleeping_table_does_not_replace_a_running_one() {
        let index = SeatIndex::default();
        index.set(code("aaaaaa"), vec![person(1)]);
        index.set_old(code("aaaaaa"), vec![person(2)]);
        assert!(index.tables_of(person(2), 9).is_empty());
        index.remove(code("aaaaaa"), person(1));
        assert!(index.tables_of(person(1), 9).is_empty());
    }
}
