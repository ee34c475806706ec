//! How well press times can be told over a connection.

use rules::kit::Seat;
use serde::{Deserialize, Serialize};

/// What the server has measured of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// The grade.
    pub grade: Grade,
    /// The usual round trip in milliseconds.
    pub trip_ms: u32,
    /// By how much nine of ten round trips exceed that at most.
    pub spread_ms: u32,
}

/// A connection's quality in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Players do not notice the delay.
    Good,
    /// The table waits a little for it.
    Fair,
    /// The table waits for it, and the order of presses may be wrong.
    Poor,
}

/// Why a level has paused by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// Whose connection it was.
    pub seat: Seat,
    /// What was wrong with it.
    pub why: Trouble,
}

/// What can be wrong with a connection during a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// Pings are not answered.
    Silent,
    /// Round trips vary too much to tell when a button was pressed.
    Unsteady,
    /// The page is hidden.
    Hidden,
}

/// Two plays that were too close to tell apart, taken in the order that costs no life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PhotoFinish {
    /// Whose play was taken first.
    pub first: Seat,
    /// Whose play was taken after it.
    pub second: Seat,
    /// How well the two connections can be told apart, in milliseconds.
    pub within_ms: u32,
}
