//! Why a command is refused in any of the three games.

use std::fmt::{Debug, Display};

use crate::kit::Reason;

/// What the three games refuse alike; `C` is a card of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal<C> {
    /// A spectator asked.
    #[error("only players act, take a seat to join in")]
    Watching,
    /// Nothing can be done any more.
    #[error("the game is over, start a new one")]
    GameOver,
    /// Not while hands lie on the table.
    #[error("play has not begun, it does when every hand lies on the table")]
    NotPlaying,
    /// Not while cards are played.
    #[error("hands are laid on the table between plays, say stop first")]
    NotFocusing,
    /// The hand lies there already.
    #[error("your hand lies on the table already, wait for the others")]
    AlreadyResting,
    /// There is no hand to take back.
    #[error("your hand does not lie on the table")]
    NotResting,
    /// There is no star to spend.
    #[error("the team has no star left")]
    NoStar,
    /// The hand is up already.
    #[error("your hand is raised already, wait for the others")]
    AlreadyRaised,
    /// There is no hand to lower.
    #[error("your hand is not raised")]
    NotRaised,
    /// The card is not in the hand.
    #[error("you do not hold {0}")]
    NotHeld(C),
    /// Another card has to come first (M5, X2).
    #[error("you hold {next}, which comes before {card}")]
    NotNext {
        /// The card that was meant.
        card: C,
        /// The card that has to go first.
        next: C,
    },
    /// No offer is open.
    #[error("there is nothing to agree to now")]
    NoOffer,
    /// The answer was yes already.
    #[error("you have agreed already, wait for the others")]
    AlreadyAgreed,
}

impl<C: Copy + Eq + Debug + Display + Send + Sync + 'static> Reason for Refusal<C> {
    fn code(&self) -> &'static str {
        match self {
            Self::Watching => "watching",
            Self::GameOver => "game-over",
            Self::NotPlaying => "not-playing",
            Self::NotFocusing => "not-focusing",
            Self::AlreadyResting => "already-resting",
            Self::NotResting => "not-resting",
            Self::NoStar => "no-star",
            Self::AlreadyRaised => "already-raised",
            Self::NotRaised => "not-raised",
            Self::NotHeld(_) => "not-held",
            Self::NotNext { .. } => "not-next",
            Self::NoOffer => "no-offer",
            Self::AlreadyAgreed => "already-agreed",
        }
    }
}
