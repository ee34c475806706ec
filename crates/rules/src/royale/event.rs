//! What happens in Royale Mastermind, and what a viewer notices of it.

use serde::{Deserialize, Serialize};

use super::answer::Pegs;
use super::card::{Card, Pack};
use super::code::{Code, SeenCode};
use super::row::Row;
use super::score::Entry;
use crate::kit::{Seat, Viewer};

/// What happened. The variants that carry a secret stand apart from what everyone notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A code was hidden (Y1).
    Hidden {
        /// The player.
        seat: Seat,
        /// Which one.
        code: Code,
    },
    /// A card was marked, for one's own eyes (Y10).
    Marked {
        /// The player.
        seat: Seat,
        /// Which card.
        card: Card,
    },
    /// A mark was taken off.
    Unmarked {
        /// The player.
        seat: Seat,
        /// From which card.
        card: Card,
    },
    /// Something that everyone notices.
    Notice(Notice),
}

/// What one viewer noticed of an event: no room for another's secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleSight"))]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// A code was hidden.
    Hidden {
        /// The player.
        seat: Seat,
        /// The viewer's own code, or three backs.
        code: SeenCode,
    },
    /// The viewer marked a card.
    Marked(Card),
    /// The viewer took a mark off.
    Unmarked(Card),
    /// Something that everyone notices.
    Notice(Notice),
}

/// What everyone at the table notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleNotice"))]
#[serde(rename_all = "kebab-case")]
pub enum Notice {
    /// A round begins: its codemaker chooses.
    Begun {
        /// Which one, counted from 1.
        round: u8,
    },
    /// A row was asked and answered (Y2, Y3).
    Asked {
        /// The player.
        seat: Seat,
        /// What was asked.
        row: Row,
        /// What was answered.
        pegs: Pegs,
    },
    /// The round is over: the code is revealed and its codemaker scores (Y4, Y5).
    Scored(Entry),
    /// Cards were covered on the grid: the code's (Y5), or three drawn at random (Y8).
    Covered(Pack),
    /// The pack was made whole for the second half of a series (Y7).
    Restored,
    /// The last round is over.
    Ended,
}

impl From<Notice> for Event {
    fn from(notice: Notice) -> Self {
        Self::Notice(notice)
    }
}

impl Event {
    pub(super) fn witness(&self, viewer: Viewer) -> Option<Sight> {
        let own = |seat| viewer == Viewer::Seat(seat);
        match *self {
            Self::Hidden { seat, code } if own(seat) => {
                Some(Sight::Hidden { seat, code: SeenCode::Known(code) })
            }
            Self::Hidden { seat, .. } => Some(Sight::Hidden { seat, code: SeenCode::Backs }),
            Self::Marked { seat, card } => own(seat).then_some(Sight::Marked(card)),
            Self::Unmarked { seat, card } => own(seat).then_some(Sight::Unmarked(card)),
            Self::Notice(notice) => Some(Sight::Notice(notice)),
        }
    }
}
