//! By what a card is found on a shelf, and counted.

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
    /// How it ended for whoever has the shelf.
    Result(GameResult),
    /// It was won, and which game it was: both at once, to be counted.
    Won(GameName),
    /// How far it came.
    Level(GameName, u8),
    /// Which machine sat there.
    Bot(BotKind),
    /// Which people.
    Team(TeamId),
    /// Something can be said about how well clocks agreed.
    Synced,
}

impl Label {
    /// The label as the catalogue keeps it.
    pub(super) fn text(&self) -> Result<Box<str>, serde_json::Error> {
        Ok(serde_json::to_string(self)?.into())
    }

    /// The label that was kept; `None` for the one that all cards have.
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}
