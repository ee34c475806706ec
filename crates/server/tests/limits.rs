//! Every limit: what is within it is taken, what is beyond it is told so or closed.

use std::time::{Duration, Instant};

use crate::common::{PATIENCE, Person, Server};
use rules::kit::Seat;
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::Message;
use wire::{ClientMessage, CloseReason, Code, Request, ServerMessage};

const MIND: &str = r#"{"game":"mind","players":2}"#;

async fn farewell(person: &mut Person) -> Option<CloseReason> {
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
            ServerMessage::Refused(refused) => return Err(refused.why.code().to_owned()),
            _ => {}
        }
    }
}

/// How a chat message is answered: it comes back, or it is refused with this code.
async fn say(person: &mut Person, table: Code, text: &str) -> Result<(), String> {
    person.say(table, text).await;
    loop {
        match person.hear().await {
            ServerMessage::Said { .. } => return Ok(()),
            ServerMessage::Refused(refused) => return Err(refused.why.code().to_owned()),
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
        let hello = format!(r#"{{"t":"hello","protocol":{},"client":1}}"#, wire::PROTOCOL);
        format!("{hello}{}", " ".repeat(bytes - hello.len()))
    };
    let mut ada = server.person("Ada").await;
    ada.send_text(&text(4_096)).await;
    assert!(matches!(ada.hear().await, ServerMessage::Welcome { .. }));
    // Even while it is still on its way, the last word arrives.
    for bytes in [4_097, 5_000, 100_000, 900_000] {
        let mut ada = server.person("Ada").await;
        ada.send_text(&text(bytes)).await;
        assert_eq!(farewell(&mut ada).await, Some(CloseReason::TooLong), "{bytes}");
    }
    let mut ada = server.person("Ada").await;
    ada.socket.send(Message::binary(vec![0; 5_000])).await.unwrap();
    assert_eq!(farewell(&mut ada).await, Some(CloseReason::TooLong));
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000));
    let answer = server.http("POST /api/me", &[], &long).await;
    assert_eq!(answer.status, 413);
    assert!(answer.body.contains(r#""code":"too-large""#), "{}", answer.body);
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
    assert_eq!(farewell(&mut ada).await, Some(CloseReason::Flooding));
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
    assert_eq!(farewell(&mut third).await, Some(CloseReason::Crowded));
    drop(server.person("Bob").await);
    second.greet().await;
    drop(first);
    freed(&server, &cookie).await;

    let server = Server::start(&["--connections", "2"]).await;
    let (cookie, _ada) = (server.name("Eve").await, server.person("Ada").await);
    let bob = server.person("Bob").await;
    let full = turned_away(&server, &[("Cookie", &cookie)]).await;
    assert_eq!(full, (429, "too-many-connections".to_owned()));
    drop(bob);
    freed(&server, &cookie).await;

    let server = Server::start(&["--connections-per-address", "1"]).await;
    let (cookie, ada) = (server.name("Eve").await, server.person("Ada").await);
    let full = turned_away(&server, &[("Cookie", &cookie)]).await;
    assert_eq!(full, (429, "too-many-connections".to_owned()));
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
        // A WebSocket counts, and so does a connection that sends nothing. One that comes while
        // another is still being closed is refused; in the end all places are held.
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
    assert_eq!(farewell(&mut mute).await, Some(CloseReason::Idle));
    assert!(begun.elapsed() < Duration::from_secs(2));
    // A client that answers pings stays connected: reading is enough to answer them.
    let mut ada = server.person("Ada").await;
    let heard = timeout(Duration::from_millis(1_500), ada.hear_or_end()).await;
    assert!(heard.is_err(), "{heard:?}");
    ada.greet().await;
    // A client that does not answer pings is disconnected.
    let (mut asleep, begun) = (server.person("Bob").await, Instant::now());
    asleep.socket.turn_deaf(true);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    asleep.socket.turn_deaf(false);
    assert_eq!(farewell(&mut asleep).await, Some(CloseReason::Idle));
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
async fn seats_and_spectators_are_counted() {
    let server = Server::start(&["--spectators", "2"]).await;
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
    // A spectator who is there already may join again.
    join(&mut people[1], table).await.unwrap();
    for (index, seat) in [Seat::A, Seat::new(1).unwrap()].into_iter().enumerate() {
        people[index].ask(table, Request::Sit(seat)).await.unwrap();
    }
    // Spectators who sit down make room for others.
    join(&mut people[2], table).await.unwrap();
    join(&mut people[3], table).await.unwrap();
    let beyond = people[2].ask(table, Request::Sit(Seat::new(2).unwrap())).await;
    assert_eq!(beyond.unwrap_err(), "no-such-seat");
    let taken = people[2].ask(table, Request::Sit(Seat::A)).await;
    assert_eq!(taken.unwrap_err(), "seat-taken");
    // A seated player can always return, however many spectators there are.
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
        ("\u{7}\u{1b}\u{200b}", "chat-length"),
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
    ada.until(|update| update.table().spectator_count == 2).await;
    eve.socket.turn_deaf(true);
    let begun = Instant::now();
    let mut slowest = Duration::ZERO;
    loop {
        let sent = Instant::now();
        let update = ada.ask(table, Request::Sit(Seat::A)).await.unwrap();
        slowest = slowest.max(sent.elapsed());
        if update.table().spectator_count == 0 {
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
    assert_eq!(farewell(&mut eve).await, Some(CloseReason::Slow));
    ada.ask(table, Request::Stand).await.unwrap();
}

/// How many bytes of lines are in the data file.
fn stored_bytes(server: &Server) -> u32 {
    let file = Connection::open(server.folder.path().join("tables.db")).unwrap();
    let sql = "SELECT coalesce(sum(length(line)), 0) FROM (SELECT line FROM lines
        UNION SELECT line FROM recent)";
    file.query_one(sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_and_an_address_have_a_budget_of_bytes() {
    for option in ["--byte-rate", "--address-byte-rate"] {
        let server = Server::start(&[option, "20000/1"]).await;
        let mut ada = server.person("Ada").await;
        let (mut tables, mut refused) = (0, None);
        while refused.is_none() && tables < 20 {
            let opened = server.http("POST /api/tables", &[("Cookie", &ada.cookie)], MIND).await;
            let body = serde_json::from_str::<serde_json::Value>(&opened.body).unwrap();
            let Some(table) = body["table"].as_str() else {
                refused = Some(body["code"].as_str().unwrap().to_owned());
                break;
            };
            tables += 1;
            let table = table.parse().unwrap();
            if let Err(code) = join(&mut ada, table).await {
                refused = Some(code);
                break;
            }
            for turn in 0..100 {
                let seat = Seat::new(turn % 2).unwrap();
                refused = ada.ask(table, Request::Sit(seat)).await.err().or(refused);
            }
            ada.send(&ClientMessage::Leave { table }).await;
        }
        assert_eq!(refused.as_deref(), Some("change-rate"), "{option}");
        let stored = stored_bytes(&server);
        assert!(stored < 25_000, "{option}: {stored} bytes for a budget of 20,000");
        // Others at another address, or as another person, go on.
        if option == "--byte-rate" {
            let mut ben = server.person("Ben").await;
            let table = server.open(&ben.cookie, MIND).await;
            ben.join(table).await;
            assert!(ben.ask(table, Request::Sit(Seat::A)).await.is_ok());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_codes_are_charged_to_the_address() {
    let server = Server::start(&["--guess-rate", "4/0.0001"]).await;
    let mut ada = server.person("Ada").await;
    let table = server.open(&ada.cookie, MIND).await;
    ada.join(table).await;
    let mut eve = server.person("Eve").await;
    let wrong = |number: usize| "23456789".chars().cycle().skip(number).take(6).collect::<String>();
    let started = Instant::now();
    for number in 0..4 {
        let code = wrong(number).parse().unwrap();
        assert_eq!(join(&mut eve, code).await, Err("no-table".to_owned()));
    }
    assert!(started.elapsed() > Duration::from_secs(3), "the last two took seconds");
    // From now on a right code looks like a wrong one to every newcomer from there.
    let mut mallory = server.person("Mallory").await;
    for code in [table, wrong(5).parse().unwrap()] {
        for person in [&mut eve, &mut mallory] {
            assert_eq!(join(person, code).await, Err("code-rate".to_owned()));
        }
    }
    // People at the table stay, and may join it again.
    assert_eq!(join(&mut ada, table).await, Ok(()));
}

/// The answer to a challenge, by trying.
fn proof(challenge: u64, bits: u64) -> u32 {
    let zero_bits = |nonce: &u32| {
        let hash = Sha256::digest(format!("{challenge}:{nonce}"));
        u64::from(u128::from_be_bytes(hash[..16].try_into().unwrap()).leading_zeros())
    };
    (0..=u32::MAX).find(|nonce| zero_bits(nonce) >= bits).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn new_people_beyond_the_budget_of_an_address_cost_work() {
    let server = Server::start(&["--newcomer-rate", "2/0.0001"]).await;
    let ada = server.name("Ada").await;
    server.name("Ben").await;
    let answer = server.http("POST /api/me", &[], r#"{"name":"Cleo"}"#).await;
    let body = serde_json::from_str::<serde_json::Value>(&answer.body).unwrap();
    assert_eq!((answer.status, body["code"].as_str()), (429, Some("proof")));
    assert!(answer.header("set-cookie").is_none());
    let challenge = body["challenge"].as_u64().unwrap();
    let nonce = proof(challenge, body["bits"].as_u64().unwrap());
    let sent = format!(r#"{{"name":"Cleo","proof":{{"challenge":{challenge},"nonce":{nonce}}}}}"#);
    let answer = server.http("POST /api/me", &[], &sent).await;
    assert!(answer.status == 200 && answer.header("set-cookie").is_some(), "{answer:?}");
    assert_eq!(server.http("POST /api/me", &[], &sent).await.status, 429, "it counts once");
    // Another name is not another person.
    let renamed = server.http("POST /api/me", &[("Cookie", &ada)], r#"{"name":"Ada L."}"#).await;
    assert_eq!(renamed.status, 200);
}
