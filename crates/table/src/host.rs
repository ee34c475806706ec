//! What the host decides about who may be at the table.

use rules::kit::Seat;
use wire::{Code, Refusal, ServerMessage};

use crate::admission::{Admission, Origin};
use crate::effect::{Effect, Effects, Lookup};
use crate::entry::Entry;
use crate::fair::Stamp;
use crate::person::{Person, PersonId};
use crate::presence::ConnId;
use crate::refused::Refused;
use crate::requests::Done;
use crate::seating::{Occupant, Seating};
use crate::table::Table;
use crate::viewers::written;
use crate::writing::{Asked, Then};

impl Table {
    /// Removes a player: their seat is free, and they do not come back.
    pub(crate) fn kick(
        &mut self,
        asked: Asked,
        seat: Seat,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        self.host_between_games(asked.person())?;
        let mut seating = self.state.seating().clone();
        match seating.chair(seat) {
            Some(Occupant::Person { id, .. }) if *id == asked.person() => {
                Err(Refused::new(Refusal::OwnSeat, "that is your own seat, stand up instead"))
            }
            Some(chair @ Occupant::Person { .. }) => {
                let mut admission = self.state.admission().clone();
                if let Occupant::Person { id, name, .. } = std::mem::replace(chair, Occupant::Empty)
                {
                    admission.remove(id, name, Some(seat));
                }
                self.admit(asked, admission, Some(seating), out)
            }
            _ => Err(Refused::new(Refusal::NoPerson, "no person sits there")),
        }
    }

    /// Removes a spectator.
    pub(crate) fn remove_spectator(
        &mut self,
        asked: Asked,
        number: u32,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        self.host_only(asked.person())?;
        let Person { id, name, .. } = self.spectator(number)?;
        let mut admission = self.state.admission().clone();
        admission.remove(id, name, None);
        self.admit(asked, admission, None, out)
    }

    /// Sends the chat of a spectator on, or not.
    pub(crate) fn mute(
        &mut self,
        asked: Asked,
        number: u32,
        muted: bool,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        self.host_only(asked.person())?;
        let Person { id, .. } = self.spectator(number)?;
        let mut admission = self.state.admission().clone();
        admission.mute(id, muted);
        self.admit(asked, admission, None, out)
    }

    /// Lets a person back in who was removed. If their seat is still free, it is theirs again.
    pub(crate) fn readmit(
        &mut self,
        asked: Asked,
        number: u32,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        self.host_only(asked.person())?;
        let mut admission = self.state.admission().clone();
        let Some(back) = admission.readmit(number) else {
            return Err(Refused::new(Refusal::NotRemoved, "that person was let back in already"));
        };
        let mut seating = self.state.seating().clone();
        let chair = back.seat.filter(|_| !self.state.is_playing());
        let seated = match chair.and_then(|seat| seating.chair(seat)) {
            Some(chair @ Occupant::Empty) => {
                // Their mark comes with their next connection.
                let (id, name) = (back.id, back.name);
                *chair = Occupant::Person { id, name, mark: None, held: false };
                true
            }
            Some(_) | None => false,
        };
        self.admit(asked, admission, seated.then_some(seating), out)
    }

    /// Has a new code drawn for the table.
    pub(crate) fn new_code(&mut self, asked: Asked, out: &mut Effects) -> Result<Done, Refused> {
        self.host_only(asked.person())?;
        self.may_change()?;
        if let Some(waiting) = &mut self.queue.lookups.code {
            if waiting.by == asked.by {
                // The same message came again: it is answered over the new connection.
                waiting.conn = waiting.conn.max(asked.conn);
                return Ok(Done::Later);
            }
            return Err(Refused::new(Refusal::Busy, "the table is just getting a new code"));
        }
        self.queue.lookups.code = Some(asked);
        out.push(Effect::LookUp(Lookup::NewCode { table: self.id() }));
        Ok(Done::Later)
    }

    /// The code that was drawn: it leads here from now on, and the one before it to no table.
    pub(crate) fn found_code(&mut self, code: Result<Code, Refused>, out: &mut Effects) {
        let Some(asked) = self.queue.lookups.code.take() else { return };
        let done = code.and_then(|code| self.decide(asked, |it| it.code = Some(code), out));
        self.answer(asked, done, out);
    }

    /// Whether a code leads a person here. A code that was replaced leads no one here but the
    /// players and the opener, whose page may have been offline when it was replaced.
    pub(crate) fn may_use(&self, code: Code, person: PersonId) -> Result<(), Refused> {
        let is_own = self.seat_of(person).is_some() || self.state.opener() == Some(person);
        if code == self.code() || is_own { Ok(()) } else { Err(Refused::no_table(code)) }
    }

    /// Changes one of the host's decisions.
    pub(crate) fn decide(
        &mut self,
        asked: Asked,
        change: impl FnOnce(&mut Admission),
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        self.host_only(asked.person())?;
        let mut admission = self.state.admission().clone();
        change(&mut admission);
        self.admit(asked, admission, None, out)
    }

