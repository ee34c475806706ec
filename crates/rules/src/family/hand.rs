//! A hand of cards as a viewer knows it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::card::Cards;
use crate::kit::{Seat, Viewer};

/// One's own cards, or how many another holds. There is no room for another's cards.
///
/// In JSON a list of cards, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Hand {
    /// The viewer's own.
    Mine(Cards),
    /// Somebody else's: only their number is public.
    Theirs(u8),
}

impl Hand {
    /// The hand of a seat as the viewer knows it.
    pub fn seen(cards: Cards, seat: Seat, viewer: Viewer) -> Self {
        if viewer == Viewer::Seat(seat) { Self::Mine(cards) } else { Self::Theirs(cards.len()) }
    }

    /// The cards, if the viewer knows them.
    pub fn cards(self) -> Cards {
        match self {
            Self::Mine(cards) => cards,
            Self::Theirs(_) => Cards::NONE,
        }
    }

    /// How many there are.
    pub fn len(self) -> u8 {
        match self {
            Self::Mine(cards) => cards.len(),
            Self::Theirs(count) => count,
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// How many there are that the viewer does not know.
    pub fn hidden(self) -> u8 {
        match self {
            Self::Mine(_) => 0,
            Self::Theirs(count) => count,
        }
    }
}

impl Default for Hand {
    fn default() -> Self {
        Self::Theirs(0)
    }
}

/// The cards, or `*` and how many.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Mine(cards) => cards.fmt(f),
            Self::Theirs(count) => write!(f, "*{count}"),
        }
    }
}
