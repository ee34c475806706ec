//! What is on its way to the journal, and what becomes true when it is there.

use rules::kit::{Outcome, Seat, Seats};
use wire::Setup;

use crate::entry::{Asker, Ticket};
use crate::fair::Stamp;
use crate::person::PersonId;
use crate::presence::ConnId;
use crate::room::Room;
use crate::seating::Seating;

/// Lines on their way to the journal.
pub(crate) struct Writing {
    pub(crate) lines: u64,
    pub(crate) then: Then,
}

/// What becomes true when the lines are durable.
pub(crate) enum Then {
    /// People sit like this. `by` is answered, if a message asked for it.
    Seat { seating: Seating, by: Option<Asked> },
    /// Something else is played.
    Arrange { setup: Setup, seating: Seating, by: Asked },
    /// A game has begun.
    Begin { room: Box<dyn Room>, knows: Option<Seats>, by: Asked },
    /// What was proposed in the room has happened.
    Move { mover: Mover, outcome: Option<Outcome> },
    /// The players have ended the game.
    End { by: Asked },
}

/// A message that asked for something, and where to answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) conn: ConnId,
    pub(crate) by: Asker,
}

impl Asked {
    pub(crate) fn person(self) -> PersonId {
        self.by.person
    }

    pub(crate) fn ticket(self) -> Ticket {
        self.by.ticket
    }
}

/// What made a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mover {
    /// A player pressed.
    Player { asked: Asked, arrived: Stamp, photo: Option<wire::PhotoFinish> },
    /// A bot planned it.
    Bot,
    /// The table holds play for a player who is missing or cannot see it.
    Referee(Seat),
}