    fn admit(
        &mut self,
        asked: Asked,
        admission: Admission,
        seating: Option<Seating>,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        let before = self.state.admission();
        if admission.removed.len() < before.removed.len() {
            out.push(Effect::Unbar);
        }
        let removed = admission.removed_since(before).collect::<Vec<_>>();
        let clients = self.people.presence.clients().iter();
        let barred = clients.filter(|client| removed.contains(&client.person.id));
        let barred = barred.map(|client| client.conn).collect::<Vec<_>>();
        if !barred.is_empty() {
            out.push(Effect::Bar(barred));
        }
        let seated = seating.clone().map(|seating| Entry::Seated { seating, by: None });
        let admitted = Entry::Admission { admission: admission.clone(), by: asked.by };
        let entries = seated.into_iter().chain([admitted]).collect::<Vec<_>>();
        self.write(&entries, Vec::new(), Then::Admit { admission, seating, by: asked }, out)?;
        Ok(Done::Later)
    }

    /// The host's decision is durable: people who may no longer be here are sent away.
    pub(crate) fn admitted(&mut self, now: Stamp, admission: Admission, out: &mut Effects) {
        let before = self.state.admission().removed.len();
        let eased = admission.removed.len() < before;
        self.state.admit(admission);
        if eased {
            self.people.guests.unbar();
        }
        self.send_away(now, out);
    }

    /// Sends away everyone who may not be here.
    pub(crate) fn send_away(&mut self, now: Stamp, out: &mut Effects) {
        let clients = self.people.presence.clients().iter();
        let away = clients.filter_map(|client| {
            let person = client.person.id;
            let refused = self.may_stay(person).err()?;
            Some((client.conn, person, client.from, refused))
        });
        for (conn, person, from, refused) in away.collect::<Vec<_>>() {
            if self.state.admission().has_removed(person) {
                self.people.guests.bar(person, [from], now);
            }
            self.say_no(conn, &refused, out);
            self.people.presence.leave(conn, self.state.seating());
            out.push(Effect::SendAway(conn));
        }
        if self.people.presence.is_empty() {
            self.queue.empty_since = now;
        }
    }

    /// Sends everyone away who looks at a table that the operator has closed. Their connections
    /// stay open, so that their pages do not come back by themselves and wake it.
    pub(crate) fn dismiss(&self, out: &mut Effects) {
        let text = "the operator of this server has closed the table; nothing is lost, and it \
                    opens again when you come back";
        let refused = Refused::new(Refusal::TableClosed, text);
        for client in self.people.presence.clients() {
            self.say_no(client.conn, &refused, out);
            out.push(Effect::SendAway(client.conn));
        }
    }

    /// Whether a person who is here may be.
    fn may_stay(&self, person: PersonId) -> Result<(), Refused> {
        let admission = self.state.admission();
        if admission.has_removed(person) {
            return Err(removed());
        }
        if self.seat_of(person).is_some() || self.state.opener() == Some(person) {
            return Ok(());
        }
        let seating = self.state.seating();
        let has_free_seat = seating.chairs.contains(&Occupant::Empty) && !self.state.is_playing();
        if admission.players_only && !has_free_seat {
            let text = "this table is not watched, come back when a seat is free";
            return Err(Refused::new(Refusal::NoSpectators, text));
        }
        Ok(())
    }

    /// Whether a person may come in.
    pub(crate) fn may_come(
        &self,
        now: Stamp,
        person: PersonId,
        from: Origin,
    ) -> Result<(), Refused> {
        self.may_stay(person)?;
        let is_own = self.seat_of(person).is_some() || self.state.opener() == Some(person);
        if is_own || self.people.guests.knows(person) {
            return Ok(());
        }
        if self.state.study().is_some() {
            let text = "the table of a study is for its participants alone";
            return Err(Refused::new(Refusal::InStudy, text));
        }
        if self.people.guests.bars(from, now) {
            return Err(removed());
        }
        if self.state.admission().locked {
            let text = "this table is locked, ask its host to open it";
            return Err(Refused::new(Refusal::Locked, text));
        }
        Ok(())
    }

    /// Tells a connection that the table is closed to it.
    fn say_no(&self, conn: ConnId, refused: &Refused, out: &mut Effects) {
        let text = written(&ServerMessage::Refused(wire::Refused {
            table: Some(self.id()),
            id: None,
            why: refused.why,
            text: refused.text.clone().into_owned(),
        }));
        out.push(Effect::Send { to: conn, text });
    }

    fn spectator(&self, number: u32) -> Result<Person, Refused> {
        let clients = self.people.presence.clients().iter();
        let found = clients
            .filter(|client| self.seat_of(client.person.id).is_none())
            .find(|client| client.number == number);
        let gone = || Refused::new(Refusal::NoSpectator, "that spectator has gone");
        found.map(|client| client.person.clone()).ok_or_else(gone)
    }
}

fn removed() -> Refused {
    Refused::new(Refusal::Removed, "the host has removed you from this table")
}
