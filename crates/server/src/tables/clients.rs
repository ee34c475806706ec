//! The connections that look at one table, and how its task reaches them.

use std::collections::HashSet;
use std::sync::Arc;

use table::{ConnId, Input, PersonId, Refused};
use tokio::sync::oneshot;
use wire::CloseReason;

use super::Joining;
use crate::address::Subnet;
use crate::outbox::Outbox;
use crate::shared_link::{MeasuredOften, SharedLink};

/// The connections that look at a table.
#[derive(Default)]
pub(super) struct Clients(Vec<Client>);

struct Client {
    conn: ConnId,
    person: PersonId,
    from: Subnet,
    outbox: Outbox,
    link: Arc<SharedLink>,
    /// Answered when the core has taken the connection in or refused to.
    joined: Option<oneshot::Sender<Result<(), Refused>>>,
    /// Held while the connection has to be measured every second.
    often: Option<MeasuredOften>,
}

impl Clients {
    /// Takes in a connection, and returns the input that tells the core of it.
    pub(super) fn join(&mut self, joining: Joining) -> Input {
        let Joining { conn, person, by, from, origin, link_state, outbox, link, joined } = joining;
        // A connection that is there already joins again: how it is measured stays.
        match self.get_mut(conn) {
            Some(client) => client.joined = Some(joined),
            None => {
                let (person, joined) = (person.id, Some(joined));
                self.0.push(Client { conn, person, from, outbox, link, joined, often: None });
            }
        }
        Input::Joined { conn, person, by, from: origin, link: link_state }
    }

    /// A connection looks at the table no longer.
    pub(super) fn leave(&mut self, conn: ConnId) {
        self.0.retain(|client| client.conn != conn);
    }

    /// Where a person who looks at the table comes from.
    pub(super) fn address_of(&self, person: PersonId) -> Option<Subnet> {
        self.0.iter().find(|client| client.person == person).map(|client| client.from)
    }

    /// Where a connection comes from.
    pub(super) fn address_at(&self, conn: ConnId) -> Option<Subnet> {
        self.get(conn).map(|client| client.from)
    }

    /// How many people look at the table.
    pub(super) fn people(&self) -> usize {
        self.0.iter().map(|client| client.person).collect::<HashSet<_>>().len()
    }

    pub(super) fn send(&self, to: ConnId, text: &[u8]) {
        if let Some(client) = self.get(to) {
            client.outbox.send_text(text);
        }
    }

    /// The core has taken the connection in.
    pub(super) fn admit(&mut self, conn: ConnId) {
        self.answer(conn, Ok(()));
    }

    /// The core has refused the connection.
    pub(super) fn turn_away(&mut self, conn: ConnId, refused: Refused) {
        self.answer(conn, Err(refused));
        self.leave(conn);
    }

    /// Has the connection measured every second, or no longer.
    pub(super) fn measure(&mut self, conn: ConnId, often: bool) {
        if let Some(client) = self.get_mut(conn) {
            client.often = often.then(|| client.link.measure_often());
        }
    }

    pub(super) fn close(&self, conn: ConnId, why: CloseReason) {
        if let Some(client) = self.get(conn) {
            client.outbox.close(why);
        }
    }

    fn answer(&mut self, conn: ConnId, answer: Result<(), Refused>) {
        if let Some(joined) = self.get_mut(conn).and_then(|client| client.joined.take()) {
            let _connection_has_gone = joined.send(answer);
        }
    }

    fn get(&self, conn: ConnId) -> Option<&Client> {
        self.0.iter().find(|client| client.conn == conn)
    }

    fn get_mut(&mut self, conn: ConnId) -> Option<&mut Client> {
        self.0.iter_mut().find(|client| client.conn == conn)
    }
}
