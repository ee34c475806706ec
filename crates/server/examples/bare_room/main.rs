//! The yardstick of `cargo xtask bench server`: rooms of four seats that do as little as a durable
//! card table can, on the same libraries as the table server.
//!
//! `cargo run --release -p server --example bare_room -- FILE` and `unspoken load --bare`
//!
//! The seat on turn sends a card (about 57 bytes). The room checks turn, number and card, stores
//! the move in SQLite, and when it is durable sends each seat its own view (about 110 bytes).
//! There are no names, no fair order of presses, no rules beyond these, no replays and no limits.

mod game;
mod journal;
mod room;

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use futures_util::StreamExt as _;
use serde::Deserialize;
use tokio::net::TcpListener;

use game::SEATS;
use journal::Journal;
use room::{Input, Rooms};

/// The longest message.
const MESSAGE_BYTES_MOST: usize = 4_096;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("name the file to store moves in")?;
    let rooms = Arc::new(Rooms::new(Journal::open(Path::new(&path))?));
    let app = Router::new()
        .route("/ws", get(upgrade))
        .route("/readyz", get(async || "ready"))
        .with_state(rooms);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            eprintln!("a connection sends late: {error}");
        }
    });
    axum::serve(listener, app).await?;
    Ok(())
}

/// The seat that a client asks for.
#[derive(Clone, Copy, Deserialize)]
struct Place {
    room: u32,
    seat: usize,
}

async fn upgrade(
    upgrade: WebSocketUpgrade,
    Query(place): Query<Place>,
    State(rooms): State<Arc<Rooms>>,
) -> Response {
    upgrade
        .read_buffer_size(MESSAGE_BYTES_MOST)
        .write_buffer_size(0)
        .max_message_size(MESSAGE_BYTES_MOST)
        .max_frame_size(MESSAGE_BYTES_MOST)
        .on_upgrade(move |socket| serve(socket, place, rooms))
}

/// Reads what a seat sends; the room itself writes to it.
async fn serve(socket: WebSocket, place: Place, rooms: Arc<Rooms>) {
    let seat = place.seat % SEATS;
    let room = rooms.enter(place.room);
    let (sink, mut stream) = socket.split();
    // A room ends when all clients have left it, and then nothing is sent to it.
    let _open = room.send(Input::Join { seat, sink }).await;
    while let Some(Ok(message)) = stream.next().await {
        match message {
            Message::Text(text) => {
                let _open = room.send(Input::Play { seat, text }).await;
            }
            Message::Close(_) => break,
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => {}
        }
    }
    let _open = room.send(Input::Leave { seat }).await;
}
