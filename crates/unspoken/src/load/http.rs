//! The requests that name people and open tables.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use wire::{Code, Setup};

use super::target::Target;

/// The longest answer that is read.
const ANSWER_BYTES_MOST: usize = 64 * 1_024;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection for requests, used for one after the other.
pub struct Http {
    stream: TcpStream,
    host: SocketAddr,
}

impl Http {
    pub fn connect(target: Target) -> Result<Self> {
        let stream = target.connect(0)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream, host: target.address() })
    }

    /// Creates a person with this name and returns their cookie.
    pub fn name(&mut self, name: &str) -> Result<String> {
        let body = serde_json::json!({ "name": name }).to_string();
        let answer = self.post("/api/me", None, &body)?;
        let cookie = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next())?
        });
        cookie.map(str::to_owned).context("the server's answer has no cookie")
    }

    /// Opens a table.
    pub fn open(&mut self, cookie: &str, setup: &Setup) -> Result<Code> {
        let wish = serde_json::json!({ "setup": setup }).to_string();
        let answer = self.post("/api/tables", Some(cookie), &wish)?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let body = serde_json::from_str::<serde_json::Value>(body)?;
        let code = body["table"].as_str().context("the server opened no table")?;
        Ok(code.parse()?)
    }

    fn post(&mut self, path: &str, cookie: Option<&str>, body: &str) -> Result<String> {
        let cookie = cookie.map_or_else(String::new, |cookie| format!("Cookie: {cookie}\r\n"));
        let text = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{cookie}\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.write_all(text.as_bytes())?;
        let (mut answer, mut bytes) = (Vec::new(), [0; 4_096]);
        loop {
            let read = self.stream.read(&mut bytes)?;
            ensure!(read > 0, "the server hung up");
            answer.extend_from_slice(&bytes[..read]);
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
    fn an_answer_is_whole_when_its_body_is() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
        assert!(whole(answer).is_some());
        assert!(whole(&answer[..answer.len() - 1]).is_none());
        assert!(whole(b"HTTP/1.1 200 OK\r\n").is_none());
    }
}
