//! Replays of finished games.

use std::fmt;
use std::str::FromStr;

use rules::kit::{Moment, Seat};
use serde::{Deserialize, Serialize};
use tempo::Tempo;

use crate::code::Code;
use crate::game::{Sight, View};
use crate::table::Table;

/// A finished game, frame by frame, as each viewer saw it and with all hands open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Which game at the table it was, the first one is 1.
    pub game: u32,
    /// The table as it was when the game was over.
    pub table: Table,
    /// The reader's seat; left out if the reader did not play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub you: Option<Seat>,
    /// The seed that all deals follow from, as hexadecimal digits; its SHA-256 hash is the table's
    /// commitment. Left out while other groups may still play the deal, or an encore can follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub seed: Option<String>,
    /// How the team kept time; `None` in Royale.
    pub tempo: Option<Tempo>,
    /// The deal, and then one for each move.
    pub frames: Vec<Frame>,
}

/// Another finished game with the same deal, for comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SameDealGame {
    /// Which game.
    pub game: GameId,
    /// Whether the reader may watch its replay.
    pub open: bool,
    /// The table as it was when the game was over.
    pub table: Table,
    /// The reader's seat; left out if the reader did not play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub you: Option<Seat>,
    /// The spectators' view at the end.
    pub end: View,
    /// How the team kept time; `None` in Royale.
    pub tempo: Option<Tempo>,
}

/// The state after a move, for every viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// When it happened, in microseconds since the game began.
    pub at: Moment,
    /// Whose move it was; `None` for the first deal.
    pub by: Option<Seat>,
    /// What each seat noticed and knew, seat A first.
    pub seats: Vec<FrameView>,
    /// What spectators noticed and knew.
    pub spectator: FrameView,
    /// What all seats knew together: every hand, every card laid face down, every secret.
    pub open: FrameView,
}

/// What a viewer noticed, and what they knew after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FrameView {
    /// What they noticed.
    pub sights: Vec<Sight>,
    /// What they knew.
    pub view: View,
}

/// Names a game by its table and its number there, as in `k3f9ab-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[serde(into = "String", try_from = "String")]
pub struct GameId {
    /// The table.
    pub table: Code,
    /// Which of its games, the first one is 1.
    pub game: u32,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-{}", self.table, self.game)
    }
}

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<Self, GameIdError> {
        let (table, game) = text.split_once('-').ok_or(GameIdError)?;
        let plain = game.bytes().all(|byte| byte.is_ascii_digit()) && !game.starts_with('0');
        match (table.parse(), game.parse()) {
            (Ok(table), Ok(game)) if plain => Ok(Self { table, game }),
            _ => Err(GameIdError),
        }
    }
}

crate::text_in_json!(GameId);

/// The error for a text that is not a game's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game is named by its table's code and its number there, as in k3f9ab-1")]
pub struct GameIdError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_read_back_as_they_were_written() {
        for text in ["k3f9ab-1", "222222-4294967295"] {
            assert_eq!(text.parse::<GameId>().map(|id| id.to_string()), Ok(text.to_owned()));
        }
        let typed = "K3F9AB-2".parse::<GameId>().map(|id| id.to_string());
        assert_eq!(typed, Ok("k3f9ab-2".to_owned()), "people type what stands on a screen");
    }

    #[test]
    fn other_texts_name_no_game() {
        for text in ["", "k3f9ab", "k3f9ab-", "k3f9ab-0", "k3f9ab-01", "k3f9ab-+1", "k3f9a-1"] {
            assert_eq!(text.parse::<GameId>(), Err(GameIdError), "{text:?}");
        }
        assert_eq!("k3f9ab-4294967296".parse::<GameId>(), Err(GameIdError));
    }
}
