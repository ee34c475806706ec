//! What a table tells its people.

use std::sync::PoisonError;

use axum::extract::ws::Utf8Bytes;
use rules::kit::{Seat, Seats, Viewer};
use wire::{Chair, ServerMessage, Sitter, Stage, Table, Update};

use super::ConnId;
use super::kept::Course;
use super::task::Task;
use crate::chat;
use crate::outbox::written;
use crate::person::Person;
use crate::record::Occupant;
use crate::room::Refused;

impl Task {
    /// One update for everyone for whom something is new, written once for each viewer; the
    /// sender's names what it answers. Whoever noticed nothing is told nothing: that something
    /// happened would itself be news, as when somebody marks a card for themselves.
    pub(super) fn update_all(&mut self, answered: Option<(ConnId, u32)>) {
        self.list();
        self.hurry();
        self.unpause();
        self.schedule();
        self.seek_advice();
        let table = self.table();
        let unmeasured = without_quality(table.clone());
        let changed = self.told.as_ref() != Some(&unmeasured);
        let mut ready = Vec::<(Viewer, Utf8Bytes)>::with_capacity(self.clients.len());
        for client in &self.clients {
            let viewer = self.viewer(&client.person);
            let ack = answered.filter(|(conn, _)| *conn == client.conn).map(|(_, id)| id);
            if !(changed || !client.greeted || ack.is_some() || self.noticed(viewer)) {
                continue;
            }
            let known = ready.iter().find(|(other, _)| *other == viewer && ack.is_none());
            let text = match known {
                Some((_, text)) => text.clone(),
                None => {
                    let text = written(&self.update(&table, viewer, ack, true));
                    if ack.is_none() {
                        ready.push((viewer, text.clone()));
                    }
                    text
                }
            };
            client.outbox.send(text);
        }
        for client in &mut self.clients {
            client.greeted = true;
        }
        self.told = Some(unmeasured);
        if let Course::Playing(room) | Course::Over(room, _) = &mut self.kept.course {
            room.told();
        }
        self.photo_finish = None;
    }

    /// Whether a viewer noticed something since everyone was told last.
    fn noticed(&self, viewer: Viewer) -> bool {
        match &self.kept.course {
            Course::Gathering { .. } => false,
            Course::Playing(room) | Course::Over(room, _) => room.noticed(viewer),
        }
    }

    /// How things stand, for one connection.
    pub(super) fn update_one(&self, conn: ConnId, ack: Option<u32>) {
        if let Some(client) = self.clients.iter().find(|client| client.conn == conn) {
            let viewer = self.viewer(&client.person);
            client.outbox.say(&self.update(&self.table(), viewer, ack, false));
        }
    }

    /// Tells the sender why nothing happened.
    pub(super) fn refuse(&self, conn: ConnId, id: u32, refused: Refused) {
        if let Some(client) = self.clients.iter().find(|client| client.conn == conn) {
            self.shared.metrics.refused(refused.code);
            client.outbox.say(&ServerMessage::Refused {
                table: Some(self.code),
                id: Some(id),
                code: refused.code.to_owned(),
                text: refused.text,
            });
        }
    }

    /// A line of chat, where the rules allow it (M15). What watchers say never reaches players.
    pub(super) fn say(
        &self,
        person: &Person,
        seat: Option<Seat>,
        text: &str,
    ) -> Result<(), Refused> {
        let text = chat::plain(text, &self.shared.limits)?;
        if seat.is_some() && !self.may_talk() {
            let text = "nobody talks while a level is played, wait for its end".to_owned();
            return Err(Refused { code: "chat-closed", text });
        }
        chat::count(&self.shared, person.id)?;
        let said = written(&ServerMessage::Said {
            table: self.code,
            seat,
            name: person.name.clone(),
            text: text.to_owned(),
        });
        for client in &self.clients {
            if seat.is_some() || self.sits(client.person.id).is_none() {
                client.outbox.send(said.clone());
            }
        }
        Ok(())
    }

