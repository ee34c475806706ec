//! One connection: limits, decoding once, and the way to the tables it looks at.

mod attending;

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Instant as Tick, sleep, timeout};
use tracing::debug;
use wire::{ClientMessage, Code, Farewell, GameId, Grade, Me, PROTOCOL, ServerMessage, Trouble};

use crate::App;
use crate::fair::{Ping, Stamp};
use crate::limits::Bucket;
use crate::line::Line;
use crate::outbox::{End, Outbox, Outgoing, outbox, written};
use crate::person::Person;
use crate::record::Ticket;
use crate::room::Refused;
use crate::table::{ConnId, Deed, Handle, ToTable};

/// How long the last message may take to leave.
const BYE_WITHIN: Duration = Duration::from_secs(1);

/// Serves one connection to its end.
pub(crate) async fn serve(app: Arc<App>, mut socket: WebSocket, person: Person, conn: ConnId) {
    let (outbox, mut outgoing) = outbox(app.shared.limits.queue_most);
    let id = person.id;
    app.people.connected(id, conn, outbox.clone());
    app.shared.metrics.connections.inc();
    // Whoever was deleted after their cookie was looked at, and before they were counted among
    // those to be told, is noticed here.
    if matches!(app.people.know(id).await, Ok(false)) {
        outbox.close(Farewell::Deleted);
    }
    let mut session = Session::new(app.clone(), conn, person, outbox);
    let why = converse(&mut session, &mut socket, &mut outgoing).await;
    app.people.gone(id, conn);
    session.leave_all().await;
    match why {
        Some(why) => turn_away(&app, socket, why).await,
        // The answer to a close is sent when reading on.
        None => drop(timeout(BYE_WITHIN, socket.recv()).await),
    }
    // Last of all: when the server goes down it waits until nobody is counted any more.
    app.shared.metrics.connections.dec();
}

/// Tells somebody why their connection ends, and ends it.
pub(crate) async fn turn_away(app: &App, mut socket: WebSocket, why: Farewell) {
    app.shared.metrics.dropped(word(why));
    let bye = written(&ServerMessage::Bye { why, text: last_word(why).to_owned() });
    // Whoever does not read the last word does not get it.
    let _gone = timeout(BYE_WITHIN, async {
        let _told = socket.send(Message::Text(bye)).await;
        socket.send(Message::Close(None)).await
    })
    .await;
}

/// Hears and tells until the connection ends; hands back why, unless the client ended it.
async fn converse(
    session: &mut Session,
    socket: &mut WebSocket,
    outgoing: &mut Outgoing,
) -> Option<Farewell> {
    let app = session.app.clone();
    let (limits, tuning) = (&app.shared.limits, &app.shared.tuning);
    let (line, end) = (session.line.clone(), outgoing.end.clone());
    let mut heard = Instant::now();
    let mut hello = pin!(sleep(limits.hello_within));
    let idle = limits.idle_after / 3;
    let mut ping = pin!(sleep(idle));
    loop {
        tokio::select! {
            biased;
            why = end.come() => {
                // What is said already is not lost by a restart.
                while why == Farewell::Restarting
                    && let Ok(text) = outgoing.queue.try_recv()
                    && send_within(socket, Message::Text(text), BYE_WITHIN).await.is_ok()
                {}
                return Some(why);
            }
            text = outgoing.queue.recv() => {
                if let Err(why) = send(socket, Message::Text(text?), &end, limits.send_within).await {
                    return why;
                }
            }
            message = socket.recv() => {
                heard = Instant::now();
                match message? {
                    Ok(Message::Close(_)) => return None,
                    Ok(message) => {
                        if let Err(why) = session.take(message, app.shared.stamp()).await {
                            return Some(why);
                        }
                    }
                    Err(error) => {
                        debug!(%error, "a connection broke");
                        return is_too_long(error).then_some(Farewell::TooLong);
                    }
                }
            }
            () = &mut ping => {
                if heard.elapsed() >= limits.idle_after {
                    return Some(Farewell::Idle);
                }
                let number = line.pinged(app.shared.stamp());
                let message = Message::Ping(number.bytes().to_vec().into());
                if let Err(why) = send(socket, message, &end, limits.send_within).await {
                    return why;
                }
                session.tell_line().await;
                let pause = line.pause(app.shared.stamp(), tuning, idle);
                ping.as_mut().reset(Tick::now() + pause);
            }
            () = line.hurried() => ping.as_mut().reset(Tick::now()),
            () = &mut hello, if !session.greeted => return Some(Farewell::Idle),
        }
    }
}

/// Sends a message. Meanwhile nothing is heard, but the end of the connection may come.
async fn send(
    socket: &mut WebSocket,
    message: Message,
    end: &End,
    within: Duration,
) -> Result<(), Option<Farewell>> {
    tokio::select! {
        biased;
        sent = send_within(socket, message, within) => sent,
        why = end.come() => Err(Some(why)),
    }
}

async fn send_within(
    socket: &mut WebSocket,
    message: Message,
    within: Duration,
) -> Result<(), Option<Farewell>> {
    match timeout(within, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_broken)) => Err(None),
        Err(_too_late) => Err(Some(Farewell::Slow)),
    }
}

fn is_too_long(error: axum::Error) -> bool {
    let error = error.into_inner().downcast::<tungstenite::Error>();
    error.is_ok_and(|error| matches!(*error, tungstenite::Error::Capacity(_)))
}

/// What one connection is in the middle of.
struct Session {
    app: Arc<App>,
    conn: ConnId,
    person: Person,
    outbox: Outbox,
    line: Arc<Line>,
    /// What the tables know of the line.
    told: (Option<Trouble>, Option<Grade>),
    bucket: Bucket,
    greeted: bool,
    /// The page's number.
    client: u32,
    tables: HashMap<Code, Handle>,
    /// The games that it looks at again.
    games: HashSet<GameId>,
}

