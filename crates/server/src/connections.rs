//! The connections that are open, counted against the limits.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use table::{ConnId, PersonId};
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;

use crate::address::{Subnet, subnet_of};
use crate::limits::{Counted, Counts, Limits};

/// How long the connections of a person may take to end.
const DISCONNECTED_WITHIN: Duration = Duration::from_secs(30);

/// TCP sockets, and the connections of players among them.
pub(crate) struct Connections {
    sockets: Counts<()>,
    sockets_from: Counts<Subnet>,
    all: Counts<()>,
    of_person: Counts<PersonId>,
    from_address: Counts<Subnet>,
    next: AtomicU64,
    /// The tasks of all connections, for the shutdown to wait for.
    pub(crate) tasks: TaskTracker,
}

/// The places of a TCP socket: one among all, and one of its address.
pub(crate) type SocketPlaces = (Counted<()>, Option<Counted<Subnet>>);

/// The places of a player's connection.
pub(crate) struct ConnectionPlaces {
    _of_all: Counted<()>,
    _of_address: Counted<Subnet>,
    of_person: Option<Counted<PersonId>>,
}

impl ConnectionPlaces {
    /// Whether the person has too many connections already.
    pub(crate) fn is_one_too_many(&self) -> bool {
        self.of_person.is_none()
    }
}

/// Why there is no place for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crowded {
    /// The server has as many as it takes.
    Server,
    /// The address has as many as it may.
    Address,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            sockets: Counts::new(limits.sockets.most),
            sockets_from: Counts::new(limits.sockets.per_address_most),
            all: Counts::new(limits.connections.most),
            of_person: Counts::new(limits.connections.per_person_most),
            from_address: Counts::new(limits.connections.per_address_most),
            next: AtomicU64::new(1),
            tasks: TaskTracker::new(),
        }
    }

    /// Takes the places of a TCP socket; `None` beyond the limits. A proxy carries many clients, who
    /// are counted when they connect to play.
    pub(crate) fn take_socket(&self, address: IpAddr, is_proxy: bool) -> Option<SocketPlaces> {
        let of_all = self.sockets.take(())?;
        let of_address =
            if is_proxy { None } else { Some(self.sockets_from.take(subnet_of(address))?) };
        Some((of_all, of_address))
    }

    /// Takes the places of a player's connection.
    pub(crate) fn take(
        &self,
        person: PersonId,
        address: Subnet,
    ) -> Result<ConnectionPlaces, Crowded> {
        let of_all = self.all.take(()).ok_or(Crowded::Server)?;
        let of_person = self.of_person.take(person);
        let of_address = self.from_address.take(address).ok_or(Crowded::Address)?;
        Ok(ConnectionPlaces { _of_all: of_all, _of_address: of_address, of_person })
    }

    /// A number for a new connection.
    pub(crate) fn next_id(&self) -> ConnId {
        ConnId(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Waits until the connections of a person have ended, after they were closed. Fails if they
    /// take too long.
    pub(crate) async fn disconnected(&self, person: PersonId) -> Result<()> {
        let gone = async {
            while self.of_person.has(&person) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let late = "a connection of the person does not end: give the command again in a while";
        timeout(DISCONNECTED_WITHIN, gone).await.context(late)
    }
}
