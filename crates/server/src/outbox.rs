//! Sending to one connection. The sender's task writes to the socket directly; only what the
//! socket does not accept is queued, and the connection's task sends it when the socket has room.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker, ready};
use std::time::Instant;

use bytes::Bytes;
use tokio::io::AsyncWrite;
use tokio::net::tcp::OwnedWriteHalf;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};
use wire::{CloseReason, ServerMessage};

use crate::limits::lock;

/// The sending end of one connection. Cloning is cheap and sending never waits. A lock keeps
/// frames of different senders apart; it is held for a few `write` calls at the most.
#[derive(Clone)]
pub(crate) struct Outbox(Arc<Mutex<Inner>>);

thread_local! {
    /// Where a text is put behind its header before it is written.
    static SPACE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct Inner {
    /// `None` once the connection is closed; later messages are dropped.
    socket: Option<OwnedWriteHalf>,
    /// Set while the connection closes: only its own last frames are still sent.
    sealed: bool,
    queue: VecDeque<Frame>,
    queue_most: usize,
    /// Bytes of the queue's first frame that are written already.
    written: usize,
    /// Since when the queue's first frame waits.
    since: Option<Instant>,
    /// Why the connection has to end, if it has to.
    end: Option<CloseReason>,
    /// Set when writing to the socket failed.
    broken: bool,
    /// The connection's task.
    waker: Option<Waker>,
}

/// The state of an outbox, as its connection's task sees it.
pub(crate) enum Outgoing {
    /// The queue is empty.
    Sent,
    /// The queue's first message waits since then.
    Waits(Instant),
    /// The connection has to end.
    End(CloseReason),
    /// Writing to the socket failed.
    Broken,
}

impl Outbox {
    /// An outbox that writes to `socket` and queues up to `queue_most` messages.
    pub(crate) fn new(socket: OwnedWriteHalf, queue_most: usize) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            socket: Some(socket),
            sealed: false,
            queue: VecDeque::new(),
            queue_most,
            written: 0,
            since: None,
            end: None,
            broken: false,
            waker: None,
        })))
    }

    /// Sends a message. If the queue is full the connection ends as too slow: a page that
    /// reconnects gets the whole state at once.
    pub(crate) fn send(&self, message: Frame) {
        self.inner().send(message);
    }

    /// Sends a text that a table has serialized. It is copied only if the socket does not accept
    /// all of it at once.
    pub(crate) fn send_text(&self, text: &[u8]) {
        self.inner().send_text(text);
    }

    /// Sends a frame that another node has encoded.
    pub(crate) fn send_frame(&self, frame: Bytes) {
        self.send(Frame(frame));
    }

    /// Serializes a message and sends it.
    pub(crate) fn say(&self, message: &ServerMessage) {
        self.send(written(message));
    }

    /// Makes the connection end and send `why`. Of several reasons the first counts.
    pub(crate) fn close(&self, why: CloseReason) {
        self.inner().close(why);
    }

    /// Sends a ping frame.
    pub(crate) fn ping(&self, payload: [u8; 8]) {
        self.inner().send(Frame::control(Control::Ping, &payload));
    }

    /// Sends frames that the WebSocket library has encoded: its answers to pings and to a close.
    pub(crate) fn send_written(&self, frames: &[u8]) {
        self.inner().put_within(Frame(Bytes::copy_from_slice(frames)));
    }

    /// Sends from the queue as much as the socket accepts. Wakes the task of `cx` when the socket
    /// accepts more, when a message is queued and when the connection has to end.
    pub(crate) fn poll(&self, cx: &mut Context) -> Outgoing {
        let mut inner = self.inner();
        if let Some(why) = inner.end {
            return Outgoing::End(why);
        }
        if !inner.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            inner.waker = Some(cx.waker().clone());
        }
        if inner.broken {
            return Outgoing::Broken;
        }
        while let Poll::Ready(sent) = inner.poll_first(cx) {
            match sent {
                Ok(true) => {}
                Ok(false) => return Outgoing::Sent,
                Err(_) => return Outgoing::Broken,
            }
        }
        Outgoing::Waits(inner.since.unwrap_or_else(Instant::now))
    }

    /// Drops all later messages, and the queue unless the server restarts. A frame that is
    /// partly written stays: the peer could not read anything after it otherwise.
    pub(crate) fn seal(&self, why: Option<CloseReason>) {
        let mut inner = self.inner();
        inner.sealed = true;
        if why != Some(CloseReason::Restarting) {
            let half_sent = usize::from(inner.written > 0);
            inner.queue.truncate(half_sent);
        }
    }

    /// Sends a last message and a close frame.
    pub(crate) fn say_last(&self, message: &ServerMessage) {
        let mut inner = self.inner();
        inner.put(written(message));
        inner.put(Frame::control(Control::Close, &[]));
    }

    /// Waits until the queue's first message is written; false if there is none or writing failed.
    pub(crate) async fn send_first(&self) -> bool {
        let sent = std::future::poll_fn(|cx| self.inner().poll_first(cx)).await;
        sent.unwrap_or(false)
    }

    /// Takes the socket out, so that clones of the outbox do not keep it open.
    pub(crate) fn take_socket(&self) -> Option<OwnedWriteHalf> {
        let mut inner = self.inner();
        inner.queue = VecDeque::new();
        inner.waker = None;
        inner.socket.take()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.0)
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Outbox")
    }
}

