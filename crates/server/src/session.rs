//! The messages of one connection: rate limit, decoding, and handing them to tables.

mod attending;

use std::collections::HashSet;
use std::sync::Arc;

use table::fair::{Ping, Stamp};
use table::{
    ConnId, Input, LinkState, Message as TableMessage, Person, Refused, Ticket, plain_text,
};
use tokio::sync::mpsc::error::TrySendError;
use tungstenite::Message;
use wire::{ClientMessage, Code, Farewell, GameId, Me, PROTOCOL, ServerMessage};

use crate::App;
use crate::chat;
use crate::limits::Bucket;
use crate::line::Line;
use crate::outbox::Outbox;
use crate::tables::{Handle, ToTable};

/// What one connection is in the middle of.
pub(crate) struct Session {
    pub(crate) app: Arc<App>,
    conn: ConnId,
    person: Person,
    outbox: Outbox,
    pub(crate) line: Arc<Line>,
    /// What the tables know of the line.
    told: LinkState,
    bucket: Bucket,
    /// Whether it has said hello.
    pub(crate) greeted: bool,
    /// The page's number.
    client: u32,
    /// The tables that it looks at.
    tables: Vec<Handle>,
    /// The games that it looks at again.
    games: HashSet<GameId>,
}

impl Session {
    pub(crate) fn new(app: Arc<App>, conn: ConnId, person: Person, outbox: Outbox) -> Self {
        let bucket = Bucket::new(app.shared.limits.messages);
        let (tables, games) = (Vec::new(), HashSet::new());
        let (line, told, greeted) = (Arc::default(), LinkState::default(), false);
        Self { app, conn, person, outbox, line, told, bucket, greeted, client: 0, tables, games }
    }

    /// Takes one message of any kind; the error ends the connection.
    pub(crate) async fn take(&mut self, message: Message, arrived: Stamp) -> Result<(), Farewell> {
        self.app.shared.metrics.messages.inc();
        if let Message::Pong(bytes) = &message
            && let Some(ping) = Ping::read(bytes)
            && self.line.ponged(ping, arrived)
        {
            self.tell_line().await;
            return Ok(());
        }
        // Pings and pongs that nobody asked for cost something, too.
        if !self.bucket.take() {
            return Err(Farewell::Flooding);
        }
        match message {
            Message::Text(text) => self.hear(&text, arrived).await,
            Message::Binary(_) => {
                self.refuse(None, None, "malformed", "messages are text");
                Ok(())
            }
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => Ok(()),
        }
    }

