//! What the server says.

use rules::kit::Seat;
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::game::{Help, Options, Sight, View};
use crate::name::Name;
use crate::quality::{PhotoFinish, Quality};
use crate::replay::GameId;
use crate::table::Table;
use crate::together::{Course, Member};

/// What the server says.
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
    /// How a table stands now. It replaces whatever the client knew of the game, and of the table
    /// where it brings that.
    Update(Box<Update>),
    /// What was asked for was not done; nothing has changed.
    Refused {
        /// At which table, if it was about one.
        table: Option<Code>,
        /// The sender's number for it, if it had one.
        id: Option<u32>,
        /// A word for catalogues.
        code: String,
        /// A sentence that says what to do.
        text: String,
    },
    /// A line of chat.
    Said {
        /// At which table.
        table: Code,
        /// From which seat; `None` from somebody who looks on.
        seat: Option<Seat>,
        /// What they are called.
        name: Name,
        /// What was said.
        text: String,
    },
    /// Who looks at a game that is over, and where their leader is. It replaces whatever the
    /// client knew of it.
    Audience {
        /// Which game.
        game: GameId,
        /// The sender's number of the message that this answers.
        ack: Option<u32>,
        /// Everybody there, those who have been there longest first.
        members: Vec<Member>,
        /// The number of whoever leads; `None` while everybody looks by themselves.
        lead: Option<u32>,
        /// Where they are; `None` while nobody leads.
        course: Option<Course>,
        /// When they are there, in milliseconds of the server's clock. What goes on by itself has
        /// done so since.
        show_at: f64,
    },
    /// Somebody said something to those who look at a game that is over.
    Remark {
        /// Which game.
        game: GameId,
        /// What they are called.
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
    },
    /// The connection is about to be closed.
    Bye {
        /// Why.
        why: Farewell,
        /// A sentence that says what to do.
        text: String,
    },
}

/// Who the client is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Me {
    /// What they are called.
    pub name: Name,
}

/// How a table stands, for one viewer. What there is nothing to say about is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Update {
    /// Which table.
    pub code: Code,
    /// Who sits where and what goes on around the game. Left out while it is as the viewer was
    /// last told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub table: Option<Table>,
    /// The viewer's seat. It comes with `table` only; left out for somebody who looks on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub you: Option<Seat>,
    /// Grows with everything that this viewer could notice in the games at this table.
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
    /// What the table works out for the viewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub help: Option<Help>,
    /// Two plays of this update that were too close to tell apart.
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
pub enum Farewell {
    /// The server goes down for a moment: connect again.
    Restarting,
    /// The identity was deleted.
    Deleted,
    /// Too many messages.
    Flooding,
    /// A message over the size limit.
    TooLong,
    /// The client does not keep up.
    Slow,
    /// Nothing was heard for too long.
    Idle,
    /// The client speaks another protocol.
    Protocol,
    /// The client has opened too many connections.
    Crowded,
}
