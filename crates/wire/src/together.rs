//! Looking together at a game that is over: one leads, the others follow, and all may talk.

use rules::kit::{Moment, Seat};
use serde::{Deserialize, Serialize};

use crate::name::Name;

/// Somebody who looks at a game that is over: one page, told apart by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The number, which nobody else in the audience has.
    pub number: u32,
    /// What they are called.
    pub name: Name,
    /// Whether they go where the leader goes.
    pub follows: bool,
    /// Whether this is the one who is told.
    pub you: bool,
}

/// Where in a game one is, through whose eyes, and whether it goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// The moment of the game, in microseconds since it began.
    pub at: Moment,
    /// How many moves are shown by then: several may have the same moment.
    pub moves: u32,
    /// Whether it goes on from there.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// Through whose eyes.
    pub eyes: Eyes,
}

/// How fast a game is watched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// Half as fast.
    Half,
    /// As fast as it was.
    True,
    /// Twice as fast.
    Double,
    /// Four times as fast.
    Fourfold,
    /// Eight times as fast.
    Eightfold,
}

/// Through whose eyes a game is watched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Eyes {
    /// Those of a seat.
    Seat(Seat),
    /// Those of people who looked on.
    Watcher,
    /// All hands open, as nobody saw it.
    Open,
}

/// What somebody does in an audience.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Gesture {
    /// Take the lead if nobody has it, and go there; whoever has it steers.
    Lead(Course),
    /// Give the lead to another member, by their number (leader).
    PassLead(u32),
    /// Give the lead up, so that everybody looks by themselves (leader).
    Release,
    /// Go where the leader goes.
    Follow,
    /// Look by oneself.
    Stray,
    /// Say something to everybody there.
    Remark(String),
}
