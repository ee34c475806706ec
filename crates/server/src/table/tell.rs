//! What a table tells its people.

use std::sync::PoisonError;

use axum::extract::ws::Utf8Bytes;
use journal::Note;
use rules::kit::{Seat, Seats, Viewer};
use wire::{Chair, Listing, ServerMessage, Sitter, Stage, Table, Update};

use super::ConnId;
use super::task::{Course, Task};
use crate::outbox::{Outbox, written};
use crate::person::Person;
use crate::record::Occupant;
use crate::room::Refused;

impl Task {
    /// One update for everyone, written once for each viewer; the sender's names what it answers.
    pub(super) fn update_all(&self, answered: Option<(ConnId, Option<u32>)>) {
        self.list();
        let mut update = self.update();
        let mut ready = Vec::<(Viewer, Utf8Bytes)>::with_capacity(self.clients.len());
        for client in &self.clients {
            let viewer = self.viewer(&client.person);
            let ack = answered.filter(|(conn, _)| *conn == client.conn).and_then(|(_, id)| id);
            let known = ready.iter().find(|(other, _)| *other == viewer && ack.is_none());
            let text = match known {
                Some((_, text)) => text.clone(),
                None => {
                    let message = ServerMessage::Update(self.shown(update, viewer, ack));
                    let text = written(&message);
                    let ServerMessage::Update(again) = message else { return };
                    update = again;
                    if ack.is_none() {
                        ready.push((viewer, text.clone()));
                    }
                    text
                }
            };
            client.outbox.send(text);
        }
    }

    /// One update for one connection.
    pub(super) fn update_one(&self, conn: ConnId, ack: Option<u32>) {
        if let Some(client) = self.clients.iter().find(|client| client.conn == conn) {
            let mut update = self.shown(self.update(), self.viewer(&client.person), ack);
            update.sights = Vec::new();
            client.outbox.say(&ServerMessage::Update(update));
        }
    }

    /// Tells the sender why nothing happened.
    pub(super) fn refuse(&self, conn: ConnId, id: u32, refused: Refused) {
        if let Some(client) = self.clients.iter().find(|client| client.conn == conn) {
            self.refuse_via(&client.outbox, Some(id), refused.code, &refused.text);
        }
    }

    pub(super) fn refuse_via(&self, outbox: &Outbox, id: Option<u32>, code: &str, text: &str) {
        self.shared.metrics.refused(code);
        outbox.say(&ServerMessage::Refused {
            table: Some(self.code),
            id,
            code: code.to_owned(),
            text: text.to_owned(),
        });
    }

    /// A line of chat, where the rules allow it (M15). What watchers say never reaches players.
    pub(super) fn say(
        &mut self,
        conn: ConnId,
        person: &Person,
        seat: Option<Seat>,
        text: &str,
    ) -> Result<(), Refused> {
        let limits = &self.shared.limits;
        let text = text.trim();
        if text.is_empty() || text.chars().count() > limits.chat_chars_most {
            let text = format!("say something of 1 to {} characters", limits.chat_chars_most);
            return Err(Refused { code: "chat-length", text });
        }
        if text.chars().any(|letter| letter.is_control() && letter != '\n') {
            let text = "chat is plain text without control characters".to_owned();
            return Err(Refused { code: "chat-control", text });
        }
        if seat.is_some() && !self.may_talk() {
            let text = "nobody talks while a level is played, wait for its end".to_owned();
            return Err(Refused { code: "chat-closed", text });
        }
        let client = self.clients.iter_mut().find(|client| client.conn == conn);
        if client.is_some_and(|client| !client.chat.take()) {
            let text = "that was much at once, wait a moment".to_owned();
            return Err(Refused { code: "chat-rate", text });
        }
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
        match &self.course {
            Course::Playing(room) => room.may_talk(),
            Course::Gathering | Course::Over(..) => true,
        }
    }

    fn viewer(&self, person: &Person) -> Viewer {
        self.sits(person.id).map_or(Viewer::Watcher, Viewer::Seat)
    }

