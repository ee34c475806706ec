//! The messages of one connection: rate limit, decoding, and handing them to tables.

mod attending;
mod relayed;

use std::collections::HashSet;
use std::sync::Arc;

use journal::Hash;
use table::fair::{Ping, Stamp};
use table::{
    ConnId, Input, LinkState, Message as TableMessage, Person, Refused, Ticket, plain_text,
};
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::sleep;
use tungstenite::Message;
use wire::{ClientMessage, CloseReason, Code, GameId, PROTOCOL, Refusal, ServerMessage};

use crate::App;
use crate::address::Subnet;
use crate::chat;
use crate::directory::JoinError;
use crate::limits::Bucket;
use crate::outbox::Outbox;
use crate::relay::Away;
use crate::shared_link::SharedLink;
use crate::tables::{Handle, ToTable};

/// What one connection is in the middle of.
pub(crate) struct Session {
    pub(crate) app: Arc<App>,
    conn: ConnId,
    person: Person,
    /// The hash of the secret that the person is signed in by.
    device: Hash,
    /// Where the connection comes from.
    from: Subnet,
    outbox: Outbox,
    pub(crate) link: Arc<SharedLink>,
    /// What the tables know of the link.
    link_sent: LinkState,
    bucket: Bucket,
    /// Whether it has said hello.
    pub(crate) greeted: bool,
    /// The page's number.
    client: u32,
    /// The tables that it looks at.
    tables: Vec<Handle>,
    /// The games that it looks at again.
    games: HashSet<GameId>,
    /// Whether the client is at another node.
    is_guest: bool,
    /// Where its session is, if that is at another node.
    away: Option<Box<Away>>,
}

impl Session {
    pub(crate) fn new(
        app: Arc<App>,
        conn: ConnId,
        person: Person,
        device: Hash,
        from: Subnet,
        outbox: Outbox,
        greeted: Option<u32>,
    ) -> Self {
        let bucket = Bucket::new(app.shared.limits.messages.rate);
        let (tables, games) = (Vec::new(), HashSet::new());
        let (link, link_sent) = (Arc::default(), LinkState::default());
        let (is_guest, client) = (greeted.is_some(), greeted.unwrap_or(0));
        Self {
            app,
            conn,
            person,
            device,
            from,
            outbox,
            link,
            link_sent,
            bucket,
            greeted: is_guest,
            client,
            tables,
            games,
            is_guest,
            away: None,
        }
    }

    /// Takes one message of any kind; the error ends the connection.
    pub(crate) async fn take(
        &mut self,
        message: Message,
        arrived: Stamp,
    ) -> Result<(), CloseReason> {
        self.app.shared.metrics.messages.inc();
        if self.away.is_some() {
            return self.pass_on(message, arrived).await;
        }
        if let Message::Pong(bytes) = &message
            && let Some(ping) = Ping::read(bytes)
            && self.link.ponged(ping, arrived)
        {
            self.tell_link().await;
            return Ok(());
        }
        // Pings, and pongs that answer none of ours, cost something, too.
        if !self.bucket.take() {
            return Err(CloseReason::Flooding);
        }
        match message {
            Message::Text(text) => self.hear(&text, arrived).await,
            Message::Binary(_) => {
                self.refuse(None, None, Refusal::Malformed, "messages are text");
                Ok(())
            }
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => Ok(()),
        }
    }

    /// Counts frames that are no message by themselves; the error ends the connection.
    pub(crate) fn count_frames(&mut self, frames: u32) -> Result<(), CloseReason> {
        if (0..frames).all(|_| self.bucket.take()) { Ok(()) } else { Err(CloseReason::Flooding) }
    }

