//! `unspoken serve` as an operator meets it: a process, its options, its signals.

mod running;

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use running::{FREE, Running, http, operate, serve, text};

/// The server does not start, with this in what it says.
fn refuses(folder: &Path, arguments: &[&str], expected: &[&str]) {
    let output = serve(folder, arguments).output().unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for part in expected {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn sigterm_tells_all_people_keeps_everything_and_ends_in_time() {
    let folder = TempDir::new().unwrap();
    let server = Running::start(folder.path(), &FREE);
    let cookie = server.name("Ada");
    let table = server.open(&cookie);
    let mut ada = server.connect(&cookie);
    ada.say(json!({"t": "join", "table": table}));
    assert_eq!(ada.hear()["t"], "update");
    ada.say(json!({"t": "ask", "table": table, "id": 7, "request": {"sit": "B"}}));
    assert_eq!(ada.hear()["ack"], 7);

    let ending = thread::spawn(move || server.end("-TERM"));
    let bye = ada.hear();
    assert_eq!((&bye["t"], &bye["why"]), (&json!("bye"), &json!("restarting")));
    ending.join().unwrap();

    let server = Running::start(folder.path(), &FREE);
    let mut ada = server.connect(&cookie);
    ada.say(json!({"t": "join", "table": table}));
    let update = ada.hear();
    assert_eq!(update["table"]["chairs"][1]["sitter"]["person"]["name"], "Ada");
    server.end("-INT");
}

#[test]
fn a_client_that_does_not_read_its_last_word_holds_nothing_up() {
    let folder = TempDir::new().unwrap();
    let server = Running::start(folder.path(), &FREE);
    let cookie = server.name("Ada");
    let _silent = server.connect(&cookie);
    let _request_without_end = TcpStream::connect(server.address).unwrap();
    server.end("-TERM");
}

#[test]
fn logs_are_structured_and_hold_no_secret() {
    let folder = TempDir::new().unwrap();
    let more = ["--log-format", "json", "--log", "trace"];
    let server = Running::start(folder.path(), &[&FREE[..], &more].concat());
    let cookie = server.name("Ada Lovelace");
    let table = server.open(&cookie);
    let mut ada = server.connect(&cookie);
    ada.say(json!({"t": "join", "table": table}));
    ada.hear();
    ada.say(json!({"t": "say", "table": table, "id": 1, "text": "a private word"}));
    ada.hear();
    drop(ada);
    let metrics = http(server.metrics, "GET /metrics", "", "");
    assert!(metrics.contains("unspoken_tables"), "{metrics}");
    let log = server.end("-TERM");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    let lines = lines.collect::<Vec<_>>();
    assert!(lines.iter().any(|line| line["fields"]["message"] == "listening"), "{log}");
    assert!(lines.iter().all(|line| line["level"].is_string() && line["timestamp"].is_string()));
    let secret = cookie.strip_prefix("unspoken=").unwrap();
    assert!(!log.contains(secret), "the log holds a secret");
}

#[test]
fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let file = "listen = \"127.0.0.1:0\"\nmetrics = \"127.0.0.1:0\"\ndata = \"file.db\"\n\
        table-idle-s = 5\ntrusted_proxy = [\"10.0.0.1\", \"10.0.0.2\"]\n";
    fs::write(path.join("unspoken.toml"), file).unwrap();
    let start = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = serve(path, arguments);
        if let Some(variable) = variable {
            command.env("UNSPOKEN_DATA", variable);
        }
        Running::wait(command).end("-TERM");
    };
    let made = || {
        let names = ["file.db", "env.db", "line.db"];
        names.into_iter().filter(|name| path.join(name).exists()).collect::<Vec<_>>()
    };
    start(None, &[]);
    assert_eq!(made(), ["file.db"]);
    start(Some("env.db"), &[]);
    assert_eq!(made(), ["file.db", "env.db"]);
    fs::remove_file(path.join("env.db")).unwrap();
    start(Some("env.db"), &["--data", "line.db"]);
    assert_eq!(made(), ["file.db", "line.db"]);
}

