//! People who come and go, and how their connections are.

use rules::kit::{Outcome, Seat};
use wire::{Code, Grade, Refusal, ServerMessage};

use crate::admission::Origin;
use crate::any_match::AnyMatch;
use crate::effect::{Effect, Effects};
use crate::entry::Entry;
use crate::fair::Stamp;
use crate::link::LinkState;
use crate::person::{Person, PersonId};
use crate::presence::ConnId;
use crate::refused::Refused;
use crate::seating::Occupant;
use crate::table::Table;
use crate::viewers::written;
use crate::writing::Then;

/// A connection that wants to look at the table.
pub(crate) struct Arrival {
    pub(crate) conn: ConnId,
    pub(crate) person: Person,
    /// The code by which it came.
    pub(crate) by: Code,
    pub(crate) from: Origin,
    pub(crate) link: LinkState,
}

impl Table {
    pub(crate) fn join(&mut self, now: Stamp, arrival: Arrival, out: &mut Effects) {
        let Arrival { conn, person, by, from, link } = arrival;
        let seat = self.seat_of(person.id);
        if self.people.presence.get(conn).is_none() {
            let may = self.may_use(by, person.id);
            let may = may.and_then(|()| self.may_come(now, person.id, from));
            if let Err(refused) = may.and_then(|()| self.has_room(seat, from)) {
                return out.push(Effect::TurnAway { conn, refused });
            }
        }
        if by != self.id() {
            let found = ServerMessage::Found { code: by, table: self.id() };
            out.push(Effect::Send { to: conn, text: written(&found) });
        }
        self.people.guests.welcome(person.id);
        if let Some(seat) = seat {
            if !self.people.presence.is_here(person.id) {
                self.people.votes.void();
            }
            self.referee.reset(seat);
        }
        let (id, name, mark) = (person.id, person.name.clone(), person.mark);
        let grade = self.people.presence.grade(id);
        self.people.presence.join(conn, person, from, link, self.state.seating());
        self.regraded(id, grade);
        // What could not be kept when a player left is tried again before anything is played.
        self.referee.retry_now();
        let mut seating = self.state.seating().clone();
        if let Some(Occupant::Person { held, name: called, mark: known_by, .. }) =
            seat.and_then(|seat| seating.chair(seat))
        {
            *held = false;
            // In a study players are called as its file says.
            if self.state.study().is_none() {
                *called = name;
                *known_by = mark;
            }
            if self.state.opener() == Some(id) {
                // The right to be host outlasts a lost connection.
                seating.host = Some(id);
            }
        }
        let seating = self.with_host(seating);
        if seating != *self.state.seating() {
            // If it cannot be kept, the player is here all the same, and the next change keeps it.
            let _not_kept = self.reseat(seating, None, out);
        } else if self.people.presence.clients().len() == 1 {
            self.look_up_deal(out);
        }
    }

    /// Whether one more spectator finds a place, and not all from one address.
    fn has_room(&self, seat: Option<Seat>, from: Origin) -> Result<(), Refused> {
        let (seating, settings) = (self.state.seating(), &self.terms.settings);
        let presence = &self.people.presence;
        let is_full = presence.spectators(seating) >= settings.spectators_most
            || presence.spectators_from(from, seating) >= settings.spectators_per_origin_most;
        if seat.is_some() || !is_full {
            return Ok(());
        }
        let text = "this table has as many spectators as it can take, try again later";
        let most = settings.spectators_most.try_into().unwrap_or(u32::MAX);
        Err(Refused::new(Refusal::TableFull { most }, text))
    }

    pub(crate) fn leave(&mut self, now: Stamp, conn: ConnId, seen_until: Stamp, out: &mut Effects) {
        let Some(client) = self.people.presence.get(conn) else { return };
        let person = client.person.id;
        let grade = self.people.presence.grade(person);
        self.people.presence.leave(conn, self.state.seating());
        self.regraded(person, grade);
        if self.people.presence.is_empty() {
            self.queue.empty_since = now;
        }
        if self.people.presence.is_here(person) || self.seat_of(person).is_none() {
            return;
        }
        self.people.votes.void();
        self.referee.lost(self.missing(), seen_until.min(now));
        self.pass_host_on(out);
    }

