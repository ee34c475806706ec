//! TLS of the server's own, as a browser meets it.

mod running;

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};

use running::encrypted::{ask, certify, connect};
use running::{FREE, Running, http, operate, serve, text};

const FILES: [&str; 4] = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];

#[test]
fn pages_api_and_sockets_are_encrypted() {
    let folder = TempDir::new().unwrap();
    let certificate = certify(folder.path());
    let server = Running::start(folder.path(), &[&FREE[..], &FILES].concat());
    let page = ask(server.address, &certificate, "GET /", "", "").unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Unspoken"), "{page}");
    let named = ask(server.address, &certificate, "POST /api/me", "", r#"{"name":"Ada"}"#).unwrap();
    let cookie = named.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect(&named);
    assert!(cookie.starts_with("__Host-unspoken=") && cookie.contains("; Secure"), "{cookie}");

    let mut request = "wss://localhost/ws".into_client_request().unwrap();
    let cookie = cookie.split(';').next().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    let (mut socket, _) =
        tungstenite::client(request, connect(server.address, &certificate).unwrap()).unwrap();
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
    assert!(ask(server.address, &first, "GET /healthz", "", "").is_ok());
    let hang_up = |server: &Running| {
        let pid = server.pid().to_string();
        assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    };

    fs::write(folder.path().join("cert.pem"), "no certificate").unwrap();
    hang_up(&server);
    server.until_logged("the certificate stays as it was");
    assert!(ask(server.address, &first, "GET /healthz", "", "").is_ok());

    let second = certify(folder.path());
    hang_up(&server);
    let started = Instant::now();
    while ask(server.address, &second, "GET /healthz", "", "").is_err() {
        assert!(started.elapsed() < Duration::from_secs(20), "the new certificate is not shown");
    }
    assert!(
        ask(server.address, &first, "GET /healthz", "", "").is_err(),
        "the old one is not shown"
    );
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

/// As with a certificate of an authority that the machine trusts, and with one that it does not.
#[test]
fn the_doctor_asks_over_https() {
    let folder = TempDir::new().unwrap();
    certify(folder.path());
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (listen, public) = (format!("127.0.0.1:{port}"), format!("https://localhost:{port}"));
    // It closes the socket that the doctor opens after a second, and the doctor waits for that.
    let own = ["--listen", &listen, "--metrics", "127.0.0.1:0", "--public-url", &public];
    let own = [&own[..], &["--hello-s", "1"]].concat();
    let server = Running::start(folder.path(), &[&own[..], &FILES].concat());
    let levels = |trusted: Option<&str>| {
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_unspoken"));
        doctor.args(["doctor", "--json"]).current_dir(folder.path()).env_clear();
        doctor.envs(trusted.map(|file| ("CURL_CA_BUNDLE", file)));
        let output = doctor.output().unwrap();
        let printed = serde_json::from_slice::<Value>(&output.stdout);
        let printed = printed.unwrap_or_else(|_| panic!("{}", text(&output)));
        let findings = printed["findings"].as_array().unwrap().iter();
        let found = findings.filter(|finding| {
            ["address", "origin", "socket"].iter().any(|check| finding["check"] == *check)
        });
        let found = found.map(|finding| finding["level"].clone()).collect::<Vec<_>>();
        (output.status.code(), found, printed)
    };
    let (code, found, printed) = levels(Some("cert.pem"));
    assert_eq!((code, found), (Some(0), vec![json!("fine"); 3]), "{printed}");
    let (_, people) = operate(folder.path(), &["people"]);
    assert_eq!(people["total"], 0, "the doctor leaves no person behind");
    let (code, found, printed) = levels(None);
    assert_eq!((code, found), (Some(1), vec![json!("wrong")]), "{printed}");
    assert!(printed.to_string().contains("its certificate"), "{printed}");
    server.end("-TERM");
}