#[test]
fn mistakes_in_the_file_are_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let other = path.join("other.toml");
    let check = |content: &str, expected: &[&str]| {
        fs::write(&other, content).unwrap();
        refuses(path, &["--config", "other.toml"], expected);
        refuses(path, &["--config=other.toml"], expected);
    };
    check("lisen = \"127.0.0.1:0\"", &["other.toml: there is no option lisen"]);
    check("[server]\nlisten = 1", &["other.toml: there is no option server"]);
    check("listen = {}", &["other.toml: listen is a text, a number or a list of them"]);
    check("listen = ", &["other.toml is not written as TOML"]);
    check("listen = \"here\"", &["invalid value 'here' for '--listen"]);
    check("chat-rate = \"5\"", &["AT_ONCE/PER_SECOND"]);
    check("[cluster]\nnodes = 1", &["other.toml: there is no option cluster-nodes"]);
    check("[cluster]\nname = \"Mine\"", &["a cluster's name has 1 to 32 small letters"]);
    // Nothing listens at these ports, and a password is said nowhere.
    let brokers = "[cluster]\nbrokers = [\"nats://ada:secret@127.0.0.1:9\", \"127.0.0.1:7\"]\n";
    check(brokers, &["no broker of 127.0.0.1:9, 127.0.0.1:7 answers"]);
    refuses(path, &["--config", "nowhere.toml"], &["nowhere.toml cannot be read"]);
}

/// Options that count something, with the least and the most that they take.
const COUNTS: [(&str, u64, u64); 18] = [
    ("--message-bytes", 1_024, 1_048_576),
    ("--chat-chars", 1, 10_000),
    ("--connections", 1, 1_000_000),
    ("--connections-per-person", 1, 1_000_000),
    ("--connections-per-address", 1, 1_000_000),
    ("--sockets", 1, 1_000_000),
    ("--sockets-per-address", 1, 1_000_000),
    ("--head-bytes", 8_192, 1_048_576),
    ("--headers", 16, 1_000),
    ("--spectators", 1, 10_000),
    ("--tables-per-connection", 1, 1_000),
    ("--inbox", 1, 100_000),
    ("--queue", 1, 100_000),
    ("--claim-ms-max", 0, 10_000),
    ("--hold-ms-max", 0, 10_000),
    ("--show-ms-max", 0, 10_000),
    ("--ping-ms", 50, 60_000),
    ("--silent-ms", 100, 60_000),
];

#[test]
fn every_number_of_the_server_is_checked() {
    let folder = TempDir::new().unwrap();
    for (option, least, most) in COUNTS {
        let beyond = [most + 1, u64::MAX].map(|number| number.to_string());
        let below = least.checked_sub(1).map(|number| number.to_string());
        let wrong = ["-1", "nan", "1.5", ""].map(str::to_owned);
        for value in wrong.into_iter().chain(beyond).chain(below) {
            let given = format!("{option}={value}");
            refuses(folder.path(), &[&FREE[..], &[&given]].concat(), &[option]);
        }
    }
    let wrong_rates = ["0/1", "1/0", "nan/1", "1/inf", "-1/1", "1", ""];
    let wrong_times = ["0", "-1", "nan", "inf", "1e9", ""];
    for (option, wrong) in [
        ("--message-rate", &wrong_rates[..]),
        ("--address-rate", &wrong_rates),
        ("--chat-rate", &wrong_rates),
        ("--byte-rate", &wrong_rates),
        ("--address-byte-rate", &wrong_rates),
        ("--guess-rate", &wrong_rates),
        ("--newcomer-rate", &wrong_rates),
        ("--change-rate", &wrong_rates),
        ("--table-rate", &wrong_rates),
        ("--request-s", &wrong_times),
        ("--keep-alive-s", &wrong_times),
        ("--send-s", &wrong_times),
        ("--hello-s", &wrong_times),
        ("--idle-s", &wrong_times),
        ("--table-idle-s", &wrong_times),
        ("--deals", &[""]),
    ] {
        for value in wrong {
            let given = format!("{option}={value}");
            refuses(folder.path(), &[&FREE[..], &[&given]].concat(), &[option]);
        }
    }
}