impl Inner {
    /// Sends a frame, unless the connection ends.
    fn send(&mut self, frame: Frame) {
        if self.is_open() {
            self.put_within(frame);
        }
    }

    fn send_text(&mut self, text: &[u8]) {
        let frame = || Frame::text_of(text.len(), |buffer| buffer.extend_from_slice(text));
        let socket = match &self.socket {
            Some(socket) if self.is_open() && self.queue.is_empty() && !self.broken => socket,
            _ => return self.send(frame()),
        };
        // Copying a few hundred bytes costs less than a system call that gathers two buffers.
        let (whole, written) = SPACE.with_borrow_mut(|space| {
            space.resize(HEADER_BYTES_MOST, 0);
            let start = write_header(OpCode::Data(Data::Text), text.len(), space);
            space.extend_from_slice(text);
            (space.len() - start, socket.try_write(&space[start..]))
        });
        match written {
            Ok(count) if count == whole => {}
            written => self.queue_first(frame(), written),
        }
    }

    /// Whether messages are still sent: not when the connection ends for another reason than a
    /// restart.
    fn is_open(&self) -> bool {
        !self.sealed && self.end.is_none_or(|why| why == CloseReason::Restarting)
    }

    /// Writes or queues a frame; if the queue is full, ends the connection.
    fn put_within(&mut self, frame: Frame) {
        if self.queue.len() < self.queue_most {
            self.put(frame);
        } else {
            self.close(CloseReason::Slow);
        }
    }

    fn put(&mut self, frame: Frame) {
        let Some(socket) = self.socket.as_ref().filter(|_| !self.broken) else { return };
        if !self.queue.is_empty() {
            return self.queue.push_back(frame);
        }
        match socket.try_write(&frame.0) {
            Ok(count) if count == frame.0.len() => {}
            written => self.queue_first(frame, written),
        }
    }

    /// Queues a frame that the socket did not accept as a whole.
    fn queue_first(&mut self, frame: Frame, written: io::Result<usize>) {
        match written {
            Ok(count) => self.written = count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => {
                self.broken = true;
                return self.wake();
            }
        }
        self.since = Some(Instant::now());
        self.wake();
        self.queue.push_back(frame);
    }

    fn close(&mut self, why: CloseReason) {
        self.end.get_or_insert(why);
        self.wake();
    }

    fn wake(&self) {
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }

