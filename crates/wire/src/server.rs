//! Messages from the server to the browser.

use rules::kit::Seat;
use serde::{Deserialize, Serialize};

use crate::audience::{Member, Playback};
use crate::code::Code;
use crate::game::{Help, Options, Sight, View};
use crate::mark::Mark;
use crate::name::Name;
use crate::quality::{PhotoFinish, Quality};
use crate::reaction::Reaction;
use crate::refusal::Refusal;
use crate::replay::GameId;
use crate::table::Table;

/// A message from the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "t", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServerMessage {
    /// The answer to a hello.
    Welcome {
        /// The protocol that the server speaks.
        protocol: u32,
        /// Who the client is.
        me: Me,
    },
    /// The code of a join leads to a table that was opened with another code, by which all other
    /// messages name it. It comes before the table's first update.
    Found {
        /// The code that was joined by.
        code: Code,
        /// The table's id.
        table: Code,
    },
    /// The state of a table. It replaces the client's view of the game, and its table if the
    /// update brings one.
    Update(Box<Update>),
    /// A request was refused; nothing has changed.
    Refused(Refused),
    /// A chat message.
    Said {
        /// At which table.
        table: Code,
        /// From which seat; `None` from a spectator.
        seat: Option<Seat>,
        /// The person's name.
        name: Name,
        /// What was said.
        text: String,
    },
    /// A sign of a player. It is not stored and is in no replay.
    Reacted {
        /// At which table.
        table: Code,
        /// From which seat.
        seat: Seat,
        /// The player's name.
        name: Name,
        /// Which sign.
        sign: Reaction,
    },
    /// The audience of a replay and the position of its leader. It replaces the last one.
    Audience {
        /// Which game.
        game: GameId,
        /// The sender's number of the message that this answers.
        ack: Option<u32>,
        /// The members, the one who joined first comes first.
        members: Vec<Member>,
        /// The leader's number; `None` while every member watches alone.
        lead: Option<u32>,
        /// The leader's position; `None` without a leader.
        playback: Option<Playback>,
        /// When the leader is there, in milliseconds of the server's clock. A replay that plays has
        /// gone on since.
        show_at: f64,
    },
    /// A chat message to the audience of a replay.
    Remark {
        /// Which game.
        game: GameId,
        /// The person's name.
        name: Name,
        /// What was said.
        text: String,
    },
    /// The answer to a probe.
    Probed {
        /// When the probe was sent, as it said.
        sent: f64,
        /// When it was heard, in milliseconds of the server's clock.
        server: f64,
        /// What the server has measured of this connection; `None` before its first ping is
        /// answered.
        quality: Option<Quality>,
        /// How many presses over this connection were claimed further back than it explains, and
        /// count as late as it does. Said to their player alone: a path that has just become longer
        /// does this, too.
        corrected: u32,
    },
    /// The operator has something to say to everyone who is connected.
    Announcement {
        /// What.
        text: String,
    },
    /// The connection is about to be closed.
    Bye {
        /// Why.
        why: CloseReason,
        /// A sentence that says what to do.
        text: String,
    },
}

/// A refused request, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "ts",
    derive(ts_rs::TS),
    ts(type = "{ table: Code | null, id: number | null, text: string, } & Refusal")
)]
pub struct Refused {
    /// At which table, if it was about one.
    pub table: Option<Code>,
    /// The sender's number for it, if it had one.
    pub id: Option<u32>,
    /// Why: its `code` and what belongs to it.
    #[serde(flatten)]
    pub why: Refusal,
    /// A sentence that says what to do.
    pub text: String,
}

/// A refused HTTP request, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "{ text: string, } & Refusal"))]
pub struct Problem {
    /// Why: its `code` and what belongs to it.
    #[serde(flatten)]
    pub why: Refusal,
    /// A sentence that says what to do.
    pub text: String,
}

/// Who the client is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Me {
    /// What they are called.
    pub name: Name,
    /// The mark they are known by.
    pub mark: Mark,
}

/// The state of a table for one viewer. Empty fields are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Update {
    /// Which table.
    pub code: Code,
    /// The seats and everything around the game. Left out if the viewer has been sent it and it
    /// has not changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub table: Option<Table>,
    /// The viewer's seat. Sent with `table` only; left out for spectators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub you: Option<Seat>,
    /// Counts everything that this viewer could notice in the games at this table.
    pub seq: u64,
    /// The sender's number of the message that this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub ack: Option<u32>,
    /// What the viewer noticed since the last update, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Sight>>"))]
    pub sights: Vec<Sight>,
    /// What the viewer knows of the game, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub view: Option<View>,
    /// What the viewer may do in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub options: Option<Options>,
    /// The aids that the set-up gives the viewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub help: Option<Help>,
    /// Two plays of this update whose order could not be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub photo_finish: Option<PhotoFinish>,
    /// When to show it, in milliseconds of the server's clock.
    pub show_at: f64,
}

impl Update {
    /// The table, in an update that a [`Reader`](crate::Reader) has completed.
    ///
    /// # Panics
    ///
    /// If the table was left out.
    pub fn table(&self) -> &Table {
        self.table.as_ref().expect("a reader puts the table back")
    }
}

/// Why a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CloseReason {
    /// The server restarts: connect again.
    Restarting,
    /// The identity was deleted.
    Deleted,
    /// Another device of the person has signed this one out.
    SignedOut,
    /// Too many messages.
    Flooding,
    /// A message over the size limit.
    TooLong,
    /// The client reads too slowly.
    Slow,
    /// The client sent nothing for too long.
    Idle,
    /// The client speaks another protocol.
    Protocol,
    /// The client has opened too many connections.
    Crowded,
    /// The operator has blocked the person or their address.
    Blocked,
}
