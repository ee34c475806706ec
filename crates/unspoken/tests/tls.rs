//! TLS of the server's own, as a browser meets it.

mod running;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::json;
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};

use running::{FREE, Running, http, operate, serve, text};

const FILES: [&str; 4] = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];

/// Puts a new certificate for localhost and its key into a folder.
fn certify(folder: &Path) -> CertificateDer<'static> {
    let names = vec!["localhost".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    fs::write(folder.join("cert.pem"), cert.pem()).unwrap();
    fs::write(folder.join("key.pem"), signing_key.serialize_pem()).unwrap();
    cert.der().clone()
}

/// An encrypted connection that trusts one certificate alone.
fn connect(
    server: &Running,
    trusted: &CertificateDer<'static>,
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    StreamOwned::new(client, stream)
}

/// The answer to a request over an encrypted connection, or why there is none.
fn ask(
    server: &Running,
    trusted: &CertificateDer<'static>,
    head: &str,
    body: &str,
) -> Result<String, std::io::Error> {
    let mut stream = connect(server, trusted);
    let (port, length) = (server.address.port(), body.len());
    write!(
        stream,
        "{head} HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: https://localhost:{port}\r\n\
         Connection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n\
         {body}"
    )?;
    let mut answer = String::new();
    // Without a last word of TLS the end of the connection is an error; the answer is whole.
    match stream.read_to_string(&mut answer) {
        Ok(_) => Ok(answer),
        Err(_) if answer.contains("\r\n\r\n") => Ok(answer),
        Err(error) => Err(error),
    }
}

#[test]
fn pages_api_and_sockets_are_encrypted() {
    let folder = TempDir::new().unwrap();
    let certificate = certify(folder.path());
    let server = Running::start(folder.path(), &[&FREE[..], &FILES].concat());
    let page = ask(&server, &certificate, "GET /", "").unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Unspoken"), "{page}");
    let named = ask(&server, &certificate, "POST /api/me", r#"{"name":"Ada"}"#).unwrap();
    let cookie = named.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect(&named);
    assert!(cookie.starts_with("__Host-unspoken=") && cookie.contains("; Secure"), "{cookie}");

    let mut request = "wss://localhost/ws".into_client_request().unwrap();
    let cookie = cookie.split(';').next().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    let (mut socket, _) = tungstenite::client(request, connect(&server, &certificate)).unwrap();
    let hello = json!({"t": "hello", "protocol": wire::PROTOCOL, "client": 1});
    socket.send(Message::text(hello.to_string())).unwrap();
    assert!(socket.read().unwrap().into_text().unwrap().contains("welcome"));

    // A program on this machine may ask in plain text, as a health check does.
    assert!(http(server.address, "GET /readyz", "", "").ends_with("ready"));
    let listen = server.address.to_string();
    let (code, healthy) = operate(folder.path(), &["healthcheck", "--listen", &listen]);
    assert_eq!((code, &healthy["ready"]), (Some(0), &json!(true)), "{healthy}");
    server.end("-TERM");
}

#[test]
fn a_new_certificate_is_shown_after_sighup_and_a_broken_one_is_not() {
    let folder = TempDir::new().unwrap();
    let first = certify(folder.path());
    let server = Running::start(folder.path(), &[&FREE[..], &FILES].concat());
    assert!(ask(&server, &first, "GET /healthz", "").is_ok());
    let hang_up = |server: &Running| {
        let pid = server.pid().to_string();
        assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    };

    fs::write(folder.path().join("cert.pem"), "no certificate").unwrap();
    hang_up(&server);
    server.until_logged("the certificate stays as it was");
    assert!(ask(&server, &first, "GET /healthz", "").is_ok());

    let second = certify(folder.path());
    hang_up(&server);
    let started = Instant::now();
    while ask(&server, &second, "GET /healthz", "").is_err() {
        assert!(started.elapsed() < Duration::from_secs(20), "the new certificate is not shown");
    }
    assert!(ask(&server, &first, "GET /healthz", "").is_err(), "the old one is not shown");
    server.end("-TERM");
}

#[test]
fn files_that_cannot_be_used_stop_the_start() {
    let folder = TempDir::new().unwrap();
    let refused = |arguments: &[&str], expected: &str| {
        let output = serve(folder.path(), &[&FREE[..], arguments].concat()).output().unwrap();
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{expected:?} is not in: {text}");
    };
    refused(&FILES, "cert.pem cannot be read");
    refused(&FILES[..2], "--tls-key");
    certify(folder.path());
    let key = fs::read(folder.path().join("key.pem")).unwrap();
    certify(folder.path());
    fs::write(folder.path().join("key.pem"), key).unwrap();
    refused(&FILES, "do not belong together");
    fs::write(folder.path().join("cert.pem"), "").unwrap();
    refused(&FILES, "has no certificate");
}