    /// Writes the queue's first frame; false if the queue is empty.
    fn poll_first(&mut self, cx: &mut Context) -> Poll<io::Result<bool>> {
        let (Some(frame), Some(socket)) = (self.queue.front(), &mut self.socket) else {
            return Poll::Ready(Ok(false));
        };
        while self.written < frame.0.len() {
            let rest = &frame.0[self.written..];
            match ready!(Pin::new(&mut *socket).poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        self.written = 0;
        self.queue.pop_front();
        if self.queue.is_empty() {
            // Frees the memory: most connections never need a queue again.
            self.queue = VecDeque::new();
            self.since = None;
        } else {
            self.since = Some(Instant::now());
        }
        Poll::Ready(Ok(true))
    }
}

/// An encoded WebSocket frame: header and payload in one buffer, so that one system call writes
/// it. Clones share the buffer.
#[derive(Clone)]
pub(crate) struct Frame(Bytes);

/// Two bytes, and eight for the length of a long payload. Frames of a server have no mask.
const HEADER_BYTES_MOST: usize = 10;

impl Frame {
    /// A text frame whose payload is what `write` appends to the buffer.
    fn text(write: impl FnOnce(&mut Vec<u8>)) -> Self {
        Self::text_of(512, write)
    }

    /// The same, with room for a payload of `bytes` without growing.
    fn text_of(bytes: usize, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut buffer = Vec::with_capacity(HEADER_BYTES_MOST + bytes);
        buffer.resize(HEADER_BYTES_MOST, 0);
        write(&mut buffer);
        Self::finish(OpCode::Data(Data::Text), buffer)
    }

    fn control(kind: Control, payload: &[u8]) -> Self {
        let buffer = [&[0; HEADER_BYTES_MOST], payload].concat();
        Self::finish(OpCode::Control(kind), buffer)
    }

    /// Writes the header into the space in front of the payload.
    fn finish(opcode: OpCode, mut buffer: Vec<u8>) -> Self {
        let length = buffer.len() - HEADER_BYTES_MOST;
        let start = write_header(opcode, length, &mut buffer[..HEADER_BYTES_MOST]);
        Self(Bytes::from(buffer).slice(start..))
    }
}

/// Writes a frame's header to the end of `space`, which has [`HEADER_BYTES_MOST`] bytes; where it
/// begins.
fn write_header(opcode: OpCode, payload_bytes: usize, space: &mut [u8]) -> usize {
    let length = payload_bytes as u64;
    let header = FrameHeader { opcode, ..FrameHeader::default() };
    let start = HEADER_BYTES_MOST - header.len(length);
    let _it_fits = header.format(length, &mut &mut space[start..]);
    start
}

/// A message as an encoded text frame. Messages are plain data, so serializing cannot fail.
pub(crate) fn written(message: &ServerMessage) -> Frame {
    Frame::text(|buffer| {
        let _plain_data = serde_json::to_writer(buffer, message);
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncReadExt;
    use tokio::net::tcp::OwnedReadHalf;
    use tokio::net::{TcpListener, TcpSocket, TcpStream};
    use tokio::time::timeout;
    use tungstenite::protocol::{Role, WebSocketContext};
    use tungstenite::{Error, Message};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);
    /// A hundred of these are more than the socket's buffers hold.
    const TEXT_BYTES: usize = 100_000;

    /// An outbox, the reading half of its socket, and the peer.
    async fn pair(queue_most: usize) -> (Outbox, OwnedReadHalf, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let peer = socket.connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        stream.writable().await.unwrap();
        let (read, write) = stream.into_split();
        (Outbox::new(write, queue_most), read, peer)
    }

    fn text(letter: char) -> Frame {
        letters(letter, TEXT_BYTES)
    }

    fn letters(letter: char, count: usize) -> Frame {
        Frame::text(|buffer| buffer.extend(letter.to_string().repeat(count).as_bytes()))
    }

    /// What the connection's task does.
    async fn send_all(outbox: &Outbox) {
        while timeout(PATIENCE, outbox.send_first()).await.expect("it leaves") {}
    }

    /// Reads to the end. Each text is given as its first letter, a ping as `!`, a close as `.`.
    async fn read(mut peer: TcpStream) -> String {
        let mut bytes = Vec::new();
        timeout(PATIENCE, peer.read_to_end(&mut bytes)).await.expect("it ends").unwrap();
        let mut stream = Recorded(io::Cursor::new(bytes));
        let mut protocol = WebSocketContext::new(Role::Client, None);
        let mut found = String::new();
        loop {
            match protocol.read(&mut stream) {
                Ok(Message::Text(text)) => {
                    let first = text.chars().next().unwrap();
                    assert!(text.chars().all(|letter| letter == first) || first == '{');
                    found.push(first);
                }
                Ok(Message::Ping(_)) => found.push('!'),
                Ok(Message::Close(_)) => found.push('.'),
                Ok(other) => panic!("{other:?}"),
                Err(Error::ConnectionClosed | Error::Protocol(_)) => return found,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// A stream of received bytes that discards what is written to it.
    struct Recorded(io::Cursor<Vec<u8>>);

    impl io::Read for Recorded {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            io::Read::read(&mut self.0, buffer)
        }
    }

    impl io::Write for Recorded {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn bye() -> ServerMessage {
        ServerMessage::Bye { why: CloseReason::Restarting, text: String::new() }
    }

    fn close(outbox: &Outbox, read: OwnedReadHalf) {
        drop((outbox.take_socket(), read));
    }

    #[test]
    fn a_frame_has_its_header_in_front() {
        let mut checked = 0;
        for (count, header) in [
            (0, &[0x81, 0][..]),
            (125, &[0x81, 125]),
            (126, &[0x81, 126, 0, 126]),
            (65_535, &[0x81, 126, 255, 255]),
            (65_536, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let Frame(bytes) = letters('x', count);
            assert_eq!(bytes.len(), header.len() + count);
            assert!(bytes.starts_with(header) && bytes[header.len()..].iter().all(|b| *b == b'x'));
            checked += 1;
        }
        assert_eq!(checked, 5);
        assert_eq!(Frame::control(Control::Close, &[]).0[..], [0x88, 0]);
    }

    #[tokio::test]
    async fn what_fits_is_written_at_once() {
        let (outbox, half, mut peer) = pair(1).await;
        for _ in 0..5 {
            outbox.send(letters('x', 1));
            outbox.ping([7; 8]);
        }
        // No task has polled the outbox: `send` itself wrote the frames.
        let mut bytes = [0; 65];
        timeout(PATIENCE, peer.read_exact(&mut bytes)).await.unwrap().unwrap();
        assert_eq!(bytes[..5], [0x81, 1, b'x', 0x89, 8]);
        close(&outbox, half);
        assert_eq!(read(peer).await, "");
    }

    #[tokio::test]
    async fn what_waits_keeps_its_order_and_frames_stay_whole() {
        let (outbox, half, peer) = pair(1_000).await;
        let sent = ('a'..='z').cycle().take(100).collect::<String>();
        for (place, letter) in sent.chars().enumerate() {
            match place % 2 {
                0 => outbox.send(text(letter)),
                _ => outbox.send_text(letter.to_string().repeat(TEXT_BYTES).as_bytes()),
            }
        }
        assert!(!outbox.inner().queue.is_empty(), "the buffers hold less than all of it");
        outbox.ping([1; 8]);
        let reading = tokio::spawn(read(peer));
        send_all(&outbox).await;
        outbox.send(letters('0', 1));
        close(&outbox, half);
        assert_eq!(reading.await.unwrap(), format!("{sent}!0"));
    }

    #[tokio::test]
    async fn a_full_queue_ends_the_connection_and_the_first_reason_stands() {
        let (outbox, _half, _peer) = pair(3).await;
        for _ in 0..100 {
            outbox.send(text('x'));
        }
        outbox.close(CloseReason::Idle);
        assert_eq!(outbox.inner().queue.len(), 3);
        let end = std::future::poll_fn(|cx| Poll::Ready(outbox.poll(cx))).await;
        assert!(matches!(end, Outgoing::End(CloseReason::Slow)));
    }

    /// Queues texts, closes with this reason, and returns what the peer reads.
    async fn arriving(why: CloseReason) -> String {
        let (outbox, half, peer) = pair(1_000).await;
        for _ in 0..100 {
            outbox.send(text('x'));
        }
        assert!(outbox.inner().queue.len() > 10);
        outbox.close(why);
        outbox.seal(Some(why));
        outbox.send(text('y'));
        outbox.say_last(&bye());
        let reading = tokio::spawn(read(peer));
        send_all(&outbox).await;
        close(&outbox, half);
        reading.await.unwrap()
    }

    #[tokio::test]
    async fn a_restart_loses_nothing_and_other_ends_come_at_once() {
        assert_eq!(arriving(CloseReason::Restarting).await, format!("{}{{.", "x".repeat(100)));
        let found = arriving(CloseReason::Deleted).await;
        let before = found.strip_suffix("{.").unwrap();
        assert!(before.len() < 90 && before.chars().all(|letter| letter == 'x'), "{found}");
    }

    #[tokio::test]
    async fn nothing_is_sent_once_the_socket_is_taken() {
        let (outbox, half, peer) = pair(10).await;
        close(&outbox, half);
        outbox.send(text('x'));
        assert!(outbox.inner().queue.is_empty());
        assert_eq!(read(peer).await, "");
    }
}
