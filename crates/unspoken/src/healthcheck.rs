//! `unspoken healthcheck`: whether a server on this machine is ready, for containers and scripts.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use crate::out::outln;

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(4);

/// Which server is asked.
#[derive(Args)]
pub struct Options {
    /// Where the server listens
    #[arg(long, env = "UNSPOKEN_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Asks the server whether the file can be read and written.
pub fn run(options: &Options) -> ExitCode {
    let address = reachable(options.listen);
    let found = ask(address).and_then(|answer| read(&answer));
    let (ready, text) = match found {
        Ok((200, _)) => (true, "ready".to_owned()),
        Ok((status, body)) => (false, format!("the server at {address} answers {status}: {body}")),
        Err(error) => (false, format!("{error:#}")),
    };
    if options.json {
        outln!("{}", json!({ "ready": ready, "address": address.to_string(), "text": text }));
    } else if ready {
        outln!("{text}");
    } else {
        eprintln!("error: {text}");
    }
    if ready { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A listener for all addresses is asked at its loopback address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(address: SocketAddr) -> Result<String> {
    let unreached = || format!("no server answers at {address}");
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).with_context(unreached)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).with_context(unreached)?;
    let mut answer = String::new();
    stream.take(64 << 10).read_to_string(&mut answer).with_context(unreached)?;
    Ok(answer)
}

/// The status and the body of an answer.
fn read(answer: &str) -> Result<(u16, String)> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let Some(status) = status else { bail!("what answers there is not a web server") };
    Ok((status, body.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_for_all_is_asked_at_loopback() {
        for (listen, asked) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            assert_eq!(reachable(listen.parse().unwrap()), asked.parse().unwrap());
        }
    }

    #[test]
    fn an_answer_has_a_status_and_a_body() {
        assert_eq!(
            read("HTTP/1.1 200 OK\r\na: b\r\n\r\nready").unwrap(),
            (200, "ready".to_owned())
        );
        assert!(read("SSH-2.0-OpenSSH").is_err() && read("").is_err());
    }
}
