//! Setting up people and tables: over sockets that block, on a few threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{TryRecvError, sync_channel};

use anyhow::{Context, Result, bail, ensure};
use rules::kit::Seat;
use wire::{ClientMessage, Request, Setup};

use super::bare::BareTable;
use super::connection::{Buffers, Connection};
use super::http::Http;
use super::table::{GameTable, Table as _};
use super::target::Target;
use super::update::{self, Update};

/// How many are set up at the same time.
const AT_ONCE: u32 = 32;

/// A table and the connections of its people, in the order of their seats.
pub struct ConnectedTable<T> {
    pub table: T,
    pub connections: Vec<Connection>,
}

/// Sets up `count` things on a few threads. Each thread makes itself one `opener`, which is told
/// the number of what to set up. `take` is called with each that is ready, and repeatedly with
/// `None` while waiting: connections that are ready have pings to answer.
pub fn each<T: Send, O: FnMut(u32) -> Result<T>>(
    count: u32,
    opener: impl Fn() -> Result<O> + Sync,
    mut take: impl FnMut(Option<T>) -> Result<()>,
) -> Result<()> {
    let next = AtomicU32::new(0);
    std::thread::scope(|scope| {
        let (sender, opened) = sync_channel(AT_ONCE as usize);
        for _ in 0..AT_ONCE.min(count) {
            let (sender, next, opener) = (sender.clone(), &next, &opener);
            scope.spawn(move || {
                let mut open = match opener() {
                    Ok(open) => open,
                    // The receiver is gone if another thread has failed before.
                    Err(error) => return drop(sender.send(Err(error))),
                };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || sender.send(open(number)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match opened.try_recv() {
                Ok(ready) => take(Some(ready?))?,
                Err(TryRecvError::Empty) => take(None)?,
                Err(TryRecvError::Disconnected) => return Ok(()),
            }
        }
    })
}

/// A person with a connection that has said hello.
pub fn person(
    target: Target,
    http: &mut Http,
    number: u32,
    protocol: u32,
) -> Result<(Connection, String)> {
    let cookie = http.name(&format!("load {number}"))?;
    let mut connection = Connection::open(target, number, "/ws", &cookie)?;
    let mut buffers = Buffers::new();
    say(&mut connection, &mut buffers, &ClientMessage::Hello { protocol, client: number })?;
    let welcome = connection.wait(&mut buffers)?;
    ensure!(
        welcome.starts_with(r#"{"t":"welcome""#),
        "the server did not answer hello with a welcome: {welcome}"
    );
    Ok((connection, cookie))
}

/// Sends a message.
pub fn say(
    connection: &mut Connection,
    buffers: &mut Buffers,
    message: &ClientMessage,
) -> Result<()> {
    connection.send(buffers, serde_json::to_string(message)?.as_bytes())
}

/// A table with all seats taken and a running game, the `number`th of many.
pub fn game_table(
    target: Target,
    http: &mut Http,
    setup: &Setup,
    number: u32,
    protocol: u32,
) -> Result<ConnectedTable<GameTable>> {
    let seats = u32::from(setup.players());
    let (mut connections, mut cookies) = (Vec::new(), Vec::new());
    for place in 0..seats {
        let (connection, cookie) = person(target, http, number * seats + place, protocol)?;
        connections.push(connection);
        cookies.push(cookie);
    }
    let code = http.open(&cookies[0], setup)?;
    let mut buffers = Buffers::new();
    let mut table = GameTable::new(code, connections.len(), number as usize);
    for (place, connection) in connections.iter_mut().enumerate() {
        say(connection, &mut buffers, &ClientMessage::Join { table: code })?;
        let seat = Seat::new(place).context("there are that many seats")?;
        ask(connection, &mut buffers, &mut table, place, Request::Sit(seat))?;
    }
    ask(&mut connections[0], &mut buffers, &mut table, 0, Request::Start)?;
    for (place, connection) in connections.iter_mut().enumerate() {
        while !table.plays(place) {
            table.receive(place, connection.wait(&mut buffers)?.as_bytes())?;
        }
    }
    Ok(ConnectedTable { table, connections })
}

/// Asks for something and waits until it is done.
fn ask(
    connection: &mut Connection,
    buffers: &mut Buffers,
    table: &mut GameTable,
    place: usize,
    request: Request,
) -> Result<()> {
    let (id, message) = table.request(request);
    say(connection, buffers, &message)?;
    loop {
        let text = connection.wait(buffers)?;
        if !update::is_update(text.as_bytes()) {
            bail!("the server refuses {request:?}: {text}");
        }
        table.receive(place, text.as_bytes())?;
        if Update::scan(text.as_bytes())?.ack == Some(id) {
            return Ok(());
        }
    }
}

/// A room of the yardstick, the `number`th of many.
pub fn bare_table(target: Target, seats: u32, number: u32) -> Result<ConnectedTable<BareTable>> {
    let mut connections = Vec::new();
    for seat in 0..seats {
        let path = format!("/ws?room={number}&seat={seat}");
        connections.push(Connection::open(target, number * seats + seat, &path, "")?);
    }
    Ok(ConnectedTable { table: BareTable::new(number, connections.len()), connections })
}
