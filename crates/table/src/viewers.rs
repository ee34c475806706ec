//! What the viewers of a table are sent.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use rules::kit::{Seat, Viewer};
use smallvec::SmallVec;
use wire::{Name, PhotoFinish, Reaction, Refusal, ServerMessage, Update};

use crate::any_match::{AnyMatch, UpdateParts};
use crate::chat::plain_text;
use crate::effect::{Effect, Effects, Noted};
use crate::fair::{Stamp, lead};
use crate::person::{Person, PersonId};
use crate::presence::ConnId;
use crate::refused::Refused;
use crate::seating::Occupant;
use crate::shown_table::{SentTable, Versions};
use crate::table::Table;

/// What one connection was sent.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sent {
    /// The table as the connection knows it; `None` before its first update.
    table: Option<Versions>,
    /// When its last update is shown: none is shown before it.
    show_at: Stamp,
}

impl Sent {
    /// The connection joins again: it is told everything, and nothing before what it was sent.
    pub(crate) fn again(self) -> Self {
        Self { table: None, ..self }
    }
}

/// One update, before it is written.
struct Draft<'a> {
    viewer: Viewer,
    /// The table, if that is new to the viewer.
    table: Option<&'a SentTable>,
    /// The message that it answers.
    ack: Option<u32>,
    /// Whether it tells what happened since the last one.
    is_new: bool,
    /// Whether the game waits for a player.
    is_waiting: bool,
    show_at: Stamp,
}

/// Where updates are written before they are copied out with the size that they have: large enough
/// for most, so that it does not grow.
const BUFFER_BYTES: usize = 1_024;

/// What is to be sent with the next updates, and what was sent before.
#[derive(Default)]
pub(crate) struct Viewers {
    /// Messages to be acknowledged with the next update of their connection.
    acks: Vec<(ConnId, u32)>,
    /// What the next updates say of two presses that were too close to tell apart.
    photo_finish: Option<PhotoFinish>,
    /// What the last listing was made for.
    listed: Option<Versions>,
    /// Who is known to have watched the game of that number.
    pub(crate) watched: (u32, HashSet<PersonId>),
}

impl Viewers {
    /// The connection's next update answers this message.
    pub(crate) fn acknowledge(&mut self, conn: ConnId, id: u32) {
        self.acks.push((conn, id));
    }

    /// The next updates tell of a photo finish.
    pub(crate) fn photo_finish(&mut self, photo: Option<PhotoFinish>) {
        self.photo_finish = photo;
    }
}

/// A message as it goes out. Messages are plain data: writing one to memory cannot fail.
pub(crate) fn written(message: &ServerMessage) -> Bytes {
    // Large enough for an update without its table, so that it is not copied while it grows.
    let mut text = Vec::with_capacity(512);
    let _infallible = serde_json::to_writer(&mut text, message);
    text.into()
}

impl Table {
    /// Sends an update to every connection for which something is new. A viewer who noticed
    /// nothing is sent nothing: that something happened would itself be news, as when a player
    /// marks a card in private.
    pub(crate) fn tell(&mut self, now: Stamp, out: &mut Effects) {
        let versions = self.versions();
        let has_news = self.state.any_match().is_some_and(AnyMatch::has_news);
        if !has_news && self.all_know(versions) {
            return;
        }
        self.choose_pings(out);
        self.note_spectators(out);
        self.list(versions, out);
        self.advice.seek(self.state.playing(), self.state.seating(), out);
        self.send_updates(now, versions, has_news, out);
        self.viewers.acks.clear();
        self.viewers.photo_finish = None;
        if let Some(live) = self.state.any_match_mut() {
            live.clear_news();
        }
    }

    /// Whether no connection has to be sent anything while nothing happens in the game, and the
    /// public list is up to date.
    fn all_know(&self, versions: Versions) -> bool {
        let mut clients = self.people.presence.clients().iter();
        self.viewers.acks.is_empty()
            && clients.all(|client| client.sent.table == Some(versions))
            && self.is_listed(versions)
    }