#[test]
fn people_sit_down_at_a_server_with_the_least_or_the_most_of_everything() {
    let least = COUNTS.map(|(option, least, _)| format!("{option}={least}"));
    // A connection that has just closed still counts for a moment.
    let least = least.into_iter().filter(|given| !given.starts_with("--sockets"));
    let most = COUNTS.map(|(option, _, most)| format!("{option}={most}")).into_iter();
    let times = ["request", "keep-alive", "send", "hello", "idle", "table-idle"];
    let times = times.map(|time| format!("--{time}-s=31536000"));
    let rates = ["message", "address", "chat", "byte", "address-byte", "change", "table"];
    let rates = rates.map(|rate| format!("--{rate}-rate=1e300/1e300"));
    for options in [least.collect::<Vec<_>>(), most.chain(times).chain(rates).collect()] {
        let folder = TempDir::new().unwrap();
        let options = options.iter().map(String::as_str);
        let server =
            Running::start(folder.path(), &FREE.into_iter().chain(options).collect::<Vec<_>>());
        let cookie = server.name("Ada");
        let table = server.open(&cookie);
        let mut ada = server.connect(&cookie);
        ada.say(json!({"t": "join", "table": table}));
        let joined = ada.hear();
        assert_eq!(joined["t"], "update", "{joined}");
        ada.say(json!({"t": "ask", "table": table, "id": 1, "request": {"sit": "A"}}));
        assert_eq!(ada.hear()["ack"], 1);
        let log = server.end("-TERM");
        assert!(!log.contains("panicked"), "{log}");
    }
}

#[test]
fn a_secret_of_deals_that_can_be_guessed_is_warned_of() {
    let folder = TempDir::new().unwrap();
    for (secret, warned) in [("short", true), ("3f8c1d0be4a96275", false)] {
        let deals = [&FREE[..], &["--deals", secret]].concat();
        let log = Running::start(folder.path(), &deals).end("-TERM");
        assert_eq!(log.contains("the secret of --deals is short"), warned, "{log}");
        assert!(!log.contains(secret) || secret == "short", "{log}");
    }
}

#[test]
fn a_listener_for_other_machines_needs_a_public_address() {
    let folder = TempDir::new().unwrap();
    let all = ["--listen", "0.0.0.0:0", "--metrics", "127.0.0.1:0"];
    let warning = "pages on other machines will be refused";
    let log = Running::start(folder.path(), &all).end("-TERM");
    let line = log.lines().find(|line| line.contains(warning)).expect(&log);
    assert!(line.contains("WARN") && line.contains("--public-url http://192.168.1.5:"), "{line}");
    let named = [&all[..], &["--public-url", "http://192.168.1.5:8080"]].concat();
    for quiet in [&named[..], &FREE] {
        let log = Running::start(folder.path(), quiet).end("-TERM");
        assert!(log.contains("listening") && !log.contains(warning), "{quiet:?}: {log}");
    }
}

#[test]
fn a_file_that_is_taken_away_is_logged_and_so_is_its_return() {
    let folder = TempDir::new().unwrap();
    let server = Running::start(folder.path(), &FREE);
    let (file, away) = (folder.path().join("unspoken.db"), folder.path().join("away.db"));
    fs::rename(&file, &away).unwrap();
    server.until_logged("the journal stores nothing now");
    server.until_logged("deleted or replaced while the server used it");
    let answer = http(server.address, "POST /api/me", "", r#"{"name":"Ada"}"#);
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("not-kept"), "{answer}");
    fs::rename(&away, &file).unwrap();
    server.until_logged("the data file is back under its name");
    server.name("Ada");
    let log = server.end("-TERM");
    assert_eq!(log.matches("the journal stores nothing now").count(), 1, "{log}");
}

