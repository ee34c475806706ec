//! Hostile clients. Whatever they try, nobody else notices, and the server goes on.

mod common;

use std::time::{Duration, Instant};

use common::{Answer, PATIENCE, Person, Server};
use rules::kit::{Chance, Seat, Seed};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use wire::{ClientMessage, Code, Command, Farewell, Request, ServerMessage, Sitter, Stage};

fn seat_b() -> Seat {
    Seat::new(1).unwrap()
}

/// A table of two with a game on: Ada sits at A and Bob at B.
async fn playing(server: &Server) -> (Code, Person, Person) {
    let mut ada = server.person("Ada").await;
    let mut bob = server.person("Bob").await;
    let table = server.open(&ada.cookie, r#"{"game":"mind","players":2}"#).await;
    for (person, seat) in [(&mut ada, Seat::A), (&mut bob, seat_b())] {
        person.join(table).await;
        person.ask(table, Request::Sit(seat)).await.unwrap();
    }
    ada.ask(table, Request::Start).await.unwrap();
    bob.until(|update| matches!(update.table.stage, Stage::Playing { .. })).await;
    (table, ada, bob)
}

/// Whether everyone who sits at the table is there, and the two of them can still play.
async fn undisturbed(table: Code, ada: &mut Person, bob: &mut Person) {
    for person in [ada, bob] {
        let update = person.caught_up(table).await;
        let rest = Command::Mind("rest".parse().unwrap());
        let lift = Command::Mind("lift".parse().unwrap());
        let update = person.act(table, update.seq, rest).await.unwrap();
        let update = person.act(table, update.seq, lift).await.unwrap();
        for chair in &update.table.chairs {
            assert!(matches!(chair.sitter, Sitter::Person { here: true, .. }), "{chair:?}");
        }
    }
}

async fn farewell(person: &mut Person) -> Option<Farewell> {
    while let Some(message) = person.hear_or_end().await {
        if let ServerMessage::Bye { why, .. } = message {
            return Some(why);
        }
    }
    None
}

/// The code with which a text is refused.
async fn refusal(person: &mut Person, text: &str) -> String {
    person.send_text(text).await;
    loop {
        if let ServerMessage::Refused { code, .. } = person.hear().await {
            return code;
        }
    }
}

/// The status with which a socket is refused.
async fn turned_away(server: &Server, headers: &[(&'static str, &str)]) -> Option<u16> {
    match server.connect(headers).await {
        Ok(_) => None,
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Some(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_others_get_nowhere() {
    let server = Server::start(&["--public-url", "https://play.example.org"]).await;
    let cookie = server.name("Ada").await;
    let own = "https://play.example.org";
    assert_eq!(turned_away(&server, &[("Cookie", &cookie), ("Origin", own)]).await, None);
    let local = format!("http://{}", server.address);
    for foreign in [
        "https://evil.example",
        "https://play.example.org.evil.example",
        "https://evil-play.example.org",
        "https://play.example.org:444",
        "http://play.example.org",
        "https://play.example.org@evil.example",
        "https://play.example.org/",
        "https://sub.play.example.org",
        "null",
        "",
        &local,
    ] {
        let headers = [("Cookie", cookie.as_str()), ("Origin", foreign)];
        assert_eq!(turned_away(&server, &headers).await, Some(403), "{foreign}");
        let wish = r#"{"game":"mind","players":2}"#;
        for (head, body) in [
            ("POST /api/me", r#"{"name":"Eve"}"#),
            ("DELETE /api/me", ""),
            ("POST /api/tables", wish),
        ] {
            let answer = server.http(head, &headers, body).await;
            assert_eq!(answer.status, 403, "{head} from {foreign}");
            assert!(
                answer.body.contains("foreign-origin") && answer.header("set-cookie").is_none()
            );
        }
    }
    let two = [("Cookie", cookie.as_str()), ("Origin", own), ("Origin", "https://evil.example")];
    assert_eq!(turned_away(&server, &two).await, Some(403));
    // Nothing of all this was done.
    let answer = server.http("GET /api/me", &[("Cookie", &cookie)], "").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"name":"Ada"}"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_secret_is_nobodys_and_disturbs_nobody() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let secret = ada.cookie.strip_prefix("unspoken=").unwrap().to_owned();
    let mut nearly = secret.clone().into_bytes();
    nearly[31] = if nearly[31] == b'0' { b'1' } else { b'0' };
    let nearly = format!("unspoken={}", String::from_utf8(nearly).unwrap());
    let (two, upper) = (format!("{}; {}", bob.cookie, ada.cookie), ada.cookie.to_uppercase());
    let quoted = format!("unspoken=\"{secret}\"");
    let long = format!("unspoken={}", secret.repeat(50));
    let other_name = format!("Unspoken={secret}; unspoken2={secret}");
    for wrong in [
        nearly.as_str(),
        &two,
        &upper,
        &quoted,
        &long,
        &other_name,
        &secret,
        "unspoken=",
        "unspoken",
        "=",
        ";;;",
        "unspoken=00000000000000000000000000000000",
        "unspoken=../../etc/passwd",
        "unspoken=' OR 1=1 --",
        "unspoken=%00",
    ] {
        assert_eq!(turned_away(&server, &[("Cookie", wrong)]).await, Some(401), "{wrong}");
        for (head, body) in [
            ("GET /api/me", ""),
            ("DELETE /api/me", ""),
            ("POST /api/tables", r#"{"game":"mind","players":2}"#),
        ] {
            let answer = server.http(head, &[("Cookie", wrong)], body).await;
            assert_eq!(answer.status, 401, "{head} as {wrong}");
        }
    }
    let two = [("Cookie", ada.cookie.as_str()), ("Cookie", bob.cookie.as_str())];
    assert_eq!(turned_away(&server, &two).await, Some(401));
    // Whoever asks for a name with a secret of their own making gets another one.
    let made_up = format!("unspoken={}", "7".repeat(32));
    let answer = server.http("POST /api/me", &[("Cookie", &made_up)], r#"{"name":"Eve"}"#).await;
    assert!(!answer.header("set-cookie").unwrap().contains(&made_up));
    undisturbed(table, &mut ada, &mut bob).await;
}

/// Somebody with a cookie of their own aims at the seats of others.
#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_cannot_act_for_those_who_sit() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut eve = server.person("Ada").await;
    let update = eve.join(table).await;
    assert!(update.options.is_none_or(|options| match options {
        wire::Options::Commands(commands) => commands.is_empty(),
        wire::Options::Royale { .. } => false,
    }));
    let rest = Command::Mind("rest".parse().unwrap());
    assert_eq!(eve.act(table, update.seq, rest).await.unwrap_err(), "not-seated");
    for (request, code) in [
        (Request::Kick(Seat::A), "not-host"),
        (Request::PassHost(seat_b()), "not-host"),
        (Request::Start, "not-host"),
        (Request::Rematch, "not-host"),
        (Request::Sit(Seat::A), "game-on"),
        (Request::Stand, "game-on"),
        (Request::End, "not-seated"),
        (Request::Hold, "not-seated"),
    ] {
        assert_eq!(eve.ask(table, request).await.unwrap_err(), code, "{request:?}");
    }
    let smuggled = format!(
        r#"{{"t":"do","table":"{table}","id":90,"seq":{},"pressed":0,"command":{{"mind":"rest"}},"seat":"A"}}"#,
        update.seq
    );
    assert_eq!(refusal(&mut eve, &smuggled).await, "malformed");
    undisturbed(table, &mut ada, &mut bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_identity_is_gone_at_once() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut second = server.again(&ada.cookie).await;
    let cookie = ada.cookie.clone();
    let asked = Instant::now();
    let answer = server.http("DELETE /api/me", &[("Cookie", &cookie)], "").await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(farewell(&mut ada).await, Some(Farewell::Deleted));
    assert_eq!(farewell(&mut second).await, Some(Farewell::Deleted));
    assert!(asked.elapsed() < Duration::from_secs(2));
    assert_eq!(turned_away(&server, &[("Cookie", &cookie)]).await, Some(401));
    assert_eq!(server.http("GET /api/me", &[("Cookie", &cookie)], "").await.status, 401);
    // The name is not to be had again with that secret.
    let answer = server.http("POST /api/me", &[("Cookie", &cookie)], r#"{"name":"Ada"}"#).await;
    assert!(!answer.header("set-cookie").unwrap().contains(&cookie));
    // The others are told who is missing, and can go on.
    let missing = |stage: &Stage| match stage {
        Stage::Playing { missing, .. } => missing.contains(Seat::A),
        _ => false,
    };
    let update = bob.until(|update| missing(&update.table.stage)).await;
    assert_eq!(update.table.host, Some(seat_b()));
    bob.ask(table, Request::Hold).await.unwrap();
}

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
        // Somebody who does not read while they flood may be too slow before they flood too much.
        assert!(matches!(why, Some(Farewell::Flooding | Farewell::Slow)), "{text}: {why:?}");
    }
    for frame in [Message::Ping(vec![7; 100].into()), Message::Pong(Vec::new().into())] {
        let mut eve = server.person("Eve").await;
        for _ in 0..400 {
            let _closed = eve.socket.send(frame.clone()).await;
        }
        assert_eq!(farewell(&mut eve).await, Some(Farewell::Flooding));
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
            "408"
        } else if sent == used {
            "200"
        } else {
            ""
        };
        assert!(answer.contains(status), "{sent:?}: {answer}");
    }
    let mut silent = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    assert_eq!(farewell(&mut silent).await, Some(Farewell::Idle));
    // Talking about anything else does not help.
    let mut evasive = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    for _ in 0..20 {
        evasive.send_text("{}").await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(farewell(&mut evasive).await, Some(Farewell::Idle));
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

async fn raw(server: &Server, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    // The server may answer and hang up before everything is sent.
    let _closed = stream.write_all(request).await;
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed").unwrap();
    Answer::read(&String::from_utf8_lossy(&answer))
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
        r#"{"__proto__":{"t":"hello","protocol":2,"client":1}}"#.into(),
        r#"{"t":"__proto__"}"#.into(),
        r#"{"t":"constructor","prototype":{}}"#.into(),
        r#"{"t":["hello"],"protocol":1,"client":1}"#.into(),
        r#"{"t":"hello","protocol":1}"#.into(),
        r#"{"t":"hello","protocol":2,"client":-1}"#.into(),
        r#"{"t":"hello","protocol":2,"client":4294967296}"#.into(),
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
        ask(r#"{"sit":"F"}"#),
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
    assert!(matches!(eve.hear().await, ServerMessage::Refused { code, .. } if code == "malformed"));
    let hello = Message::binary(&br#"{"t":"hello","protocol":2,"client":1}"#[..]);
    eve.socket.send(hello).await.unwrap();
    assert!(matches!(eve.hear().await, ServerMessage::Refused { code, .. } if code == "malformed"));
    eve.greet().await;
    undisturbed(table, &mut ada, &mut bob).await;
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
    assert_eq!(answer.body, r#"{"name":"Ada"}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_were_bent_are_refused() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let elsewhere = server.open(&ada.cookie, r#"{"game":"royale","players":2}"#).await;
    let command = |text: &str| Command::Mind(text.parse().unwrap());
    // A table that one does not look at, or that is not there.
    assert_eq!(ada.act(elsewhere, 0, command("lift")).await.unwrap_err(), "not-joined");
    let nowhere = "zzzzzz".parse().unwrap();
    assert_eq!(ada.act(nowhere, 0, command("lift")).await.unwrap_err(), "not-joined");
    let join = serde_json::to_string(&ClientMessage::Join { table: nowhere }).unwrap();
    assert_eq!(refusal(&mut ada, &join).await, "no-table");
    // A view that nobody has seen yet.
    let seq = ada.caught_up(table).await.seq;
    for future in [seq + 1, u64::MAX] {
        assert_eq!(ada.act(table, future, command("rest")).await.unwrap_err(), "stale");
        assert_eq!(ada.update().await.seq, seq);
    }
    // Another game's command, and what is not permitted.
    let other = Command::Royale("hide A1,B2,C3".parse().unwrap());
    assert_eq!(ada.act(table, seq, other).await.unwrap_err(), "other-game");
    assert!(ada.act(table, seq, command("finish")).await.is_err());
    // The same number for something else, and then for the same.
    let done = ada.act(table, seq, command("rest")).await.unwrap();
    let id = done.ack.unwrap();
    let again = |command| ClientMessage::Do { table, id, seq: done.seq, pressed: 0.0, command };
    ada.send(&again(command("lift"))).await;
    assert_eq!(ada.answer(id).await.unwrap_err(), "id-reused");
    ada.send(&ClientMessage::Ask { table, id, request: Request::End }).await;
    assert_eq!(ada.answer(id).await.unwrap_err(), "id-reused");
    ada.send(&again(command("rest"))).await;
    let repeated = ada.answer(id).await.unwrap();
    assert_eq!((repeated.seq, repeated.sights.len()), (done.seq, 0));
    // Bob has numbers of his own.
    let seq = bob.caught_up(table).await.seq;
    bob.send(&ClientMessage::Do { table, id, seq, pressed: 0.0, command: command("rest") }).await;
    bob.answer(id).await.unwrap();
    // Now both rest and play begins, so what Ada saw before is out of date; the fresh view follows.
    ada.caught_up(table).await;
    assert_eq!(ada.act(table, done.seq, command("stop")).await.unwrap_err(), "stale");
    let fresh = ada.update().await.seq;
    ada.act(table, fresh, command("stop")).await.unwrap();
    undisturbed(table, &mut ada, &mut bob).await;
}

/// Two thousand texts, most of them bent messages, over one connection.
#[tokio::test(flavor = "multi_thread")]
async fn no_text_brings_the_server_down() {
    let seed = std::env::var("HOSTILE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("repeat with HOSTILE_SEED={seed} cargo test -p server --test hostile no_text");
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut eve = server.person("Eve").await;
    let other = server.open(&eve.cookie, r#"{"game":"mind","players":3}"#).await;
    eve.join(other).await;
    let mut chance = Chance::new(Seed::from(seed), 0);
    let seeds = seeds(&[table, other]);
    for round in 0..2_000 {
        let text = bent(&seeds, &mut chance);
        eve.send_text(&text).await;
        // She reads along, so that nothing but what she says can end her connection; what ends it
        // by right is another protocol.
        if round % 10 == 9 {
            eve.send_text(r#"{"t":"hello","protocol":2,"client":5}"#).await;
            loop {
                match eve.hear_or_end().await {
                    Some(ServerMessage::Welcome { .. }) => break,
                    Some(ServerMessage::Bye { why: Farewell::Protocol, .. }) => {
                        eve = server.again(&eve.cookie.clone()).await;
                        break;
                    }
                    Some(ServerMessage::Bye { why, .. }) => panic!("{why:?} after {text}"),
                    Some(_) => {}
                    None => panic!("the connection broke after {text}"),
                }
            }
        }
    }
    undisturbed(table, &mut ada, &mut bob).await;
}

/// Messages that mean something at these tables.
fn seeds(tables: &[Code]) -> Vec<String> {
    let mut texts = Vec::new();
    for table in tables {
        for rest in [
            r#""t":"join""#,
            r#""t":"ask","id":1,"request":{"sit":"A"}"#,
            r#""t":"ask","id":2,"request":{"add-bot":{"seat":"B","kind":"random"}}"#,
            r#""t":"ask","id":3,"request":"start""#,
            r#""t":"ask","id":4,"request":"stand""#,
            r#""t":"ask","id":5,"request":{"kick":"C"}"#,
            r#""t":"ask","id":6,"request":"end""#,
            r#""t":"do","id":7,"seq":1,"pressed":1.5,"command":{"mind":{"play":34}}"#,
            r#""t":"do","id":8,"seq":3,"pressed":0,"command":{"mind":"rest"}"#,
            r#""t":"do","id":9,"seq":3,"pressed":0,"command":{"royale":{"hide":["A1","B2","C3"]}}"#,
            r#""t":"say","id":10,"text":"well played 🙂""#,
            r#""t":"leave""#,
        ] {
            texts.push(format!(r#"{{{rest},"table":"{table}"}}"#));
        }
    }
    texts
}

/// One of the texts, with a few bytes cut, doubled, swapped for others, or as it is.
fn bent(seeds: &[String], chance: &mut Chance) -> String {
    const BITS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "0",
        "-1",
        "1e308",
        "1e-400",
        "18446744073709551616",
        "4294967295",
        "null",
        "true",
        "\\u0000",
        "\\ud800",
        "\u{202e}",
        "🙂",
        "\"t\":",
        "\"id\":",
        "\"A\"",
        "\"E\"",
        "\"seq\":",
        "",
    ];
    let mut letters = chance.pick(seeds).unwrap().chars().collect::<Vec<_>>();
    for _ in 0..chance.below(4) {
        let at =
            |chance: &mut Chance, letters: &[char]| chance.below(letters.len() as u32 + 1) as usize;
        let (from, to) = (at(chance, &letters), at(chance, &letters));
        let (from, to) = (from.min(to), from.max(to).min(from + 12));
        match chance.below(4) {
            0 => drop(letters.drain(from..to)),
            1 => {
                let part = letters[from..to].to_vec();
                letters.splice(from..from, part);
            }
            2 => {
                letters.splice(from..to, chance.pick(BITS).unwrap().chars());
            }
            _ => {
                let any = char::from_u32(chance.below(0x11_0000)).unwrap_or('\u{fffd}');
                letters.splice(from..to, [any]);
            }
        }
    }
    letters.into_iter().collect()
}