impl Session {
    fn new(app: Arc<App>, conn: ConnId, person: Person, outbox: Outbox) -> Self {
        let bucket = Bucket::new(app.shared.limits.messages);
        let (tables, games) = (HashMap::new(), HashSet::new());
        let (line, told, greeted) = (Arc::default(), (None, None), false);
        Self { app, conn, person, outbox, line, told, bucket, greeted, client: 0, tables, games }
    }

    /// Takes one message of any kind; the error ends the connection.
    async fn take(&mut self, message: Message, arrived: Stamp) -> Result<(), Farewell> {
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
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => Ok(()),
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
            ClientMessage::Join { table } => self.join(table).await,
            ClientMessage::Leave { table } => {
                if let Some(handle) = self.tables.remove(&table) {
                    let _asleep = handle.inbox.send(ToTable::Leave { conn }).await;
                }
            }
            ClientMessage::Do { table, id, seq, pressed, command } => {
                let ticket = Ticket::of(client, id, &("do", command));
                let pressed = Stamp::from_wire(pressed);
                let deed = Deed { seq, pressed, arrived, command };
                self.pass(table, id, ToTable::Do { conn, ticket, deed }).await;
            }
            ClientMessage::Probe { sent } => {
                let (server, quality) = (arrived.to_wire(), self.line.quality());
                self.outbox.say(&ServerMessage::Probed { sent, server, quality });
            }
            ClientMessage::Away { away, since } => {
                let since = Stamp::from_wire(since);
                // A table that it looks at later has to know as well.
                self.line.turn_away(away.then_some(since.min(arrived)));
                for handle in self.tables.values() {
                    let message = ToTable::Away { conn, away, since, arrived };
                    let _asleep = handle.inbox.send(message).await;
                }
            }
            ClientMessage::Ask { table, id, request } => {
                let ticket = Ticket::of(client, id, &("ask", request));
                self.pass(table, id, ToTable::Ask { conn, ticket, request }).await;
            }
            ClientMessage::Say { table, id, text } => {
                let ticket = Ticket::of(client, id, &("say", &text));
                self.pass(table, id, ToTable::Say { conn, ticket, text }).await;
            }
            ClientMessage::Attend { game, id, key } => self.attend(game, id, key).await,
            ClientMessage::Depart { game } => self.depart(game),
            ClientMessage::Gesture { game, id, gesture } => self.gesture(game, id, gesture),
        }
        Ok(())
    }

    async fn join(&mut self, table: Code) {
        if !self.tables.contains_key(&table)
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
                self.tables.insert(table, handle);
            }
            Err(refused) => self.refuse(Some(table), None, refused.code, &refused.text),
        }
    }

    /// Whether it may look at one more table or game.
    fn has_room(&self) -> Result<(), Refused> {
        let most = self.app.shared.limits.tables_per_connection_most;
        if self.tables.len() + self.games.len() < most {
            return Ok(());
        }
        let text = format!("leave another table first, {most} at a time are enough");
        Err(Refused { code: "tables", text })
    }

    /// Tells the tables what has changed about the line, and of a pong that one of them waits for.
    async fn tell_line(&mut self) {
        let shared = &self.app.shared;
        let trouble = self.line.trouble(shared.stamp(), &shared.tuning);
        let now = (trouble, self.line.quality().map(|quality| quality.grade));
        let before = std::mem::replace(&mut self.told, now);
        // The first word on a connection comes with the next update.
        let regraded = before.1.is_some() && before.1 != now.1;
        if self.line.is_awaited() || regraded || before.0 != now.0 {
            for handle in self.tables.values() {
                let message = ToTable::Line { conn: self.conn, regraded };
                let _asleep = handle.inbox.send(message).await;
            }
        }
    }

    /// Hands a message on to a table that the connection looks at.
    async fn pass(&mut self, table: Code, id: u32, message: ToTable) {
        let known = match self.tables.get(&table) {
            Some(handle) => handle.inbox.send(message).await.is_ok(),
            None => false,
        };
        if !known {
            self.tables.remove(&table);
            self.refuse(Some(table), Some(id), "not-joined", "join the table first");
        }
    }

    fn refuse(&self, table: Option<Code>, id: Option<u32>, code: &str, text: &str) {
        self.app.shared.metrics.refused(code);
        let (code, text) = (code.to_owned(), text.to_owned());
        self.outbox.say(&ServerMessage::Refused { table, id, code, text });
    }

    async fn leave_all(&mut self) {
        self.depart_all();
        for handle in self.tables.values() {
            let _asleep = handle.inbox.send(ToTable::Leave { conn: self.conn }).await;
        }
    }
}

fn word(why: Farewell) -> &'static str {
    match why {
        Farewell::Restarting => "restarting",
        Farewell::Deleted => "deleted",
        Farewell::Flooding => "flooding",
        Farewell::TooLong => "too-long",
        Farewell::Slow => "slow",
        Farewell::Idle => "idle",
        Farewell::Protocol => "protocol",
        Farewell::Crowded => "crowded",
    }
}

fn last_word(why: Farewell) -> &'static str {
    match why {
        Farewell::Restarting => "the server restarts, connect again in a moment",
        Farewell::Deleted => "you are no longer known here, choose a name to come back",
        Farewell::Flooding => "that was more than one person can say, connect again and slow down",
        Farewell::TooLong => "that message was too long, connect again and say less",
        Farewell::Slow => "your connection does not keep up, connect again",
        Farewell::Idle => "nothing was heard from you, connect again",
        Farewell::Protocol => "this page is out of date, load it again",
        Farewell::Crowded => "you have too many connections open, close one",
    }
}
