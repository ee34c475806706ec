//! One connection: limits, decoding once, and the way to the tables it looks at.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tracing::debug;
use wire::{ClientMessage, Code, Farewell, Me, PROTOCOL, ServerMessage};

use crate::App;
use crate::limits::Bucket;
use crate::outbox::{Outbox, outbox, written};
use crate::person::Person;
use crate::table::{ConnId, Handle, ToTable};

/// How often a connection is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(20);
/// How long one message may take to leave.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// Serves one connection to its end.
pub(crate) async fn serve(app: Arc<App>, mut socket: WebSocket, person: Person, conn: ConnId) {
    let (outbox, mut outgoing) = outbox();
    let (id, end) = (person.id, outgoing.end.clone());
    app.people.connected(id, conn, outbox.clone());
    app.shared.metrics.connections.inc();
    let mut session = Session::new(app.clone(), conn, person, outbox);
    let mut heard = Instant::now();
    let mut ping = interval(PING_EVERY);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // One clock for the whole greeting, so that whoever talks on without a hello gains nothing.
    let mut greeting = pin!(sleep(app.shared.limits.hello_within));
    let why = loop {
        let limits = &app.shared.limits;
        let patience = if session.greeted { limits.idle_after } else { limits.hello_within };
        tokio::select! {
            biased;
            why = end.come() => break Some(why),
            text = outgoing.queue.recv() => {
                let Some(text) = text else { break None };
                match timeout(SEND_WITHIN, socket.send(Message::Text(text))).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => break None,
                    Err(_) => break Some(Farewell::Slow),
                }
            }
            message = socket.recv() => {
                let Some(message) = message else { break None };
                heard = Instant::now();
                match message {
                    Ok(Message::Text(text)) => {
                        if let Err(why) = session.hear(&text).await {
                            break Some(why);
                        }
                    }
                    Ok(Message::Binary(_)) => session.refuse(None, None, "malformed", "send text"),
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(Message::Close(_)) => break None,
                    Err(error) => {
                        debug!(%error, "a connection broke");
                        break None;
                    }
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > patience {
                    break Some(Farewell::Idle);
                }
                if timeout(SEND_WITHIN, socket.send(Message::Ping(Vec::new().into()))).await.is_err() {
                    break Some(Farewell::Slow);
                }
            }
            () = &mut greeting, if !session.greeted => {
                break Some(Farewell::Idle);
            }
        }
    };
    app.people.gone(id, conn);
    app.shared.metrics.connections.dec();
    session.leave_all().await;
    if let Some(why) = why {
        app.shared.metrics.dropped(word(why));
        let bye = written(&ServerMessage::Bye { why, text: last_word(why).to_owned() });
        // Whoever does not read the last word does not get it.
        let _gone = timeout(Duration::from_secs(1), async {
            let _told = socket.send(Message::Text(bye)).await;
            socket.send(Message::Close(None)).await
        })
        .await;
    }
}

/// What one connection is in the middle of.
struct Session {
    app: Arc<App>,
    conn: ConnId,
    person: Person,
    outbox: Outbox,
    bucket: Bucket,
    greeted: bool,
    tables: HashMap<Code, Handle>,
}

impl Session {
    fn new(app: Arc<App>, conn: ConnId, person: Person, outbox: Outbox) -> Self {
        let bucket = Bucket::new(app.shared.limits.messages);
        Self { app, conn, person, outbox, bucket, greeted: false, tables: HashMap::new() }
    }

    /// Takes one message; the error ends the connection.
    async fn hear(&mut self, text: &str) -> Result<(), Farewell> {
        self.app.shared.metrics.messages.inc();
        if !self.bucket.take() {
            return Err(Farewell::Flooding);
        }
        let message = match serde_json::from_str::<ClientMessage>(text) {
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
        match message {
            ClientMessage::Hello { protocol } if protocol == PROTOCOL => {
                self.greeted = true;
                let me = Me { name: self.person.name.clone() };
                self.outbox.say(&ServerMessage::Welcome { protocol: PROTOCOL, me });
            }
            ClientMessage::Hello { .. } => return Err(Farewell::Protocol),
            ClientMessage::Join { table } => self.join(table).await,
            ClientMessage::Leave { table } => {
                if let Some(handle) = self.tables.remove(&table) {
                    let _asleep = handle.inbox.send(ToTable::Leave { conn: self.conn }).await;
                }
            }
            ClientMessage::Do { table, id, seq, pressed, command } => {
                let conn = self.conn;
                self.pass(table, id, ToTable::Do { conn, id, seq, pressed, command }).await;
            }
            ClientMessage::Ask { table, id, request } => {
                self.pass(table, id, ToTable::Ask { conn: self.conn, id, request }).await;
            }
            ClientMessage::Say { table, id, text } => {
                self.pass(table, id, ToTable::Say { conn: self.conn, id, text }).await;
            }
        }
        Ok(())
    }

    async fn join(&mut self, table: Code) {
        let most = self.app.shared.limits.tables_per_connection_most;
        if !self.tables.contains_key(&table) && self.tables.len() >= most {
            let text = format!("leave another table first, {most} at a time are enough");
            return self.refuse(Some(table), None, "tables", &text);
        }
        match self.app.directory.join(table, self.conn, &self.person, &self.outbox).await {
            Ok(handle) => {
                self.tables.insert(table, handle);
            }
            Err(error) => self.refuse(Some(table), None, "no-table", &error.to_string()),
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
        Farewell::Slow => "your connection does not keep up, connect again",
        Farewell::Idle => "nothing was heard from you, connect again",
        Farewell::Protocol => "this page is out of date, load it again",
        Farewell::Crowded => "you have too many connections open, close one",
    }
}
