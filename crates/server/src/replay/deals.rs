//! Who has seen a deal, and at which tables it was played again: a log for each game whose deal
//! somebody repeats or has seen by a link, beside the journal of its table.

use std::collections::HashSet;
use std::sync::Arc;

use journal::{AppendError, Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use tracing::warn;
use wire::{Code, GameId};

use super::album::Album;
use super::aside;
use table::PersonId;

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// A table was opened for the deal.
    Repeated {
        /// Which.
        table: Code,
    },
    /// Somebody has seen it.
    Seen {
        /// Who.
        by: PersonId,
    },
}

/// The deals of all games.
#[derive(Clone)]
pub(crate) struct Deals {
    journal: Arc<dyn Journal>,
    album: Album,
}

impl Deals {
    pub(crate) fn new(journal: Arc<dyn Journal>, album: Album) -> Self {
        Self { journal, album }
    }

    /// A table was opened for the deal of a game, which these people played.
    pub(crate) async fn repeated(
        &self,
        of: GameId,
        table: Code,
        players: impl IntoIterator<Item = PersonId>,
    ) -> Result<(), AppendError> {
        let seen = players.into_iter().map(|by| Line::Seen { by });
        self.add(of, seen.chain([Line::Repeated { table }]).collect()).await
    }

    /// Remembers who has seen a deal. Nobody waits for it.
    pub(crate) fn seen(&self, of: GameId, people: impl IntoIterator<Item = PersonId>) {
        let lines = people.into_iter().map(|by| Line::Seen { by }).collect::<Vec<_>>();
        let deals = self.clone();
        tokio::spawn(async move {
            if let Err(error) = deals.add(of, lines).await {
                warn!(game = %of, %error, "who has seen a deal could not be kept");
            }
        });
    }

    /// Everybody who has seen the deal of a game.
    pub(crate) async fn knowing(&self, of: GameId) -> Result<HashSet<PersonId>, Fault> {
        let mut people = self.album.watchers(of).await?;
        people.extend(self.lines(of).await?.iter().filter_map(|line| match line {
            Line::Seen { by } => Some(*by),
            Line::Repeated { .. } => None,
        }));
        Ok(people)
    }

    /// The tables that were opened for the deal of a game, the newest first.
    pub(crate) async fn tables(&self, of: GameId) -> Result<Vec<Code>, Fault> {
        let lines = self.lines(of).await?;
        let tables = lines.iter().rev().filter_map(|line| match line {
            Line::Repeated { table } => Some(*table),
            Line::Seen { .. } => None,
        });
        Ok(tables.collect())
    }

    /// Adds what does not stand there yet.
    async fn add(&self, of: GameId, mut lines: Vec<Line>) -> Result<(), AppendError> {
        let missing = |known: &[Line]| {
            lines.retain(|line| !known.contains(line));
            lines.clone()
        };
        aside::add(&*self.journal, &key(of)?, missing).await
    }

    async fn lines(&self, of: GameId) -> Result<Vec<Line>, Fault> {
        aside::lines(&*self.journal, &key(of)?).await
    }
}

fn key(of: GameId) -> Result<Key, Fault> {
    aside::key(of.table, &format!("deal{}", of.game))
}
