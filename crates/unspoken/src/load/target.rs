//! The server that is put under load, and the HTTP side of it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use rules::door::GameName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use wire::Code;

/// The longest answer that is read.
const ANSWER_BYTES_MOST: usize = 64 * 1_024;
/// How many connections come from one of this machine's addresses, so that ports do not run out.
const CONNECTIONS_PER_ADDRESS: u32 = 5_000;

/// A server on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(SocketAddr);

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no address, write http://127.0.0.1:8080");
        let address = text.strip_prefix("http://").ok_or_else(wrong)?;
        let address =
            address.strip_suffix('/').unwrap_or(address).replace("localhost", "127.0.0.1");
        let address = address.parse::<SocketAddr>().map_err(|_| wrong())?;
        if !address.ip().is_loopback() {
            return Err("load is only put on this machine, choose an address like \
                http://127.0.0.1:8080"
                .to_owned());
        }
        Ok(Self(address))
    }
}

impl Target {
    /// The address as it stands in a URL.
    pub fn address(self) -> SocketAddr {
        self.0
    }

    /// A connection to it, the `number`th of many.
    pub async fn connect(self, number: u32) -> Result<TcpStream> {
        let stream = match self.0.ip() {
            IpAddr::V4(_) => {
                let socket = TcpSocket::new_v4()?;
                let near = Ipv4Addr::new(127, 0, 1, (1 + number / CONNECTIONS_PER_ADDRESS) as u8);
                socket.bind((near, 0).into()).context("no port is free for a connection")?;
                socket.connect(self.0).await
            }
            IpAddr::V6(_) => TcpStream::connect(self.0).await,
        };
        let stream =
            stream.with_context(|| format!("no server answers at {}, start one", self.0))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// A connection for requests.
    pub async fn http(self) -> Result<Http> {
        Ok(Http { stream: self.connect(0).await?, host: self.0 })
    }
}

/// A connection for requests, used for one after the other.
pub struct Http {
    stream: TcpStream,
    host: SocketAddr,
}

impl Http {
    /// Gives somebody a name; returns their cookie.
    pub async fn name(&mut self, name: &str) -> Result<String> {
        let body = serde_json::json!({ "name": name }).to_string();
        let answer = self.post("/api/me", None, &body).await?;
        let cookie = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next())?
        });
        cookie.map(str::to_owned).context("the server gave nobody a name")
    }

    /// Opens a table.
    pub async fn open(&mut self, cookie: &str, game: GameName, players: u8) -> Result<Code> {
        let wish = serde_json::json!({ "game": game, "players": players }).to_string();
        let answer = self.post("/api/tables", Some(cookie), &wish).await?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let body = serde_json::from_str::<serde_json::Value>(body)?;
        let code = body["table"].as_str().context("the server opened no table")?;
        Ok(code.parse()?)
    }

    async fn post(&mut self, path: &str, cookie: Option<&str>, body: &str) -> Result<String> {
        let cookie = cookie.map_or_else(String::new, |cookie| format!("Cookie: {cookie}\r\n"));
        let text = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{cookie}\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.write_all(text.as_bytes()).await?;
        let mut answer = Vec::new();
        loop {
            let read = self.stream.read_buf(&mut answer).await?;
            ensure!(read > 0, "the server hung up");
            ensure!(answer.len() <= ANSWER_BYTES_MOST, "the answer does not end");
            if let Some(whole) = whole(&answer) {
                let status = whole.split(' ').nth(1).unwrap_or_default();
                if !status.starts_with('2') {
                    let last = whole.lines().last().unwrap_or_default();
                    bail!(
                        "POST {path} was answered with {status}: {last}; raise the server's limits"
                    );
                }
                return Ok(whole);
            }
        }
    }
}

/// The answer, if all of it is there.
fn whole(answer: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().ok())?
    });
    (body.len() >= length.unwrap_or(0)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_put_under_load() {
        for near in ["http://127.0.0.1:8080", "http://localhost:1/", "http://[::1]:8080"] {
            assert!(near.parse::<Target>().is_ok(), "{near}");
        }
        for far in ["http://192.0.2.1:80", "https://127.0.0.1:1", "127.0.0.1:1", "http://x.org:1"] {
            assert!(far.parse::<Target>().is_err(), "{far}");
        }
    }

    #[test]
    fn an_answer_is_whole_when_its_body_is() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
        assert!(whole(answer).is_some());
        assert!(whole(&answer[..answer.len() - 1]).is_none());
        assert!(whole(b"HTTP/1.1 200 OK\r\n").is_none());
    }
}
