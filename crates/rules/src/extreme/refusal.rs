//! Why a command is refused in Extreme.

use super::card::{Card, Colour};
use crate::family;
use crate::kit::Reason;

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// As in all three games.
    #[error(transparent)]
    Family(#[from] family::Refusal<Card>),
    /// Nothing else happens while cards are chosen for a star (X5).
    #[error("a star is being played, wait until everyone has chosen a card")]
    ChoiceOpen,
    /// No star is being played.
    #[error("no star is being played, raise your hand to propose one")]
    NoChoice,
    /// The choice stands.
    #[error("you have chosen already, wait for the others")]
    AlreadyChosen,
    /// There is no such card in the hand.
    #[error("you hold no {0} card, choose one that you hold")]
    NoSuchColour(Colour),
    /// There is nothing to choose from.
    #[error("you hold no card, so you have nothing to choose")]
    NoCards,
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Family(refusal) => refusal.code(),
            Self::ChoiceOpen => "choice-open",
            Self::NoChoice => "no-choice",
            Self::AlreadyChosen => "already-chosen",
            Self::NoSuchColour(_) => "no-such-colour",
            Self::NoCards => "no-cards",
        }
    }
}
