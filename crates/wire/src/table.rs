//! A table as its people see it: who sits where, and what is going on around the game.

use rules::door::GameName;
use rules::kit::{Outcome, Preset, Seat, Seats};
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::game::Setup;
use crate::name::Name;
use crate::quality::{Pause, Quality};
use crate::replay::GameId;

/// Everything about a table but the game itself: the same for all who look at it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its code.
    pub code: Code,
    /// What is played.
    pub setup: Setup,
    /// Whether strangers find it in the list.
    pub public: bool,
    /// Who may start the game and change the seats; `None` while no person sits.
    pub host: Option<Seat>,
    /// Who sits where.
    pub chairs: Vec<Chair>,
    /// How many look on.
    pub watchers: u32,
    /// Before, in or after a game.
    pub stage: Stage,
    /// How many games were begun here.
    pub games: u32,
    /// Whether players may talk now.
    pub talk: bool,
    /// If the game that is on, is over or comes next has the deal of another one: which.
    pub deal: Option<Repeat>,
}

/// A deal that was played before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// The game that had it first.
    pub of: GameId,
    /// Who has seen it before: they played it, looked on, or watched it again.
    pub knows: Seats,
}

/// A chair and who sits in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Chair {
    /// Which one.
    pub seat: Seat,
    /// Who.
    pub sitter: Sitter,
}

/// Who sits in a chair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sitter {
    /// Nobody.
    Nobody,
    /// A person.
    Person {
        /// What they are called.
        name: Name,
        /// Whether they are connected.
        here: bool,
        /// Whether a machine plays for them until they are back.
        held: bool,
        /// Whether they have said that the next game may begin.
        ready: bool,
        /// What is measured of their connection; `None` while a level is played.
        quality: Option<Quality>,
        /// How many of their presses were claimed further back than their connection explains,
        /// and were corrected; 0 while a level is played.
        corrected: u32,
    },
    /// A machine.
    Bot(BotKind),
    /// A machine with the recorded tempo of somebody.
    Ghost {
        /// Whose.
        name: Name,
    },
}

/// The machine players that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BotKind {
    /// Does anything that is permitted.
    Random,
    /// Plays at a calm pace.
    Steady,
    /// Plays at a quick one.
    Hasty,
    /// Plays at a slow one, not too exactly.
    Dreamy,
    /// Finds the tempo of whoever it plays with.
    Kindred,
    /// Breaks codes as somebody does who overlooks things.
    Novice,
    /// Breaks codes by asking what tells most.
    Student,
    /// Breaks codes with the best rows there are.
    Master,
    /// The same, and hides the codes that take longest.
    Cunning,
}

impl BotKind {
    /// Who plays a game, the best partner first.
    pub fn of(game: GameName) -> &'static [Self] {
        match game {
            GameName::Mind | GameName::Extreme | GameName::Soulmates => {
                &[Self::Kindred, Self::Steady, Self::Hasty, Self::Dreamy, Self::Random]
            }
            GameName::Royale => {
                &[Self::Student, Self::Master, Self::Cunning, Self::Novice, Self::Random]
            }
        }
    }

    /// Who stands in for somebody who is gone.
    pub fn stand_in(game: GameName) -> Self {
        match game {
            GameName::Mind | GameName::Extreme | GameName::Soulmates => Self::Kindred,
            GameName::Royale => Self::Master,
        }
    }
}

/// Before, in or after a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Stage {
    /// People take their seats.
    Gathering,
    /// A game is on.
    Playing {
        /// Who should be there and is not: play waits for them.
        missing: Seats,
        /// Who agrees that machines hold the seats of the missing.
        hold: Seats,
        /// Who agrees to end the game.
        end: Seats,
        /// Why the level has paused by itself, and for whom; empty once it goes on.
        paused: Vec<Pause>,
    },
    /// The game is over.
    Over {
        /// How it ended; `None` if the players ended it early.
        outcome: Option<Outcome>,
    },
}

/// A whole set-up that goes by a name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Offered {
    /// The name.
    pub preset: Preset,
    /// What is played by it.
    pub setup: Setup,
}

impl Offered {
    /// Everything that is offered: every preset of every game for every number of players.
    pub fn all() -> impl Iterator<Item = Self> {
        let tables = GameName::ALL
            .iter()
            .flat_map(|game| (1..=Seat::MOST as u8).map(move |players| (*game, players)));
        tables.flat_map(|(game, players)| {
            Preset::ALL.iter().filter_map(move |preset| {
                let setup = Setup::of(game, players, *preset).ok()?;
                Some(Self { preset: *preset, setup })
            })
        })
    }
}

/// A line in the list of public tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// The table's code.
    pub code: Code,
    /// What is played.
    pub game: GameName,
    /// How many chairs are taken.
    pub taken: u8,
    /// How many there are.
    pub chairs: u8,
    /// Whether a game is on.
    pub playing: bool,
}
