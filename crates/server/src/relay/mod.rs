//! Sockets whose tables live at another node of the cluster.
//!
//! A connection that wants to look at such a table is relayed as a whole: its messages go to the
//! table's owner and what the owner sends comes back, pings and probes of the clock included. So its
//! session, with all limits, and the measurement of its link are at the owner, by the owner's clock,
//! and the way between the nodes is a part of what is measured. A relayed socket ends when its owner
//! ends it, when one of both nodes has gone, and when a message is missing; its page connects again.

mod frames;
mod guest;
mod loopback;
mod message;

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use cluster::{NodeId, Nodes, Standing};
use tokio::sync::mpsc;
use tracing::debug;
use tungstenite::Message as Frame;
use wire::{CloseReason, Code, ServerMessage};

use crate::App;
use crate::limits::lock;
use crate::outbox::Outbox;
use frames::{FrameSplitter, WholeFrame, client_pong, client_text};
pub(crate) use guest::Introduction;
use loopback::Loopback;
use message::{Kind, Message, SocketId};

/// What every last message of a server begins with.
const BYE: &[u8] = b"{\"t\":\"bye\"";
/// How many messages of a client wait for its session.
const UP_MOST: usize = 64;

/// The relayed sockets of this node, in both directions.
pub(crate) struct Relays {
    pub(crate) nodes: Arc<Nodes>,
    loopback: Loopback,
    /// The sockets of this node whose sessions are elsewhere.
    away: Mutex<HashMap<u64, AwaySocket>>,
    /// The sockets of other nodes whose sessions are here.
    guests: Mutex<HashMap<SocketId, Guest>>,
    next: AtomicU64,
}

/// A socket of this node, as far as what comes back needs it.
struct AwaySocket {
    to: NodeId,
    outbox: Outbox,
    frames: FrameSplitter,
    expected: u64,
}

/// A socket of another node.
struct Guest {
    up: mpsc::Sender<Bytes>,
    expected: u64,
}

/// A connection of this node whose session is elsewhere, until it is dropped.
pub(crate) struct Away {
    relays: Arc<Relays>,
    to: NodeId,
    socket: SocketId,
    sequence: u64,
    /// The tables that it looks at there, by the codes that it used.
    tables: HashSet<Code>,
}

impl Relays {
    pub(crate) async fn new(nodes: Arc<Nodes>) -> io::Result<Self> {
        let (away, guests, next) = (Mutex::default(), Mutex::default(), AtomicU64::new(1));
        Ok(Self { nodes, loopback: Loopback::bind().await?, away, guests, next })
    }

    /// Relays a connection to another node from now on.
    pub(crate) fn open(
        self: &Arc<Self>,
        to: NodeId,
        introduction: &Introduction,
        outbox: Outbox,
    ) -> Away {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let socket = SocketId { node: self.nodes.me(), number };
        let (frames, expected) = (FrameSplitter::default(), 0);
        lock(&self.away).insert(number, AwaySocket { to, outbox, frames, expected });
        let mut away =
            Away { relays: self.clone(), to, socket, sequence: 0, tables: HashSet::new() };
        // If it cannot be sent, the owner answers nothing and the socket ends with the next message.
        let _full = away.send(Kind::Open, introduction.written());
        away
    }

    /// Takes a message of another node in.
    pub(crate) fn take(self: &Arc<Self>, app: &Arc<App>, bytes: &Bytes) {
        let Some(Message { kind, socket, sequence, body }) = Message::read(bytes) else {
            debug!("a message of another node cannot be read");
            return;
        };
        match kind {
            Kind::Open => self.welcome(app, socket, &body),
            Kind::Up => self.take_up(socket, sequence, body),
            Kind::HungUp => drop(lock(&self.guests).remove(&socket)),
            Kind::Down => self.take_down(socket, sequence, &body),
            Kind::Ended => self.end(socket.number),
        }
    }

    fn welcome(self: &Arc<Self>, app: &Arc<App>, socket: SocketId, body: &[u8]) {
        let Some(introduction) = Introduction::read(body) else {
            debug!("a relayed socket is not introduced: all nodes need the same version");
            return self.send(socket.node, Kind::Ended, socket, 0, Bytes::new());
        };
        let (up, waiting) = mpsc::channel(UP_MOST);
        lock(&self.guests).insert(socket, Guest { up, expected: 1 });
        let (relays, app) = (self.clone(), app.clone());
        tokio::spawn(async move {
            guest::serve(&app, &relays, socket, introduction, waiting).await;
            lock(&relays.guests).remove(&socket);
        });
    }

