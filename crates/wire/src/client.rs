//! What a browser says.

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::game::{Command, Setup};
use crate::replay::GameId;
use crate::table::BotKind;
use crate::together::Gesture;
use rules::kit::Seat;

/// What a browser says. No message names the sender's seat: it comes from the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "t", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message of a connection.
    Hello {
        /// The protocol that the client speaks.
        protocol: u32,
        /// The page's own number, drawn at random when it is loaded: the `id`s of its messages
        /// count for it alone.
        client: u32,
    },
    /// Show me this table from now on; answered by one update that brings everything.
    Join {
        /// Which table.
        table: Code,
    },
    /// Show it no longer. A seat taken there is kept.
    Leave {
        /// Which table.
        table: Code,
    },
    /// A move in the game.
    Do {
        /// At which table.
        table: Code,
        /// The sender's own number for it: a repeat is answered, not repeated.
        id: u32,
        /// The `seq` of the update that the player was looking at.
        seq: u64,
        /// When the player pressed, in milliseconds of the server's clock.
        pressed: f64,
        /// What they do.
        command: Command,
    },
    /// What does your clock show? Answered at once by a `probed`.
    Probe {
        /// When it was sent, on the sender's own clock; it comes back as it is.
        sent: f64,
    },
    /// The page was hidden, or is seen again.
    Away {
        /// Whether nobody can see it now.
        away: bool,
        /// Since when, in milliseconds of the server's clock.
        since: f64,
    },
    /// Something about the seats, the start or the end.
    Ask {
        /// At which table.
        table: Code,
        /// The sender's own number for it.
        id: u32,
        /// What.
        request: Request,
    },
    /// A line of chat.
    Say {
        /// At which table.
        table: Code,
        /// The sender's own number for it.
        id: u32,
        /// What is said.
        text: String,
    },
    /// Look at a game that is over together with whoever else does; answered by an `audience`.
    Attend {
        /// Which game.
        game: GameId,
        /// The sender's own number for it.
        id: u32,
        /// The key of a link to it, for somebody who was not there.
        key: Option<String>,
    },
    /// Look at it no longer.
    Depart {
        /// Which game.
        game: GameId,
    },
    /// Something among those who look at a game that is over.
    Gesture {
        /// Which game.
        game: GameId,
        /// The sender's own number for it.
        id: u32,
        /// What.
        gesture: Gesture,
    },
}

impl ClientMessage {
    /// Reads one message. Whatever is no object is none: serde would also take a list of the
    /// fields in their order, a second spelling that nobody needs.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        if text.starts_with('{') {
            return serde_json::from_str(text);
        }
        Err(serde::de::Error::custom("a message is an object and begins with {"))
    }
}

/// What people want of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Take an empty seat.
    Sit(Seat),
    /// Give one's seat up.
    Stand,
    /// Say that the next game may begin.
    Ready,
    /// Take that back.
    Unready,
    /// Play this instead (host).
    Arrange(Setup),
    /// Put a machine into an empty seat (host).
    AddBot {
        /// Which seat.
        seat: Seat,
        /// Which machine.
        kind: BotKind,
    },
    /// Put a machine with the recorded tempo of somebody into a seat where no person sits (host).
    AddGhost {
        /// Which seat.
        seat: Seat,
        /// A game in which the sender played with them, or looked on.
        game: GameId,
        /// Where they sat in it.
        of: Seat,
    },
    /// Take a machine out again (host).
    RemoveBot(Seat),
    /// Send somebody away from their seat (host).
    Kick(Seat),
    /// Make somebody else the host (host).
    PassHost(Seat),
    /// Begin (host).
    Start,
    /// Play again with the same people (host).
    Rematch,
    /// Agree that machines hold the seats of those who are missing.
    Hold,
    /// Agree to end the game here.
    End,
    /// Take back what one agreed to.
    Wait,
}
