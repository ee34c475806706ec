//! Every limit: what is within it is taken, what is beyond it is told so or closed.

mod common;

use std::time::{Duration, Instant};

use common::{PATIENCE, Person, Server};
use rules::kit::Seat;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::Message;
use wire::{ClientMessage, Code, Farewell, Request, ServerMessage};

const MIND: &str = r#"{"game":"mind","players":2}"#;

async fn farewell(person: &mut Person) -> Option<Farewell> {
    while let Some(message) = person.hear_or_end().await {
        if let ServerMessage::Bye { why, .. } = message {
            return Some(why);
        }
    }
    None
}

/// The code with which joining is refused, if it is.
async fn join(person: &mut Person, table: Code) -> Result<(), String> {
    person.send(&ClientMessage::Join { table }).await;
    loop {
        match person.hear().await {
            ServerMessage::Update(update) if update.table().code == table => return Ok(()),
            ServerMessage::Refused { code, .. } => return Err(code),
            _ => {}
        }
    }
}

/// How a line of chat is answered: it comes back, or it is refused with this code.
async fn say(person: &mut Person, table: Code, text: &str) -> Result<(), String> {
    person.say(table, text).await;
    loop {
        match person.hear().await {
            ServerMessage::Said { .. } => return Ok(()),
            ServerMessage::Refused { code, .. } => return Err(code),
            _ => {}
        }
    }
}

