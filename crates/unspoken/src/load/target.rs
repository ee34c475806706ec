//! The server that is put under load: an address on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};
use std::str::FromStr;

use anyhow::{Context, Result};
use rustix::net::{AddressFamily, SocketType};

/// How many connections come from one of this machine's addresses, so that ports do not run out.
const CONNECTIONS_PER_ADDRESS: u32 = 5_000;

/// A server on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(SocketAddr);

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not an address, write http://127.0.0.1:8080");
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
    pub fn connect(self, number: u32) -> Result<TcpStream> {
        let stream = match self.0.ip() {
            IpAddr::V4(_) => {
                let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
                let near = Ipv4Addr::new(127, 0, 1, (1 + number / CONNECTIONS_PER_ADDRESS) as u8);
                rustix::net::bind(&socket, &SocketAddrV4::new(near, 0))
                    .context("no port is free for a connection")?;
                rustix::net::connect(&socket, &self.0)
                    .map(|()| TcpStream::from(socket))
                    .map_err(std::io::Error::from)
            }
            IpAddr::V6(_) => TcpStream::connect(self.0),
        };
        let stream =
            stream.with_context(|| format!("no server answers at {}, start one", self.0))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
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
}
