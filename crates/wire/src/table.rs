//! A table as clients see it: the seats and everything around the game.

use rules::door::GameName;
use rules::kit::{Outcome, Preset, Seat, Seats};
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::commitment::Commitment;
use crate::game::Setup;
use crate::mark::Mark;
use crate::name::Name;
use crate::quality::{Pause, Quality};
use crate::record::Participant;
use crate::replay::GameId;
use crate::study::StudyTable;

/// Everything about a table but the game itself: the same for every viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its code.
    pub code: Code,
    /// What is played.
    pub setup: Setup,
    /// Whether the table is in the list of public tables.
    pub public: bool,
    /// Who may start the game and change the seats; `None` while no person sits.
    pub host: Option<Seat>,
    /// Who sits where.
    pub chairs: Vec<Chair>,
    /// How many spectators there are.
    pub spectator_count: u32,
    /// The spectators, as many as are named.
    pub spectators: Vec<Spectator>,
    /// Who may come in.
    pub admission: Admission,
    /// Before, in or after a game.
    pub stage: Stage,
    /// How many games were begun here.
    pub games: u32,
    /// Whether players may talk now.
    pub talk: bool,
    /// The deal of the current, last or next game, if other groups play it, too; `None` for a
    /// fresh deal.
    pub deal: Option<RepeatedDeal>,
    /// The commitment to the deals of the game that is on or over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub commitment: Option<Commitment>,
    /// What a table for strangers has agreed on; left out at other tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub strangers: Option<Strangers>,
    /// What the study wants of its table; left out at other tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub study: Option<StudyTable>,
}

/// What people who found each other by a search have agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Strangers {
    /// The seats of players who agree to chat.
    pub agreed: Seats,
    /// Whether all have agreed, so that the chat is open between levels.
    pub chat: bool,
    /// The seats of bots that a person may take over now.
    pub free: Seats,
}

/// A person at the table without a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Spectator {
    /// By what the host names them.
    pub number: u32,
    /// What they are called.
    pub name: Name,
    /// Whether their chat is kept back.
    pub muted: bool,
}

/// What the host has decided about who may come in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// Whether only people who were there already may come in.
    pub locked: bool,
    /// Whether the lobby and the big screen hide the code.
    pub hides_code: bool,
    /// Whether there are no spectators.
    pub players_only: bool,
    /// Who was removed and may not come in.
    pub removed: Vec<Removed>,
}

/// A person whom the host removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// By what the host names them.
    pub number: u32,
    /// What they were called.
    pub name: Name,
}

/// A deal that other groups play, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RepeatedDeal {
    /// The game that had it first; `None` for a fixed deal, which every group with this set-up
    /// gets, and for the deal of the day.
    pub of: Option<GameId>,
    /// Whether it is the deal of the day, which is played once.
    pub daily: bool,
    /// The seats of players who played or watched the deal before.
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
    /// The seat is empty.
    Empty,
    /// A person.
    Person {
        /// The person's name.
        name: Name,
        /// The mark they are known by.
        mark: Mark,
        /// Whether they are connected.
        here: bool,
        /// Whether a bot plays for them until they are back.
        held: bool,
        /// Whether they have said that the next game may begin.
        ready: bool,
        /// Whether another player here has a name that looks like theirs.
        alike: bool,
        /// What is measured of their connection; `None` while a level is played.
        quality: Option<Quality>,
        /// Whether they need a moment more than others. Why is theirs alone.
        unhurried: bool,
    },
    /// A bot.
    Bot(BotKind),
    /// A bot with a person's recorded tempo.
    Ghost {
        /// The person's name.
        name: Name,
    },
}

/// The kinds of bots.
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
    /// Finds the tempo of the people it plays with.
    Kindred,
    /// Breaks codes, and overlooks some of what the pegs say.
    Novice,
    /// Breaks codes with the most informative row.
    Student,
    /// Breaks codes with the best rows.
    Master,
    /// The same, and hides the codes that take longest.
    Cunning,
}

impl BotKind {
    /// The bots that play a game, the best partner for a beginner first.
    pub fn of(game: GameName) -> &'static [Self] {
        rules::with_name!(game, G => <G as crate::WireGame>::BOTS)
    }

    /// The bot that plays for a person who is gone.
    pub fn stand_in(game: GameName) -> Self {
        rules::with_name!(game, G => <G as crate::WireGame>::STAND_IN)
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
        /// The seats of disconnected players, for whom play waits.
        missing: Seats,
        /// The seats that agree to bots for the missing players.
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

/// A set-up with its preset's name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NamedSetup {
    /// The preset.
    pub preset: Preset,
    /// The set-up.
    pub setup: Setup,
}

/// Whether a set-up can be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum CheckedSetup {
    /// It can.
    Playable {
        /// The set-up as the server has read it.
        setup: Setup,
        /// Its level table row by row in the game's notation; `None` for games without one.
        table: Option<String>,
    },
    /// It cannot.
    Impossible {
        /// The sentence that says why, for people.
        text: String,
    },
}

impl NamedSetup {
    /// Every preset of every game for every number of players.
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

/// A table with a game on at which the player who asks has a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeatedTable {
    /// The table's code.
    pub code: Code,
    /// What is played.
    pub game: GameName,
    /// The level or round that the game is in.
    pub chapter: u8,
    /// Who sits where, seat A first.
    pub chairs: Vec<SeatedChair>,
}

/// A chair of such a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeatedChair {
    /// Who sits there.
    pub who: Participant,
    /// Whether they are at the table now. A bot always is.
    pub here: bool,
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