/// The status and code with which a socket is refused.
async fn turned_away(server: &Server, headers: &[(&'static str, &str)]) -> (u16, String) {
    match server.connect(headers).await {
        Ok(_) => (101, String::new()),
        Err(Error::Http(answer)) => {
            let body = String::from_utf8(answer.body().clone().unwrap_or_default()).unwrap();
            let body = serde_json::from_str::<serde_json::Value>(&body).unwrap();
            (answer.status().as_u16(), body["code"].as_str().unwrap().to_owned())
        }
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_has_4096_bytes() {
    let server = Server::start(&[]).await;
    let text = |bytes: usize| {
        let hello = r#"{"t":"hello","protocol":3,"client":1}"#;
        format!("{hello}{}", " ".repeat(bytes - hello.len()))
    };
    let mut ada = server.person("Ada").await;
    ada.send_text(&text(4_096)).await;
    assert!(matches!(ada.hear().await, ServerMessage::Welcome { .. }));
    // Even while it is still on its way, the last word arrives.
    for bytes in [4_097, 5_000, 100_000, 900_000] {
        let mut ada = server.person("Ada").await;
        ada.send_text(&text(bytes)).await;
        assert_eq!(farewell(&mut ada).await, Some(Farewell::TooLong), "{bytes}");
    }
    let mut ada = server.person("Ada").await;
    ada.socket.send(Message::binary(vec![0; 5_000])).await.unwrap();
    assert_eq!(farewell(&mut ada).await, Some(Farewell::TooLong));
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000));
    assert_eq!(server.http("POST /api/me", &[], &long).await.status, 413);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_has_a_rate() {
    let server = Server::start(&["--message-rate", "5/1000"]).await;
    let mut ada = server.person("Ada").await;
    for _ in 0..50 {
        ada.greet().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let server = Server::start(&["--message-rate", "5/0.01"]).await;
    let mut ada = server.person("Ada").await;
    for _ in 0..4 {
        ada.greet().await;
    }
    ada.send_text("{}").await;
    assert_eq!(farewell(&mut ada).await, Some(Farewell::Flooding));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_a_rate() {
    let server = Server::start(&["--address-rate", "3/0.01"]).await;
    let cookie = server.name("Ada").await;
    assert_eq!(server.http("GET /api/tables", &[], "").await.status, 200);
    assert!(server.connect(&[("Cookie", &cookie)]).await.is_ok());
    let answer = server.http("GET /api/tables", &[], "").await;
    assert!(answer.status == 429 && answer.body.contains("address-rate"), "{answer:?}");
    let late = turned_away(&server, &[("Cookie", &cookie)]).await;
    assert_eq!(late, (429, "address-rate".to_owned()));
    // Whether the server lives can always be asked.
    assert_eq!(server.http("GET /healthz", &[], "").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_counted() {
    let server = Server::start(&["--connections-per-person", "2"]).await;
    let first = server.person("Ada").await;
    let cookie = first.cookie.clone();
    let mut second = server.again(&cookie).await;
    let mut third = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    assert_eq!(farewell(&mut third).await, Some(Farewell::Crowded));
    drop(server.person("Bob").await);
    second.greet().await;
    drop(first);
    freed(&server, &cookie).await;

    let server = Server::start(&["--connections", "2"]).await;
    let (cookie, _ada) = (server.name("Eve").await, server.person("Ada").await);
    let bob = server.person("Bob").await;
    let full = turned_away(&server, &[("Cookie", &cookie)]).await;
    assert_eq!(full, (429, "crowded".to_owned()));
    drop(bob);
    freed(&server, &cookie).await;

    let server = Server::start(&["--connections-per-address", "1"]).await;
    let (cookie, ada) = (server.name("Eve").await, server.person("Ada").await);
    let full = turned_away(&server, &[("Cookie", &cookie)]).await;
    assert_eq!(full, (429, "crowded".to_owned()));
    drop(ada);
    freed(&server, &cookie).await;
}

/// Waits until there is room for this person.
async fn freed(server: &Server, cookie: &str) {
    let tried = Instant::now();
    loop {
        if let Ok(mut person) = server.connect(&[("Cookie", cookie)]).await {
            person
                .send(&ClientMessage::Hello { protocol: wire::PROTOCOL, client: person.client })
                .await;
            if matches!(person.hear_or_end().await, Some(ServerMessage::Welcome { .. })) {
                return;
            }
        }
        assert!(tried.elapsed() < PATIENCE, "there is room again");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Whether a new TCP connection is answered; otherwise it is closed at once.
async fn answered(server: &Server) -> bool {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let _closed = stream.write_all(ask).await;
    let mut answer = Vec::new();
    let _reset = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed");
    answer.starts_with(b"HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread")]
async fn tcp_connections_are_counted_whatever_they_do() {
    for option in ["--sockets", "--sockets-per-address"] {
        let server = Server::start(&[option, "3"]).await;
        let ada = server.person("Ada").await;
        let (mut held, mut refused) = (Vec::new(), 0);
        // A socket counts, and so does whoever says nothing at all. Some of these come while the
        // one before is still being closed, and count for nothing; in the end all places are held.
        while refused < 5 {
            if answered(&server).await {
                held.push(TcpStream::connect(server.address).await.unwrap());
                refused = 0;
            } else {
                tokio::time::sleep(Duration::from_millis(20)).await;
                refused += 1;
            }
            assert!(held.len() < 20, "{option}");
        }
        drop(ada);
        let tried = Instant::now();
        while !answered(&server).await {
            assert!(tried.elapsed() < PATIENCE, "{option}: there is room again");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hello_and_silence_have_a_time() {
    let server = Server::start(&["--hello-s", "0.2", "--idle-s", "0.6"]).await;
    let cookie = server.name("Ada").await;
    let (mut mute, begun) = (server.connect(&[("Cookie", &cookie)]).await.unwrap(), Instant::now());
    assert_eq!(farewell(&mut mute).await, Some(Farewell::Idle));
    assert!(begun.elapsed() < Duration::from_secs(2));
    // Whoever answers pings is there: reading is enough to answer them.
    let mut ada = server.person("Ada").await;
    let heard = timeout(Duration::from_millis(1_500), ada.hear_or_end()).await;
    assert!(heard.is_err(), "{heard:?}");
    ada.greet().await;
    // Whoever does not even answer pings is not.
    let (mut asleep, begun) = (server.person("Bob").await, Instant::now());
    asleep.socket.turn_deaf(true);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    asleep.socket.turn_deaf(false);
    assert_eq!(farewell(&mut asleep).await, Some(Farewell::Idle));
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_for_requests_ends_after_a_while() {
    let server = Server::start(&["--keep-alive-s", "0.3"]).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let begun = Instant::now();
    // Often enough for every other timeout.
    let asking = async {
        let ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
        let mut answer = [0; 2_048];
        while stream.write_all(ask).await.is_ok() {
            if matches!(stream.read(&mut answer).await, Ok(0) | Err(_)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, asking).await.expect("it is closed");
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_counted_by_person_and_by_connection() {
    let server = Server::start(&["--table-rate", "3/0.01", "--tables-per-connection", "2"]).await;
    let mut ada = server.person("Ada").await;
    let cookie = ada.cookie.clone();
    let mut tables = Vec::new();
    for _ in 0..3 {
        tables.push(server.open(&cookie, MIND).await);
    }
    let answer = server.http("POST /api/tables", &[("Cookie", &cookie)], MIND).await;
    assert!(answer.status == 429 && answer.body.contains("table-rate"), "{answer:?}");
    server.open(&server.name("Bob").await, MIND).await;

    join(&mut ada, tables[0]).await.unwrap();
    join(&mut ada, tables[1]).await.unwrap();
    assert_eq!(join(&mut ada, tables[2]).await.unwrap_err(), "tables");
    join(&mut ada, tables[0]).await.unwrap();
    ada.send(&ClientMessage::Leave { table: tables[0] }).await;
    join(&mut ada, tables[2]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_and_watchers_are_counted() {
    let server = Server::start(&["--watchers", "2"]).await;
    let mut people = Vec::new();
    for name in ["Ada", "Bob", "Eve", "Dan"] {
        people.push(server.person(name).await);
    }
    let table = server.open(&people[0].cookie, MIND).await;
    join(&mut people[0], table).await.unwrap();
    join(&mut people[1], table).await.unwrap();
    assert_eq!(join(&mut people[2], table).await.unwrap_err(), "table-full");
    // Once, and nothing else comes of it.
    people[2].greet().await;
    // Who looks on already may look again.
    join(&mut people[1], table).await.unwrap();
    for (index, seat) in [Seat::A, Seat::new(1).unwrap()].into_iter().enumerate() {
        people[index].ask(table, Request::Sit(seat)).await.unwrap();
    }
    // Those who sit make room for others to look on.
    join(&mut people[2], table).await.unwrap();
    join(&mut people[3], table).await.unwrap();
    let beyond = people[2].ask(table, Request::Sit(Seat::new(2).unwrap())).await;
    assert_eq!(beyond.unwrap_err(), "no-such-seat");
    let taken = people[2].ask(table, Request::Sit(Seat::A)).await;
    assert_eq!(taken.unwrap_err(), "seat-taken");
    // Whoever sits gets in again, however many look on.
    let mut again = server.again(&people[0].cookie.clone()).await;
    join(&mut again, table).await.unwrap();
    let mut other = server.again(&people[2].cookie.clone()).await;
    assert_eq!(join(&mut other, table).await.unwrap_err(), "table-full");
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_has_a_length_and_a_rate() {
    let server = Server::start(&["--chat-chars", "20", "--chat-rate", "3/0.01"]).await;
    let mut ada = server.person("Ada").await;
    let table = server.open(&ada.cookie, MIND).await;
    ada.join(table).await;
    for (text, code) in [
        ("", "chat-length"),
        ("   ", "chat-length"),
        (&"x".repeat(21), "chat-length"),
        ("a\u{7}b", "chat-control"),
        ("a\u{1b}[31mb", "chat-control"),
    ] {
        assert_eq!(say(&mut ada, table, text).await.unwrap_err(), code, "{text:?}");
    }
    for _ in 0..3 {
        say(&mut ada, table, &"🙂".repeat(20)).await.unwrap();
    }
    assert_eq!(say(&mut ada, table, "more").await.unwrap_err(), "chat-rate");
    // Neither joining again nor another connection gives more.
    ada.join(table).await;
    assert_eq!(say(&mut ada, table, "more").await.unwrap_err(), "chat-rate");
    let mut second = server.again(&ada.cookie.clone()).await;
    second.join(table).await;
    assert_eq!(say(&mut second, table, "more").await.unwrap_err(), "chat-rate");
}

/// Eve joins a table and never reads. Her queue and the system's buffers fill up, she is dropped,
/// and the others do not notice.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_is_dropped_and_the_table_goes_on() {
    let server =
        Server::start(&["--queue", "8", "--send-s", "0.3", "--chat-rate", "100000/100000"]).await;
    let mut ada = server.person("Ada").await;
    let mut eve = server.person("Eve").await;
    let table = server.open(&ada.cookie, MIND).await;
    ada.join(table).await;
    eve.join(table).await;
    ada.until(|update| update.table().watchers == 2).await;
    eve.socket.turn_deaf(true);
    let begun = Instant::now();
    let mut slowest = Duration::ZERO;
    loop {
        let sent = Instant::now();
        let update = ada.ask(table, Request::Sit(Seat::A)).await.unwrap();
        slowest = slowest.max(sent.elapsed());
        if update.table().watchers == 0 {
            break;
        }
        for _ in 0..100 {
            say(&mut ada, table, &"🙂".repeat(300)).await.unwrap();
        }
        assert!(begun.elapsed() < PATIENCE, "she is dropped");
    }
    assert!(slowest < Duration::from_secs(1), "the table waited {slowest:?}");
    // What is still in the buffers can be read, and what it was about.
    eve.socket.turn_deaf(false);
    assert_eq!(farewell(&mut eve).await, Some(Farewell::Slow));
    ada.ask(table, Request::Stand).await.unwrap();
}
