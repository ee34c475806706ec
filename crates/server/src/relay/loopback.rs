//! Pairs of connected sockets on this machine: what is behind a relayed socket reads a plain TCP
//! connection, as behind the server's own TLS.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;

/// A listener that connects to itself.
pub(crate) struct Loopback {
    listener: Mutex<TcpListener>,
    address: SocketAddr,
}

impl Loopback {
    pub(crate) async fn bind() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener: Mutex::new(listener), address })
    }

    /// Two connected ends. Connections of other programs are dropped.
    pub(crate) async fn pair(&self) -> io::Result<(TcpStream, TcpStream)> {
        let listener = self.listener.lock().await;
        let one = TcpStream::connect(self.address).await?;
        let mine = one.local_addr()?;
        loop {
            let (other, peer) = listener.accept().await?;
            if peer == mine {
                one.set_nodelay(true)?;
                other.set_nodelay(true)?;
                return Ok((one, other));
            }
        }
    }
}
