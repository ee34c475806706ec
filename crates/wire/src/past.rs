//! What the server keeps of somebody's past, as they are told of it.

use rules::door::GameName;
use rules::kit::{Outcome, Seat};
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::game::Setup;
use crate::name::Name;
use crate::replay::GameId;
use crate::table::BotKind;

/// Somebody whose tempo may be lent, as a player is told of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Lender {
    /// What they were called.
    pub name: Name,
    /// A game in which they played.
    pub game: GameId,
    /// Where they sat in it.
    pub seat: Seat,
}

/// What somebody lets others do with what is kept of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Whether others may play with a machine that keeps their recorded tempo.
    pub lends_tempo: bool,
}

/// All that somebody, or a team, has played, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlayRecord"))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Whose it is: one person, or everyone in the team.
    pub people: Vec<Companion>,
    /// How many games are over.
    pub games: u32,
    /// The same for each game that was played.
    pub tallies: Vec<Tally>,
    /// The machines that sat with them, the most frequent first.
    pub bots: Vec<Partner>,
    /// The teams that somebody played in, the most frequent first; none on the record of a team.
    pub teams: Vec<Team>,
    /// How well clocks agreed in the last games of timing, the oldest first.
    pub syncs: Vec<Synced>,
}

/// Somebody in a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Companion {
    /// Whoever asks.
    You,
    /// Somebody of that name.
    Named(Name),
    /// Somebody who asked to be forgotten.
    Someone,
    /// A machine.
    Bot(BotKind),
    /// A machine with the recorded tempo of somebody.
    Ghost,
    /// Nobody: the chair was empty when the game was over.
    Nobody,
}

/// How often a game was played, and how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Which game.
    pub game: GameName,
    /// How many were played.
    pub played: u32,
    /// How many were won, in Royale by whoever asks; `None` for Royale on the record of a team,
    /// which plays against itself.
    pub won: Option<u32>,
    /// The highest level that was reached; `None` in Royale.
    pub level: Option<u8>,
}

/// A machine that sat with somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Partner {
    /// Which.
    pub bot: BotKind,
    /// In how many games.
    pub games: u32,
}

/// The same people, in games together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// By what it is found.
    pub id: String,
    /// Who is in it.
    pub people: Vec<Companion>,
    /// In how many games.
    pub games: u32,
}

/// How well clocks agreed in a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Synced {
    /// The game's table.
    pub table: Code,
    /// Which of its games.
    pub number: u32,
    /// Which game it was.
    pub game: GameName,
    /// From 0 to 100, which is perfect step.
    pub score: f64,
}

/// Some games that are over, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The games.
    pub games: Vec<Played>,
    /// What to ask for to see those before them; `None` if there are no more.
    pub before: Option<u64>,
}

/// A game that is over, in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// The game's table.
    pub table: Code,
    /// Which of its games, the first one is 1.
    pub number: u32,
    /// What was played.
    pub setup: Setup,
    /// Who sat there, seat A first.
    pub chairs: Vec<Companion>,
    /// The people among them as a team.
    pub team: String,
    /// How it ended; `None` if the players ended it early.
    pub outcome: Option<Outcome>,
    /// What that was for whoever asks.
    pub result: GameResult,
    /// How far it came.
    pub reached: Reached,
    /// How well clocks agreed, from 0 to 100; `None` if there is too little to say.
    pub sync: Option<f64>,
    /// How many other teams' games had the same deal.
    pub same_deal: u32,
}

/// How a game ended for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// It was won.
    Won,
    /// It was lost.
    Lost,
    /// The players ended it early.
    Early,
}

/// How far a game came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Reached {
    /// In the games of timing.
    Level {
        /// The highest level that was played.
        level: u8,
        /// How many levels the game has.
        of: u8,
        /// How many levels were completed after it was won.
        beyond: u8,
        /// The lives that were left.
        lives: u8,
        /// The stars that were left; `None` in Soulmates, which has none.
        stars: Option<u8>,
    },
    /// In Royale: everyone's points, seat A first.
    Points(Vec<u8>),
}

/// The games of other teams that had the same deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SameDeal {
    /// Those that whoever asks may watch again.
    pub open: Vec<Played>,
    /// How many there are that they may not.
    pub closed: u32,
}
