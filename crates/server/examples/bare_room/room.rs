//! One task per room, which owns the sockets that it writes to.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt as _;
use futures_util::stream::SplitSink;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::game::{Game, SEATS};
use crate::journal::{Journal, Row};

/// How many inputs wait for a room.
const INPUTS_MOST: usize = 64;

type Sink = SplitSink<WebSocket, Message>;

/// What a room is told.
pub enum Input {
    /// A client takes a seat and is sent moves from then on.
    Join { seat: usize, sink: Sink },
    /// A client has left.
    Leave { seat: usize },
    /// A client sends a move.
    Play { seat: usize, text: Utf8Bytes },
}

/// All rooms by the number that people know them by.
pub struct Rooms {
    journal: Journal,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    rooms: HashMap<u32, Sender<Input>>,
    /// How many rooms there have been: each has its own moves on disk.
    count: u32,
}

impl Rooms {
    pub fn new(journal: Journal) -> Self {
        Self { journal, open: Mutex::default() }
    }

    /// The way into a room, which is opened if need be.
    pub fn enter(&self, number: u32) -> Sender<Input> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = open.rooms.get(&number).filter(|room| !room.is_closed()) {
            return room.clone();
        }
        open.count += 1;
        let (sender, inputs) = channel(INPUTS_MOST);
        let room = Room {
            id: open.count,
            game: Game::new(u64::from(open.count)),
            sinks: Default::default(),
            journal: self.journal.clone(),
        };
        tokio::spawn(async move {
            if let Err(error) = room.run(inputs).await {
                eprintln!("a room ends: {error:#}");
            }
        });
        open.rooms.insert(number, sender.clone());
        sender
    }
}

struct Room {
    id: u32,
    game: Game,
    sinks: [Option<Sink>; SEATS],
    journal: Journal,
}

impl Room {
    async fn run(mut self, mut inputs: Receiver<Input>) -> Result<()> {
        while let Some(input) = inputs.recv().await {
            match input {
                Input::Join { seat, sink } => {
                    self.sinks[seat] = Some(sink);
                    let view = self.game.view(seat)?;
                    self.tell(seat, view).await;
                }
                Input::Leave { seat } => {
                    self.sinks[seat] = None;
                    if self.sinks.iter().all(Option::is_none) {
                        return Ok(());
                    }
                }
                Input::Play { seat, text } => self.play(seat, text).await?,
            }
        }
        Ok(())
    }

    async fn play(&mut self, seat: usize, text: Utf8Bytes) -> Result<()> {
        if let Err(code) = self.game.play(seat, text.as_str()) {
            self.tell(seat, format!(r#"{{"t":"refused","code":"{code}"}}"#)).await;
            return Ok(());
        }
        let row = Row { room: self.id, number: self.game.moves(), seat: seat as u8, text };
        self.journal.append(row).await?;
        for seat in 0..SEATS {
            let view = self.game.view(seat)?;
            self.tell(seat, view).await;
        }
        Ok(())
    }

    async fn tell(&mut self, seat: usize, text: String) {
        if let Some(sink) = &mut self.sinks[seat]
            && sink.send(Message::text(text)).await.is_err()
        {
            self.sinks[seat] = None;
        }
    }
}
