//! The record of a person or a team: their finished games, as the server shows it to them.

use rules::door::GameName;
use rules::kit::{Outcome, Seat};
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::game::Setup;
use crate::mark::Mark;
use crate::name::Name;
use crate::replay::GameId;
use crate::table::BotKind;

/// A person who lends their recorded tempo, as a player sees them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Lender {
    /// The person's name in that game.
    pub name: Name,
    /// A game in which they played.
    pub game: GameId,
    /// The person's seat in it.
    pub seat: Seat,
}

/// What a person allows others to do with their stored data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Whether others may play with a bot that has the person's recorded tempo.
    pub lends_tempo: bool,
}

/// The finished games of a person or a team, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlayRecord"))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The person, or the people of the team.
    pub people: Vec<Participant>,
    /// How many games were finished.
    pub games: u32,
    /// The same for each game that was played.
    pub tallies: Vec<Tally>,
    /// The bots that played with them, the most frequent first.
    pub bots: Vec<BotGames>,
    /// The teams of the person, the most frequent first; empty on the record of a team.
    pub teams: Vec<Team>,
    /// How closely the teams kept time in the last Mind games, the oldest first.
    pub syncs: Vec<SyncScore>,
}

/// Who was in a seat of a finished game, as the record shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Participant {
    /// The person who reads the record.
    You,
    /// A person.
    Named {
        /// What they were called in that game.
        name: Name,
        /// The mark they are known by.
        mark: Mark,
    },
    /// A person who was deleted.
    Someone,
    /// A bot.
    Bot(BotKind),
    /// A bot with a person's recorded tempo.
    Ghost,
    /// The seat was empty when the game ended.
    Empty,
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
    /// How many were won, in Royale by the reader; `None` for Royale on the record of a team,
    /// whose members play against each other.
    pub won: Option<u32>,
    /// The highest level that was reached; `None` in Royale.
    pub level: Option<u8>,
}

/// How often a bot played with a person or a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BotGames {
    /// The bot.
    pub bot: BotKind,
    /// In how many games.
    pub games: u32,
}

/// A set of people who played together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// The team's id in addresses.
    pub id: String,
    /// Its people.
    pub people: Vec<Participant>,
    /// In how many games.
    pub games: u32,
}

/// How closely a team kept the same time in a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SyncScore {
    /// The game's table.
    pub table: Code,
    /// Which of its games.
    pub number: u32,
    /// Which game it was.
    pub game: GameName,
    /// From 0 to 100; 100 is perfect.
    pub score: f64,
}

/// A page of finished games, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The games.
    pub games: Vec<GameSummary>,
    /// The cursor of the next page; `None` on the last one.
    pub before: Option<u64>,
}

/// A finished game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameSummary {
    /// The game's table.
    pub table: Code,
    /// Which of its games, the first one is 1.
    pub number: u32,
    /// What was played.
    pub setup: Setup,
    /// The players, seat A first.
    pub chairs: Vec<Participant>,
    /// The id of the team.
    pub team: String,
    /// How it ended; `None` if the players ended it early.
    pub outcome: Option<Outcome>,
    /// How it ended for the reader.
    pub result: GameResult,
    /// How far the game went.
    pub reached: Progress,
    /// How closely the team kept time, from 0 to 100; `None` if there were too few plays.
    pub sync: Option<f64>,
    /// How many other teams' games had the same deal.
    pub same_deal: u32,
}

/// How a game ended for a person.
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

/// How far a game went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Progress {
    /// In the Mind games.
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
    /// The games that the reader may watch.
    pub open: Vec<GameSummary>,
    /// How many games the reader may not watch.
    pub closed: u32,
}
