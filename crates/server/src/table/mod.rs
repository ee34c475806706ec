//! One task per table: the sole owner of its match and the reader of its clock.

mod advice;
mod arrange;
mod ask;
mod deal;
mod fair;
mod ghost;
mod kept;
mod load;
mod plan;
mod presence;
mod referee;
mod task;
mod tell;
mod watched;

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};
use wire::{Code, Command, Listing, Request};

use crate::fair::Stamp;
use crate::line::Line;
use crate::outbox::Outbox;
use crate::person::{Person, PersonId};
use crate::record::Ticket;
use crate::room::Refused;

pub(crate) use kept::Kept;
pub(crate) use load::{LoadError, OpenError, load, open, open_lesson};
pub(crate) use task::Shared;

/// A connection, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConnId(pub(crate) u64);

/// A move as it arrives.
#[derive(Debug)]
pub(crate) struct Deed {
    /// The `seq` that the player was looking at.
    pub(crate) seq: u64,
    /// When they say they pressed.
    pub(crate) pressed: Stamp,
    /// When it was there.
    pub(crate) arrived: Stamp,
    pub(crate) command: Command,
}

/// What a table is told.
#[derive(Debug)]
pub(crate) enum ToTable {
    /// Somebody wants to see it.
    Join {
        conn: ConnId,
        person: Person,
        outbox: Outbox,
        line: Arc<Line>,
        /// Answered when the table has taken them in or refused to. A table that is just going to
        /// sleep drops it, and then it has to be woken again.
        joined: oneshot::Sender<Result<(), Refused>>,
    },
    /// A connection looks elsewhere or is gone.
    Leave { conn: ConnId },
    /// A move.
    Do { conn: ConnId, ticket: Ticket, deed: Deed },
    /// Something has changed about a connection, or a pong is there that was waited for.
    Line {
        conn: ConnId,
        /// Whether people would call it by another word now.
        regraded: bool,
    },
    /// A page was hidden, or is seen again.
    Away { conn: ConnId, away: bool, since: Stamp, arrived: Stamp },
    /// Something about the seats.
    Ask { conn: ConnId, ticket: Ticket, request: Request },
    /// A line of chat.
    Say { conn: ConnId, ticket: Ticket, text: String },
    /// A person is no longer known to the server.
    Forget { person: PersonId },
    /// The server goes down.
    Sleep,
}

/// What others hold of a table.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub(crate) code: Code,
    pub(crate) inbox: mpsc::Sender<ToTable>,
    listing: Arc<Mutex<Option<Listing>>>,
}

impl Handle {
    /// The table's line in the public list, if it has one.
    pub(crate) fn listing(&self) -> Option<Listing> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
