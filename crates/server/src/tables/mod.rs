//! One task per table: it hands inputs to the table core and does what the core answers.

mod bars;
mod clients;
mod lines;
mod load;
mod shared;
mod task;

use std::sync::{Arc, Mutex, PoisonError};

use table::{ConnId, Input, LinkState, Origin, Person, PersonId, Refused};
use tokio::sync::{mpsc, oneshot};
use wire::{Code, Listing, SeatedTable};

use crate::address::Subnet;
use crate::outbox::Outbox;
use crate::shared_link::SharedLink;

pub(crate) use bars::expire as expire_bars;
pub(crate) use load::{LoadError, OpenError, load, open, open_for_strangers, open_lesson};
pub(crate) use shared::Shared;

/// What a table's task is sent. Boxed in the inbox, which has room for 32 messages or more at all
/// times.
pub(crate) enum ToTable {
    /// A connection wants to look at the table.
    Join(Joining),
    /// Anything else goes to the core as it is.
    Input(Input),
    /// A player who is elsewhere wants to know how the table stands.
    Describe(Describing),
    /// Whether a person looks at the table.
    Find { person: PersonId, answer: oneshot::Sender<bool> },
    /// Whether a bot has a seat that a stranger may take.
    HasSeatForStrangers(oneshot::Sender<bool>),
    /// The table ends as it is: another node may have it.
    Abandon,
    /// How many people look at the table.
    Count(oneshot::Sender<Attendance>),
}

/// Who looks at a table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attendance {
    pub(crate) people: u64,
    /// When its last line was written since it woke, in seconds since 1970.
    pub(crate) changed_s: Option<u64>,
}

/// A player asks for their table.
pub(crate) struct Describing {
    pub(crate) person: PersonId,
    /// Answered with nothing if they have no seat in a game that is on.
    pub(crate) answer: oneshot::Sender<Option<SeatedTable>>,
}

/// A connection that wants to look at a table.
pub(crate) struct Joining {
    pub(crate) conn: ConnId,
    pub(crate) person: Person,
    /// The code by which it came.
    pub(crate) by: Code,
    /// Where the connection comes from.
    pub(crate) from: Subnet,
    /// The same, as the table knows it.
    pub(crate) origin: Origin,
    pub(crate) link_state: LinkState,
    pub(crate) outbox: Outbox,
    pub(crate) link: Arc<SharedLink>,
    /// Answered when the table has taken the connection in or refused to. A table that is just
    /// going to sleep drops it, and then it has to be woken again.
    pub(crate) joined: oneshot::Sender<Result<(), Refused>>,
}

/// What others hold of a table.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) code: Code,
    pub(crate) inbox: mpsc::Sender<Box<ToTable>>,
    listing: Arc<Mutex<Option<Listing>>>,
}

impl Handle {
    /// Hands an input to the table; false if it has gone to sleep.
    pub(crate) async fn input(&self, input: Input) -> bool {
        self.send(ToTable::Input(input)).await
    }

    /// Puts a message into the table's inbox; false if the table has gone to sleep.
    pub(crate) async fn send(&self, message: ToTable) -> bool {
        self.inbox.send(Box::new(message)).await.is_ok()
    }

    /// Asks the table and waits for its answer; nothing if it has gone to sleep.
    pub(crate) async fn ask<T>(
        &self,
        question: impl FnOnce(oneshot::Sender<T>) -> ToTable,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        self.send(question(answer)).await.then_some(())?;
        answered.await.ok()
    }

    /// The table's line in the public list, if it has one.
    pub(crate) fn listing(&self) -> Option<Listing> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
