//! The focus ritual (M2): everyone lays a hand on the table, all are lifted together.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::kit::text::Misprint;
use crate::kit::{Seat, Seats};

/// Hands on the table, before a level begins or while it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Focus {
    /// Whose hands lie there.
    pub resting: Seats,
    /// Whether the level has begun already and goes on afterwards.
    pub underway: bool,
}

impl Focus {
    /// Before a level.
    pub const BEFORE: Self = Self { resting: Seats::NONE, underway: false };
    /// Within a level: after a stop, a mistake or a star.
    pub const WITHIN: Self = Self { resting: Seats::NONE, underway: true };

    pub(crate) fn permits_rest<C>(self, seat: Seat) -> Result<(), Refusal<C>> {
        if self.resting.contains(seat) { Err(Refusal::AlreadyResting) } else { Ok(()) }
    }

    pub(crate) fn permits_lift<C>(self, seat: Seat) -> Result<(), Refusal<C>> {
        if self.resting.contains(seat) { Ok(()) } else { Err(Refusal::NotResting) }
    }

    /// Reads what stands behind `focus` or `refocus` in a phase.
    pub(crate) fn read(word: &str, seats: Seats, players: u8) -> Result<Self, Misprint> {
        if !seats.fit(players) || seats.are_all(players) {
            return Err(Misprint::new(
                "name some of the seats, but not all: then play would begin",
            ));
        }
        Ok(Self { resting: seats, underway: word == "refocus" })
    }
}

impl fmt::Display for Focus {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", if self.underway { "refocus" } else { "focus" }, self.resting)
    }
}
