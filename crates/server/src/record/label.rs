//! The labels by which a card is found in a collection, and counted.

use rules::door::GameName;
use serde::{Deserialize, Serialize};
use wire::{BotKind, GameResult};

use super::team::TeamId;

/// A label of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Label {
    /// Which game it was.
    Game(GameName),
    /// How it ended for the person or team of the collection.
    Result(GameResult),
    /// A win in this game: one label for both, so that it can be counted.
    Won(GameName),
    /// The level that was reached.
    Level(GameName, u8),
    /// Which bot sat there.
    Bot(BotKind),
    /// Which people.
    Team(TeamId),
    /// It was the deal of the day.
    Daily,
    /// The game has a score of how well the team kept time.
    Synced,
}

impl Label {
    /// The label as the catalogue stores it.
    pub(super) fn text(&self) -> Result<Box<str>, serde_json::Error> {
        Ok(serde_json::to_string(self)?.into())
    }

    /// Reads a stored label; `None` for the empty one that all cards have.
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}
