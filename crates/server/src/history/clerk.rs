//! The clerk writes the cards: one task that looks which tables the catalogue has not seen.
//!
//! A game is over when its last line is durable; its card follows. If the server goes down in
//! between, the note of the table is newer than what the catalogue has, and the card is written
//! after the next start. So are those of tables that were imported, or stored before there was a
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
use crate::memory::{Memory, forget, people_in};
use crate::replay::Past;

/// How many tables are looked at before their cards are filed together.
const TABLES_AT_ONCE: usize = 32;
/// How long until what could not be filed is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// Tells the clerk that a game is over.
#[derive(Clone, Default)]
pub(crate) struct Bell(Arc<Notify>);

impl Bell {
    pub(crate) fn ring(&self) {
        self.0.notify_one();
    }
}

/// Writes the cards.
pub(crate) struct Clerk {
    pub(crate) memory: Memory,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) bell: Bell,
    pub(crate) background: Background,
}

impl Clerk {
    /// Works until the journal is closed.
    pub(crate) async fn run(self) {
        let mut begun = false;
        loop {
            let done = if begun { Ok(()) } else { self.catalogue.edition(EDITION).await };
            begun |= done.is_ok();
            let done = match done {
                Ok(()) => self.catch_up().await,
                Err(fault) => Err(fault),
            };
            match done {
                Ok(()) => self.bell.0.notified().await,
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
                // An old file takes a while, and reading and filing have the usual priority: half
                // of the time is left to those who play.
                tokio::time::sleep(started.elapsed()).await;
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
        let mut lines = self.memory.written(&key).await?;
        let read = self.background.run(move || {
            leave_out(&mut lines, last);
            (people_in(&lines), lines)
        });
        let (people, mut lines) = match read.await {
            Ok(read) => read,
            Err(not_done) => return Ok(left_out(table, &not_done)),
        };
        let forgotten = self.memory.forgotten(people).await?;
        let made = self.background.run(move || {
            forget(&mut lines, &forgotten).map_err(|fault| fault.to_string())?;
            let games = Past::all(&lines, table).map_err(|error| error.to_string())?;
            let new = games.iter().filter(|past| past.id.game > last);
            let cards = new.map(|past| card(past, key.clone())).collect::<Result<Vec<_>, NoCard>>();
            cards.map_err(|error| error.to_string())
        });
        Ok(match made.await {
            Ok(Ok(cards)) => cards,
            Ok(Err(error)) => left_out(table, &error),
            Err(not_done) => left_out(table, &not_done),
        })
    }
}

/// A table that cannot be read does not keep the others out of the record.
fn left_out(table: Code, error: &dyn Display) -> Vec<Card> {
    warn!(%table, %error, "the games of a table are left out of the record");
    Vec::new()
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
