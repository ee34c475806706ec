//! One WebSocket connection: its reading loop, its timers and its close.

use std::io::{self, Read, Write};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use journal::Hash;
use table::fair::Stamp;
use table::{ConnId, Person};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::{Sleep, sleep_until, timeout};
use tracing::debug;
use tungstenite::Message;
use tungstenite::error::{Error, ProtocolError};
use tungstenite::protocol::{Role, WebSocketConfig, WebSocketContext};
use wire::{CloseReason, ServerMessage};

use crate::App;
use crate::address::{Subnet, subnet_of};
use crate::calendar::now_s;
use crate::connections::SocketPlaces;
use crate::frames::Frames;
use crate::kernel_trip::kernel_trip;
use crate::limits::Limits;
use crate::lingering_close::LingeringStream;
use crate::outbox::{Outbox, Outgoing};
use crate::people::OpenConnection;
use crate::receive::{note_arrivals, poll_receive};
use crate::session::Session;
use crate::shared_link::SharedLink;
use crate::upgrade::Socket;

/// How long each message that is sent while the connection closes may take.
const BYE_WITHIN: Duration = Duration::from_secs(1);
/// Larger than any move; the buffer grows for a longer message.
const READ_BUFFER_BYTES: usize = 256;
/// When this number of continuation frames has arrived, they are counted before more is read.
const CONTINUED_MOST: u32 = 64;

/// Serves one connection until it is closed. `client` is the number of the page, if another node has
/// greeted it already. The state is built outside the `async` block: built
/// inside an `async fn`, the arguments would stay in the future beside it.
pub(crate) fn serve(
    app: Arc<App>,
    socket: Socket,
    person: Person,
    device: Hash,
    from: Subnet,
    conn: ConnId,
    client: Option<u32>,
) -> impl Future<Output = ()> {
    let mut connection = Connection::new(socket, &app.shared.limits, Some(from));
    let (id, outbox) = (person.id, connection.outbox.clone());
    app.people.connected(id, OpenConnection { conn, device, from, outbox: outbox.clone() });
    // A block between the handshake and that call is found here.
    if app.admission.blocks.permit(id, from).is_err() {
        outbox.close(CloseReason::Blocked);
    }
    app.shared.metrics.connections.inc();
    let mut session = Session::new(app, conn, person, device, from, outbox, client);
    async move {
        let app = session.app.clone();
        // `connected` makes a deletion or a signing out close this connection. One between the
        // check of the cookie and that call is found here.
        if let Ok(Some(why)) = app.people.turned_out(id, device).await {
            connection.outbox.close(why);
        }
        // Queued by the call; no page waits for it.
        drop(app.shared.operations.seen(id.hash(), now_s()));
        let end = connection.converse(&mut session, &app).await;
        drop(app.shared.operations.seen(id.hash(), now_s()));
        connection.outbox.seal(end.farewell());
        app.people.gone(id, conn);
        session.leave_all().await;
        connection.say_last(&app, end).await;
        connection.close(end);
        app.shared.metrics.connections.dec();
    }
}

/// Closes a connection right after the handshake, with the reason.
pub(crate) async fn turn_away(app: &App, socket: Socket, why: CloseReason) {
    let mut connection = Connection::new(socket, &app.shared.limits, None);
    connection.say_last(app, End::CloseReason(why)).await;
    connection.close(End::CloseReason(why));
}

/// A TCP connection after the WebSocket handshake.
struct Connection {
    protocol: WebSocketContext,
    read: OwnedReadHalf,
    outbox: Outbox,
    places: SocketPlaces,
    frames: Frames,
    /// Continuation frames that arrived and were not counted yet.
    continued: u32,
    /// When the bytes arrived that were read last.
    arrived: Instant,
    /// Whether the other end is the client, and not a proxy, a tunnel or this program's own TLS.
    is_direct: bool,
}

/// Why a connection ends.
#[derive(Clone, Copy)]
enum End {
    /// The server closes it, and sends the reason.
    CloseReason(CloseReason),
    /// The client sent a close frame, which is answered.
    Closed,
    /// The client violated the WebSocket protocol.
    Violation,
    /// The TCP connection ended without a close frame.
    HungUp,
}

impl End {
    fn farewell(self) -> Option<CloseReason> {
        match self {
            Self::CloseReason(why) => Some(why),
            Self::Closed | Self::Violation | Self::HungUp => None,
        }
    }
}

/// What a connection's task is woken for.
enum Event {
    Message(Message),
    End(End),
    /// How many continuation frames arrived.
    Continued(u32),
    /// A table needs the connection measured now.
    Hurried,
    /// The timer fired.
    Time,
}

