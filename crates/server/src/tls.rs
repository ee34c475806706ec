//! TLS of the server's own, for an operator without a proxy. Connections are decrypted here and
//! relayed to a loopback listener of this process: everything behind it, the arrival times of
//! presses included, reads plain TCP sockets.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tracing::{debug, info, warn};

use crate::limits::{Counts, lock};

/// The first byte of every TLS connection.
const HANDSHAKE: u8 = 22;
/// How long to wait before accepting again after the system refused.
const PAUSE: Duration = Duration::from_millis(100);
/// For a browser that speaks plain HTTP to this port.
const PLAIN_ANSWER: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\
    Connection: close\r\n\r\nthis server speaks https: begin its address with https://\n";

/// The certificate that the server shows, which can be read again while it runs.
#[derive(Debug)]
pub struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
}

impl Certificate {
    /// Reads a chain and its key from PEM files. Fails if one of them cannot be read, or if they do
    /// not belong together.
    pub fn read(chain: &Path, key: &Path) -> Result<Self> {
        let config = RwLock::new(read(chain, key)?);
        Ok(Self { chain: chain.to_owned(), key: key.to_owned(), config })
    }

    /// Reads the files again. New connections see the new certificate; if the files cannot be used,
    /// the old one stays.
    pub fn reload(&self) {
        match read(&self.chain, &self.key) {
            Ok(config) => {
                *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
                info!(chain = %self.chain.display(), "the certificate was read again");
            }
            Err(error) => warn!("the certificate stays as it was: {error:#}"),
        }
    }

    fn acceptor(&self) -> TlsAcceptor {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(config.clone())
    }
}

fn read(chain: &Path, key: &Path) -> Result<Arc<ServerConfig>> {
    let unread = |path: &Path| format!("{} cannot be read as PEM", path.display());
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| unread(chain))?;
    ensure!(!certificates.is_empty(), "{} has no certificate", chain.display());
    let private = PrivateKeyDer::from_pem_file(key).with_context(|| unread(key))?;
    let provider = Arc::new(ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(certificates, private)
        .with_context(|| {
            format!("{} and {} do not belong together", chain.display(), key.display())
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// The relay between clients that speak TLS and the server's own listener.
pub(crate) struct Relay {
    pub(crate) certificate: Arc<Certificate>,
    /// How long a client may take for the handshake.
    pub(crate) within: Duration,
    /// How many connections there may be.
    pub(crate) places: Counts<()>,
    pub(crate) peers: Arc<Peers>,
}

/// Who is behind the loopback connections of the relay, by their port.
#[derive(Debug, Default)]
pub(crate) struct Peers(Mutex<HashMap<u16, SocketAddr>>);

impl Peers {
    /// The client of a loopback connection; `None` if the relay did not open it. It is asked for
    /// once.
    pub(crate) fn take(&self, loopback: SocketAddr) -> Option<SocketAddr> {
        lock(&self.0).remove(&loopback.port())
    }
}

impl Relay {
    /// Accepts clients at `outside` until `stop` is true, and connects each to `inside`.
    pub(crate) async fn serve(
        self,
        outside: TcpListener,
        inside: SocketAddr,
        mut stop: watch::Receiver<bool>,
    ) {
        let relay = Arc::new(self);
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                accepted = outside.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => {
                    let Some(place) = relay.places.take(()) else { continue };
                    let relay = relay.clone();
                    tokio::spawn(async move {
                        if let Err(error) = relay.pass(stream, peer, inside).await {
                            debug!(%error, "an encrypted connection ended");
                        }
                        drop(place);
                    });
                }
                Err(error) => {
                    debug!(%error, "a connection cannot be accepted");
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Decrypts one connection until it ends. Programs on this machine, such as a health check, may
    /// speak plain HTTP.
    async fn pass(
        &self,
        mut client: TcpStream,
        peer: SocketAddr,
        inside: SocketAddr,
    ) -> io::Result<()> {
        client.set_nodelay(true)?;
        let mut first = [0];
        timeout(self.within, client.peek(&mut first)).await??;
        if first[0] == HANDSHAKE {
            let shaken = timeout(self.within, self.certificate.acceptor().accept(client));
            let mut client = shaken.await??;
            let mut server = self.connect(peer, inside).await?;
            copy_bidirectional(&mut client, &mut server).await?;
        } else if peer.ip().to_canonical().is_loopback() {
            let mut server = self.connect(peer, inside).await?;
            copy_bidirectional(&mut client, &mut server).await?;
        } else {
            client.write_all(PLAIN_ANSWER).await?;
        }
        Ok(())
    }

    /// Connects to the server's own listener, which learns who the client is before it accepts.
    async fn connect(&self, peer: SocketAddr, inside: SocketAddr) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_nodelay(true)?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let port = socket.local_addr()?.port();
        lock(&self.peers.0).insert(port, peer);
        let connected = socket.connect(inside).await;
        if connected.is_err() {
            lock(&self.peers.0).remove(&port);
        }
        connected
    }
}
