//! Who may watch the replays of a table beside its players: the spectators of its games, and people
//! with the link to one.
//!
//! It is a log of its own in the same file, so that no move waits for a spectator's line and a
//! table's journal holds only its games.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use journal::{AppendError, Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use tracing::warn;
use wire::{Code, GameId};

use super::side_log;
use crate::limits::lock;
use table::PersonId;

/// One entry of the side log.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum LogEntry {
    /// A spectator watched a game.
    Watched {
        /// At which of the table's games.
        game: u32,
        /// Who.
        by: PersonId,
    },
    /// A person with the key may watch the game again.
    Linked {
        /// Which of the table's games.
        game: u32,
        /// The key.
        key: LinkKey,
        /// Who made the link.
        by: PersonId,
    },
}

/// The 128 random bits of a link. It opens one game and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct LinkKey([u8; 16]);

impl LinkKey {
    fn fresh() -> Result<Self, Fault> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| Fault::Disk(e.to_string()))?;
        Ok(Self(bytes))
    }
}

wire::hex_in_json!(LinkKey);

/// The access logs of all tables.
#[derive(Clone)]
pub(crate) struct ReplayAccess {
    journal: Arc<dyn Journal>,
    /// Who looked on and is just being written: they may ask before it is durable.
    writing: Arc<Mutex<HashSet<(GameId, PersonId)>>>,
}

impl ReplayAccess {
    pub(crate) fn new(journal: Arc<dyn Journal>) -> Self {
        Self { journal, writing: Arc::default() }
    }

    /// Remembers the spectators of a game, in the background.
    pub(crate) fn watched(&self, id: GameId, people: impl IntoIterator<Item = PersonId>) {
        let people = people.into_iter().map(|person| (id, person)).collect::<Vec<_>>();
        let lines = people.iter().map(|(_, by)| LogEntry::Watched { game: id.game, by: *by });
        let lines = lines.map(|line| side_log::written(&line)).collect::<Result<Vec<_>, _>>();
        let (key, lines) = match key(id.table).and_then(|key| Ok((key, lines?))) {
            Ok((_, lines)) if lines.is_empty() => return,
            Ok(both) => both,
            Err(error) => {
                return warn!(game = %id, %error, "the spectators of a game could not be stored");
            }
        };
        // Mostly it is the first line. If it is not, the refusal says how many there are.
        let first = self.journal.append(&key, 0, lines.clone(), None);
        lock(&self.writing).extend(people.iter().copied());
        let (journal, writing) = (self.journal.clone(), self.writing.clone());
        tokio::spawn(async move {
            let mut kept = first.await;
            while let Err(AppendError::Conflict { found }) = kept {
                kept = journal.append(&key, found, lines.clone(), None).await;
            }
            if let Err(error) = kept {
                warn!(game = %id, %error, "the spectators of a game could not be stored");
            }
            let mut writing = lock(&writing);
            for watched in &people {
                writing.remove(watched);
            }
        });
    }

    /// Whether a person was a spectator of a game.
    pub(crate) async fn did_watch(&self, id: GameId, person: PersonId) -> Result<bool, Fault> {
        if lock(&self.writing).contains(&(id, person)) {
            return Ok(true);
        }
        let seen = LogEntry::Watched { game: id.game, by: person };
        Ok(self.lines(id.table).await?.contains(&seen))
    }

    /// Whether a person watched any game of a table.
    pub(crate) async fn did_watch_any(&self, table: Code, who: PersonId) -> Result<bool, Fault> {
        let lines = self.lines(table).await?;
        Ok(lines.iter().any(|line| matches!(line, LogEntry::Watched { by, .. } if *by == who)))
    }

    /// The spectators of a game.
    pub(crate) async fn spectators(&self, id: GameId) -> Result<HashSet<PersonId>, Fault> {
        let lines = self.lines(id.table).await?;
        let spectators = lines.iter().filter_map(|line| match line {
            LogEntry::Watched { game, by } if *game == id.game => Some(*by),
            LogEntry::Watched { .. } | LogEntry::Linked { .. } => None,
        });
        Ok(spectators.collect())
    }

    /// Whether this is the key of the link to a game.
    pub(crate) async fn opens(&self, id: GameId, key: LinkKey) -> Result<bool, Fault> {
        Ok(link(&self.lines(id.table).await?, id.game) == Some(key))
    }

    /// The link to a game, which is made if there is none.
    pub(crate) async fn link(&self, id: GameId, by: PersonId) -> Result<LinkKey, AppendError> {
        let fresh = LinkKey::fresh()?;
        let mut stands = fresh;
        let missing = |lines: &[LogEntry]| match link(lines, id.game) {
            Some(key) => {
                stands = key;
                Vec::new()
            }
            None => vec![LogEntry::Linked { game: id.game, key: fresh, by }],
        };
        side_log::add(&*self.journal, &key(id.table)?, missing).await?;
        Ok(stands)
    }

    async fn lines(&self, table: Code) -> Result<Vec<LogEntry>, Fault> {
        side_log::lines(&*self.journal, &key(table)?).await
    }
}

/// The first link stands: people who have it keep it.
fn link(lines: &[LogEntry], wanted: u32) -> Option<LinkKey> {
    lines.iter().find_map(|line| match line {
        LogEntry::Linked { game, key, .. } if *game == wanted => Some(*key),
        LogEntry::Linked { .. } | LogEntry::Watched { .. } => None,
    })
}

/// The key of the log of a table's spectators and links.
pub(crate) fn key(table: Code) -> Result<Key, Fault> {
    side_log::key(table, "album")
}
