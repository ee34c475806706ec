//! Too much, too long, or too slowly.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use wire::{ClientMessage, CloseReason};

use super::{farewell, playing, raw, undisturbed};
use crate::common::{PATIENCE, Server};

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_ends_its_own_connection_only() {
    let server = Server::start(&["--message-rate", "60/20"]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let join = serde_json::to_string(&ClientMessage::Join { table }).unwrap();
    for text in [join.as_str(), "{}", "x"] {
        let mut eve = server.person("Eve").await;
        for _ in 0..400 {
            eve.send_text(text).await;
        }
        let why = farewell(&mut eve).await;
        // A client that floods without reading may be closed as slow first.
        assert!(matches!(why, Some(CloseReason::Flooding | CloseReason::Slow)), "{text}: {why:?}");
    }
    for frame in [Message::Ping(vec![7; 100].into()), Message::Pong(Vec::new().into())] {
        let mut eve = server.person("Eve").await;
        for _ in 0..400 {
            let _closed = eve.socket.send(frame.clone()).await;
        }
        assert_eq!(farewell(&mut eve).await, Some(CloseReason::Flooding));
    }
    undisturbed(table, &mut ada, &mut bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_open_connections_are_closed() {
    let server = Server::start(&["--request-s", "0.3", "--hello-s", "0.3"]).await;
    let cookie = server.name("Ada").await;
    let head = "GET /api/tables HTTP/1.1\r\nHost: x\r\n";
    let body = "POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    let used = format!("{head}\r\n");
    for sent in ["", "G", head, body, &used] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed").unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let status = if sent == body {
            assert!(answer.contains(r#""code":"request-late""#), "{answer}");
            "408"
        } else if sent == used {
            "200"
        } else {
            ""
        };
        assert!(answer.contains(status), "{sent:?}: {answer}");
    }
    let mut silent = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    assert_eq!(farewell(&mut silent).await, Some(CloseReason::Idle));
    // Talking about anything else does not help.
    let mut evasive = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    for _ in 0..20 {
        evasive.send_text("{}").await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(farewell(&mut evasive).await, Some(CloseReason::Idle));
    // Half a frame is no message either.
    let mut partial = TcpStream::connect(server.address).await.unwrap();
    let upgrade = format!(
        "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {cookie}\r\n\r\n"
    );
    partial.write_all(upgrade.as_bytes()).await.unwrap();
    partial.write_all(&[0x81, 0xfe]).await.unwrap();
    let mut rest = Vec::new();
    timeout(PATIENCE, partial.read_to_end(&mut rest)).await.expect("it is closed").unwrap();
    let rest = String::from_utf8_lossy(&rest);
    assert!(rest.starts_with("HTTP/1.1 101") && rest.contains(r#""why":"idle""#), "{rest}");
    assert_eq!(server.http("GET /healthz", &[], "").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_have_a_size() {
    let server = Server::start(&["--headers", "30", "--head-bytes", "8192"]).await;
    let head = |headers: &str| {
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n")
    };
    assert_eq!(raw(&server, head(&"X: y\r\n".repeat(20)).as_bytes()).await.status, 200);
    for bad in [
        head(&"X: y\r\n".repeat(40)),
        head(&format!("X: {}\r\n", "y".repeat(10_000))),
        head(&format!("Cookie: unspoken={}\r\n", "y".repeat(100_000))),
        format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "y".repeat(70_000)),
    ] {
        let answer = raw(&server, bad.as_bytes()).await;
        assert!(matches!(answer.status, 431 | 414), "{} bytes: {answer:?}", bad.len());
    }
    for bad in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n",
        b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    ] {
        let answer = raw(&server, bad).await;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    assert_eq!(server.http("GET /healthz", &[], "").await.status, 200);
}

/// A message that is never ended, in frames without content.
#[tokio::test(flavor = "multi_thread")]
async fn empty_continuation_frames_count() {
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
    let server = Server::start(&["--message-rate", "40/0.001"]).await;
    let mut eve = server.person("Eve").await;
    let frame = |kind| Message::Frame(Frame::message(Vec::new(), OpCode::Data(kind), false));
    let _closed = eve.socket.send(frame(Data::Text)).await;
    for _ in 0..200 {
        let _closed = eve.socket.send(frame(Data::Continue)).await;
    }
    assert_eq!(farewell(&mut eve).await, Some(CloseReason::Flooding));
}
