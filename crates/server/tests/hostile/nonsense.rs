//! What is no message and no request.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use wire::ServerMessage;

use super::{playing, raw, refusal, undisturbed};
use crate::common::{PATIENCE, Server};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_refused_and_the_next_is_heard() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    let act = |rest: &str| format!(r#"{{"t":"do","table":"{table}","id":1,"seq":0,{rest}}}"#);
    let ask =
        |request: &str| format!(r#"{{"t":"ask","table":"{table}","id":1,"request":{request}}}"#);
    let (deep, digits) = ("[".repeat(2_000) + &"]".repeat(2_000), "9".repeat(3_000));
    let objects = r#"{"a":"#.repeat(600) + "1" + &"}".repeat(600);
    let mut texts = vec![
        String::new(),
        " ".into(),
        "null".into(),
        "0".into(),
        "\"hello\"".into(),
        "{".into(),
        "{}".into(),
        "{{}}".into(),
        "\u{feff}{}".into(),
        "\0".into(),
        deep.clone(),
        objects.clone(),
        r#"["hello",1,7]"#.into(),
        format!(r#"["join","{table}"]"#),
        format!(r#"[{{"t":"join","table":"{table}"}}]"#),
        format!(r#" {{"t":"join","table":"{table}"}}"#),
        format!(r#"{{"t":"join","table":"{table}"}}{{"t":"join","table":"{table}"}}"#),
        format!(r#"{{"t":"join","t":"leave","table":"{table}"}}"#),
        format!(r#"{{"t":"join","table":"{table}","table":"{table}"}}"#),
        format!(r#"{{"t":"join","table":"{table}","__proto__":{{"seat":"A"}}}}"#),
        r#"{"__proto__":{"t":"hello","protocol":6,"client":1}}"#.into(),
        r#"{"t":"__proto__"}"#.into(),
        r#"{"t":"constructor","prototype":{}}"#.into(),
        r#"{"t":["hello"],"protocol":1,"client":1}"#.into(),
        r#"{"t":"hello","protocol":1}"#.into(),
        r#"{"t":"hello","protocol":6,"client":-1}"#.into(),
        r#"{"t":"hello","protocol":6,"client":4294967296}"#.into(),
        r#"{"t":"hello","protocol":1e999,"client":1}"#.into(),
        format!(r#"{{"t":"hello","protocol":{digits},"client":1}}"#),
        r#"{"t":"join","table":"../../x"}"#.into(),
        r#"{"t":"join","table":["k3f9ab"]}"#.into(),
        r#"{"t":"join","table":{"$ne":null}}"#.into(),
        r#"{"t":"join","table":null}"#.into(),
    ];
    texts.extend([
        act(r#""pressed":1e999,"command":{"mind":"rest"}"#),
        act(r#""pressed":NaN,"command":{"mind":"rest"}"#),
        act(r#""pressed":null,"command":{"mind":"rest"}"#),
        act(r#""pressed":0,"command":["mind","rest"]"#),
        act(r#""pressed":0,"command":{"mind":"rest","extreme":"rest"}"#),
        act(r#""pressed":0,"command":{"mind":{"play":101}}"#),
        act(r#""pressed":0,"command":{"mind":{"play":1e2}}"#),
        act(&format!(r#""pressed":0,"command":{{"mind":{{"play":{digits}}}}}"#)),
        act(&format!(r#""pressed":0,"command":{}"#, &deep[1_000..3_000])),
        act(r#""pressed":0,"command":{"mind":"rest"},"by":"A""#),
        act(r#""pressed":0,"id":2,"command":{"mind":"rest"}"#),
        ask(&objects),
        ask(r#"{"sit":"G"}"#),
        ask(r#"{"sit":0}"#),
        ask(r#"["sit","A"]"#),
        ask(r#"{"add-bot":{"seat":"A","kind":"perfect"}}"#),
        ask(r#"{"add-bot":{"seat":"A","seat":"B","kind":"random"}}"#),
        ask(r#""constructor""#),
    ]);
    for text in &texts {
        assert_eq!(refusal(&mut eve, text).await, "malformed", "{text}");
    }
    eve.socket.send(Message::binary(vec![0xff; 100])).await.unwrap();
    assert!(
        matches!(eve.hear().await, ServerMessage::Refused(refused) if refused.why.code() == "malformed")
    );
    let hello = Message::binary(&br#"{"t":"hello","protocol":6,"client":1}"#[..]);
    eve.socket.send(hello).await.unwrap();
    assert!(
        matches!(eve.hear().await, ServerMessage::Refused(refused) if refused.why.code() == "malformed")
    );
    eve.greet().await;
    undisturbed(table, &mut ada, &mut bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_begins_with_a_hello() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Eve").await;
    let mut eve = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    assert_eq!(refusal(&mut eve, r#"{"t":"join","table":"k3f9ab"}"#).await, "no-hello");
    eve.greet().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_to_be_json() {
    let server = Server::start(&[]).await;
    let answer = server.http("POST /api/me", &[], "").await;
    assert_eq!(answer.status, 415);
    assert!(answer.body.contains(r#""code":"not-json""#), "{}", answer.body);
}

/// Bodies of requests are no better.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_is_refused() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let deep = "[".repeat(1_500) + &"]".repeat(1_500);
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000));
    let wide = format!(r#"{{"name":"{}"}}"#, "x".repeat(25));
    for (head, bodies) in [
        (
            "POST /api/me",
            &[
                r#"["Ada"]"#,
                "{}",
                "{",
                r#"{"name":"Ada","admin":true}"#,
                r#"{"name":"Ada","name":"Eve"}"#,
                r#"{"name":""}"#,
                r#"{"name":"  "}"#,
                r#"{"name":"a\u0000b"}"#,
                r#"{"name":"a\u202eb"}"#,
                r#"{"name":7}"#,
                r#"{"__proto__":{"name":"Ada"}}"#,
                &deep,
                &long,
                &wide,
            ][..],
        ),
        (
            "POST /api/tables",
            &[
                r#"["mind",2]"#,
                "{}",
                r#"{"game":"chess","players":2}"#,
                r#"{"game":"mind","players":0}"#,
                r#"{"game":"mind","players":9}"#,
                r#"{"game":"mind","players":256}"#,
                r#"{"game":"mind","players":-1}"#,
                r#"{"game":"mind","players":2,"preset":"easy players=4"}"#,
                r#"{"game":"mind","players":2,"seed":"00"}"#,
                r#"{"setup":{"mind":{"players":200,"levels":12,"lives":2,"stars":1,"blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game","seeding":"fresh","export":false}}}}"#,
                r#"{"setup":{"mind":{"players":2,"levels":255,"lives":255,"stars":255,"blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game","seeding":"fresh","export":false}}}}"#,
                &deep,
            ][..],
        ),
    ] {
        for body in bodies {
            let answer = server.http(head, &[("Cookie", &cookie)], body).await;
            assert!(matches!(answer.status, 400 | 413 | 422), "{head} {body}: {answer:?}");
            assert!(serde_json::from_str::<serde_json::Value>(&answer.body).is_ok(), "{answer:?}");
        }
    }
    let answer = server.http("GET /api/me", &[("Cookie", &cookie)], "").await;
    assert_eq!(answer.name().as_deref(), Some("Ada"));
}

/// The lines of a handshake, without the empty one at its end.
const HANDSHAKE: [&str; 6] = [
    "GET /ws HTTP/1.1",
    "Host: x",
    "Connection: keep-alive, Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_handshake_is_refused() {
    let server = Server::start(&["--request-s", "0.3"]).await;
    let cookie = format!("Cookie: {}", server.name("Ada").await);
    let mut refused = 0;
    for (place, line, status) in [
        (0, "HEAD /ws HTTP/1.1", 405),
        (0, "GET /ws HTTP/1.0", 400),
        (2, "Connection: keep-alive", 400),
        (3, "Upgrade: h2c", 400),
        (4, "Sec-WebSocket-Version: 12", 400),
        (4, "X: y", 400),
        (5, "X: y", 400),
    ] {
        let mut lines = HANDSHAKE;
        lines[place] = line;
        let request = format!("{}\r\n{cookie}\r\n\r\n", lines.join("\r\n"));
        let answer = raw(&server, request.as_bytes()).await;
        assert_eq!(answer.status, status, "{line}: {answer:?}");
        assert!(answer.body.contains("no-upgrade") || line.starts_with("HEAD"), "{answer:?}");
        refused += 1;
    }
    assert_eq!(refused, 7);
}

/// A client may send a message before it has read the response to its handshake.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_behind_the_handshake_is_heard() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!("{}\r\nCookie: {cookie}\r\n\r\n", HANDSHAKE.join("\r\n"));
    let hello = format!(r#"{{"t":"hello","protocol":{},"client":1}}"#, wire::PROTOCOL);
    // A text frame whose mask changes nothing, and a close frame.
    let mut bytes = request.into_bytes();
    bytes.extend([0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0]);
    bytes.extend(hello.as_bytes());
    bytes.extend([0x88, 0x80, 0, 0, 0, 0]);
    stream.write_all(&bytes).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed").unwrap();
    let text = String::from_utf8_lossy(&answer);
    assert!(text.starts_with("HTTP/1.1 101 "), "{text}");
    assert!(text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "the key of RFC 6455: {text}");
    assert!(text.contains(r#"{"t":"welcome""#), "{text}");
    assert!(answer.ends_with(&[0x88, 0]), "the close is answered: {text}");
}