    async fn hear(&mut self, text: &str, arrived: Stamp) -> Result<(), CloseReason> {
        let message = match ClientMessage::read(text) {
            Ok(message) => message,
            Err(error) => {
                let text = format!("the message cannot be read: {error}");
                self.refuse(None, None, Refusal::Malformed, &text);
                return Ok(());
            }
        };
        if !self.greeted && !matches!(message, ClientMessage::Hello { .. }) {
            self.refuse(None, None, Refusal::NoHello, "say hello first");
            return Ok(());
        }
        let (conn, client) = (self.conn, self.client);
        match message {
            ClientMessage::Hello { protocol, client } if protocol == PROTOCOL => {
                self.greeted = true;
                self.client = client;
                let me = crate::me::me(self.person.clone());
                self.outbox.say(&ServerMessage::Welcome { protocol: PROTOCOL, me });
            }
            ClientMessage::Hello { .. } => return Err(CloseReason::Protocol),
            // Boxed, like `attend`: rare, and the future would double the size of the task.
            ClientMessage::Join { table } => return Box::pin(self.join(table, text)).await,
            ClientMessage::Leave { table } => {
                if let Some(handle) = self.leave(table) {
                    let _asleep = hand_over(&handle, self.left()).await;
                }
            }
            ClientMessage::Do { table, id, seq, pressed, command } => {
                let ticket = Ticket::of(client, id, &("do", command));
                let tuning = &self.app.shared.tuning;
                let claim = self.link.press(arrived, Stamp::from_wire(pressed), tuning);
                let message = TableMessage::Do { seq, claim, command };
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::Probe { sent } => {
                let quality = self.link.quality(arrived, &self.app.shared.tuning);
                let server = arrived.to_wire();
                let corrected = self.link.corrected();
                self.outbox.say(&ServerMessage::Probed { sent, server, quality, corrected });
            }
            ClientMessage::Away { away, since } => {
                let tuning = &self.app.shared.tuning;
                let claim = self.link.claim(arrived, Stamp::from_wire(since), tuning);
                self.link.turn_away(away.then(|| claim.press()));
                Box::pin(self.tell_link()).await;
            }
            ClientMessage::Ask { table, id, request } => {
                let ticket = Ticket::of(client, id, &("ask", request));
                let message = TableMessage::Ask(request);
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::Say { table, id, text } => {
                let ticket = Ticket::of(client, id, &("say", &text));
                if let Err(refused) = self.may_say(&text) {
                    self.refuse(Some(table), Some(id), refused.why, &refused.text);
                    return Ok(());
                }
                let message = TableMessage::Say(text);
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::React { table, id, sign } => {
                let ticket = Ticket::of(client, id, &("react", sign));
                if !self.app.shared.reactions.take(self.person.id) {
                    let text = "too many signs at once, wait a moment";
                    self.refuse(Some(table), Some(id), Refusal::ReactionRate, text);
                    return Ok(());
                }
                let message = TableMessage::React(sign);
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::Attend { game, id, key } => Box::pin(self.attend(game, id, key)).await,
            ClientMessage::Depart { game } => self.depart(game),
            ClientMessage::AudienceRequest { game, id, request } => {
                self.ask_audience(game, id, request);
            }
        }
        Ok(())
    }

    async fn join(&mut self, table: Code, text: &str) -> Result<(), CloseReason> {
        let permitted = self.app.admission.blocks.permit(self.person.id, self.from);
        let permitted =
            permitted.and_then(|()| self.app.shared.writes.permit(self.person.id, self.from));
        let room = if self.handle(table).is_none() { self.has_room() } else { Ok(()) };
        let known = self.handle(table).is_some() || self.has_seat(table);
        let guess = if known { Ok(()) } else { self.app.admission.guesses.permit(self.from) };
        if let Err(refused) = permitted.and(room).and(guess) {
            self.refuse(Some(table), None, refused.why, &refused.text);
            return Ok(());
        }
        match self
            .app
            .directory
            .join(table, self.conn, &self.person, self.from, &self.outbox, &self.link)
            .await
        {
            Ok(handle) => {
                self.leave(handle.code);
                self.tables.reserve_exact(1);
                self.tables.push(handle);
            }
            Err(JoinError::Elsewhere(node)) => return self.go_away(table, node, text),
            // The page connects again in a moment.
            Err(JoinError::Contested) => return Err(CloseReason::Restarting),
            Err(JoinError::Refused(refused)) if refused.why == Refusal::NoTable => {
                let late = self.app.admission.guesses.wrong(self.from);
                let refusing = self.refusal(Some(table), None, refused.why, &refused.text);
                if late.is_zero() {
                    self.outbox.say(&refusing);
                    return Ok(());
                }
                // Apart from the connection's task: its tables are not to wait.
                let outbox = self.outbox.clone();
                tokio::spawn(async move {
                    sleep(late).await;
                    outbox.say(&refusing);
                });
            }
            Err(JoinError::Refused(refused)) => {
                self.refuse(Some(table), None, refused.why, &refused.text);
            }
        }
        Ok(())
    }

    /// Whether the person sits at a table where a game is on.
    fn has_seat(&self, table: Code) -> bool {
        self.app.shared.seats.tables_of(self.person.id, usize::MAX).contains(&table)
    }

    fn handle(&self, table: Code) -> Option<&Handle> {
        self.tables.iter().find(|handle| handle.code == table)
    }

    /// Forgets a table, and hands back how it was reached.
    fn leave(&mut self, table: Code) -> Option<Handle> {
        let place = self.tables.iter().position(|handle| handle.code == table)?;
        Some(self.tables.swap_remove(place))
    }

    /// Whether it may look at one more table or game.
    fn has_room(&self) -> Result<(), Refused> {
        let most = self.app.shared.limits.connections.tables_most;
        if self.tables.len() + self.games.len() < most {
            return Ok(());
        }
        let text = format!("leave another table first, {most} at a time are enough");
        let most = most.try_into().unwrap_or(u32::MAX);
        Err(Refused::new(Refusal::Tables { most }, text))
    }

    /// Fails if a chat message is empty or too long, or comes too soon after others.
    fn may_say(&self, text: &str) -> Result<(), Refused> {
        plain_text(text, self.app.shared.limits.messages.chat_chars_most)?;
        chat::count(&self.app.shared, self.person.id)
    }

    /// Tells the tables how the link is, if that matters to them.
    pub(crate) async fn tell_link(&mut self) {
        let shared = &self.app.shared;
        let state = self.link.state(shared.stamp(), &shared.tuning);
        if state.is_news(&self.link_sent) {
            self.link_sent = state;
            for handle in &self.tables {
                let input = Input::Linked { conn: self.conn, link: self.link_sent };
                let _asleep = hand_over(handle, input).await;
            }
        }
    }

    /// Hands a message on to a table that the connection looks at.
    async fn pass(&mut self, table: Code, message: Input) {
        let Input::Message { ticket, .. } = &message else { return };
        let id = ticket.id;
        if let Err(refused) = self.app.shared.writes.permit(self.person.id, self.from) {
            return self.refuse(Some(table), Some(id), refused.why, &refused.text);
        }
        let known = match self.handle(table) {
            Some(handle) => hand_over(handle, message).await.is_ok(),
            None => false,
        };
        if !known {
            self.leave(table);
            self.refuse(Some(table), Some(id), Refusal::NotJoined, "join the table first");
        }
    }

    fn refuse(&self, table: Option<Code>, id: Option<u32>, why: Refusal, text: &str) {
        self.outbox.say(&self.refusal(table, id, why, text));
    }

    /// Counts a refusal; the message that tells it.
    fn refusal(
        &self,
        table: Option<Code>,
        id: Option<u32>,
        why: Refusal,
        text: &str,
    ) -> ServerMessage {
        self.app.shared.metrics.refused(why);
        ServerMessage::Refused(wire::Refused { table, id, why, text: text.to_owned() })
    }

    /// This connection looks at a table no longer.
    fn left(&self) -> Input {
        let now = self.app.shared.stamp();
        let seen_until = self.link.unanswered_since().unwrap_or(now);
        Input::Left { conn: self.conn, seen_until }
    }

    /// Leaves every table and every game that the connection looks at.
    pub(crate) async fn leave_all(&mut self) {
        self.depart_all();
        for handle in &self.tables {
            let _asleep = hand_over(handle, self.left()).await;
        }
    }
}

/// The table has left the memory.
struct Asleep;

/// Puts an input into a table's inbox. Only if the inbox is full, which is rare, does a boxed
/// future hold the input; this keeps the connection's task small.
fn hand_over(handle: &Handle, input: Input) -> impl Future<Output = Result<(), Asleep>> + use<> {
    let full = match handle.inbox.try_send(Box::new(ToTable::Input(input))) {
        Ok(()) => Ok(None),
        Err(TrySendError::Full(input)) => {
            let inbox = handle.inbox.clone();
            Ok(Some(Box::pin(async move { inbox.send(input).await.map_err(|_| Asleep) })))
        }
        Err(TrySendError::Closed(_)) => Err(Asleep),
    };
    async move {
        match full? {
            None => Ok(()),
            Some(room) => room.await,
        }
    }
}