    /// What an update says to everyone alike. What is told to one viewer only is still missing.
    fn update(&self) -> Box<Update> {
        Box::new(Update {
            table: self.table(),
            seq: 0,
            ack: None,
            sights: Vec::new(),
            view: None,
            options: None,
            talk: self.may_talk(),
            show_at: self.shared.started.elapsed().as_secs_f64() * 1_000.0,
        })
    }

    /// The update as this viewer is told it. Everything that differs from viewer to viewer is set
    /// here, so nothing remains of the one before.
    fn shown(&self, mut update: Box<Update>, viewer: Viewer, ack: Option<u32>) -> Box<Update> {
        for chair in &mut update.table.chairs {
            if let Sitter::Person { you, .. } = &mut chair.sitter {
                *you = viewer == Viewer::Seat(chair.seat);
            }
        }
        update.ack = ack;
        if let Course::Playing(room) | Course::Over(room, _) = &self.course {
            let (view, options) = room.shown(viewer);
            update.seq = room.seq(viewer);
            update.sights = room.sights(viewer);
            update.view = Some(view);
            update.options = matches!(self.course, Course::Playing(_)).then_some(options);
        }
        update
    }

    /// The table as everyone is told of it.
    fn table(&self) -> Table {
        let chairs = self.seating.iter().map(|(seat, occupant)| Chair {
            seat,
            sitter: match occupant {
                Occupant::Nobody => Sitter::Nobody,
                Occupant::Bot(kind) => Sitter::Bot(*kind),
                Occupant::Person { id, name, held } => Sitter::Person {
                    name: name.clone(),
                    here: self.is_here(*id),
                    held: *held,
                    you: false,
                },
            },
        });
        let watchers = self.clients.iter().filter(|client| self.sits(client.person.id).is_none());
        Table {
            code: self.code,
            setup: self.setup,
            public: self.public,
            host: self.seating.host.and_then(|host| self.sits(host)),
            chairs: chairs.collect(),
            watchers: watchers.count() as u32,
            stage: match &self.course {
                Course::Gathering => Stage::Gathering,
                Course::Playing(_) => {
                    Stage::Playing { missing: self.missing(), hold: self.hold, end: self.end }
                }
                Course::Over(_, outcome) => Stage::Over { outcome: *outcome },
            },
            games: self.games,
        }
    }

    /// Brings the table's line in the public list up to date.
    pub(super) fn list(&self) {
        let here = !self.clients.is_empty();
        let listing = (self.public && here).then(|| self.listed());
        *self.listing.lock().unwrap_or_else(PoisonError::into_inner) = listing;
    }

    /// The table's line in a list.
    pub(super) fn listed(&self) -> Listing {
        let taken = self.seating.chairs.iter().filter(|chair| **chair != Occupant::Nobody);
        Listing {
            code: self.code,
            game: self.setup.game(),
            taken: taken.count() as u8,
            chairs: self.seating.chairs.len() as u8,
            playing: matches!(self.course, Course::Playing(_)),
        }
    }

    /// What the journal is to keep of the table beside its lines, if it does not already. Most
    /// moves change nothing of it, and writing it costs as much as the lines.
    pub(super) fn note(&self) -> Option<(Noted, Note)> {
        let noted =
            Noted { listing: self.listed(), ended: matches!(self.course, Course::Over(..)) };
        if self.noted.as_ref() == Some(&noted) {
            return None;
        }
        let text = serde_json::to_string(&noted.listing).ok()?;
        let note = Note { text: text.into(), listed: self.public, ended: noted.ended };
        Some((noted, note))
    }
}

/// What a note was made from.
#[derive(PartialEq)]
pub(super) struct Noted {
    listing: Listing,
    ended: bool,
}

/// Everyone of these seats who has agreed, as far as they still sit here.
pub(super) fn all_agree(agreed: Seats, people: Seats) -> bool {
    !people.is_empty() && people.iter().all(|seat| agreed.contains(seat))
}
