//! What an operator can ask a running server.

use std::time::{Duration, Instant};

use crate::common::{Answer, PATIENCE, Server, options};
use rusqlite::Connection;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::timeout;
use wire::{Request, ServerMessage};

#[tokio::test]
async fn a_server_says_that_it_lives_and_is_ready() {
    let server = Server::start(&[]).await;
    let alive = server.http("GET /healthz", &[], "").await;
    assert_eq!((alive.status, alive.body.as_str()), (200, "ok"));
    let ready = server.http("GET /readyz", &[], "").await;
    assert_eq!((ready.status, ready.body.as_str()), (200, "ready"));
}

#[tokio::test]
async fn players_are_told_whom_to_write_to_if_the_operator_says_so() {
    let silent = Server::start(&[]).await.http("GET /api/operator", &[], "").await;
    assert_eq!((silent.status, silent.body.as_str()), (200, r#"{"contact":null}"#));
    let server = Server::start(&["--contact", "mailto:ada@example.org"]).await;
    let said = server.http("GET /api/operator", &[], "").await;
    assert_eq!(said.body, r#"{"contact":"mailto:ada@example.org"}"#);
}

#[tokio::test]
async fn a_server_that_cannot_write_is_not_ready_and_says_why() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let file = server.folder.path().join("tables.db");
    let other = Connection::open(file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let clear = |answer: &Answer| {
        assert_eq!(answer.status, 503, "{answer:?}");
        assert!(answer.body.contains("not-kept"), "{answer:?}");
        assert!(answer.body.contains("locked by another program: close"), "{answer:?}");
    };
    clear(&server.http("GET /readyz", &[], "").await);
    let wish = r#"{"game":"mind","players":2}"#;
    clear(&server.http("POST /api/tables", &[("Cookie", &cookie)], wish).await);
    assert_eq!(server.http("GET /healthz", &[], "").await.status, 200);
    other.execute_batch("ROLLBACK").unwrap();
    let ready = async {
        while server.http("GET /readyz", &[], "").await.status != 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, ready).await.expect("it is ready again");
}

#[tokio::test]
async fn readiness_is_asked_freely_and_tried_once_a_second() {
    let folder = TempDir::new().unwrap();
    let (server, metrics) = watched(&folder, &["--address-rate", "3/0.0001"]).await;
    // Everything that is written at the start is written before this.
    server.name("Ada").await;
    let before = metric(&metrics, "unspoken_commits_total").await.unwrap();
    let started = Instant::now();
    let asked = (0..100).map(|_| server.http("GET /readyz", &[], ""));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let commits = metric(&metrics, "unspoken_commits_total").await.unwrap() - before;
    // One at the beginning of each second.
    let most = 2.0 + started.elapsed().as_secs_f64().floor();
    assert!(1.0 <= commits && commits <= most, "{commits} commits");
}

/// A server with its metrics listener.
pub async fn watched(folder: &TempDir, changed: &[&str]) -> (Server, Server) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addresses = (listener.local_addr().unwrap(), metrics.local_addr().unwrap());
    let options = options(folder.path(), changed);
    tokio::spawn(server::run(options, listener, Some(metrics), std::future::pending()));
    (Server::at(addresses.0), Server::at(addresses.1))
}

/// The value of one line, none if there is no such line.
pub async fn metric(metrics: &Server, name: &str) -> Option<f64> {
    let text = metrics.http("GET /metrics", &[], "").await.body;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map(|value| value.parse().unwrap())
}

pub async fn until(metrics: &Server, name: &str, value: f64) {
    let reached = async {
        while metric(metrics, name).await != Some(value) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("{name} does not become {value}"));
}

#[tokio::test]
async fn metrics_count_what_goes_on() {
    let folder = TempDir::new().unwrap();
    let (server, metrics) = watched(&folder, &["--table-idle-s", "0.01"]).await;
    let mut ada = server.person("Ada").await;
    let table = server.open(&ada.cookie.clone(), r#"{"game":"mind","players":2}"#).await;
    ada.join(table).await;
    assert_eq!(ada.ask(table, Request::Start).await, Err("not-host".to_owned()));
    ada.ask(table, Request::Sit("A".parse().unwrap())).await.unwrap();
    let bot = Request::AddBot { seat: "B".parse().unwrap(), kind: wire::BotKind::Random };
    ada.ask(table, bot).await.unwrap();
    let update = ada.ask(table, Request::Start).await.unwrap();
    let rest = wire::Command::Mind("rest".parse().unwrap());
    ada.act(table, update.seq, rest).await.unwrap();

    let text = metrics.http("GET /metrics", &[], "").await;
    assert_eq!(text.status, 200);
    assert_eq!(text.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in text.body.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        let ours = name.starts_with("unspoken_") || name.starts_with("process_");
        assert!(ours && value.parse::<f64>().is_ok(), "{line}");
    }
    for (name, value) in [
        ("unspoken_tables", 1.0),
        ("unspoken_people", 1.0),
        ("unspoken_connections", 1.0),
        ("unspoken_refusals_total{kind=\"not-host\"}", 1.0),
        ("unspoken_move_seconds_count", 1.0),
    ] {
        assert_eq!(metric(&metrics, name).await, Some(value), "{name}");
    }
    assert!(metric(&metrics, "unspoken_moves_total").await >= Some(1.0));
    assert!(metric(&metrics, "unspoken_messages_total").await >= Some(7.0));
    assert!(metric(&metrics, "unspoken_append_seconds_count").await >= Some(5.0));
    assert!(metric(&metrics, "unspoken_append_seconds_bucket{le=\"+Inf\"}").await >= Some(5.0));

    // An empty table leaves the memory, and comes back.
    let cookie = ada.hang_up();
    for name in ["unspoken_tables", "unspoken_people", "unspoken_connections"] {
        until(&metrics, name, 0.0).await;
    }
    let mut ada = server.again(&cookie).await;
    assert_eq!(ada.join(table).await.table().games, 1);
    until(&metrics, "unspoken_tables", 1.0).await;

    // A client of another protocol is dropped, and that is counted.
    let mut old = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    old.send_text(r#"{"t":"hello","protocol":99,"client":1}"#).await;
    assert!(matches!(old.hear().await, ServerMessage::Bye { .. }));
    until(&metrics, "unspoken_drops_total{kind=\"protocol\"}", 1.0).await;
}

#[tokio::test]
async fn metrics_are_not_shown_to_everyone() {
    let server = Server::start(&[]).await;
    assert_eq!(server.http("GET /metrics", &[], "").await.status, 404);
}

#[tokio::test]
async fn a_server_that_goes_down_says_so_and_keeps_everything() {
    let server = Server::start(&[]).await;
    let mut people = Vec::new();
    for name in ["Ada", "Ben", "Cora"] {
        people.push(server.person(name).await);
    }
    let table = server.open(&people[0].cookie.clone(), r#"{"game":"mind","players":2}"#).await;
    people[0].join(table).await;
    people[0].ask(table, Request::Sit("A".parse().unwrap())).await.unwrap();
    let folder = timeout(Duration::from_secs(5), server.stop()).await.unwrap();
    for person in &mut people {
        let bye = loop {
            if let ServerMessage::Bye { why, .. } = person.hear().await {
                break why;
            }
        };
        assert_eq!(bye, wire::CloseReason::Restarting);
        assert!(person.hear_or_end().await.is_none());
    }
    let left = std::fs::read_dir(folder.path()).unwrap();
    let left = left.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(left.into_iter().all(|name| !name.ends_with("-wal")), "the log is folded in");

    let server = Server::start_in(folder, &[]).await;
    let mut ada = server.again(&people[0].cookie.clone()).await;
    let update = ada.join(table).await;
    assert_eq!(update.table().host, Some("A".parse().unwrap()));
}

#[tokio::test]
async fn a_file_that_is_in_use_is_not_shared() {
    let server = Server::start(&[]).await;
    server.name("Ada").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (_stop, stopped) = oneshot::channel::<()>();
    let options = options(server.folder.path(), &[]);
    let error = server::run(options, listener, None, async { drop(stopped.await) }).await;
    let text = error.unwrap_err().to_string();
    assert!(text.contains("another server uses") && text.contains("stop it, or"), "{text}");
}