impl Connection {
    /// `from` is where the client is, as far as that is known.
    fn new(
        Socket { stream, read: early, places }: Socket,
        limits: &Limits,
        from: Option<Subnet>,
    ) -> Self {
        let most = Some(limits.messages.bytes_most);
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER_BYTES)
            // The library then writes each frame in one call, so the outbox gets it whole.
            .write_buffer_size(0)
            .max_message_size(most)
            .max_frame_size(most);
        // Copied, because the HTTP library's buffer of 8 KiB would stay otherwise.
        let early = early.to_vec();
        let mut frames = Frames::default();
        let continued = frames.read(&early);
        let protocol = WebSocketContext::from_partially_read(early, Role::Server, Some(config));
        note_arrivals(&stream);
        // What comes from this machine may have come from anywhere before.
        let peer = stream.peer_addr().ok().filter(|peer| !peer.ip().to_canonical().is_loopback());
        let is_direct = peer.is_some_and(|peer| Some(subnet_of(peer.ip())) == from);
        let (read, write) = stream.into_split();
        let outbox = Outbox::new(write, limits.connections.queue_most);
        let arrived = Instant::now();
        Self { protocol, read, outbox, places, frames, continued, arrived, is_direct }
    }

    /// Reads messages and sends pings until the connection has to end; returns the reason.
    async fn converse(&mut self, session: &mut Session, app: &App) -> End {
        let (limits, tuning) = (&app.shared.limits, &app.shared.tuning);
        let link = session.link.clone();
        let idle = limits.connections.idle_after.0 / 3;
        let mut heard = app.shared.stamp();
        let hello_by = Instant::now() + limits.connections.hello_within.0;
        let mut pinged_at = None::<Instant>;
        let mut ping_at = Instant::now() + idle;
        let mut timer = pin!(sleep_until(hello_by.min(ping_at).into()));
        let mut hurried = pin!(link.hurried());
        loop {
            let event = std::future::poll_fn(|cx| {
                if let Poll::Ready(event) = self.poll_event(cx, timer.as_mut(), limits, &link) {
                    return Poll::Ready(event);
                }
                if hurried.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Event::Hurried);
                }
                timer.as_mut().poll(cx).map(|()| Event::Time)
            })
            .await;
            match event {
                Event::Message(Message::Close(_)) => return End::Closed,
                Event::Message(message) => {
                    heard = app.shared.stamp_at(self.arrived);
                    if let Err(why) = session.take(message, heard).await {
                        return End::CloseReason(why);
                    }
                    if session.greeted {
                        continue;
                    }
                }
                Event::Continued(frames) => {
                    if let Err(why) = session.count_frames(frames) {
                        return End::CloseReason(why);
                    }
                    continue;
                }
                Event::End(end) => return end,
                Event::Hurried => {
                    // A table that begins one game after the other does not ping more often for it.
                    let due = pinged_at.map(|at| at + link.pause(tuning, idle));
                    ping_at = due.unwrap_or_else(Instant::now);
                    hurried.set(link.hurried());
                }
                Event::Time => {}
            }
            let now = Instant::now();
            if !session.greeted && now >= hello_by {
                return End::CloseReason(CloseReason::Idle);
            }
            if now >= ping_at && session.is_away() {
                // The node that has the session measures the connection.
                ping_at = now + idle;
            }
            if now >= ping_at {
                let stamp = app.shared.stamp();
                if heard.until(stamp) >= limits.connections.idle_after.0 {
                    return End::CloseReason(CloseReason::Idle);
                }
                self.outbox.ping(link.pinged(stamp).bytes());
                pinged_at = Some(now);
                ping_at = now + link.pause(tuning, idle);
            }
            session.tell_link().await;
            let greet_by = Some(hello_by).filter(|_| !session.greeted);
            let late_at = link.changes_at(app.shared.stamp(), tuning);
            let late_at = late_at.map(|at| app.shared.started + Stamp::default().until(at));
            let next = [greet_by, late_at].into_iter().flatten().fold(ping_at, Instant::min);
            timer.as_mut().reset(next.into());
        }
    }

    /// Sends what is queued and reads a message; with a pong comes what the kernel has measured.
    /// While a message waits to be sent, the timer is
    /// set to fire no later than its deadline.
    fn poll_event(
        &mut self,
        cx: &mut Context,
        timer: Pin<&mut Sleep>,
        limits: &Limits,
        link: &SharedLink,
    ) -> Poll<Event> {
        match self.outbox.poll(cx) {
            Outgoing::Sent => {}
            Outgoing::Waits(since) => {
                let late_at = since + limits.connections.send_within.0;
                if late_at <= Instant::now() {
                    return Poll::Ready(Event::End(End::CloseReason(CloseReason::Slow)));
                }
                if late_at < timer.deadline().into_std() {
                    timer.reset(late_at.into());
                }
            }
            Outgoing::End(why) => return Poll::Ready(Event::End(End::CloseReason(why))),
            Outgoing::Broken => return Poll::Ready(Event::End(End::HungUp)),
        }
        if self.continued > 0 {
            return Poll::Ready(Event::Continued(std::mem::take(&mut self.continued)));
        }
        let message = self.poll_message(cx);
        if let (Poll::Ready(Ok(Message::Pong(_))), true) = (&message, self.is_direct)
            && let Some(trip) = kernel_trip(self.read.as_ref())
        {
            link.acknowledged(trip);
        }
        if message.is_pending() && self.continued > 0 {
            return Poll::Ready(Event::Continued(std::mem::take(&mut self.continued)));
        }
        message.map(|message| message.map_or_else(broken, Event::Message))
    }

    fn poll_message(&mut self, cx: &mut Context) -> Poll<Result<Message, Error>> {
        let mut stream = Stream {
            read: self.read.as_ref(),
            outbox: &self.outbox,
            frames: &mut self.frames,
            continued: &mut self.continued,
            arrived: &mut self.arrived,
            cx,
        };
        match self.protocol.read(&mut stream) {
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
            read => Poll::Ready(read),
        }
    }

    /// Sends the last frames, and waits until they have left or take too long.
    async fn say_last(&mut self, app: &App, end: End) {
        match end {
            End::CloseReason(why) => {
                app.shared.metrics.dropped(word(why));
                let text = last_word(why).to_owned();
                self.outbox.say_last(&ServerMessage::Bye { why, text });
            }
            End::Closed => {
                // The library sends its answer to a close frame on the next read.
                let _closed = std::future::poll_fn(|cx| self.poll_message(cx)).await;
            }
            End::Violation | End::HungUp => {}
        }
        while let Ok(true) = timeout(BYE_WITHIN, self.outbox.send_first()).await {}
    }

    fn close(self, end: End) {
        let stream = self.outbox.take_socket().and_then(|write| self.read.reunite(write).ok());
        if let Some(stream) = stream {
            let closing = LingeringStream::new(stream, self.places);
            if matches!(end, End::HungUp) {
                closing.close();
            }
        }
    }
}

