//! The deal of the day.

use rules::door::GameName;
use rules::kit::Outcome;
use serde::{Deserialize, Serialize};

use crate::commitment::Commitment;
use crate::record::Progress;
use crate::replay::GameId;

/// The deals of the day, one for each game and number of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DailyDeals {
    /// The day by the server's clock, in UTC, as in `2026-11-18`.
    pub day: String,
    /// How many seconds are left of it.
    pub seconds_left: u32,
    /// The deals.
    pub deals: Vec<DailyDeal>,
    /// The deals of the day before, which are no longer secret.
    pub revealed: Vec<RevealedDeal>,
}

/// One of the deals of the day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DailyDeal {
    /// Which game.
    pub game: GameName,
    /// For how many players.
    pub players: u8,
    /// The commitment to its seed.
    pub commitment: Commitment,
    /// The commitment to the seed of the next day.
    pub tomorrow: Commitment,
    /// How many teams have played it.
    pub teams: u32,
    /// The reader's own game with it; `None` while they have finished none.
    pub played: Option<GameId>,
}

/// A deal of the day before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RevealedDeal {
    /// Which game.
    pub game: GameName,
    /// For how many players.
    pub players: u8,
    /// The commitment that was shown.
    pub commitment: Commitment,
    /// The seed, as hexadecimal digits: the commitment is their SHA-256 hash.
    pub seed: String,
    /// How many teams have played it.
    pub teams: u32,
}

/// How a team did with a deal of the day. Nothing tells how fast it was, or who was in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DailyTeam {
    /// Whether the reader was in it.
    pub you: bool,
    /// How many of its players were bots.
    pub bots: u8,
    /// How the game ended; `None` if its players ended it early.
    pub outcome: Option<Outcome>,
    /// How far it came.
    pub reached: Progress,
    /// How many mistakes were made; `None` in Royale, which has none.
    pub mistakes: Option<u16>,
}
