//! What is kept of a table beside its journal: who watched its games, and the links to them.
//!
//! It is a log of its own in the same file, so that nobody who looks on holds up a move, and so
//! that a table's lines stay what its game is made of.

use std::collections::HashSet;
use std::sync::Arc;

use journal::{AppendError, Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use tracing::warn;
use wire::{Code, GameId};

use super::aside;
use table::{PersonId, hex, unhex};

/// One line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// Somebody looked on.
    Watched {
        /// At which of the table's games.
        game: u32,
        /// Who.
        by: PersonId,
    },
    /// Whoever has the key may watch the game again.
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

impl From<LinkKey> for String {
    fn from(key: LinkKey) -> Self {
        hex(&key.0)
    }
}

impl TryFrom<String> for LinkKey {
    type Error = table::NotHex;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        unhex(&text).map(Self)
    }
}

/// The albums of all tables.
#[derive(Clone)]
pub(crate) struct Album {
    journal: Arc<dyn Journal>,
}

impl Album {
    pub(crate) fn new(journal: Arc<dyn Journal>) -> Self {
        Self { journal }
    }

    /// Remembers who looks on at a game. It is queued at once and nobody waits for it.
    pub(crate) fn watched(&self, id: GameId, people: impl IntoIterator<Item = PersonId>) {
        let lines = people.into_iter().map(|by| Line::Watched { game: id.game, by });
        let lines = lines.map(|line| aside::written(&line)).collect::<Result<Vec<_>, _>>();
        let (key, lines) = match key(id.table).and_then(|key| Ok((key, lines?))) {
            Ok((_, lines)) if lines.is_empty() => return,
            Ok(both) => both,
            Err(error) => return warn!(game = %id, %error, "who looked on could not be kept"),
        };
        // Mostly it is the first line. If it is not, the refusal says how many there are.
        let first = self.journal.append(&key, 0, lines.clone(), None);
        let journal = self.journal.clone();
        tokio::spawn(async move {
            let mut kept = first.await;
            while let Err(AppendError::Conflict { found }) = kept {
                kept = journal.append(&key, found, lines.clone(), None).await;
            }
            if let Err(error) = kept {
                warn!(game = %id, %error, "who looked on could not be kept");
            }
        });
    }

    /// Whether somebody looked on at a game.
    pub(crate) async fn did_watch(&self, id: GameId, person: PersonId) -> Result<bool, Fault> {
        let seen = Line::Watched { game: id.game, by: person };
        Ok(self.lines(id.table).await?.contains(&seen))
    }

    /// Everybody who looked on at a game.
    pub(crate) async fn watchers(&self, id: GameId) -> Result<HashSet<PersonId>, Fault> {
        let lines = self.lines(id.table).await?;
        let watchers = lines.iter().filter_map(|line| match line {
            Line::Watched { game, by } if *game == id.game => Some(*by),
            Line::Watched { .. } | Line::Linked { .. } => None,
        });
        Ok(watchers.collect())
    }

    /// Whether this is the key of the link to a game.
    pub(crate) async fn opens(&self, id: GameId, key: LinkKey) -> Result<bool, Fault> {
        Ok(link(&self.lines(id.table).await?, id.game) == Some(key))
    }

    /// The link to a game, which is made if there is none.
    pub(crate) async fn link(&self, id: GameId, by: PersonId) -> Result<LinkKey, AppendError> {
        let fresh = LinkKey::fresh()?;
        let mut stands = fresh;
        let missing = |lines: &[Line]| match link(lines, id.game) {
            Some(key) => {
                stands = key;
                Vec::new()
            }
            None => vec![Line::Linked { game: id.game, key: fresh, by }],
        };
        aside::add(&*self.journal, &key(id.table)?, missing).await?;
        Ok(stands)
    }

    async fn lines(&self, table: Code) -> Result<Vec<Line>, Fault> {
        aside::lines(&*self.journal, &key(table)?).await
    }
}

/// The first link stands: whoever has it may keep it.
fn link(lines: &[Line], wanted: u32) -> Option<LinkKey> {
    lines.iter().find_map(|line| match line {
        Line::Linked { game, key, .. } if *game == wanted => Some(*key),
        Line::Linked { .. } | Line::Watched { .. } => None,
    })
}

fn key(table: Code) -> Result<Key, Fault> {
    aside::key(table, "album")
}