fn broken(error: Error) -> Event {
    debug!(%error, "a connection broke");
    Event::End(match error {
        Error::Capacity(_) => End::CloseReason(CloseReason::TooLong),
        Error::Io(_) | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::HungUp,
        _ => End::Violation,
    })
}

/// The stream that the WebSocket library reads from and writes its answers to.
struct Stream<'a, 'b> {
    read: &'a TcpStream,
    outbox: &'a Outbox,
    frames: &'a mut Frames,
    continued: &'a mut u32,
    arrived: &'a mut Instant,
    cx: &'a mut Context<'b>,
}

impl Read for Stream<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A client that never ends its message is heard out here: the session counts first.
        if *self.continued >= CONTINUED_MOST {
            self.cx.waker().wake_by_ref();
            return Err(io::ErrorKind::WouldBlock.into());
        }
        match poll_receive(self.read, self.cx, buffer) {
            Poll::Ready(received) => {
                let received = received?;
                *self.arrived = received.at;
                *self.continued += self.frames.read(&buffer[..received.bytes]);
                Ok(received.bytes)
            }
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

impl Write for Stream<'_, '_> {
    fn write(&mut self, frames: &[u8]) -> io::Result<usize> {
        self.outbox.send_written(frames);
        Ok(frames.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn word(why: CloseReason) -> &'static str {
    match why {
        CloseReason::Restarting => "restarting",
        CloseReason::Deleted => "deleted",
        CloseReason::SignedOut => "signed-out",
        CloseReason::Flooding => "flooding",
        CloseReason::TooLong => "too-long",
        CloseReason::Slow => "slow",
        CloseReason::Idle => "idle",
        CloseReason::Protocol => "protocol",
        CloseReason::Crowded => "crowded",
        CloseReason::Blocked => "blocked",
    }
}

fn last_word(why: CloseReason) -> &'static str {
    match why {
        CloseReason::Restarting => "the server restarts, connect again in a moment",
        CloseReason::Deleted => "you are no longer known here, choose a name to come back",
        CloseReason::SignedOut => "another device of yours has signed this one out",
        CloseReason::Flooding => {
            "that was more than one person can say, connect again and slow down"
        }
        CloseReason::TooLong => "that message was too long, connect again and say less",
        CloseReason::Slow => "your connection does not keep up, connect again",
        CloseReason::Idle => "nothing was heard from you, connect again",
        CloseReason::Protocol => "this page is out of date, load it again",
        CloseReason::Crowded => "you have too many connections open, close one",
        CloseReason::Blocked => "the operator of this server has blocked you: ask them why",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<F>(
        _: impl Fn(Arc<App>, Socket, Person, Hash, Subnet, ConnId, Option<u32>) -> F,
    ) -> usize {
        size_of::<F>()
    }

    /// An idle connection keeps the whole future in memory, and there may be 20,000 of them.
    #[test]
    fn the_task_of_a_connection_is_small() {
        assert!(bytes(serve) <= 2_000, "{} bytes", bytes(serve));
    }
}
