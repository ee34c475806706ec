//! Studies from the operator's side: the example is rehearsed whole, and its data is what it says.

mod running;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use running::{FREE, Running, http, operate};
use serde_json::{Value, json};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/tempo-report.toml");

/// Runs a command; its exit code and what it prints.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_unspoken")).args(arguments).output().unwrap();
    let printed = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

/// The rows of a table, each by the names of its columns.
fn table(folder: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head = lines.next().unwrap().collect::<Vec<_>>();
    lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect()
}

#[test]
fn the_examples_are_right_and_a_wrong_file_says_why() {
    let level = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/jspsych/one-level.toml");
    for file in [EXAMPLE, level] {
        let (code, said) = run(&["study", "check", file]);
        assert_eq!(code, Some(0), "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.toml");
    let text = fs::read_to_string(EXAMPLE).unwrap().replace("limit_s = 300", "limit_s = 0");
    fs::write(&wrong, text).unwrap();
    let (code, said) = run(&["study", "check", wrong.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("waiting.limit_s: write 1 to 3600 seconds"), "{said}");
}

#[test]
fn the_example_is_rehearsed() {
    let folder = tempfile::tempdir().unwrap();
    // Two levels take seconds.
    let file = folder.path().join("short.toml");
    let text = fs::read_to_string(EXAMPLE).unwrap().replace("levels=6", "levels=2");
    fs::write(&file, &text).unwrap();
    let to = folder.path().join("data");
    let (file, out) = (file.to_str().unwrap(), to.to_str().unwrap());
    let (code, said) =
        run(&["study", "rehearse", file, "--participants", "4", "--to", out, "--minutes", "3"]);
    assert_eq!(code, Some(0), "{said}");

    let people = table(&to, "participants");
    let ends = people.iter().map(|row| row["end"].as_str()).collect::<Vec<_>>();
    assert_eq!(ends, ["completed"; 4], "{said}");
    let groups = table(&to, "groups");
    let mut conditions = groups.iter().map(|row| row["condition"].as_str()).collect::<Vec<_>>();
    conditions.sort_unstable();
    assert_eq!(conditions, ["no-report", "report"]);
    assert_eq!(table(&to, "games").len(), 4);

    let presses = table(&to, "presses");
    let cards = presses.iter().filter(|row| !row["card"].is_empty()).collect::<Vec<_>>();
    assert!(cards.len() >= 4, "{} cards", cards.len());
    for row in cards {
        for column in ["participant", "claimed_us", "arrived_us", "bound_us", "round_trip_us"] {
            assert!(!row[column].is_empty(), "{column} is missing in {row:?}");
        }
        assert_eq!((row["input"].as_str(), row["width_px"].as_str()), ("other", "1280"));
        assert!(!row["seen_seq"].is_empty(), "{row:?}");
    }
    let deals = table(&to, "deals");
    let commitment = |condition: &str, game: &str| {
        let is_meant = |row: &&BTreeMap<_, _>| row["condition"] == condition && row["game"] == game;
        deals.iter().find(is_meant).unwrap()["commitment"].clone()
    };
    for game in ["1", "2"] {
        assert_eq!(commitment("report", game), commitment("no-report", game));
    }
    assert_ne!(commitment("report", "1"), commitment("report", "2"));

    let dictionary = table(&to, "dictionary");
    assert!(dictionary.len() > 60, "{} columns", dictionary.len());
    assert!(dictionary.iter().all(|row| !row["says"].is_empty()));
    assert_eq!(fs::read_to_string(to.join("study.toml")).unwrap(), text);
    let left_out = fs::read_to_string(to.join("left-out.txt")).unwrap();
    assert!(left_out.contains("rehearsal with simulated participants: 4 completed"), "{left_out}");
}

/// A study with a bot, whose file has everything stored.
const ALONE: &str = r#"
[study]
name = "alone"
title.en = "Alone"
languages = ["en"]
[consent]
version = "1"
information.en = "What it is about."
text.en = "I take part."
[link]
store = true
embedders = ["https://lab.example.org"]
[[questionnaires]]
id = "before"
when = "before"
title.en = "Before"
[[questionnaires.items]]
id = "remark"
text.en = "What else?"
answer.text = {}
[[conditions]]
name = "bot"
partners = ["kindred"]
[[conditions.games]]
game = "mind"
setup = "levels=2"
[endings.completed]
code = "DONE"
[data]
retention_days = 30
"#;

/// A request of a participant; the answer's head and body.
fn ask(server: &Running, head: &str, cookie: &str, body: &Value) -> (String, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let more = if cookie.is_empty() { String::new() } else { format!("Cookie: {cookie}\r\n") };
    let answer = http(server.address, head, &more, &body);
    let (head, body) = answer.split_once("\r\n\r\n").expect(&answer);
    (head.to_owned(), serde_json::from_str(body).unwrap_or(Value::Null))
}

fn cookie_of(head: &str) -> String {
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    cookie.expect(head).split(';').next().unwrap().to_owned()
}

/// Whether the data file or its log has this text anywhere.
fn is_in_file(folder: &Path, text: &str) -> bool {
    ["unspoken.db", "unspoken.db-wal"].iter().any(|name| {
        let bytes = fs::read(folder.join(name)).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

#[test]
fn a_participant_withdraws_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("alone.toml"), ALONE).unwrap();
    let server = Running::start(path, &FREE);
    let (code, added) = operate(path, &["study", "add", "alone.toml"]);
    assert_eq!((code, &added["changed"], &added["open"]), (Some(0), &json!(true), &json!(true)));
    let (_, again) = operate(path, &["study", "add", "alone.toml"]);
    assert_eq!(again["changed"], json!(false));

    let study = "/api/study/alone";
    let (head, page) = ask(&server, &format!("GET {study}"), "", &Value::Null);
    assert!(page["step"]["arrive"].is_object(), "{head} {page}");
    let (head, _) = ask(&server, "GET /study/alone", "", &Value::Null);
    assert!(head.contains("frame-ancestors https://lab.example.org;"), "{head}");
    let (head, _) = ask(&server, "GET /learn", "", &Value::Null);
    assert!(head.contains("frame-ancestors 'none';") && head.contains("DENY"), "{head}");

    let arrival = |id: &str| json!({ "parameters": { "PROLIFIC_PID": id }, "language": "de", "embedded": false });
    let arrive = format!("POST {study}/arrival");
    let (head, page) = ask(&server, &arrive, "", &arrival("secret-panel-id"));
    let cookie = cookie_of(&head);
    assert!(page["step"]["consent"].is_object(), "{page}");
    let consent = json!({ "given": true, "version": "1" });
    let (_, page) = ask(&server, &format!("POST {study}/consent"), &cookie, &consent);
    assert_eq!(page["step"]["questionnaire"]["id"], "before", "{page}");
    let answers = json!({
        "to": { "questionnaire": "before" },
        "answers": { "remark": { "text": "a secret remark" } },
        "took_ms": 5,
    });
    ask(&server, &format!("POST {study}/answers"), &cookie, &answers);
    let started = Instant::now();
    let table = loop {
        let (_, page) = ask(&server, &format!("GET {study}"), &cookie, &Value::Null);
        if let Some(table) = page["step"]["playing"]["table"].as_str() {
            break table.to_owned();
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{page}");
        thread::sleep(Duration::from_millis(50));
    };
    let (_, page) = ask(&server, &arrive, &cookie, &arrival("secret-panel-id"));
    assert_eq!(page["step"]["playing"]["table"], table.as_str(), "coming back");
    let (_, page) = ask(&server, &arrive, "", &arrival("secret-panel-id"));
    assert_eq!(page["step"]["ended"]["end"], "second-try", "with another browser");
    // Another person finds neither seat nor view at the table.
    let mut other = server.connect(&server.name("Eve"));
    other.say(json!({ "t": "join", "table": table }));
    let refused = other.hear();
    assert_eq!((&refused["t"], &refused["code"]), (&json!("refused"), &json!("in-study")));

    assert!(is_in_file(path, "a secret remark") && is_in_file(path, "secret-panel-id"));
    let (_, page) = ask(&server, &format!("DELETE {study}"), &cookie, &Value::Null);
    assert_eq!(page["step"]["ended"]["end"], "withdrawn", "{page}");
    let started = Instant::now();
    while is_in_file(path, "a secret remark") || is_in_file(path, "secret-panel-id") {
        assert!(started.elapsed() < Duration::from_secs(30), "it is still in the file");
        thread::sleep(Duration::from_millis(100));
    }

    operate(path, &["study", "close", "alone"]);
    for folder in ["one", "two"] {
        let (code, said) = operate(path, &["study", "export", "alone", "--to", folder]);
        assert_eq!((code, &said["rows"]["participants"]), (Some(0), &json!(0)), "{said}");
    }
    let files = fs::read_dir(path.join("one")).unwrap().map(|entry| entry.unwrap().file_name());
    let files = files.collect::<Vec<_>>();
    assert!(files.len() >= 16, "{files:?}");
    for file in files {
        let [one, two] = ["one", "two"].map(|to| fs::read(path.join(to).join(&file)).unwrap());
        assert_eq!(one, two, "{file:?}");
    }
    let (_, listed) = operate(path, &["study", "list"]);
    let line = &listed["studies"][0];
    assert_eq!((&line["open"], &line["ended"]["withdrawn"]), (&json!(false), &json!(1)));
    assert!(line["deals"][0]["seed"].is_string(), "{line}");
}
