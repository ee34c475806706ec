//! What every answer carries, and what none does: headers, cookies, addresses, secrets.

use std::io::Write;
use std::sync::{Arc, Mutex};

use crate::common::Server;
use journal::{Journal, Sqlite};
use rules::kit::Seat;
use wire::{Command, Request, View};

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_headers() {
    let server = Server::start(&["--request-s", "0.3"]).await;
    let cookie = server.name("Ada").await;
    let own = [("Cookie", cookie.as_str())];
    let foreign = [("Cookie", cookie.as_str()), ("Origin", "https://evil.example")];
    let no_length = [("Cookie", cookie.as_str()), ("Transfer-Encoding", "chunked")];
    for (status, head, headers, body) in [
        (200, "GET /", &[][..], ""),
        (200, "GET /healthz", &[], ""),
        (200, "GET /readyz", &[], ""),
        (200, "HEAD /api/tables", &[], ""),
        (200, "GET /api/openapi.json", &[], ""),
        (200, "POST /api/me", &own, r#"{"name":"Ada"}"#),
        (201, "POST /api/tables", &own, r#"{"game":"mind","players":2}"#),
        (200, "GET /api/me", &[], ""),
        (401, "GET /api/me/consent", &[], ""),
        (401, "GET /ws", &[], ""),
        (400, "GET /ws", &own, ""),
        (403, "DELETE /api/me", &foreign, ""),
        (404, "GET /nothing", &[], ""),
        (404, "GET /../../etc/passwd", &[], ""),
        (404, "POST /api/%00", &[], ""),
        (405, "PUT /api/me", &own, ""),
        (405, "BREW /", &[], ""),
        (415, "POST /api/me", &own, ""),
        (400, "POST /api/me", &own, "[]"),
        (204, "DELETE /api/me", &own, ""),
    ] {
        let answer = server.http(head, headers, body).await;
        assert_eq!(answer.status, status, "{head}: {answer:?}");
        check_headers(head, &answer);
    }
    // The HTTP library refuses these itself, with an empty answer.
    let long = "x".repeat(20_000);
    for (head, headers) in [
        ("GET /", [("X-Long", long.as_str())]),
        (&*format!("GET /{long}"), [("X", "")]),
        ("GET", [("X", "")]),
        ("GET / HTTP/9.9", [("X", "")]),
    ] {
        let answer = server.http(head, &headers, "").await;
        assert!((400..500).contains(&answer.status), "{answer:?}");
        assert!(answer.body.is_empty(), "{answer:?}");
    }
    let answer = server.http("POST /api/me", &no_length, "").await;
    assert!(answer.status >= 400, "{answer:?}");
    let server = Server::start(&["--address-rate", "1/0.01"]).await;
    server.http("GET /", &[], "").await;
    let answer = server.http("GET /", &[], "").await;
    assert_eq!(answer.status, 429);
    check_headers("too much", &answer);
}

fn check_headers(head: &str, answer: &crate::common::Answer) {
    let header = |name: &str| answer.header(name).unwrap_or_else(|| panic!("{head} has no {name}"));
    let csp = header("content-security-policy");
    assert!(csp.contains("default-src 'none'") && csp.contains("frame-ancestors 'none'"));
    assert!(!csp.contains("unsafe") && !csp.contains('*'), "{csp}");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("x-frame-options"), "DENY");
    assert_eq!(header("referrer-policy"), "no-referrer");
    assert_eq!(header("cross-origin-opener-policy"), "same-origin");
    // The page itself may be kept, if it is asked for again each time.
    let caching = if head == "GET /" { "no-cache" } else { "no-store" };
    assert_eq!(header("cache-control"), caching);
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_is_out_of_reach_of_pages_and_of_other_sites() {
    for (options, secure) in [
        (&[][..], false),
        (&["--public-url", "http://play.example.org"], false),
        (&["--public-url", "https://play.example.org"], true),
    ] {
        let server = Server::start(options).await;
        let answer = server.http("POST /api/me", &[], r#"{"name":"Ada"}"#).await;
        let cookie = answer.header("set-cookie").unwrap();
        let (pair, attributes) = cookie.split_once("; ").unwrap();
        let name = if secure { "__Host-unspoken=" } else { "unspoken=" };
        let secret = pair.strip_prefix(name).unwrap();
        assert!(secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let attributes = attributes.split("; ").collect::<Vec<_>>();
        for wanted in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(attributes.contains(&wanted), "{cookie}");
        }
        assert_eq!(attributes.contains(&"Secure"), secure, "{cookie}");
        // It is said once: a later answer has the name and the mark only.
        assert!(!answer.body.contains(secret));
        let again = server.http("POST /api/me", &[("Cookie", pair)], r#"{"name":"Eve"}"#).await;
        assert_eq!((again.name().as_deref(), again.header("set-cookie")), (Some("Eve"), None));
        assert!(!again.body.contains(secret));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_believed_only_if_it_is_trusted() {
    let rate = ["--address-rate", "1/0.001"];
    let ask = async |server: &Server, header: &'static str, address: &str| {
        server.http("GET /api/tables", &[(header, address)], "").await.status
    };
    // Without a trusted proxy all are one address, whatever the header says.
    let server = Server::start(&rate).await;
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.1").await, 200);
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.2").await, 429);
    assert_eq!(ask(&server, "Forwarded", "for=192.0.2.3").await, 429);
    // Behind a trusted proxy each client has its own address, and forged hops do not count.
    let server = Server::start(&[&rate[..], &["--trusted-proxy", "127.0.0.1"]].concat()).await;
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.1").await, 200);
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.1").await, 429);
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.2").await, 200);
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.9, 192.0.2.2").await, 429);
    // A header that the proxy does not set comes from the client, and counts for nothing.
    assert_eq!(ask(&server, "Forwarded", "for=192.0.2.3").await, 200, "the proxy's own first");
    for made_up in ["for=192.0.2.4", "for=192.0.2.5"] {
        assert_eq!(ask(&server, "Forwarded", made_up).await, 429);
    }
    assert_eq!(ask(&server, "X-Forwarded-For", "2001:db8::1").await, 200);
    assert_eq!(ask(&server, "X-Forwarded-For", "2001:db8::2").await, 429);
    let server = Server::start(&[&rate[..], &["--trusted-proxy", "192.0.2.77"]].concat()).await;
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.1").await, 200);
    assert_eq!(ask(&server, "X-Forwarded-For", "192.0.2.2").await, 429);
}

/// A page counts for itself, also after the table and the server were down.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_loaded_again_counts_from_one() {
    let server = Server::start(&[]).await;
    let mut ada = server.person("Ada").await;
    let cookie = ada.cookie.clone();
    let table = server.open(&cookie, r#"{"game":"mind","players":2}"#).await;
    ada.join(table).await;
    ada.ask(table, Request::Sit(Seat::A)).await.unwrap();
    let bot = Request::AddBot { seat: Seat::new(1).unwrap(), kind: wire::BotKind::Random };
    ada.ask(table, bot).await.unwrap();
    let update = ada.ask(table, Request::Start).await.unwrap();
    let [rest, lift] = ["rest", "lift"].map(|text| Command::Mind(text.parse().unwrap()));
    let done = ada.act(table, update.seq, rest).await.unwrap();
    let id = done.ack.unwrap();
    let done_again =
        wire::ClientMessage::Do { table, id, seq: done.seq, pressed: 0.0, command: rest };
    // The same page comes back and repeats itself: nothing happens twice.
    let mut ada = server.reconnected(ada).await;
    ada.join(table).await;
    ada.send(&done_again).await;
    assert_eq!(ada.answer(id).await.unwrap().ack, Some(id));
    // Loaded again it has other numbers in mind; the same ones mean something new.
    let mut loaded = server.again(&cookie).await;
    loaded.join(table).await;
    for _ in 0..id {
        let answer = loaded.ask(table, Request::Wait).await.unwrap();
        assert!(answer.ack.is_some());
    }
    // The server comes back, and the first page, which had no answer, repeats itself once more.
    let page = (ada.client, ada.cookie.clone());
    drop((ada, loaded));
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut ada = server.connect(&[("Cookie", &page.1)]).await.unwrap();
    ada.client = page.0;
    ada.greet().await;
    ada.join(table).await;
    ada.send(&done_again).await;
    assert_eq!(ada.answer(id).await.unwrap().ack, Some(id));
    let mut loaded = server.again(&cookie).await;
    let seq = loaded.join(table).await.seq;
    // On another page the number is new, so the command is judged: it is out of date or done.
    let message = wire::ClientMessage::Do { table, id, seq, pressed: 0.0, command: lift };
    loaded.send(&message).await;
    let judged = loaded.answer(id).await;
    assert!(judged.is_ok() || judged.as_ref().is_err_and(|code| code != "id-reused"), "{judged:?}");
}

/// Everything that was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A session with all its ways to go wrong, logged at the lowest level. It stands in a process
/// with the other tests, whose secrets must not be there either.
#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_logged_or_sent() {
    let log = Log::default();
    let writer = log.clone();
    let filter = "server=trace,journal=trace,hyper=trace,axum=trace";
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .init();
    let server = Server::start(&["--idle-s", "5"]).await;
    let mut ada = server.person("Ada").await;
    let mut bob = server.person("Bob").await;
    let secrets =
        [&ada, &bob].map(|person| person.cookie.strip_prefix("unspoken=").unwrap().to_owned());
    let table = server.open(&ada.cookie, r#"{"game":"mind","players":2}"#).await;
    for (index, person) in [&mut ada, &mut bob].into_iter().enumerate() {
        person.join(table).await;
        person.ask(table, Request::Sit(Seat::new(index).unwrap())).await.unwrap();
    }
    let update = ada.ask(table, Request::Start).await.unwrap();
    let rest = Command::Mind("rest".parse().unwrap());
    ada.act(table, update.seq, rest).await.unwrap();
    assert!(ada.act(table, update.seq, rest).await.is_err());
    bob.caught_up(table).await;
    let hands = [&ada, &bob].map(|person| person.frames.clone());
    ada.send_text("nonsense").await;
    ada.send_text(&"x".repeat(5_000)).await;
    while ada.hear_or_end().await.is_some() {}
    for path in [format!("GET /?secret={}", secrets[0]), "GET /api/me".to_owned()] {
        server.http(&path, &[("Cookie", &format!("unspoken={}x", secrets[0]))], "").await;
    }
    server.http("DELETE /api/me", &[("Cookie", &bob.cookie.clone())], "").await;
    while bob.hear_or_end().await.is_some() {}
    let frames = [ada.frames.clone(), bob.frames.clone()].concat().join("\n");
    let folder = server.stop().await;

    let journal =
        Sqlite::open(folder.path().join("tables.db"), journal::Options::default()).unwrap();
    let lines = journal.read(&table.to_string().parse().unwrap(), 0).await.unwrap();
    let started = lines.iter().find_map(|line| {
        let line = serde_json::from_str::<serde_json::Value>(line).unwrap();
        Some(line.get("started")?["seed"].as_str()?.to_owned())
    });
    let seed = started.unwrap();
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("listening") && log.contains("shutting down"), "{log}");
    let whole = lines.join("\n");
    for secret in &secrets {
        assert!(!log.contains(secret.as_str()) && !frames.contains(secret.as_str()));
        assert!(!whole.contains(secret.as_str()), "the journal has no secrets either");
    }
    assert!(!log.contains(&seed) && !frames.contains(&seed));
    for frames in hands {
        let views = crate::common::read_all(&frames).filter_map(|message| match message {
            wire::ServerMessage::Update(update) => update.view,
            _ => None,
        });
        let view = views.last();
        let Some(View::Mind(view)) = view else { panic!("there is a game") };
        let hands = serde_json::to_value(view).unwrap()["hands"].to_string();
        assert!(hands.contains('[') && !log.contains(&hands), "{hands}");
    }
    for word in ["hands", "dealt", "\"play\"", "unspoken="] {
        assert!(!log.contains(word), "{word} was logged: {log}");
    }
}
