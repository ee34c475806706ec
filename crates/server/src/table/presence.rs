//! Who is there: coming, going, and holding play for whoever is missing.

use std::sync::Arc;

use bots::Kind;
use rules::kit::{Seat, Seats};
use tokio::sync::oneshot;
use tracing::warn;
use wire::BotKind;

use super::ConnId;
use super::kept::Course;
use super::task::{Client, Task};
use crate::line::Line;
use crate::outbox::Outbox;
use crate::person::{Person, PersonId};
use crate::record::{Cause, Occupant};
use crate::room::{Refused, player};

impl Task {
    pub(super) async fn join(
        &mut self,
        conn: ConnId,
        person: Person,
        outbox: Outbox,
        line: Arc<Line>,
        joined: oneshot::Sender<Result<(), Refused>>,
    ) {
        let others = self.clients.iter().filter(|client| client.conn != conn);
        let watchers = others.filter(|client| self.sits(client.person.id).is_none());
        if self.sits(person.id).is_none() && watchers.count() >= self.shared.limits.watchers_most {
            let text = "so many look on here already that nobody else can, try again later";
            let _socket_has_gone =
                joined.send(Err(Refused { code: "table-full", text: text.to_owned() }));
            return;
        }
        self.clients.retain(|client| client.conn != conn);
        let seat = self.sits(person.id);
        if seat.is_some() && !self.is_here(person.id) {
            self.void_votes();
        }
        self.clients.push(Client { conn, person: person.clone(), outbox, line, greeted: false });
        if let Some(seat) = seat {
            // With a new connection they start afresh before the referee.
            self.troubled = self.troubled.without(seat);
        }
        self.remember_watchers();
        let mut seating = self.kept.seating.clone();
        if let Some(Occupant::Person { held, name, .. }) = seat.and_then(|seat| seating.chair(seat))
        {
            *held = false;
            *name = person.name.clone();
        }
        let seating = self.with_host(seating);
        if seating != self.kept.seating
            && let Err(refused) = self.seat(seating, None).await
        {
            warn!(table = %self.code, text = refused.text, "the return to a seat was not kept");
        }
        // What could not be kept when they left is tried again before they play.
        let _still_owed = self.pay().await;
        self.plan();
        self.update_all(None);
        // Only now, so that the answer to the join comes before those to later messages.
        let _socket_has_gone = joined.send(Ok(()));
    }

    pub(super) async fn leave(&mut self, conn: ConnId) {
        let Some(place) = self.clients.iter().position(|client| client.conn == conn) else {
            return;
        };
        let client = self.clients.remove(place);
        if self.is_here(client.person.id) {
            return;
        }
        if self.sits(client.person.id).is_some() {
            self.void_votes();
            self.pass_host_on().await;
            let now = self.shared.stamp();
            self.settle(client.line.unanswered_since().unwrap_or(now)).await;
            self.hold_for_missing().await;
        }
        self.plan();
        self.update_all(None);
    }

    pub(super) async fn forget(&mut self, person: PersonId) {
        self.kept.answers.forget(person);
        self.clients.retain(|client| client.person.id != person);
        self.vacate(person).await;
        // During a game the chair stays; the name on it does not, as when the table is read again.
        self.kept.seating.forget(|id| id == person);
        self.void_votes();
        self.pass_host_on().await;
        self.hold_for_missing().await;
        self.plan();
        self.update_all(None);
    }

    /// Holds play for everyone who sits here and is not connected, machines excepted.
    pub(super) async fn hold_for_missing(&mut self) {
        self.owed = self.missing().iter().fold(self.owed, Seats::with);
        if let Err(refused) = self.pay().await {
            warn!(table = %self.code, text = refused.text, "play could not be held");
        }
    }

    /// Holds play for those for whom it has to be held still.
    pub(super) async fn pay(&mut self) -> Result<(), Refused> {
        for seat in self.owed.iter() {
            let pause = match &self.kept.course {
                Course::Playing(room) => room.pause(seat),
                Course::Gathering { .. } | Course::Over(..) => None,
            };
            if let Some(command) = pause {
                let now = self.now();
                self.play(Cause::of_itself(seat, now), now, command).await?;
            }
            self.owed = self.owed.without(seat);
        }
        Ok(())
    }

    /// Whether a game is on that nothing keeps from going on.
    pub(super) fn is_on(&self) -> bool {
        self.missing().is_empty() && self.owed.is_empty() && !self.clients.is_empty()
    }

    /// Where machines play, for themselves or for somebody who is gone, and which.
    pub(super) fn machines(&self) -> Vec<(Seat, Kind)> {
        let stand_in = player(BotKind::stand_in(self.kept.setup.game()));
        let machines = self.kept.seating.iter().filter_map(|(seat, occupant)| match occupant {
            Occupant::Bot(kind) => Some((seat, player(*kind))),
            Occupant::Ghost(ghost) => Some((seat, ghost.kind())),
            Occupant::Person { id, held, .. } => {
                (*held && !self.is_here(*id)).then_some((seat, stand_in))
            }
            Occupant::Nobody => None,
        });
        machines.collect()
    }

    /// Who should be there and is not.
    pub(super) fn missing(&self) -> Seats {
        let missing = self.kept.seating.iter().filter(|(_, occupant)| match occupant {
            Occupant::Person { id, held, .. } => !held && !self.is_here(*id),
            Occupant::Nobody | Occupant::Bot(_) | Occupant::Ghost(_) => false,
        });
        missing.map(|(seat, _)| seat).collect()
    }

    pub(super) fn is_here(&self, person: PersonId) -> bool {
        self.clients.iter().any(|client| client.person.id == person)
    }

    pub(super) fn sits(&self, person: PersonId) -> Option<Seat> {
        self.kept.seating.seat_of(person)
    }
}
