//! The way out to one connection: a bounded queue, and a last word.

use std::sync::{Arc, OnceLock};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Notify, mpsc};
use wire::{Farewell, ServerMessage};

/// The sending end, held by tables.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: mpsc::Sender<Utf8Bytes>,
    end: Arc<End>,
}

/// The receiving end, held by the socket.
pub(crate) struct Outgoing {
    pub(crate) queue: mpsc::Receiver<Utf8Bytes>,
    pub(crate) end: Arc<End>,
}

/// The end of a connection, once somebody has decided on it.
#[derive(Debug, Default)]
pub(crate) struct End {
    why: OnceLock<Farewell>,
    told: Notify,
}

impl End {
    /// Waits until the connection has to end.
    pub(crate) async fn come(&self) -> Farewell {
        loop {
            if let Some(why) = self.why.get() {
                return *why;
            }
            self.told.notified().await;
        }
    }
}

/// Both ends of a connection's way out, in which so many messages may wait. Whoever is further
/// behind is dropped and gets everything at once when they return.
pub(crate) fn outbox(queue_most: usize) -> (Outbox, Outgoing) {
    let (sender, receiver) = mpsc::channel(queue_most);
    let end = Arc::new(End::default());
    (Outbox { queue: sender, end: end.clone() }, Outgoing { queue: receiver, end })
}

impl Outbox {
    /// Queues a message. Nobody waits for a slow reader: if there is no room the connection ends.
    pub(crate) fn send(&self, text: Utf8Bytes) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(text) {
            self.close(Farewell::Slow);
        }
    }

    /// Queues a message that has not been written out yet.
    pub(crate) fn say(&self, message: &ServerMessage) {
        self.send(written(message));
    }

    /// Ends the connection with a last word; the first reason stands.
    pub(crate) fn close(&self, why: Farewell) {
        let _first_reason_stands = self.end.why.set(why);
        self.end.told.notify_one();
    }
}

/// A message as it goes out. Messages are made of plain data, so writing one cannot fail.
pub(crate) fn written(message: &ServerMessage) -> Utf8Bytes {
    // Large enough for an update, so that it is not copied while it grows.
    let mut text = Vec::with_capacity(2_048);
    let _plain_data = serde_json::to_writer(&mut text, message);
    Utf8Bytes::try_from(text).unwrap_or_default()
}