    /// Players may talk unless the game says otherwise.
    fn may_talk(&self) -> bool {
        match &self.kept.course {
            Course::Playing(room) => room.may_talk(),
            Course::Gathering { .. } | Course::Over(..) => true,
        }
    }

    fn viewer(&self, person: &Person) -> Viewer {
        self.sits(person.id).map_or(Viewer::Watcher, Viewer::Seat)
    }

    fn update(&self, table: &Table, viewer: Viewer, ack: Option<u32>, new: bool) -> ServerMessage {
        let mut table = table.clone();
        for chair in &mut table.chairs {
            if let Sitter::Person { you, .. } = &mut chair.sitter {
                *you = viewer == Viewer::Seat(chair.seat);
            }
        }
        let room = match &self.kept.course {
            Course::Gathering { .. } => None,
            Course::Playing(room) | Course::Over(room, _) => Some(room),
        };
        let shown = room.map(|room| room.shown(viewer, !self.is_on()));
        let (view, options) = shown.unzip();
        ServerMessage::Update(Box::new(Update {
            table,
            seq: room.map_or(self.kept.course.next_seq(), |room| room.seq(viewer)),
            ack,
            sights: room.filter(|_| new).map_or_else(Vec::new, |room| room.sights(viewer)),
            view,
            options: options.filter(|_| matches!(self.kept.course, Course::Playing(_))),
            help: self.help(viewer),
            talk: self.may_talk(),
            photo_finish: self.photo_finish.filter(|_| new),
            show_at: self.show_at.to_wire(),
        }))
    }

    /// The table as everyone is told of it; who of them is who, each is told in their own update.
    fn table(&self) -> Table {
        // While a level is played nobody is told of anybody's connection.
        let is_level = self.is_level();
        let chairs = self.kept.seating.iter().map(|(seat, occupant)| Chair {
            seat,
            sitter: match occupant {
                Occupant::Nobody => Sitter::Nobody,
                Occupant::Bot(kind) => Sitter::Bot(*kind),
                Occupant::Ghost(ghost) => Sitter::Ghost { name: ghost.name.clone() },
                Occupant::Person { id, name, held } => Sitter::Person {
                    name: name.clone(),
                    here: self.is_here(*id),
                    held: *held,
                    ready: self.ready.contains(seat),
                    you: false,
                    quality: if is_level { None } else { self.quality(*id) },
                },
            },
        });
        let watchers = self.clients.iter().filter(|client| self.sits(client.person.id).is_none());
        Table {
            code: self.code,
            setup: self.kept.setup,
            public: self.kept.public,
            host: self.kept.seating.host.and_then(|host| self.sits(host)),
            chairs: chairs.collect(),
            watchers: watchers.count() as u32,
            stage: match &self.kept.course {
                Course::Gathering { .. } => Stage::Gathering,
                Course::Playing(_) => Stage::Playing {
                    missing: self.missing(),
                    hold: self.hold,
                    end: self.end,
                    paused: self.paused.clone(),
                },
                Course::Over(_, outcome) => Stage::Over { outcome: *outcome },
            },
            games: self.kept.games,
            deal: self.repeat(),
        }
    }

    /// Brings the table's line in the public list up to date.
    pub(super) fn list(&self) {
        let here = !self.clients.is_empty();
        let listing = (self.kept.public && here).then(|| self.kept.listing(self.code));
        *self.listing.lock().unwrap_or_else(PoisonError::into_inner) = listing;
    }
}

/// The table without what changes all the time: connections are told of when they are measured,
/// and not whenever something happens that nobody should know of.
fn without_quality(mut table: Table) -> Table {
    for chair in &mut table.chairs {
        if let Sitter::Person { quality, .. } = &mut chair.sitter {
            *quality = None;
        }
    }
    table
}

/// Everyone of these seats who has agreed, as far as they still sit here.
pub(super) fn all_agree(agreed: Seats, people: Seats) -> bool {
    !people.is_empty() && people.iter().all(|seat| agreed.contains(seat))
}
