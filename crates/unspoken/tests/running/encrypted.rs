//! The other end of a TLS connection.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

pub type Stream = StreamOwned<ClientConnection, TcpStream>;

/// Puts a new certificate for localhost and its key into a folder, as `cert.pem` and `key.pem`.
pub fn certify(folder: &Path) -> CertificateDer<'static> {
    let names = vec!["localhost".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    fs::write(folder.join("cert.pem"), cert.pem()).unwrap();
    fs::write(folder.join("key.pem"), signing_key.serialize_pem()).unwrap();
    cert.der().clone()
}

/// An encrypted connection that trusts one certificate alone.
pub fn connect(address: SocketAddr, trusted: &CertificateDer<'static>) -> io::Result<Stream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    Ok(StreamOwned::new(client, stream))
}

/// The answer to a request over an encrypted connection, or why there is none. `more` are further
/// headers, each with its line end.
pub fn ask(
    address: SocketAddr,
    trusted: &CertificateDer<'static>,
    head: &str,
    more: &str,
    body: &str,
) -> io::Result<String> {
    let mut stream = connect(address, trusted)?;
    let (port, length) = (address.port(), body.len());
    write!(
        stream,
        "{head} HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: https://localhost:{port}\r\n\
         Connection: close\r\n{more}Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )?;
    let mut answer = Vec::new();
    // Without a last word of TLS the end of the connection is an error; the answer is whole.
    let read = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    match read {
        Err(error) if !answer.contains("\r\n\r\n") => Err(error),
        Ok(_) | Err(_) => Ok(answer),
    }
}
