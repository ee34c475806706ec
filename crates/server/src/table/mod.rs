//! One task per table: the sole owner of its match and the reader of its clock.

mod answers;
mod ask;
mod load;
mod task;
mod tell;

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};
use wire::{Code, Command, Listing, Request};

use crate::outbox::Outbox;
use crate::person::{Person, PersonId};
use crate::room::Refused;

pub(crate) use load::{LoadError, OpenError, load, open};
pub(crate) use task::Shared;

/// How many messages may wait for a table.
const INBOX_MOST: usize = 256;

/// A connection, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConnId(pub(crate) u64);

/// A message, by the numbers that its sender gave the page and the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Number {
    pub(crate) client: u32,
    pub(crate) id: u32,
}

/// What a table is told.
#[derive(Debug)]
pub(crate) enum ToTable {
    /// Somebody wants to see it.
    Join {
        conn: ConnId,
        person: Person,
        outbox: Outbox,
        /// Answered when the table has taken them in or refused to. A table that is just going to
        /// sleep drops it, and then it has to be woken again.
        joined: oneshot::Sender<Result<(), Refused>>,
    },
    /// A connection looks elsewhere or is gone.
    Leave { conn: ConnId },
    /// A move.
    Do { conn: ConnId, number: Number, seq: u64, pressed: f64, command: Command },
    /// Something about the seats.
    Ask { conn: ConnId, number: Number, request: Request },
    /// A line of chat.
    Say { conn: ConnId, number: Number, text: String },
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