#[test]
fn what_is_in_use_is_named() {
    let folder = TempDir::new().unwrap();
    let server = Running::start(folder.path(), &FREE);
    refuses(
        folder.path(),
        &FREE,
        &["another server uses", "unspoken.db: stop it, or give this one another file"],
    );
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let listen = ["--listen", &address, "--metrics", "127.0.0.1:0", "--data", "other.db"];
    let text = format!("cannot listen at {address}, choose another with --listen");
    refuses(folder.path(), &listen, &[&text, "in use"]);
    let metrics = ["--listen", "127.0.0.1:0", "--metrics", &address, "--data", "other.db"];
    let text = format!("cannot listen at {address}, choose another with --metrics");
    refuses(folder.path(), &metrics, &[&text, "in use"]);
    refuses(folder.path(), &[&FREE[..], &["--data", "no/x.db"]].concat(), &["make it first"]);
    server.end("-TERM");
}

#[test]
fn systemd_is_told_when_it_is_ready_and_when_it_stops() {
    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("notify");
    let heard = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    heard.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let word = || {
        let mut bytes = [0; 64];
        let length = heard.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    };
    let mut command = serve(folder.path(), &FREE);
    command.env("NOTIFY_SOCKET", &socket);
    let server = Running::wait(command);
    assert_eq!(word(), "READY=1");
    server.end("-TERM");
    assert_eq!(word(), "STOPPING=1");
}

#[test]
fn a_healthcheck_asks_whether_the_server_is_ready() {
    let folder = TempDir::new().unwrap();
    let asked = |listen: &str, json: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspoken"));
        command.args(["healthcheck", "--listen", listen]).env_clear();
        if json {
            command.arg("--json");
        }
        command.output().unwrap()
    };
    let server = Running::start(folder.path(), &FREE);
    let address = server.address.to_string();
    let ready = asked(&address, false);
    assert_eq!((ready.status.code(), ready.stdout.as_slice()), (Some(0), &b"ready\n"[..]));
    server.end("-TERM");
    let gone = asked(&address, true);
    assert_eq!(gone.status.code(), Some(1));
    let health = serde_json::from_slice::<Value>(&gone.stdout).unwrap();
    assert_eq!(health["ready"], json!(false));
}

#[test]
fn a_backup_is_made_beside_a_running_server_and_restored() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let cookie = server.name("Ada");
    let saved = server.open(&cookie);
    let (code, printed) = operate(path, &["backup", "saved.db"]);
    assert_eq!((code, &printed["file"]), (Some(0), &json!("saved.db")), "{printed}");
    assert_eq!(printed["bytes"], fs::metadata(path.join("saved.db")).unwrap().len());
    let (code, printed) = operate(path, &["backup", "saved.db"]);
    assert_eq!(code, Some(2));
    assert!(printed.to_string().contains("name another one"), "{printed}");
    let lost = server.open(&cookie);
    let (code, printed) = operate(path, &["restore", "saved.db"]);
    assert_eq!(code, Some(2));
    assert!(printed.to_string().contains("another server uses"), "{printed}");
    server.end("-TERM");

    let (code, printed) = operate(path, &["restore", "saved.db"]);
    assert_eq!((code, &printed["file"]), (Some(0), &json!("unspoken.db")), "{printed}");
    assert!(printed["before"].as_str().unwrap().ends_with("unspoken.db.before-1"), "{printed}");
    let server = Running::start(path, &FREE);
    let mut ada = server.connect(&cookie);
    ada.say(json!({"t": "join", "table": saved}));
    assert_eq!(ada.hear()["t"], "update");
    ada.say(json!({"t": "join", "table": lost}));
    let refused = loop {
        let heard = ada.hear();
        if heard["t"] == "refused" {
            break heard;
        }
    };
    assert_eq!(refused["code"], "no-table", "{refused}");
    drop(ada);
    server.end("-TERM");

    // The backup was made before it was noted, so the restored file does not know of it.
    let (code, audit) = operate(path, &["audit"]);
    assert_eq!((code, &audit["total"]), (Some(0), &json!(1)), "{audit}");
    let line = &audit["lines"][0];
    assert_eq!((&line["did"], &line["file"]), (&json!("restore"), &json!("saved.db")), "{audit}");
    assert!(line["at_s"].as_u64() > Some(1_700_000_000) && line["user"].is_u64(), "{audit}");
    let (code, before) = operate(path, &["audit", "--data", "unspoken.db.before-1"]);
    assert_eq!((code, &before["total"]), (Some(0), &json!(1)), "what was refused is not there");
    assert_eq!(before["lines"][0]["did"], "backup", "{before}");
}

