//! Why a command is refused in Soulmates.

use crate::family::{self, Card};
use crate::kit::{Reason, Seat};

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// What the three games refuse alike.
    #[error(transparent)]
    Family(#[from] family::Refusal<Card>),
    /// Nothing else can be done before the Seer has looked.
    #[error("the Seer, {seer}, looks at the cards first")]
    SeerLooks {
        /// Who is the Seer.
        seer: Seat,
    },
    /// The cards of a level are looked at once.
    #[error("the Seer has looked at the cards of this level already")]
    NotLooking,
    /// Nothing else can be done before the Seer has written.
    #[error("the Seer, {seer}, gives the hints first")]
    SeerWrites {
        /// Who is the Seer.
        seer: Seat,
    },
    /// The slate is written on before a deal only.
    #[error("hints are given before the cards are dealt")]
    NotHinting,
    /// Another player is the Seer.
    #[error("only the Seer looks and gives hints, and that is {seer}")]
    NotSeer {
        /// Who is the Seer.
        seer: Seat,
    },
    /// More hints than allowed (S4, S7).
    #[error("you gave {given} hints, give at most {most}")]
    TooManyHints {
        /// How many were given.
        given: u8,
        /// How many are allowed.
        most: u8,
    },
    /// A first hint is a card that the Seer has looked at (S5).
    #[error("you have not looked at {0}, hint at a card that you have looked at")]
    NotLookedAt(Card),
    /// A later hint is a card in play (S7).
    #[error("{0} is not in play, hint at a card that lay on the pile")]
    NotInPlay(Card),
    /// A later hint is a new one (S7).
    #[error("{0} is on the slate already, hint at another card or at none")]
    AlreadyOnSlate(Card),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Family(refusal) => refusal.code(),
            Self::SeerLooks { .. } => "seer-looks",
            Self::NotLooking => "not-looking",
            Self::SeerWrites { .. } => "seer-writes",
            Self::NotHinting => "not-hinting",
            Self::NotSeer { .. } => "not-seer",
            Self::TooManyHints { .. } => "too-many-hints",
            Self::NotLookedAt(_) => "not-looked-at",
            Self::NotInPlay(_) => "not-in-play",
            Self::AlreadyOnSlate(_) => "already-on-slate",
        }
    }
}
