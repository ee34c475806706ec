//! Real answers of the server fit its description, `/api/openapi.json`.

use std::collections::BTreeSet;

use crate::common::{Answer, Person, Server};
use rules::door::GameName;
use rules::kit::Seat;
use serde_json::{Value, json};
use server::control::{self, StudyLine};
use wire::{BotKind, Code, Request};

/// The answers that were compared: path, method, status.
type Seen = BTreeSet<(String, String, u16)>;

/// One request after another, each answer compared with the description.
struct Check {
    server: Server,
    api: Value,
    seen: Seen,
}

impl Check {
    async fn new(changed: &[&str]) -> Self {
        let server = Server::start(changed).await;
        let api = server.http("GET /api/openapi.json", &[], "").await;
        let api = serde_json::from_str(&api.body).unwrap();
        Self { server, api, seen: Seen::new() }
    }

    async fn ask(
        &mut self,
        head: &str,
        headers: &[(&str, &str)],
        body: &str,
        status: u16,
    ) -> Answer {
        let answer = self.server.http(head, headers, body).await;
        assert_eq!(answer.status, status, "{head}: {answer:?}");
        let (method, path) = head.split_once(' ').unwrap();
        let method = method.to_lowercase();
        let path = templated(path);
        let described = &self.api["paths"][&path][&method]["responses"][status.to_string()];
        assert!(described.is_object(), "{head} may answer {status}, which is not described");
        let described = self.resolved(described);
        match described.get("content").and_then(Value::as_object) {
            None => assert!(answer.body.is_empty(), "{head}: {answer:?}"),
            Some(content) => {
                let kind = answer.header("content-type").unwrap().split(';').next().unwrap();
                let schema =
                    &content.get(kind).expect("this kind of answer is described")["schema"];
                let value = match kind {
                    "application/json" => serde_json::from_str(&answer.body).unwrap(),
                    _ => Value::String(answer.body.clone()),
                };
                self.holds(schema, &value).unwrap_or_else(|e| panic!("{head} {status}: {e}"));
            }
        }
        self.seen.insert((path, method, status));
        answer
    }

    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value.get("$ref").and_then(Value::as_str) {
            Some(place) => {
                let found = self.api.pointer(place.strip_prefix('#').unwrap());
                self.resolved(found.unwrap_or_else(|| panic!("{place} is described")))
            }
            None => value,
        }
    }

    /// Whether a value fits a schema of the description.
    fn holds(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let root = json!({ "allOf": [schema], "components": self.api["components"] });
        let validator = jsonschema::validator_for(&root).expect("the schema is valid");
        validator.validate(value).map_err(|e| format!("{e}, at {}", e.instance_path()))
    }
}

/// The path with the parameter in place of a game, table or team.
fn templated(path: &str) -> String {
    let path = path.split('?').next().unwrap_or(path);
    for (folder, name) in [
        ("/api/replays/", "{game}"),
        ("/api/me/games/", "{game}"),
        ("/api/me/invitations/", "{id}"),
        ("/api/daily/", "{deal}"),
        ("/api/tables/", "{table}"),
        ("/api/teams/", "{team}"),
        ("/api/study/", "{name}"),
    ] {
        if let Some(own) = path.strip_prefix(folder).and_then(|rest| rest.split('/').next()) {
            return path.replace(own, name);
        }
    }
    path.to_owned()
}

/// Everything that is described.
fn described(api: &Value) -> Seen {
    let mut all = Seen::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for status in operation["responses"].as_object().unwrap().keys() {
                all.insert((path.clone(), method.clone(), status.parse().unwrap()));
            }
        }
    }
    all
}

