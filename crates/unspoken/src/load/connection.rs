//! One WebSocket to the server. It blocks while a table is set up; then it only takes what is
//! there.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::frame::{self, Frame, Kind};
use super::target::Target;

/// How long an answer is waited for while a table is set up.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest answer to the request for a WebSocket.
const HEAD_BYTES_MOST: usize = 8 * 1_024;
/// How much is read at a time: more than all that usually waits in a socket.
const READ_BYTES: usize = 64 * 1_024;

/// The buffers that all connections of a thread share.
pub struct Buffers {
    read: Vec<u8>,
    write: Vec<u8>,
}

impl Buffers {
    pub fn new() -> Self {
        Self { read: vec![0; READ_BYTES], write: Vec::new() }
    }
}

/// An open WebSocket.
pub struct Connection {
    stream: TcpStream,
    /// What was received and not handled yet: mostly nothing, else the start of a frame.
    received: Vec<u8>,
    /// What the socket did not take yet.
    unsent: Vec<u8>,
}

impl Connection {
    /// Connects and asks for a WebSocket, the `number`th of many. It blocks until it is set to
    /// [`Self::unblocked`].
    pub fn open(target: Target, number: u32, path: &str, cookie: &str) -> Result<Self> {
        let stream = target.connect(number)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut connection = Self { stream, received: Vec::new(), unsent: Vec::new() };
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dW5zcG9rZW4gbG9hZCEhIQ==\r\n\
             Cookie: {cookie}\r\n\r\n",
            target.address()
        );
        connection.stream.write_all(request.as_bytes())?;
        let head_bytes = loop {
            let end = connection.received.windows(4).position(|bytes| bytes == b"\r\n\r\n");
            if let Some(end) = end {
                break end + 4;
            }
            ensure!(connection.received.len() < HEAD_BYTES_MOST, "the answer does not end");
            connection.read_more()?;
        };
        let head = connection.received.drain(..head_bytes).collect::<Vec<_>>();
        let head = String::from_utf8_lossy(&head);
        let status = head.lines().next().unwrap_or_default();
        ensure!(
            status.starts_with("HTTP/1.1 101"),
            "the server takes no connection, raise its limits: {status}"
        );
        Ok(connection)
    }

    /// The socket, to be told when something arrives.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Sends a text. What the socket does not take now is sent by [`Self::flush`].
    pub fn send(&mut self, buffers: &mut Buffers, text: &[u8]) -> Result<()> {
        self.send_frame(&mut buffers.write, Kind::Text, text)
    }

    /// Waits for the next text, answering pings.
    pub fn wait(&mut self, buffers: &mut Buffers) -> Result<String> {
        loop {
            let received = std::mem::take(&mut self.received);
            let Some((frame, rest)) = frame::split(&received)? else {
                self.received = received;
                self.read_more()?;
                continue;
            };
            self.received.extend_from_slice(rest);
            if let Some(text) = self.text(&mut buffers.write, &frame)? {
                return Ok(std::str::from_utf8(text)?.to_owned());
            }
        }
    }

    /// The same connection, which from now on never waits.
    pub fn unblocked(self) -> Result<Self> {
        self.stream.set_nonblocking(true)?;
        Ok(self)
    }

    /// Hands every text that has come to `take`, in order, and answers pings. Reads until a read
    /// does not fill the buffer, which on Linux means that nothing is left; after a hang-up until
    /// the end.
    pub fn receive(
        &mut self,
        buffers: &mut Buffers,
        hung_up: bool,
        mut take: impl FnMut(&[u8]),
    ) -> Result<()> {
        loop {
            let read = match self.stream.read(&mut buffers.read) {
                Ok(0) => bail!("the server hung up"),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error).context("the connection broke"),
            };
            let Buffers { read: fresh, write } = buffers;
            if self.received.is_empty() {
                let rest = self.handle(write, &fresh[..read], &mut take)?;
                self.received.extend_from_slice(rest);
            } else {
                let mut received = std::mem::take(&mut self.received);
                received.extend_from_slice(&fresh[..read]);
                let rest = self.handle(write, &received, &mut take)?.len();
                received.drain(..received.len() - rest);
                self.received = received;
            }
            if read == 0 || (read < fresh.len() && !hung_up) {
                return Ok(());
            }
        }
    }

    /// Sends what the socket did not take before.
    pub fn flush(&mut self) -> Result<()> {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(written) => drop(self.unsent.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error).context("the connection broke"),
            }
        }
        Ok(())
    }

    /// Handles whole frames and returns the remaining bytes.
    fn handle<'a>(
        &mut self,
        write: &mut Vec<u8>,
        mut bytes: &'a [u8],
        take: &mut impl FnMut(&[u8]),
    ) -> Result<&'a [u8]> {
        while let Some((frame, rest)) = frame::split(bytes)? {
            if let Some(text) = self.text(write, &frame)? {
                take(text);
            }
            bytes = rest;
        }
        Ok(bytes)
    }

    /// The text of a frame; a ping is answered at once.
    fn text<'a>(&mut self, write: &mut Vec<u8>, frame: &Frame<'a>) -> Result<Option<&'a [u8]>> {
        match frame.kind {
            Kind::Text => return Ok(Some(frame.payload)),
            Kind::Ping => self.send_frame(write, Kind::Pong, frame.payload)?,
            Kind::Pong => {}
            Kind::Close => {
                let why = frame.payload.get(2..).unwrap_or_default();
                bail!("the server closed the connection {}", String::from_utf8_lossy(why));
            }
        }
        Ok(None)
    }

    fn send_frame(&mut self, write: &mut Vec<u8>, kind: Kind, payload: &[u8]) -> Result<()> {
        write.clear();
        frame::write(write, kind, payload);
        if !self.unsent.is_empty() {
            self.unsent.extend_from_slice(write);
            return self.flush();
        }
        match self.stream.write(write) {
            Ok(written) if written == write.len() => return Ok(()),
            Ok(written) => self.unsent.extend_from_slice(&write[written..]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.unsent.extend_from_slice(write);
            }
            Err(error) => return Err(error).context("the connection broke"),
        }
        self.flush()
    }

    fn read_more(&mut self) -> Result<()> {
        let mut bytes = [0; 4_096];
        let read = self.stream.read(&mut bytes).context("the server does not answer")?;
        ensure!(read > 0, "the server hung up");
        self.received.extend_from_slice(&bytes[..read]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    const UPGRADED: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";

    /// A connection, and the server's end of it.
    fn connected() -> (Connection, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let target = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let opening = std::thread::spawn(move || Connection::open(target, 0, "/ws", "a=b"));
        let mut server = listener.accept().unwrap().0;
        server.write_all(UPGRADED).unwrap();
        let connection = opening.join().unwrap().unwrap();
        let mut request = [0; 2_048];
        let read = server.read(&mut request).unwrap();
        assert!(request[..read].ends_with(b"Cookie: a=b\r\n\r\n"));
        (connection, server)
    }

    /// Reads until `count` texts have come.
    fn texts(connection: &mut Connection, count: usize) -> Vec<String> {
        let mut texts = Vec::new();
        while texts.len() < count {
            let take = |text: &[u8]| texts.push(String::from_utf8(text.to_vec()).unwrap());
            connection.receive(&mut Buffers::new(), false, take).unwrap();
            std::thread::yield_now();
        }
        texts
    }

    #[test]
    fn texts_arrive_whole_however_they_are_cut() {
        let (connection, mut server) = connected();
        let mut connection = connection.unblocked().unwrap();
        let bytes = b"\x81\x03one\x81\x03two\x81\x05three";
        for cut in 1..bytes.len() {
            server.write_all(&bytes[..cut]).unwrap();
            let mut first = texts(&mut connection, (cut / 5).min(2));
            server.write_all(&bytes[cut..]).unwrap();
            let missing = 3 - first.len();
            first.extend(texts(&mut connection, missing));
            assert_eq!(first, ["one", "two", "three"], "cut at {cut}");
        }
    }

    #[test]
    fn a_ping_is_answered_with_what_it_carries() {
        let (mut connection, mut server) = connected();
        server.write_all(b"\x89\x02hi\x81\x04text").unwrap();
        assert_eq!(connection.wait(&mut Buffers::new()).unwrap(), "text");
        let mut pong = [0; 8];
        server.read_exact(&mut pong).unwrap();
        let mut expected = Vec::new();
        frame::write(&mut expected, Kind::Pong, b"hi");
        assert_eq!(pong[..], expected);
    }

    #[test]
    fn a_hang_up_is_noticed_behind_what_came_before_it() {
        let (connection, mut server) = connected();
        let mut connection = connection.unblocked().unwrap();
        server.write_all(b"\x81\x04last").unwrap();
        drop(server);
        let mut last = Vec::new();
        let error = loop {
            let take = |text: &[u8]| last.extend_from_slice(text);
            match connection.receive(&mut Buffers::new(), true, take) {
                Ok(()) => std::thread::yield_now(),
                Err(error) => break error,
            }
        };
        assert_eq!((&last[..], error.to_string()), (&b"last"[..], "the server hung up".to_owned()));
    }
}