    fn send_updates(&mut self, now: Stamp, versions: Versions, has_news: bool, out: &mut Effects) {
        let live = self.state.any_match();
        let lead = if has_news { self.lead() } else { Duration::ZERO };
        let mut table = None::<SentTable>;
        let mut buffer = Vec::with_capacity(BUFFER_BYTES);
        let mut same = SmallVec::<[(Viewer, bool, Stamp, Bytes); 4]>::new();
        let mut sent = SmallVec::<[(usize, Sent); 8]>::new();
        for (place, client) in self.people.presence.clients().iter().enumerate() {
            let viewer = self.viewer(client.person.id);
            let noticed = has_news && live.is_some_and(|live| live.noticed(viewer));
            let mut acks = self.viewers.acks.iter().filter(|(conn, _)| *conn == client.conn);
            let ack = acks.next().map(|(_, id)| *id);
            let table_is_new = client.sent.table != Some(versions);
            if !(table_is_new || noticed || ack.is_some()) {
                continue;
            }
            let shown = now.after(if noticed { lead } else { Duration::ZERO });
            let show_at = client.sent.show_at.max(shown);
            let known = same.iter().find(|(other, with_table, at, _)| {
                *other == viewer && *with_table == table_is_new && *at == show_at && ack.is_none()
            });
            let is_waiting = !versions.is_on;
            let text = match known {
                Some((.., text)) => text.clone(),
                None => {
                    let table =
                        table_is_new.then(|| &*table.get_or_insert_with(|| self.sent_table()));
                    let draft = Draft { viewer, table, ack, is_new: true, is_waiting, show_at };
                    let text = self.update(&draft, &mut buffer);
                    if ack.is_none() {
                        same.push((viewer, table_is_new, show_at, text.clone()));
                    }
                    text
                }
            };
            out.push(Effect::Send { to: client.conn, text });
            // An update answers one message: the others are answered by updates of their own.
            for (_, id) in acks {
                let ack = Some(*id);
                let draft = Draft { viewer, table: None, ack, is_new: false, is_waiting, show_at };
                let text = self.update(&draft, &mut buffer);
                out.push(Effect::Send { to: client.conn, text });
            }
            if client.sent.table.is_none() {
                out.push(Effect::Admit(client.conn));
            }
            sent.push((place, Sent { table: Some(versions), show_at }));
        }
        let clients = self.people.presence.clients_mut();
        for (place, sent) in sent {
            clients[place].sent = sent;
        }
    }

    /// Sends one connection how things stand, without what happened.
    pub(crate) fn tell_again(
        &mut self,
        now: Stamp,
        conn: ConnId,
        ack: Option<u32>,
        out: &mut Effects,
    ) {
        let Some(client) = self.people.presence.get(conn) else { return };
        let (viewer, before) = (self.viewer(client.person.id), client.sent);
        let (versions, show_at) = (self.versions(), before.show_at.max(now));
        let (sent, is_waiting) = (self.sent_table(), !versions.is_on);
        let draft = Draft { viewer, table: Some(&sent), ack, is_new: false, is_waiting, show_at };
        let text = self.update(&draft, &mut Vec::with_capacity(BUFFER_BYTES));
        out.push(Effect::Send { to: conn, text });
        if before.table.is_none() {
            out.push(Effect::Admit(conn));
        }
        for client in self.people.presence.clients_mut() {
            if client.conn == conn {
                client.sent = Sent { table: Some(versions), show_at };
            }
        }
    }

    /// Tells the sender why nothing happened.
    pub(crate) fn refuse(&self, conn: ConnId, id: u32, refused: Refused, out: &mut Effects) {
        if self.people.presence.get(conn).is_none() {
            return;
        }
        out.note(Noted::Refused(refused.why));
        let text = written(&ServerMessage::Refused(wire::Refused {
            table: Some(self.terms.id),
            id: Some(id),
            why: refused.why,
            text: refused.text.into_owned(),
        }));
        out.push(Effect::Send { to: conn, text });
    }

    /// Sends on a chat message, where the rules allow it (M15). What spectators write never
    /// reaches players.
    pub(crate) fn say(
        &self,
        person: &Person,
        text: &str,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let text = plain_text(text, self.terms.settings.chat_chars_most)?;
        let seat = self.seat_of(person.id);
        if seat.is_some() && !self.may_talk() {
            let text = "players do not talk while a level is played, wait for its end";
            return Err(Refused::new(Refusal::ChatClosed, text));
        }
        if self.state.study().is_some_and(|study| !study.chat) {
            return Err(Refused::new(Refusal::InStudy, "there is no chat in this study"));
        }
        if !self.is_chat_open() {
            let text = "the chat opens when all players have agreed to it";
            return Err(Refused::new(Refusal::ChatNotAgreed, text));
        }
        if seat.is_none() {
            self.may_spectator_say(person)?;
        }
        let said = written(&ServerMessage::Said {
            table: self.terms.id,
            seat,
            name: self.name_of(person),
            text: text.into_owned(),
        });
        for client in self.people.presence.clients() {
            if seat.is_some() || self.seat_of(client.person.id).is_none() {
                out.push(Effect::Send { to: client.conn, text: said.clone() });
            }
        }
        Ok(())
    }

