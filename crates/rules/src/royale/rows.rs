//! The rows asked in one zone, each with its pegs (Y2, Y4).

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use super::answer::Pegs;
use super::row::Triple;
use super::score::Effort;

/// A row that was asked, and its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleAsked"))]
pub struct Asked {
    /// What was asked.
    pub row: Triple,
    /// What was answered.
    pub pegs: Pegs,
}

/// The rows of one zone in the order in which they were asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleRows"))]
#[serde(transparent)]
pub struct Rows(
    #[cfg_attr(feature = "ts", ts(as = "Vec<Asked>"))] ArrayVec<[Asked; Rows::MOST as usize]>,
);

impl Rows {
    /// How many rows a zone has.
    pub const MOST: u8 = 8;

    /// Adds a row. A full zone permits no row, so a row beyond the last is dropped.
    pub fn ask(&mut self, row: Triple, pegs: Pegs) {
        let _full = self.0.try_push(Asked { row, pegs });
    }

    /// Each of them, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = Asked> + '_ {
        self.0.iter().copied()
    }

    /// How many they are.
    pub fn len(&self) -> u8 {
        self.0.len() as u8
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the last row had three blacks.
    pub fn are_solved(&self) -> bool {
        self.0.last().is_some_and(|last| last.pegs == Pegs::SOLVED)
    }

    /// Whether another row may be asked.
    pub fn are_open(&self) -> bool {
        self.len() < Self::MOST && !self.are_solved()
    }

    /// What it took, once the zone is solved or spent.
    pub fn effort(&self) -> Effort {
        if self.are_solved() { Effort::Solved(self.len()) } else { Effort::Unsolved }
    }
}
