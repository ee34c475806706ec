//! How good the rows of a finished round of Royale were.

use rules::kit::Seat;
use rules::royale::{Code, Pack, Pegs, Row};
use serde::{Deserialize, Serialize};

/// The rounds of a game that are over, each row judged against the best there was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The rounds, the first one first.
    pub rounds: Vec<JudgedRound>,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct JudgedRound {
    /// Which one, counted from 1.
    pub round: u8,
    /// Who hid the code.
    pub maker: Seat,
    /// The code.
    pub code: Code,
    /// The cards that it could be made of.
    pub pack: Pack,
    /// The rows in the order in which they were asked.
    pub rows: Vec<JudgedRow>,
}

/// A row that was asked. Expected rows count those of its codebreaker, in both zones if they
/// break both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct JudgedRow {
    /// Who asked.
    pub seat: Seat,
    /// What was asked.
    pub row: Row,
    /// What was answered.
    pub pegs: Pegs,
    /// How many codes were possible before.
    pub codes_before: u32,
    /// How many after.
    pub codes_after: u32,
    /// The cards that were possible after it.
    pub cards_after: Pack,
    /// A best row, as far as is known; the row itself if none is known to be better.
    pub best: Row,
    /// The rows to expect before it, with a best row.
    pub before: Between,
    /// The rows to expect with the row that was asked, itself included.
    pub asked: Between,
    /// The rows to expect after the answer.
    pub after: Between,
    /// How many rows the choice costs on average.
    pub cost: Between,
}

/// A number that is known to lie between two; they are the same if it is known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Between {
    /// It is no less than this.
    pub least: f64,
    /// It is no more than this.
    pub most: f64,
}
