//! How far a table has come: before, in or after a game.

use rules::kit::Outcome;

use crate::any_match::AnyMatch;
use crate::events::Events;

/// Before, in or after a game.
pub enum Stage<E = Box<dyn AnyMatch>> {
    /// No game yet, or none of what is played now.
    Gathering {
        /// Where the first game counts on from.
        seq: u64,
    },
    /// A game is on.
    Playing(E),
    /// A game is over; it stays to be looked at.
    Over(E, Option<Outcome>),
}

impl<E: Events> Stage<E> {
    /// Where the next game counts on from.
    pub fn next_seq(&self) -> u64 {
        match self {
            Self::Gathering { seq } => *seq,
            Self::Playing(game) | Self::Over(game, _) => game.next_seq(),
        }
    }
}