#[test]
fn a_check_names_the_tables_that_are_damaged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let cookie = server.name("Ada");
    let tables = [server.open(&cookie), server.open(&cookie)];
    let (code, printed) = operate(path, &["check"]);
    assert_eq!(code, Some(0), "{printed}");
    let expected = json!({
        "file": "unspoken.db", "sound": true, "integrity": [], "tables": 2, "games": 0,
        "lines": printed["lines"], "without_checksum": 0, "damaged": [],
    });
    assert_eq!(printed, expected);
    assert!(printed["lines"].as_u64() >= Some(2), "{printed}");
    server.end("-TERM");

    let journal = journal::Sqlite::open(path.join("unspoken.db"), journal::Options::default());
    let journal = journal.unwrap();
    let key = tables[1].parse::<journal::Key>().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let found = runtime.block_on(journal::Journal::read(&journal, &key, 0)).unwrap().len() as u64;
    let lines = vec!["nonsense".into()];
    runtime.block_on(journal::Journal::append(&journal, &key, found, lines, None)).unwrap();
    drop(journal);
    let (code, printed) = operate(path, &["check"]);
    assert_eq!((code, &printed["sound"]), (Some(1), &json!(false)), "{printed}");
    let damaged = printed["damaged"].as_array().unwrap();
    assert_eq!((damaged.len(), &damaged[0]["table"]), (1, &json!(tables[1])), "{printed}");
    let error = damaged[0]["error"].as_str().unwrap();
    assert!(error.contains(&format!("line {}", found + 1)), "{printed}");

    // A letter that is another one than was written, in a file that is sound to SQLite.
    let mut bytes = fs::read(path.join("unspoken.db")).unwrap();
    let places = bytes.windows(8).enumerate().filter(|(_, bytes)| bytes == b"nonsense");
    let places = places.map(|(place, _)| place).collect::<Vec<_>>();
    for place in &places {
        bytes[*place] = b'm';
    }
    assert!(!places.is_empty());
    fs::write(path.join("unspoken.db"), bytes).unwrap();
    let (code, printed) = operate(path, &["check"]);
    assert_eq!((code, &printed["integrity"]), (Some(1), &json!([])), "{printed}");
    let error = format!("line {} of table {} is not as it was written", found + 1, tables[1]);
    assert_eq!(printed["damaged"], json!([{"table": tables[1], "error": error}]), "{printed}");
    let (code, printed) = operate(path, &["check", "--data", "nowhere.db"]);
    assert_eq!(code, Some(2), "{printed}");
}

#[test]
fn below_a_path_everything_is_found_with_it_and_without() {
    let folder = TempDir::new().unwrap();
    let below = ["--base-path", "/games/unspoken/"];
    let server = Running::start(folder.path(), &[&FREE[..], &below].concat());
    for path in ["/games/unspoken", "/games/unspoken/", "/games/unspoken/table/k3f9ab", "/me"] {
        let page = http(server.address, &format!("GET {path}"), "", "");
        assert!(page.starts_with("HTTP/1.1 200"), "{path}: {page}");
        assert!(page.contains("href=\"/games/unspoken/manifest.webmanifest\""), "{path}: {page}");
    }
    let icon = http(server.address, "GET /games/unspoken/icon.svg", "", "");
    assert!(icon.contains("content-type: image/svg+xml"), "{icon}");
    let named = http(server.address, "POST /games/unspoken/api/me", "", r#"{"name":"Ada"}"#);
    assert!(named.contains("; Path=/games/unspoken; "), "{named}");
    let other = http(server.address, "GET /games/unspokenly/api/me", "", "");
    assert!(other.starts_with("HTTP/1.1 404"), "{other}");
    let (code, found) = operate(folder.path(), &["doctor"]);
    assert_eq!(code, Some(0), "{found}");
    assert!(found.to_string().contains("/games/unspoken leads to a server"), "{found}");
    server.end("-TERM");
    refuses(folder.path(), &["--base-path", "games"], &["write it as /games/unspoken"]);
}
