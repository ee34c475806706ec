//! A client from an address of its own: each attack comes from other addresses of this machine, so
//! that no attack uses up the limits of the next one.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::HandshakeError;
use tokio_tungstenite::tungstenite::{self, Error, Message, WebSocket};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where an attack comes from, and what it is on.
#[derive(Clone, Copy)]
pub struct Attacker {
    from: Ipv4Addr,
    to: SocketAddr,
}

/// The answer to a request; without a status if the connection was closed instead.
#[derive(Default)]
pub struct Answer {
    pub status: Option<u16>,
    pub text: String,
}

impl Answer {
    fn read(text: String) -> Self {
        let status = text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
        Self { status, text }
    }

    /// The cookie of a new person.
    pub fn cookie(&self) -> Option<String> {
        let set = self.text.lines().find_map(|line| line.strip_prefix("set-cookie: "))?;
        Some(set.split(';').next()?.to_owned())
    }
}

impl Attacker {
    pub fn new(from: Ipv4Addr, to: SocketAddr) -> Self {
        Self { from, to }
    }

    /// A connection that has sent nothing.
    pub fn stream(self) -> io::Result<TcpStream> {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
        bind(&socket, &SocketAddrV4::new(self.from, 0))?;
        connect(&socket, &self.to)?;
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// Sends bytes over a connection of their own and reads until it is closed.
    pub fn send(self, bytes: &[u8]) -> Answer {
        let exchange = || {
            let mut stream = self.stream()?;
            // A server that has read enough closes the connection before all is sent.
            let _closed_already = stream.write_all(bytes);
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer);
            if answer.is_empty() {
                read?;
            }
            Ok::<_, io::Error>(String::from_utf8_lossy(&answer).into_owned())
        };
        exchange().map_or_else(|_closed| Answer::default(), Answer::read)
    }

    /// A request; `more` are further headers, each with its line end.
    pub fn ask(self, head: &str, more: &str, body: &str) -> Answer {
        let (to, length) = (self.to, body.len());
        self.send(
            format!(
                "{head} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n{more}\
                 Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// A new person's cookie, unless that is refused.
    pub fn name(self) -> Option<String> {
        self.ask("POST /api/me", "", r#"{"name":"Eve"}"#).cookie()
    }

    /// Opens a table for four.
    pub fn open(self, cookie: &str) -> Option<String> {
        let wish = r#"{"game":"mind","players":4}"#;
        let answer = self.ask("POST /api/tables", &format!("Cookie: {cookie}\r\n"), wish);
        let (_, body) = answer.text.split_once("\r\n\r\n")?;
        let opened = serde_json::from_str::<Value>(body).ok()?;
        Some(opened["table"].as_str()?.to_owned())
    }

    /// Opens a WebSocket with a cookie and an origin; the status if it is refused.
    pub fn upgrade(self, cookie: &str, origin: &str) -> Result<Line, Option<u16>> {
        let mut request = format!("ws://{}/ws", self.to).into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        request.headers_mut().insert("origin", origin.parse().unwrap());
        let stream = self.stream().map_err(|_closed| None)?;
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Line(socket)),
            Err(HandshakeError::Failure(Error::Http(answer))) => {
                Err(Some(answer.status().as_u16()))
            }
            Err(_closed) => Err(None),
        }
    }

    /// A connection that has said hello, from a page of the server's own.
    pub fn connect(self, cookie: &str) -> Option<Line> {
        let mut line = self.upgrade(cookie, &format!("http://{}", self.to)).ok()?;
        line.say(&json!({"t": "hello", "protocol": wire::PROTOCOL, "client": 1}).to_string());
        Some(line)
    }
}

/// An open WebSocket.
pub struct Line(pub WebSocket<TcpStream>);

impl Line {
    /// Sends a text, if the connection is still open.
    pub fn say(&mut self, text: &str) {
        let _closed = self.0.send(Message::text(text));
    }

    /// The next message, `None` if none comes any more.
    pub fn hear(&mut self) -> Option<Value> {
        let begun = Instant::now();
        // Pings come for as long as the connection is open.
        while begun.elapsed() < PATIENCE {
            match self.0.read().ok()? {
                Message::Text(text) => return serde_json::from_str(&text).ok(),
                Message::Close(_) => return None,
                _ => {}
            }
        }
        None
    }
}
