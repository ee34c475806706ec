//! What the viewers of a table are sent.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use rules::kit::{Seat, Viewer};
use smallvec::SmallVec;
use wire::{
    Chair, GameId, PhotoFinish, Repeat, ServerMessage, Sitter, Stage as SentStage, TableText,
    Update,
};

use crate::chat::plain_text;
use crate::effect::{Effect, Effects, Noted};
use crate::fair::{Stamp, lead};
use crate::person::{Person, PersonId};
use crate::presence::{ConnId, Votes};
use crate::refused::Refused;
use crate::room::{Room, UpdateParts};
use crate::seating::Occupant;
use crate::state::Stage;
use crate::table::Table;

/// How many people are remembered to have watched one game.
const WATCHERS_MOST: usize = 1_024;

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

/// All that the part of an update about the table follows from. It has to be sent again when this
/// is different.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Versions {
    state: u64,
    presence: u64,
    referee: u64,
    votes: Votes,
    deal: Option<Repeat>,
    may_talk: bool,
    is_level: bool,
    /// Whether play goes on: if not, viewers are offered less.
    is_on: bool,
}

/// The table as everyone is told of it, and its text.
struct Told {
    table: wire::Table,
    text: TableText,
}

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
    watched: (u32, HashSet<PersonId>),
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
        self.choose_pings(out);
        self.note_watchers(out);
        let versions = self.versions();
        self.list(versions, out);
        self.advice.seek(self.state.playing(), self.state.seating(), out);
        let room = self.state.room();
        let has_news = room.is_some_and(Room::has_news);
        let lead = if has_news { self.lead() } else { Duration::ZERO };
        let mut table = None::<Told>;
        let mut same = SmallVec::<[(Viewer, bool, Stamp, Bytes); 4]>::new();
        let mut sent = SmallVec::<[(usize, Sent); 8]>::new();
        for (place, client) in self.people.presence.clients().iter().enumerate() {
            let viewer = self.viewer(client.person.id);
            let noticed = has_news && room.is_some_and(|room| room.noticed(viewer));
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
            let text = match known {
                Some((.., text)) => text.clone(),
                None => {
                    let table = table_is_new.then(|| &*table.get_or_insert_with(|| self.told()));
                    let text = self.update(viewer, table, ack, true, show_at);
                    if ack.is_none() {
                        same.push((viewer, table_is_new, show_at, text.clone()));
                    }
                    text
                }
            };
            out.push(Effect::Send { to: client.conn, text });
            // An update answers one message: the others are answered by updates of their own.
            for (_, id) in acks {
                let text = self.update(viewer, None, Some(*id), false, show_at);
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
        self.viewers.acks.clear();
        self.viewers.photo_finish = None;
        if let Some(room) = self.state.room_mut() {
            room.told();
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
        let text = self.update(viewer, Some(&self.told()), ack, false, show_at);
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
        out.note(Noted::Refused(refused.code));
        let text = written(&ServerMessage::Refused {
            table: Some(self.terms.code),
            id: Some(id),
            code: refused.code.to_owned(),
            text: refused.text.into_owned(),
        });
        out.push(Effect::Send { to: conn, text });
    }

    /// Sends on a line of chat, where the rules allow it (M15). What spectators write never
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
            return Err(Refused::new("chat-closed", text));
        }
        let said = written(&ServerMessage::Said {
            table: self.terms.code,
            seat,
            name: person.name.clone(),
            text: text.to_owned(),
        });
        for client in self.people.presence.clients() {
            if seat.is_some() || self.seat_of(client.person.id).is_none() {
                out.push(Effect::Send { to: client.conn, text: said.clone() });
            }
        }
        Ok(())
    }

    /// Has the links of those who play measured every second, and those of the others less often.
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

    fn update(
        &self,
        viewer: Viewer,
        table: Option<&Told>,
        ack: Option<u32>,
        is_new: bool,
        show_at: Stamp,
    ) -> Bytes {
        let code = self.terms.code;
        let Some(room) = self.state.room() else {
            return written(&ServerMessage::Update(Box::new(Update {
                code,
                table: table.map(|told| told.table.clone()),
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
            table: table.map(|told| &told.text),
            ack,
            is_new,
            is_playing: self.state.is_playing(),
            is_waiting: !self.is_on(),
            suggestion: self.advice.suggestion(viewer),
            photo_finish: self.viewers.photo_finish.filter(|_| is_new),
            show_at,
        };
        room.write_update(viewer, &parts).into()
    }

    fn told(&self) -> Told {
        let table = self.table();
        Told { text: TableText::of(&table), table }
    }

    /// The table as everyone is told of it.
    pub(crate) fn table(&self) -> wire::Table {
        // While a level is played the players are not told of each other's connections.
        let is_level = self.is_level();
        let presence = &self.people.presence;
        let seating = self.state.seating();
        let chairs = seating.iter().map(|(seat, occupant)| Chair {
            seat,
            sitter: match occupant {
                Occupant::Nobody => Sitter::Nobody,
                Occupant::Bot(kind) => Sitter::Bot(*kind),
                Occupant::Ghost(ghost) => Sitter::Ghost { name: ghost.name.clone() },
                Occupant::Person { id, name, held } => Sitter::Person {
                    name: name.clone(),
                    here: presence.is_here(*id),
                    held: *held,
                    ready: self.people.votes.ready.contains(seat),
                    quality: if is_level { None } else { presence.quality(*id) },
                    corrected: if is_level { 0 } else { presence.corrected(*id) },
                },
            },
        });
        wire::Table {
            code: self.terms.code,
            setup: *self.state.setup(),
            public: self.state.is_public(),
            host: seating.host.and_then(|host| seating.seat_of(host)),
            chairs: chairs.collect(),
            watchers: presence.spectators(seating) as u32,
            stage: match self.state.stage() {
                Stage::Gathering { .. } => SentStage::Gathering,
                Stage::Playing(_) => SentStage::Playing {
                    missing: presence.missing(seating),
                    hold: self.people.votes.hold,
                    end: self.people.votes.end,
                    paused: self.referee.paused().to_vec(),
                },
                Stage::Over(_, outcome) => SentStage::Over { outcome: *outcome },
            },
            games: self.state.games(),
            deal: self.repeat(),
            talk: self.may_talk(),
        }
    }

    /// The deal that the game has which is on, over or next, as everyone is told of it.
    fn repeat(&self) -> Option<Repeat> {
        let of = self.state.deal()?.of;
        let knows = match self.state.repeated() {
            Some(knows) => knows,
            None if self.state.games() == 0 => self.people.know_deal,
            None => return None,
        };
        Some(Repeat { of, knows })
    }

    fn versions(&self) -> Versions {
        Versions {
            state: self.state.version(),
            presence: self.people.presence.version(),
            referee: self.referee.version(),
            votes: self.people.votes,
            deal: self.repeat(),
            may_talk: self.may_talk(),
            is_level: self.is_level(),
            is_on: self.is_on(),
        }
    }

    /// Brings the table's line in the public list up to date.
    fn list(&mut self, versions: Versions, out: &mut Effects) {
        if self.viewers.listed == Some(versions) || !self.state.is_public() {
            return;
        }
        self.viewers.listed = Some(versions);
        let is_empty = self.people.presence.is_empty();
        out.push(Effect::List((!is_empty).then(|| self.state.listing(self.terms.code))));
    }

    /// Has it remembered who watches the game that is on, and so has seen its deal.
    fn note_watchers(&mut self, out: &mut Effects) {
        if !self.state.is_playing() {
            return;
        }
        let (number, watched) = &mut self.viewers.watched;
        if *number != self.state.games() {
            (*number, *watched) = (self.state.games(), HashSet::new());
        }
        let seating = self.state.seating();
        let mut new = Vec::new();
        for client in self.people.presence.clients() {
            let person = client.person.id;
            if seating.seat_of(person).is_none()
                && watched.len() < WATCHERS_MOST
                && watched.insert(person)
            {
                new.push(person);
            }
        }
        if !new.is_empty() {
            let game = GameId { table: self.terms.code, game: *number };
            out.push(Effect::Watched { game, people: new });
            self.note_deal_seen(out);
        }
    }

    /// Has it remembered that all who sit here or watch see the deal from now on.
    pub(crate) fn note_deal_seen(&self, out: &mut Effects) {
        let Some(deal) = self.state.deal().filter(|_| self.state.repeated().is_some()) else {
            return;
        };
        let seated = self.state.seating().people().map(|(_, id)| id);
        let here = self.people.presence.clients().iter().map(|client| client.person.id);
        out.push(Effect::DealSeen { of: deal.of, people: seated.chain(here).collect() });
    }

    pub(crate) fn seat_of(&self, person: PersonId) -> Option<Seat> {
        self.state.seating().seat_of(person)
    }

    fn viewer(&self, person: PersonId) -> Viewer {
        self.seat_of(person).map_or(Viewer::Watcher, Viewer::Seat)
    }

    /// Players may talk unless the game says otherwise.
    fn may_talk(&self) -> bool {
        self.state.playing().is_none_or(Room::may_talk)
    }

    /// Whether cards are being played, so that every player has to see the table.
    pub(crate) fn is_level(&self) -> bool {
        self.state.playing().is_some_and(Room::is_level)
    }
}