    async fn hear(&mut self, text: &str, arrived: Stamp) -> Result<(), Farewell> {
        let message = match ClientMessage::read(text) {
            Ok(message) => message,
            Err(error) => {
                let text = format!("the message cannot be read: {error}");
                self.refuse(None, None, "malformed", &text);
                return Ok(());
            }
        };
        if !self.greeted && !matches!(message, ClientMessage::Hello { .. }) {
            self.refuse(None, None, "no-hello", "say hello first");
            return Ok(());
        }
        let (conn, client) = (self.conn, self.client);
        match message {
            ClientMessage::Hello { protocol, client } if protocol == PROTOCOL => {
                self.greeted = true;
                self.client = client;
                let me = Me { name: self.person.name.clone() };
                self.outbox.say(&ServerMessage::Welcome { protocol: PROTOCOL, me });
            }
            ClientMessage::Hello { .. } => return Err(Farewell::Protocol),
            // Boxed, like `attend`: rare, and the future would double the size of the task.
            ClientMessage::Join { table } => Box::pin(self.join(table)).await,
            ClientMessage::Leave { table } => {
                if let Some(handle) = self.leave(table) {
                    let _asleep = hand_over(&handle, self.left()).await;
                }
            }
            ClientMessage::Do { table, id, seq, pressed, command } => {
                let ticket = Ticket::of(client, id, &("do", command));
                let tuning = &self.app.shared.tuning;
                let claim = self.line.claim(arrived, Stamp::from_wire(pressed), tuning);
                let message = TableMessage::Do { seq, claim, command };
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::Probe { sent } => {
                let quality = self.line.quality(arrived, &self.app.shared.tuning);
                let server = arrived.to_wire();
                self.outbox.say(&ServerMessage::Probed { sent, server, quality });
            }
            ClientMessage::Away { away, since } => {
                let tuning = &self.app.shared.tuning;
                let claim = self.line.claim(arrived, Stamp::from_wire(since), tuning);
                self.line.turn_away(away.then(|| claim.press()));
                Box::pin(self.tell_line()).await;
            }
            ClientMessage::Ask { table, id, request } => {
                let ticket = Ticket::of(client, id, &("ask", request));
                let message = TableMessage::Ask(request);
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::Say { table, id, text } => {
                let ticket = Ticket::of(client, id, &("say", &text));
                if let Err(refused) = self.may_say(&text) {
                    self.refuse(Some(table), Some(id), refused.code, &refused.text);
                    return Ok(());
                }
                let message = TableMessage::Say(text);
                self.pass(table, Input::Message { conn, ticket, message }).await;
            }
            ClientMessage::Attend { game, id, key } => Box::pin(self.attend(game, id, key)).await,
            ClientMessage::Depart { game } => self.depart(game),
            ClientMessage::Gesture { game, id, gesture } => self.gesture(game, id, gesture),
        }
        Ok(())
    }

    async fn join(&mut self, table: Code) {
        if self.handle(table).is_none()
            && let Err(refused) = self.has_room()
        {
            return self.refuse(Some(table), None, refused.code, &refused.text);
        }
        match self
            .app
            .directory
            .join(table, self.conn, &self.person, &self.outbox, &self.line)
            .await
        {
            Ok(handle) => {
                self.leave(table);
                self.tables.reserve_exact(1);
                self.tables.push(handle);
            }
            Err(refused) => self.refuse(Some(table), None, refused.code, &refused.text),
        }
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
        let most = self.app.shared.limits.tables_per_connection_most;
        if self.tables.len() + self.games.len() < most {
            return Ok(());
        }
        let text = format!("leave another table first, {most} at a time are enough");
        Err(Refused::new("tables", text))
    }

    /// Whether a line of chat is one, and not one too many.
    fn may_say(&self, text: &str) -> Result<(), Refused> {
        plain_text(text, self.app.shared.limits.chat_chars_most)?;
        chat::count(&self.app.shared, self.person.id)
    }

    /// Tells the tables how the line is, if that matters to them.
    pub(crate) async fn tell_line(&mut self) {
        let shared = &self.app.shared;
        let link = self.line.state(shared.stamp(), &shared.tuning);
        if link.is_news(&self.told) {
            self.told = link;
            for handle in &self.tables {
                let _asleep = hand_over(handle, Input::Linked { conn: self.conn, link }).await;
            }
        }
    }

    /// Hands a message on to a table that the connection looks at.
    async fn pass(&mut self, table: Code, message: Input) {
        let Input::Message { ticket, .. } = &message else { return };
        let id = ticket.id;
        let known = match self.handle(table) {
            Some(handle) => hand_over(handle, message).await.is_ok(),
            None => false,
        };
        if !known {
            self.leave(table);
            self.refuse(Some(table), Some(id), "not-joined", "join the table first");
        }
    }

    fn refuse(&self, table: Option<Code>, id: Option<u32>, code: &str, text: &str) {
        self.app.shared.metrics.refused(code);
        let (code, text) = (code.to_owned(), text.to_owned());
        self.outbox.say(&ServerMessage::Refused { table, id, code, text });
    }

    /// This connection looks at a table no longer.
    fn left(&self) -> Input {
        let now = self.app.shared.stamp();
        let seen_until = self.line.unanswered_since().unwrap_or(now);
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
    let full = match handle.inbox.try_send(ToTable::Input(Box::new(input))) {
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
