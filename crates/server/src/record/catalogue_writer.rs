//! Writes the cards of games that are over: one task that looks for tables whose notes are newer
//! than the catalogue.
//!
//! A game is over when its last line is durable; its card follows. If the server goes down in
//! between, the note of the table is newer than the catalogue, and the card is written after the
//! next start. So are the cards of tables that were imported, or stored before there was a
//! catalogue.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use journal::{Behind, Card, Catalogue, Fault};
use table::Entry;
use tokio::sync::Notify;
use tracing::{info, warn};
use wire::Code;

use super::card::{EDITION, NoCard, card};
use crate::background::Background;
use crate::damage::DamagedTables;
use crate::redaction::{RedactedJournal, forget, people_in};
use crate::replay::{FinishedGame, Purpose};

/// How many tables are looked at before their cards are filed together.
const TABLES_AT_ONCE: usize = 32;
/// The least time from the start of one pass to the start of the next: games that end meanwhile
/// are filed together, so that a table with several of them is read once.
const GATHER: Duration = Duration::from_secs(1);
/// How long until what could not be filed is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// For each part of the time that a full batch takes, this many parts are left to games that are
/// on: its tables are read and its cards filed at the usual priority.
const REST: u32 = 4;

/// Wakes the writer of the catalogue when a game is over.
#[derive(Clone, Default)]
pub(crate) struct GameOverSignal(Arc<Notify>);

impl GameOverSignal {
    /// A game is over.
    pub(crate) fn give(&self) {
        self.0.notify_one();
    }
}

/// The task that writes the cards.
pub(crate) struct CatalogueWriter {
    pub(crate) redacted: RedactedJournal,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) game_over: GameOverSignal,
    pub(crate) damaged: Arc<DamagedTables>,
    pub(crate) background: Background,
}

impl CatalogueWriter {
    /// Works until the journal is closed.
    pub(crate) async fn run(self) {
        let mut begun = false;
        loop {
            let next_pass = tokio::time::Instant::now() + GATHER;
            let done = if begun { Ok(()) } else { self.catalogue.edition(EDITION).await };
            begun |= done.is_ok();
            let done = match done {
                Ok(()) => self.catch_up().await,
                Err(fault) => Err(fault),
            };
            match done {
                Ok(()) => {
                    self.game_over.0.notified().await;
                    tokio::time::sleep_until(next_pass).await;
                }
                Err(Fault::Closed) => return,
                Err(fault) => {
                    warn!(%fault, "the record of games could not be brought up to date");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    async fn catch_up(&self) -> Result<(), Fault> {
        let mut filed = 0;
        loop {
            let started = Instant::now();
            let behind = self.catalogue.behind(TABLES_AT_ONCE).await?;
            let Some(last) = behind.last() else { break };
            let (turn, seen) = (last.turn, behind.len());
            let mut cards = Vec::new();
            for table in behind {
                cards.extend(self.cards(table).await?);
            }
            filed += cards.len();
            let many = seen == TABLES_AT_ONCE;
            self.catalogue.file(cards, turn).await?;
            if many {
                tokio::time::sleep(started.elapsed() * REST).await;
            }
        }
        if filed > TABLES_AT_ONCE {
            info!(games = filed, "the record of games is up to date");
        }
        Ok(())
    }

    /// The cards of all games of a table that are over and have none.
    async fn cards(&self, Behind { key, last, .. }: Behind) -> Result<Vec<Card>, Fault> {
        let Ok(table) = key.as_str().parse::<Code>() else { return Ok(Vec::new()) };
        let mut lines = match self.redacted.written(&key).await {
            Ok(lines) => lines,
            // It stays damaged however often it is read, and the others wait behind it.
            Err(Fault::Damaged(_)) => return Ok(Vec::new()),
            Err(fault) => return Err(fault),
        };
        let read = self.background.run(move || {
            // A game that went on after its card was written has a newer one.
            let resumed = was_resumed(&lines, last).then_some(last);
            leave_out(&mut lines, if resumed.is_some() { last - 1 } else { last });
            (people_in(&lines), lines, resumed)
        });
        let (people, mut lines, resumed) = match read.await {
            Ok(read) => read,
            Err(not_done) => return Ok(self.left_out(table, &not_done)),
        };
        let forgotten = self.redacted.forgotten(people).await?;
        let made = self.background.run(move || {
            forget(&mut lines, &forgotten).map_err(|fault| fault.to_string())?;
            let games = FinishedGame::all(&lines, table).map_err(|error| error.to_string())?;
            let new =
                games.iter().filter(|past| past.id.game > last || resumed == Some(past.id.game));
            let cards = new
                .filter(|past| past.purpose == Purpose::Itself)
                .map(|past| card(past, key.clone()))
                .collect::<Result<Vec<_>, NoCard>>();
            cards.map_err(|error| error.to_string())
        });
        Ok(match made.await {
            Ok(Ok(cards)) => cards,
            Ok(Err(error)) => self.left_out(table, &error),
            Err(not_done) => self.left_out(table, &not_done),
        })
    }

    /// A table that cannot be read does not keep the others out of the record. It is read again when
    /// its note changes.
    fn left_out(&self, table: Code, error: &dyn Display) -> Vec<Card> {
        self.damaged.add(table, error);
        Vec::new()
    }
}

/// Whether a game was resumed after its end.
fn was_resumed(lines: &[Box<str>], game: u32) -> bool {
    let mut begun = 0;
    lines.iter().any(|line| match Entry::read(line) {
        Ok(Entry::Started { .. }) => {
            begun += 1;
            false
        }
        Ok(Entry::Resumed) => begun == game,
        Ok(_) | Err(_) => false,
    })
}

/// Leaves out what happened in the games up to this one. A table where many games were played has
/// thousands of such lines, and none of them is needed for the next card.
fn leave_out(lines: &mut Vec<Box<str>>, last: u32) {
    let mut begun = 0;
    lines.retain(|line| match Entry::read(line) {
        Ok(Entry::Started { .. }) => {
            begun += 1;
            true
        }
        Ok(Entry::Event(_)) => begun > last,
        // A line that cannot be read stays for the fold, which reports it.
        Ok(_) | Err(_) => true,
    });
}
