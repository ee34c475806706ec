//! Requests to a server at its public address.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many bytes of an answer are read.
const ANSWER_BYTES_MOST: u64 = 64 << 10;

/// Where browsers find the server.
pub(super) struct Site {
    /// Scheme, host and port.
    origin: String,
    /// The path below which the server is; empty at the root.
    base_path: String,
    way: Way,
}

/// How it is reached.
enum Way {
    /// By a connection of our own.
    Plain { host: String, port: u16 },
    /// By curl, which knows the machine's certificates.
    Curl,
}

/// An answer, as far as it is looked at.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// The name and value of the cookie that it sets.
    pub(super) cookie: Option<String>,
    pub(super) body: String,
}

impl Site {
    /// Fails for https on a machine without curl.
    pub(super) fn new(origin: &str, base_path: &str) -> Result<Self> {
        let way = match origin.strip_prefix("http://") {
            Some(authority) => {
                let (host, port) = match authority.rsplit_once(':') {
                    Some((host, port)) if !port.ends_with(']') => (host, port.parse()?),
                    _ => (authority, 80),
                };
                Way::Plain { host: host.trim_matches(['[', ']']).to_owned(), port }
            }
            None => {
                let curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status();
                curl.ok().filter(ExitStatus::success).context("there is no curl for https")?;
                Way::Curl
            }
        };
        Ok(Self { origin: origin.to_owned(), base_path: base_path.to_owned(), way })
    }

    /// The address of the page.
    pub(super) fn url(&self) -> String {
        format!("{}{}", self.origin, self.base_path)
    }

    pub(super) fn get(&self, path: &str) -> Result<Answer> {
        self.ask("GET", path, &[], None)
    }

    /// Makes a person.
    pub(super) fn name(&self) -> Result<Answer> {
        self.ask(
            "POST",
            "/api/me",
            &["Content-Type: application/json"],
            Some(r#"{"name":"doctor"}"#),
        )
    }

    /// Deletes the person.
    pub(super) fn delete(&self, cookie: &str) -> Result<Answer> {
        self.ask("DELETE", "/api/me", &[&format!("Cookie: {cookie}")], None)
    }

    /// Opens a WebSocket. Only the head of the answer is waited for.
    pub(super) fn upgrade(&self, cookie: &str) -> Result<Answer> {
        let headers = [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dW5zcG9rZW4gZG9jdG9yIQ==",
            &format!("Cookie: {cookie}"),
        ];
        self.ask("GET", "/ws", &headers, None)
    }

    fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[&str],
        body: Option<&str>,
    ) -> Result<Answer> {
        let origin = format!("Origin: {}", self.origin);
        let path = format!("{}{path}", self.base_path);
        let headers = headers.iter().copied().chain([origin.as_str()]).collect::<Vec<_>>();
        let text = match &self.way {
            Way::Plain { host, port } => {
                let authority = self.origin.trim_start_matches("http://");
                plain((host, *port), authority, (method, &path), &headers, body)?
            }
            Way::Curl => curl(&format!("{}{path}", self.origin), method, &headers, body)?,
        };
        read(&text)
    }
}

fn plain(
    (host, port): (&str, u16),
    authority: &str,
    (method, path): (&str, &str),
    headers: &[&str],
    body: Option<&str>,
) -> Result<String> {
    let mut addresses = (host, port).to_socket_addrs().context("the name is not known")?;
    let address = addresses.next().context("the name has no address")?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).context("no connection")?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let is_upgrade = headers.iter().any(|header| header.starts_with("Upgrade:"));
    let close = if is_upgrade { "" } else { "Connection: close\r\n" };
    let body = body.unwrap_or_default();
    let (lines, length) = (headers.join("\r\n"), body.len());
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {authority}\r\n{close}{lines}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    let mut reader = stream.take(ANSWER_BYTES_MOST);
    loop {
        let length = reader.read(&mut part).context("no answer")?;
        answer.extend_from_slice(&part[..length]);
        // A WebSocket stays open behind its head.
        let is_socket = answer.starts_with(b"HTTP/1.1 101") && answer.ends_with(b"\r\n\r\n");
        if length == 0 || is_socket {
            return Ok(String::from_utf8_lossy(&answer).into_owned());
        }
    }
}

fn curl(url: &str, method: &str, headers: &[&str], body: Option<&str>) -> Result<String> {
    let mut command = Command::new("curl");
    let seconds = PATIENCE.as_secs().to_string();
    command.args(["--silent", "--show-error", "--include", "--http1.1", "--max-time", &seconds]);
    command.args(["--request", method]);
    for header in headers {
        command.args(["--header", header]);
    }
    if let Some(body) = body {
        command.args(["--data-raw", body]);
    }
    let output = command.arg("--").arg(url).stdin(Stdio::null()).output()?;
    // A WebSocket stays open until the time is over; its head has arrived by then.
    if output.stdout.is_empty() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn read(text: &str) -> Result<Answer> {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.context("what answers there is not a web server")?;
    let mut cookies = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("set-cookie").then(|| value.trim())
    });
    let cookie = cookies.find_map(|value| value.split(';').next());
    Ok(Answer { status, cookie: cookie.map(str::to_owned), body: body.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_a_status_a_cookie_and_a_body() {
        let text = "HTTP/1.1 200 OK\r\nSet-Cookie: __Host-unspoken=4a; Path=/\r\n\r\nok";
        let cookie = Some("__Host-unspoken=4a".to_owned());
        assert_eq!(read(text).unwrap(), Answer { status: 200, cookie, body: "ok".to_owned() });
        assert!(read("SSH-2.0").is_err());
    }

    #[test]
    fn a_plain_address_has_a_host_and_a_port() {
        for (url, expected) in [
            ("http://localhost:8080", ("localhost", 8080)),
            ("http://play.example.org", ("play.example.org", 80)),
            ("http://[::1]:9000", ("::1", 9000)),
            ("http://[::1]", ("::1", 80)),
        ] {
            match Site::new(url, "").unwrap().way {
                Way::Plain { host, port } => assert_eq!((host.as_str(), port), expected),
                Way::Curl => panic!("{url}"),
            }
        }
    }
}