/// Another device, a recovery phrase, and signing out.
async fn devices(check: &mut Check, cookie: &str) {
    let (mine, foreign) = (("Cookie", cookie), ("Origin", "https://example.com"));
    for head in [
        "GET /api/me/devices",
        "DELETE /api/me/devices",
        "POST /api/me/device-link",
        "GET /api/me/device-link",
        "DELETE /api/me/device-link",
        "POST /api/me/phrase",
        "DELETE /api/me/phrase",
    ] {
        check.ask(head, &[], "", 401).await;
        if !head.starts_with("GET") {
            check.ask(head, &[mine, foreign], "", 403).await;
        }
    }
    check.ask("GET /api/me/devices", &[mine], "", 200).await;
    let long = format!(r#"{{"words":"{}"}}"#, "x".repeat(5_000));
    for head in [
        "PUT /api/me/device-link",
        "POST /api/devices",
        "POST /api/devices/sign-in",
        "POST /api/devices/recover",
    ] {
        check.ask(head, &[mine, foreign], "{}", 403).await;
        check.ask(head, &[mine], "{", 400).await;
        check.ask(head, &[mine], &long, 413).await;
        check.ask(head, &[mine], "", 415).await;
    }
    check.ask("PUT /api/me/device-link", &[], r#"{"number":10}"#, 401).await;
    check.ask("PUT /api/me/device-link", &[mine], r#"{"number":10}"#, 404).await;
    check.ask("GET /api/me/device-link", &[mine], "", 200).await;
    let wrong = format!(r#"{{"token":"{}"}}"#, "0".repeat(32));
    check.ask("POST /api/devices", &[], &wrong, 404).await;
    check.ask("POST /api/devices/sign-in", &[], &wrong, 404).await;
    check.ask("POST /api/devices/recover", &[], r#"{"words":"abandon"}"#, 404).await;
    let words = check.ask("POST /api/me/phrase", &[mine], "", 201).await.body;
    for _ in 1..16 {
        check.ask("POST /api/devices/recover", &[], &words, 200).await;
    }
    check.ask("POST /api/devices/recover", &[], &words, 409).await;
    // The last one is one too many by a link, too.
    for status in [409, 200] {
        let link = check.ask("POST /api/me/device-link", &[mine], "", 201).await;
        let link = serde_json::from_str::<Value>(&link.body).unwrap();
        let token = json!({ "token": link["token"] }).to_string();
        let asked = check.ask("POST /api/devices", &[], &token, 201).await;
        let asked = serde_json::from_str::<Value>(&asked.body).unwrap();
        let ticket = json!({ "token": asked["ticket"] }).to_string();
        check.ask("GET /api/me/device-link", &[mine], "", 200).await;
        check.ask("POST /api/devices/sign-in", &[], &ticket, 200).await;
        let number = json!({ "number": asked["number"] }).to_string();
        check.ask("PUT /api/me/device-link", &[mine], &number, 200).await;
        check.ask("GET /api/me/device-link", &[mine], "", 200).await;
        check.ask("POST /api/devices/sign-in", &[], &ticket, status).await;
        check.ask("GET /api/me/device-link", &[mine], "", 200).await;
        check.ask("DELETE /api/me/devices", &[mine], "", 200).await;
    }
    check.ask("DELETE /api/me/device-link", &[mine], "", 204).await;
    check.ask("DELETE /api/me/phrase", &[mine], "", 204).await;
}

/// A schema that accepts any object would describe nothing.
#[tokio::test]
async fn every_schema_says_which_fields_there_are() {
    let check = Check::new(&[]).await;
    let schemas = check.api["components"]["schemas"].as_object().unwrap();
    assert!(schemas.len() > 100, "only {} schemas", schemas.len());
    for (name, schema) in schemas {
        let mut parts = vec![schema];
        while let Some(part) = parts.pop() {
            if part["type"] == "object" {
                // A map says at least what its values are.
                let is_map = part["additionalProperties"].is_object();
                let says = part["properties"].is_object() || is_map;
                assert!(says, "{name} accepts any object: {part}");
            }
            match part {
                Value::Object(fields) => parts.extend(fields.values()),
                Value::Array(items) => parts.extend(items),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }
}

#[tokio::test]
async fn every_answer_is_as_described() {
    let mut check = Check::new(&["--table-rate", "6/0.001", "--connections", "1"]).await;
    let foreign = ("Origin", "https://example.com");
    for path in ["/", "/healthz", "/readyz", "/api/openapi.json", "/api/setups", "/api/operator"] {
        check.ask(&format!("GET {path}"), &[], "", 200).await;
    }

    let named = check.ask("POST /api/me", &[], r#"{"name":"Ada"}"#, 200).await;
    let cookie = named.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let mine = ("Cookie", cookie.as_str());
    check.ask("GET /api/me", &[mine], "", 200).await;
    check.ask("GET /api/me/tables", &[], "", 401).await;
    check.ask("GET /api/me", &[], "", 200).await;
    check.ask("DELETE /api/me", &[], "", 401).await;
    check.ask("DELETE /api/me", &[mine, foreign], "", 403).await;

    let wish = r#"{"game":"mind","players":2,"public":true}"#;
    let opened = check.ask("POST /api/tables", &[mine], wish, 201).await;
    check.ask("POST /api/tables", &[], wish, 401).await;
    check.ask("POST /api/lessons", &[mine], r#"{"game":"royale"}"#, 201).await;
    check.ask("POST /api/lessons", &[], r#"{"game":"royale"}"#, 401).await;
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000));
    check.ask("GET /api/me/consent", &[mine], "", 200).await;
    check.ask("GET /api/me/consent", &[], "", 401).await;
    let consent = r#"{"lends_tempo":true}"#;
    check.ask("PUT /api/me/consent", &[mine], consent, 200).await;
    check.ask("PUT /api/me/consent", &[], consent, 401).await;
    for (head, wrong, status) in [
        ("POST /api/me", r#"{"name":""}"#, 422),
        ("PUT /api/me/consent", r#"{"lends_tempo":"perhaps"}"#, 400),
        ("POST /api/tables", r#"{"game":"mind"}"#, 422),
        ("POST /api/lessons", r#"{"game":"chess"}"#, 400),
        ("POST /api/setups/check", r#"{"table":"4/3/1"}"#, 400),
    ] {
        check.ask(head, &[mine, foreign], wrong, 403).await;
        check.ask(head, &[mine], wrong, status).await;
        check.ask(head, &[mine], "{", 400).await;
        check.ask(head, &[mine], &long, 413).await;
        check.ask(head, &[mine], "", 415).await;
    }
    let royale = wire::Setup::read(GameName::Royale, "players=2").unwrap();
    let royale = json!({ "setup": royale }).to_string();
    for body in [royale.as_str(), r#"{"setup":{"mind":{}}}"#] {
        check.ask("POST /api/setups/check", &[], body, 200).await;
    }
    check.ask("GET /api/tables", &[], "", 200).await;
    let mut ada = check.server.again(&cookie).await;
    let opened = serde_json::from_str::<Value>(&opened.body).unwrap();
    ada.join(opened["table"].as_str().unwrap().parse().unwrap()).await;
    let listed = check.ask("GET /api/tables", &[], "", 200).await;
    assert!(listed.body.contains("chairs"), "there is a line to compare: {listed:?}");

    let upgrade = [
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let with = |more: &[(&'static str, &'static str)]| [&upgrade, more].concat();
    let address = check.server.address;
    check.ask("GET /ws", &[mine], "", 400).await;
    check.ask("GET /ws", &with(&[]), "", 401).await;
    check.ask("GET /ws", &with(&[foreign]), "", 403).await;
    let crowded = check.server.connect(&[("Cookie", &cookie)]).await;
    let Err(tokio_tungstenite::tungstenite::Error::Http(refused)) = crowded else {
        panic!("a second connection to {address} is one too many")
    };
    assert_eq!(refused.status(), 429);
    check.seen.insert(("/ws".to_owned(), "get".to_owned(), 429));
    // The harness has opened one.
    check.seen.insert(("/ws".to_owned(), "get".to_owned(), 101));

    check.ask("POST /api/tables", &[mine], wish, 201).await;
    judgements(&mut check, &mut ada, &cookie).await;
    // This uses up the tables that Ada may open.
    replays(&mut check, &mut ada, &cookie).await;
    record(&mut check, &cookie).await;
    check.ask("POST /api/tables", &[mine], wish, 429).await;
    check.ask("POST /api/lessons", &[mine], r#"{"game":"mind"}"#, 429).await;
    meeting(&mut check, &cookie).await;
    devices(&mut check, &cookie).await;
    studies(&mut check, &cookie).await;
    check.ask("DELETE /api/me", &[mine], "", 204).await;

    count_what_other_tests_show(&mut check);
    let left = described(&check.api).difference(&check.seen).cloned().collect::<Vec<_>>();
    assert!(left.is_empty(), "described, but never seen: {left:?}");
}

/// Statuses that other tests show: a journal that does not answer (`operating`), and what an
/// address with many new people is told (`limits`).
fn count_what_other_tests_show(check: &mut Check) {
    check.seen.insert(("/readyz".to_owned(), "get".to_owned(), 503));
    check.seen.insert(("/api/me/invitations/{id}".to_owned(), "delete".to_owned(), 503));
    for path in [
        "/api/tables",
        "/api/lessons",
        "/api/replays/{game}/link",
        "/api/replays/{game}/deal",
        "/api/partners",
        "/api/daily",
        "/api/me/invitations",
    ] {
        check.seen.insert((path.to_owned(), "post".to_owned(), 503));
    }
    for path in [
        "/api/tables/{table}/tempo",
        "/api/tables/{table}/judgement",
        "/api/replays/{game}",
        "/api/replays/{game}/judgement",
        "/api/replays/{game}/plays.csv",
        "/api/replays/{game}/others",
        "/api/ghosts",
        "/api/me/record",
        "/api/me/tables",
        "/api/me/games",
        "/api/me/games/{game}/deal",
        "/api/me/export",
        "/api/teams/{team}",
        "/api/me/people",
        "/api/me/invitations",
        "/api/daily",
        "/api/daily/{deal}",
    ] {
        check.seen.insert((path.to_owned(), "get".to_owned(), 503));
    }
    check.seen.insert(("/api/me".to_owned(), "post".to_owned(), 429));
}

/// Partners, invitations and the deal of the day, when Ada has opened as many tables as she may.
async fn meeting(check: &mut Check, cookie: &str) {
    let (mine, foreign) = (("Cookie", cookie), ("Origin", "https://example.com"));
    let other = check.server.name("Fay").await;
    let theirs = ("Cookie", other.as_str());
    let long = format!(r#"{{"person":"{}"}}"#, "x".repeat(5_000));
    let (search, daily) = ("POST /api/partners", "POST /api/daily");
    let invite = "POST /api/me/invitations";
    for head in [search, daily, invite] {
        check.ask(head, &[], "{}", 401).await;
        check.ask(head, &[mine, foreign], "{}", 403).await;
        check.ask(head, &[mine], "{", 400).await;
        check.ask(head, &[mine], &long, 413).await;
        check.ask(head, &[mine], "", 415).await;
    }
    for (head, wish) in [
        (search, r#"{"game":"mind","players":9,"language":"en"}"#),
        (daily, r#"{"game":"mind","players":9}"#),
    ] {
        check.ask(head, &[mine], wish, 422).await;
        check.ask(head, &[mine], &wish.replace('9', "2"), 429).await;
    }
    check.ask(search, &[theirs], r#"{"game":"mind","players":2,"language":"en"}"#, 200).await;
    check.ask(daily, &[theirs], r#"{"game":"mind","players":2}"#, 201).await;
    check.ask(invite, &[mine], r#"{"person":"0"}"#, 404).await;
    for (head, status) in [
        ("GET /api/partners", 200),
        ("DELETE /api/partners", 204),
        ("GET /api/me/people", 200),
        ("GET /api/me/invitations", 200),
        ("DELETE /api/me/invitations/0", 204),
    ] {
        check.ask(head, &[], "", 401).await;
        check.ask(head, &[theirs], "", status).await;
    }
    check.ask("GET /api/daily", &[], "", 200).await;
    for (deal, status) in [
        ("1990-01-01-mind-2", 200),
        ("2999-01-01-mind-2", 403),
        ("1990-01-01-mind-9", 422),
        ("yesterday", 400),
    ] {
        check.ask(&format!("GET /api/daily/{deal}"), &[], "", status).await;
    }
    // `meeting` covers what needs a second connection.
    for (path, method, status) in [
        ("/api/daily", "post", 409),
        ("/api/me/invitations", "post", 201),
        ("/api/me/invitations", "post", 429),
    ] {
        check.seen.insert((path.to_owned(), method.to_owned(), status));
    }
}

/// A study: what it refuses, and the way from the arrival to the withdrawal.
async fn studies(check: &mut Check, cookie: &str) {
    let (mine, foreign) = (("Cookie", cookie), ("Origin", "https://example.com"));
    let text = include_str!("../../../studies/tempo-report.toml").to_owned();
    let (data, file) = (check.server.data(), "tempo-report.toml".to_owned());
    let add = control::Request::AddStudy { file, text };
    let added = tokio::task::spawn_blocking(move || control::ask::<StudyLine>(&data, 0, &add));
    assert!(added.await.unwrap().unwrap().changed);

    let long = format!(r#"{{"version":"{}"}}"#, "x".repeat(150_000));
    let study = "/api/study/tempo-report";
    let [arrival, consent, answers, notes, leave] =
        ["arrival", "consent", "answers", "notes", "leave"]
            .map(|path| format!("POST {study}/{path}"));
    let (show, withdraw) = (format!("GET {study}"), format!("DELETE {study}"));
    let arrive = r#"{"parameters":{"PROLIFIC_PID":"a"},"language":"en","embedded":false}"#;
    let agree = r#"{"given":true,"version":"2026-11-19"}"#;
    let read = r#"{"to":"instructions","answers":{},"took_ms":1}"#;
    let noted = r#"{"notes":[{"at":1,"what":"hidden"}]}"#;
    let bodies = [
        (&arrival, arrive, 200),
        (&consent, agree, 200),
        (&answers, read, 200),
        (&notes, noted, 204),
    ];
    for (head, body, _) in bodies {
        check.ask(head, &[mine, foreign], body, 403).await;
        check.ask(head, &[mine], "{", 400).await;
        check.ask(head, &[mine], &long, 413).await;
        check.ask(head, &[mine], "", 415).await;
        check.ask(&head.replace("tempo-report", "none"), &[mine], body, 404).await;
        if *head != arrival {
            check.ask(head, &[], body, 401).await;
        }
    }
    for head in [&withdraw, &leave] {
        check.ask(head, &[mine, foreign], "", 403).await;
        check.ask(head, &[], "", 401).await;
        check.ask(&head.replace("tempo-report", "none"), &[mine], "", 404).await;
    }
    for head in [show.clone(), format!("GET {study}/deals")] {
        check.ask(&head, &[], "", 200).await;
        let none = check.ask(&head.replace("tempo-report", "none"), &[], "", 404).await;
        assert!(none.body.contains(r#""code":"no-study""#), "{none:?}");
    }
    for (head, body, status) in bodies {
        check.ask(head, &[mine], body, status).await;
        check.ask(&show, &[mine], "", 200).await;
    }
    let moved = check.ask(&consent, &[mine], agree, 409).await;
    assert!(moved.body.contains(r#""code":"study-moved""#), "{moved:?}");
    check.ask(&answers, &[mine], read, 409).await;
    let wrong = r#"{"to":"comprehension","answers":{"order":{"likert":1}},"took_ms":1}"#;
    let unfit = check.ask(&answers, &[mine], wrong, 422).await;
    assert!(unfit.body.contains(r#""code":"study-answer""#), "{unfit:?}");
    check.ask(&leave, &[mine], "", 200).await;
    check.ask(&leave, &[mine], "", 409).await;
    check.ask(&withdraw, &[mine], "", 200).await;
    // Many new people: as for a new name.
    check.seen.insert(("/api/study/{name}/arrival".to_owned(), "post".to_owned(), 429));
    for (path, method) in [
        ("", "get"),
        ("", "delete"),
        ("/arrival", "post"),
        ("/consent", "post"),
        ("/answers", "post"),
        ("/notes", "post"),
        ("/leave", "post"),
        ("/deals", "get"),
    ] {
        check.seen.insert((format!("/api/study/{{name}}{path}"), method.to_owned(), 503));
    }
}

/// Opens a table and starts a game between Ada and a bot.
async fn begin(check: &Check, ada: &mut Person, cookie: &str, wish: &str, kind: BotKind) -> Code {
    let table = check.server.open(cookie, wish).await;
    ada.join(table).await;
    ada.ask(table, Request::Sit(Seat::A)).await.unwrap();
    ada.ask(table, Request::AddBot { seat: Seat::A.left(2), kind }).await.unwrap();
    ada.ask(table, Request::Start).await.unwrap();
    table
}

/// The answers about the rows of Royale.
async fn judgements(check: &mut Check, ada: &mut Person, cookie: &str) {
    let wish = r#"{"game":"royale","players":2}"#;
    let table = begin(check, ada, cookie, wish, BotKind::Student).await;
    let mine = ("Cookie", cookie);
    let other = check.server.name("Eve").await;
    let theirs = ("Cookie", other.as_str());
    let (of_table, of_game) = (
        format!("GET /api/tables/{table}/judgement"),
        format!("GET /api/replays/{table}-1/judgement"),
    );
    for head in [&of_table, &of_game] {
        check.ask(head, &[mine], "", 404).await;
    }
    let seated = check.ask("GET /api/me/tables", &[mine], "", 200).await;
    assert!(seated.body.contains("chapter"), "there is a table to compare: {seated:?}");
    ada.ask(table, Request::End).await.unwrap();
    check.ask(&of_table, &[], "", 401).await;
    for head in [&of_table, &of_game] {
        check.ask(head, &[theirs], "", 403).await;
        check.ask(head, &[mine], "", 200).await;
    }
}

/// The answers about a finished game.
async fn replays(check: &mut Check, ada: &mut Person, cookie: &str) {
    let wish = r#"{"game":"mind","players":2}"#;
    let table = begin(check, ada, cookie, wish, BotKind::Steady).await;
    let mine = ("Cookie", cookie);
    let other = check.server.name("Eve").await;
    let theirs = ("Cookie", other.as_str());
    let link = format!("POST /api/replays/{table}-1/link");
    let deal = format!("POST /api/replays/{table}-1/deal");
    let game =
        ["", "/plays.csv", "/others"].map(|part| format!("GET /api/replays/{table}-1{part}"));
    check.ask(&deal, &[mine], "{}", 404).await;
    check.ask(&link, &[mine], "", 404).await;
    for head in &game {
        check.ask(head, &[mine], "", 404).await;
    }
    let tempo = format!("GET /api/tables/{table}/tempo");
    check.ask(&tempo, &[mine], "", 404).await;
    ada.ask(table, Request::End).await.unwrap();
    check.ask(&tempo, &[], "", 401).await;
    check.ask(&tempo, &[theirs], "", 403).await;
    check.ask(&tempo, &[mine], "", 200).await;
    for (game, status) in [("1", 200), ("2", 404), ("last", 400)] {
        check.ask(&format!("{tempo}?game={game}"), &[mine], "", status).await;
    }
    check.ask(&link, &[], "", 401).await;
    check.ask(&link, &[theirs], "", 403).await;
    check.ask(&link, &[mine], "", 201).await;
    for head in &game {
        check.ask(head, &[theirs], "", 403).await;
        check.ask(head, &[mine], "", 200).await;
    }
    check.ask(&deal, &[], "{}", 401).await;
    check.ask(&deal, &[theirs], "{}", 403).await;
    check.ask(&deal, &[mine], r#"{"seed":1}"#, 400).await;
    check.ask(&deal, &[mine], "{}", 201).await;
    check.ask(&deal, &[mine], "{}", 429).await;
}

/// The answers about the record.
async fn record(check: &mut Check, cookie: &str) {
    let mine = ("Cookie", cookie);
    let other = check.server.name("Eve").await;
    let theirs = ("Cookie", other.as_str());
    let games = crate::common::counted(&check.server, cookie, 1).await;
    let (team, table) = (&games.games[0].team, games.games[0].table);
    let team = format!("GET /api/teams/{team}");
    let deal = format!("GET /api/me/games/{table}-1/deal");
    for head in [
        "GET /api/me/record",
        "GET /api/me/games?game=mind",
        "GET /api/me/export",
        "GET /api/ghosts",
        &team,
        &deal,
    ] {
        check.ask(head, &[mine], "", 200).await;
        check.ask(head, &[], "", 401).await;
    }
    check.ask("GET /api/me/games?game=chess", &[mine], "", 400).await;
    check.ask(&team, &[theirs], "", 404).await;
    check.ask(&deal, &[theirs], "", 403).await;
    check.ask("GET /api/me/games/222222-1/deal", &[mine], "", 403).await;
    check.ask("GET /api/me/games/nothing/deal", &[mine], "", 404).await;
}

#[tokio::test]
async fn what_is_not_described_is_not_done() {
    let check = Check::new(&[]).await;
    for (path, operations) in check.api["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "patch", "delete"] {
            let head = format!("{} {path}", method.to_uppercase());
            let answer = check.server.http(&head, &[], "").await;
            let known = operations.get(method).is_some();
            assert_eq!(answer.status == 405, !known, "{head}: {answer:?}");
            if !known {
                assert!(answer.body.contains("no-method"), "{answer:?}");
            }
        }
    }
    let nowhere = check.server.http("GET /api/nowhere", &[], "").await;
    assert_eq!(nowhere.status, 404);
    assert!(nowhere.body.contains("no-page"), "{nowhere:?}");
}