    /// A person was deleted: their chair is empty from now on. During a game it stays theirs
    /// without their name, and the others decide what becomes of it. Without another person in a
    /// seat the game ends: no player is left who could decide.
    pub(crate) fn forget(&mut self, now: Stamp, person: PersonId, out: &mut Effects) {
        let was_here = self.people.presence.is_here(person);
        self.people.presence.forget(person);
        if self.seat_of(person).is_some() && !self.people.forgotten.contains(&person) {
            self.people.forgotten.push(person);
        }
        if self.people.presence.is_empty() {
            self.queue.empty_since = now;
        }
        self.state.forget(person);
        self.people.votes.void();
        if was_here && self.seat_of(person).is_some() {
            // As when a player leaves: their earlier presses count before play is held.
            self.referee.lost(self.missing(), now);
        } else {
            self.referee.pause_for(self.missing());
        }
        let mut seating = self.state.seating().clone();
        if !self.state.is_playing() {
            seating.vacate(person);
        }
        let seating = self.with_host(seating);
        if seating != *self.state.seating() {
            // If it cannot be kept, the host can still send them away.
            let _not_kept = self.reseat(seating, None, out);
        }
        self.end_abandoned(out);
    }

    /// Ends a game in which all people with a seat were deleted.
    pub(crate) fn end_abandoned(&mut self, out: &mut Effects) {
        let is_abandoned = !self.people.forgotten.is_empty()
            && self.state.is_playing()
            && self.state.seating().people().all(|(_, id)| self.people.forgotten.contains(&id));
        if is_abandoned {
            self.end_by_itself(out);
        }
    }

    /// Ends the deal of a day when it is not played any more. What was reached counts.
    pub(crate) fn end_overdue(&mut self, out: &mut Effects) {
        if self.state.is_playing() && self.is_overdue() {
            self.end_by_itself(out);
        }
    }

    /// Ends the game of a study that does not go on.
    pub(crate) fn end_for_study(&mut self, out: &mut Effects) {
        if self.state.is_playing() && self.state.study().is_some() {
            self.end_by_itself(out);
        }
    }

    /// Whether the game that is on or over has the deal of a day that is not played any more.
    pub(crate) fn is_overdue(&self) -> bool {
        let daily = self.state.shared_deal().and_then(|shared| shared.deal.of.daily());
        daily.is_some_and(|daily| self.clock.day_over.is_some_and(|over| daily.day <= over))
    }

    /// Ends a game early without a message that asked for it.
    fn end_by_itself(&mut self, out: &mut Effects) {
        // If it cannot be kept now, or other lines are on their way, the next time that the table
        // wakes tries again.
        if self.is_ready() {
            let won = self.state.playing().is_some_and(AnyMatch::is_won);
            let outcome = won.then_some(Outcome::Won);
            let entry = Entry::Ended { outcome, by: None };
            let _not_kept = self.write(&[entry], Vec::new(), Then::End { outcome, by: None }, out);
        }
    }

    /// When the host has gone, the next player who is here takes over.
    fn pass_host_on(&mut self, out: &mut Effects) {
        let seating = self.with_host(self.state.seating().clone());
        if seating.host != self.state.seating().host {
            // If it cannot be kept now, the next departure or arrival tries again.
            let _not_kept = self.reseat(seating, None, out);
        }
    }

    pub(crate) fn linked(&mut self, now: Stamp, conn: ConnId, link: LinkState) {
        let Some(client) = self.people.presence.get(conn) else { return };
        let person = client.person.id;
        let grade = self.people.presence.grade(person);
        self.people.presence.linked(conn, link);
        if self.seat_of(person).is_none() {
            return;
        }
        self.regraded(person, grade);
        let troubles = self.people.presence.troubles(self.state.seating(), now);
        self.referee.observe(&troubles, self.is_level());
    }

    /// Between levels the players see how good the others' connections are: `before` is what they
    /// knew of this one. That it was measured for the first time is told with the next change.
    fn regraded(&mut self, person: PersonId, before: Option<Grade>) {
        if before.is_some() && before != self.people.presence.grade(person) && !self.is_level() {
            self.people.presence.touch();
        }
    }
}