    /// Sends on a sign of a player, where the rules allow players to talk (M15). It is not written
    /// to the journal: no replay, tempo or bot knows of it.
    pub(crate) fn react(
        &self,
        person: &Person,
        sign: Reaction,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let seat = self.seat_of(person.id);
        let seat =
            seat.ok_or_else(|| Refused::new(Refusal::NotSeated, "only players send signs"))?;
        if !self.may_talk() {
            let text = "players send no signs while a level is played, wait for its end";
            return Err(Refused::new(Refusal::ChatClosed, text));
        }
        if self.state.study().is_some_and(|study| !study.signs) {
            return Err(Refused::new(Refusal::InStudy, "there are no signs in this study"));
        }
        let (table, name) = (self.terms.id, self.name_of(person));
        let text = written(&ServerMessage::Reacted { table, seat, name, sign });
        for client in self.people.presence.clients() {
            out.push(Effect::Send { to: client.conn, text: text.clone() });
        }
        Ok(())
    }

    /// What a person is called here: at the table of a study as its file says.
    fn name_of(&self, person: &Person) -> Name {
        if self.state.study().is_none() {
            return person.name.clone();
        }
        let seating = self.state.seating();
        let chair = seating.seat_of(person.id).and_then(|seat| seating.chairs.get(seat.index()));
        chair.and_then(Occupant::name).unwrap_or(&person.name).clone()
    }

    /// Whether a spectator's chat is sent on.
    fn may_spectator_say(&self, person: &Person) -> Result<(), Refused> {
        if self.state.admission().has_muted(person.id) {
            return Err(Refused::new(Refusal::Muted, "the host has muted you at this table"));
        }
        let mut players = self.state.seating().chairs.iter();
        if players.any(|chair| chair.name().is_some_and(|name| name.looks_like(&person.name))) {
            let text = "your name looks like that of a player here, choose another to write";
            return Err(Refused::new(Refusal::NameAlike, text));
        }
        Ok(())
    }

    /// Has the links of players measured every second, and those of spectators less often.
    fn choose_pings(&mut self, out: &mut Effects) {
        let playing = self.state.is_playing();
        let seating = self.state.seating();
        for client in self.people.presence.clients_mut() {
            let often = playing && seating.seat_of(client.person.id).is_some();
            if client.pinged_often != often {
                client.pinged_often = often;
                out.push(Effect::Ping { conn: client.conn, often });
            }
        }
    }

    /// How long after it was sent something is shown, so that all players have it by then.
    fn lead(&self) -> Duration {
        let peers = self.people.presence.peers(self.state.seating());
        lead(peers.into_iter().map(|peer| peer.lag), &self.terms.settings.tuning)
    }

    /// Writes an update; what is in the buffer is overwritten.
    fn update(&self, draft: &Draft, buffer: &mut Vec<u8>) -> Bytes {
        let Draft { viewer, table, ack, is_new, is_waiting, show_at } = *draft;
        let code = self.terms.id;
        let Some(live) = self.state.any_match() else {
            return written(&ServerMessage::Update(Box::new(Update {
                code,
                table: table.map(|sent| sent.table.clone()),
                you: viewer.seat().filter(|_| table.is_some()),
                seq: self.state.stage().next_seq(),
                ack,
                sights: Vec::new(),
                view: None,
                options: None,
                help: None,
                photo_finish: None,
                show_at: show_at.to_wire(),
            })));
        };
        let parts = UpdateParts {
            code,
            table: table.map(|sent| &sent.text),
            ack,
            is_new,
            is_playing: self.state.open_game().is_some(),
            is_waiting,
            suggestion: self.advice.suggestion(viewer),
            photo_finish: self.viewers.photo_finish.filter(|_| is_new),
            show_at,
        };
        buffer.clear();
        live.write_update(viewer, &parts, buffer);
        Bytes::copy_from_slice(buffer)
    }

    /// Whether the table's line in the public list is up to date, or it has none.
    fn is_listed(&self, versions: Versions) -> bool {
        self.viewers.listed == Some(versions) || !self.state.is_public()
    }

    /// Brings the table's line in the public list up to date.
    fn list(&mut self, versions: Versions, out: &mut Effects) {
        if self.is_listed(versions) {
            return;
        }
        self.viewers.listed = Some(versions);
        let is_empty = self.people.presence.is_empty();
        let is_open = !is_empty && !self.state.admission().locked;
        out.push(Effect::List(is_open.then(|| self.state.listing(self.code()))));
    }

    pub(crate) fn seat_of(&self, person: PersonId) -> Option<Seat> {
        self.state.seating().seat_of(person)
    }

    fn viewer(&self, person: PersonId) -> Viewer {
        self.seat_of(person).map_or(Viewer::Spectator, Viewer::Seat)
    }
}