    fn take_up(&self, socket: SocketId, sequence: u64, body: Bytes) {
        let mut guests = lock(&self.guests);
        let Some(guest) = guests.get_mut(&socket) else {
            drop(guests);
            return self.send(socket.node, Kind::Ended, socket, 0, Bytes::new());
        };
        let follows = sequence == guest.expected;
        guest.expected += 1;
        if !follows || guest.up.try_send(body).is_err() {
            debug!(follows, "a relayed socket ends: messages are missing, or too many wait");
            guests.remove(&socket);
        }
    }

    fn take_down(&self, SocketId { number, .. }: SocketId, sequence: u64, body: &[u8]) {
        let mut away = lock(&self.away);
        let Some(socket) = away.get_mut(&number) else { return };
        if sequence != socket.expected {
            debug!("a relayed socket ends: messages are missing");
            return socket.outbox.close(CloseReason::Restarting);
        }
        socket.expected += 1;
        for frame in socket.frames.push(body) {
            match last_reason(&frame) {
                Some(why) => socket.outbox.close(why),
                None => socket.outbox.send_frame(frame.bytes),
            }
        }
    }

    fn end(&self, number: u64) {
        if let Some(socket) = lock(&self.away).get(&number) {
            socket.outbox.close(CloseReason::Restarting);
        }
    }

    /// Ends the sockets that are relayed to or from nodes that have gone; all of them if this node
    /// is cut off.
    pub(crate) fn look(&self, is_cut_off: bool) {
        let has_gone = |node| is_cut_off || self.nodes.standing(node) == Standing::Gone;
        for socket in lock(&self.away).values().filter(|socket| has_gone(socket.to)) {
            socket.outbox.close(CloseReason::Restarting);
        }
        lock(&self.guests).retain(|socket, _| !has_gone(socket.node));
    }

    fn send(&self, to: NodeId, kind: Kind, socket: SocketId, sequence: u64, body: Bytes) {
        let message = Message { kind, socket, sequence, body };
        if !self.nodes.send(to, message.written()) {
            debug!("too many messages wait for the brokers: one is dropped");
        }
    }
}

/// Why a session ends, if a frame says so. The node of the client says it in its own words.
fn last_reason(frame: &WholeFrame) -> Option<CloseReason> {
    if frame.is_close() {
        return Some(CloseReason::Restarting);
    }
    let text = frame.text().filter(|text| text.starts_with(BYE))?;
    match serde_json::from_slice(text) {
        Ok(ServerMessage::Bye { why, .. }) => Some(why),
        Ok(_) | Err(_) => None,
    }
}

impl Away {
    /// Passes a message of the client on; false if that cannot be done now.
    pub(crate) fn pass(&mut self, message: &Frame) -> bool {
        match message {
            Frame::Text(text) => self.send(Kind::Up, client_text(text.as_bytes())),
            Frame::Pong(payload) => self.send(Kind::Up, client_pong(payload)),
            // Pings are answered here, and nothing else is a message.
            Frame::Binary(_) | Frame::Ping(_) | Frame::Close(_) | Frame::Frame(_) => true,
        }
    }

    /// It wants to look at a table by this code.
    pub(crate) fn joins(&mut self, table: Code) {
        self.tables.insert(table);
    }

    /// It looks at a table no longer. The table's id may be another one than the code that it was
    /// joined by.
    pub(crate) fn leaves(&mut self, table: Code) {
        if !self.tables.remove(&table) && self.tables.len() == 1 {
            self.tables.clear();
        }
    }

    /// Whether it looks at a table there.
    pub(crate) fn has_tables(&self) -> bool {
        !self.tables.is_empty()
    }

    fn send(&mut self, kind: Kind, body: Bytes) -> bool {
        let message = Message { kind, socket: self.socket, sequence: self.sequence, body };
        self.sequence += 1;
        self.relays.nodes.send(self.to, message.written())
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        lock(&self.relays.away).remove(&self.socket.number);
        let _owner_hears_of_it_by_the_next_gap = self.send(Kind::HungUp, Bytes::new());
    }
}
