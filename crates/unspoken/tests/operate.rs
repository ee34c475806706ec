//! The operator's tools beside a running server, and on its file when it is down.

mod running;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use running::{FREE, Person, Running, http, operate};

/// The next message of this kind.
fn hear(person: &mut Person, kind: &str) -> Value {
    loop {
        let heard = person.hear();
        if heard["t"] == kind {
            return heard;
        }
    }
}

fn join(person: &mut Person, table: &str) -> Value {
    person.say(json!({"t": "join", "table": table}));
    loop {
        let update = hear(person, "update");
        if update["code"] == table {
            return update;
        }
    }
}

/// A command that is done.
fn done(folder: &Path, arguments: &[&str]) -> Value {
    let (code, printed) = operate(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {printed}");
    printed
}

/// A command that is refused with this in what it says.
fn refused(folder: &Path, arguments: &[&str], expected: &str) {
    let (code, printed) = operate(folder, arguments);
    assert_eq!(code, Some(2), "{arguments:?}: {printed}");
    assert!(printed.to_string().contains(expected), "{arguments:?}: {printed}");
}

#[test]
fn tables_and_people_are_listed_beside_a_server_and_without_one() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    refused(path, &["tables"], "name the server's --data");
    let server = Running::start(path, &FREE);
    assert_eq!(done(path, &["tables"]), json!({"tables": [], "total": 0}));
    let (ada, ben) = (server.name("Ada"), server.name("Ben"));
    let tables = [server.open(&ada), server.open(&ben)];
    let mut page = server.connect(&ada);
    join(&mut page, &tables[0]);
    page.say(json!({"t": "ask", "table": tables[0], "id": 1, "request": {"sit": "A"}}));
    hear(&mut page, "update");

    let list = done(path, &["tables"]);
    assert_eq!(list["total"], 2, "{list}");
    let line = |list: &Value, table: &str| {
        let lines = list["tables"].as_array().unwrap();
        lines.iter().find(|line| line["table"] == table).unwrap_or_else(|| panic!("{list}")).clone()
    };
    let first = line(&list, &tables[0]);
    let expected = json!({
        "table": tables[0], "game": "mind", "awake": true, "stage": "open", "public": false,
        "seated": 1, "chairs": 2, "people": 1, "changed_s": first["changed_s"],
    });
    assert_eq!(first, expected);
    assert!(first["changed_s"].as_u64() > Some(1_700_000_000), "{first}");
    let (code, second) = operate(path, &["tables", "--most", "1", "--page", "2"]);
    assert_eq!((code, &second["total"]), (Some(0), &json!(2)), "{second}");
    assert_eq!(second["tables"].as_array().unwrap().len(), 1, "{second}");

    let people = done(path, &["people"]);
    assert_eq!(people["total"], 2, "{people}");
    let known = done(path, &["people", "--name", "aD"]);
    assert_eq!((&known["total"], &known["people"][0]["name"]), (&json!(1), &json!("Ada")));
    assert_eq!(known["people"][0]["online"], true);
    drop(page);
    server.end("-TERM");

    let list = done(path, &["tables"]);
    let slept = line(&list, &tables[0]);
    assert_eq!((&slept["awake"], &slept["people"]), (&json!(false), &json!(0)), "{slept}");
    assert!(slept["changed_s"].as_u64() >= first["changed_s"].as_u64(), "{slept}");
    let known = done(path, &["people", "--name", "ada"]);
    let seen = known["people"][0]["seen_s"].as_u64();
    assert!(seen > Some(1_700_000_000) && known["people"][0]["online"] == false, "{known}");
    for wrong in [["--page", "0"], ["--most", "0"], ["--most", "1001"], ["--page", "x"]] {
        refused(path, &["tables", wrong[0], wrong[1]], wrong[0]);
    }
}

#[test]
fn a_closed_table_tells_its_people_sleeps_and_can_be_woken() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let cookie = server.name("Ada");
    let table = server.open(&cookie);
    let mut ada = server.connect(&cookie);
    join(&mut ada, &table);
    ada.say(json!({"t": "ask", "table": table, "id": 1, "request": {"sit": "B"}}));
    hear(&mut ada, "update");
    let closed = done(path, &["close", &table]);
    assert_eq!(closed, json!({"table": table, "people": 1, "was_awake": true}));
    let told = hear(&mut ada, "refused");
    assert_eq!((&told["table"], &told["code"]), (&json!(table), &json!("table-closed")));
    let list = done(path, &["tables"]);
    assert_eq!(list["tables"][0]["awake"], false, "{list}");
    let again = done(path, &["close", &table]);
    assert_eq!(again["was_awake"], false, "{again}");
    // The connection is still open, and the same seat is there.
    let update = join(&mut ada, &table);
    assert_eq!(update["table"]["chairs"][1]["sitter"]["person"]["name"], "Ada", "{update}");
    refused(path, &["close", "zzzzzz"], "there is no table zzzzzz");
    refused(path, &["close", "no-code"], "no-code");
    server.end("-TERM");
}

#[test]
fn the_socket_file_is_its_owners_and_goes_with_the_server() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let socket = path.join("unspoken.db.control");
    // Left behind by a server that was killed.
    drop(UnixListener::bind(&socket).unwrap());
    let server = Running::start(path, &FREE);
    let metadata = fs::symlink_metadata(&socket).unwrap();
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    assert_eq!(done(path, &["tables"])["total"], 0);
    server.end("-TERM");
    assert!(!socket.exists());

    // What is no socket is not deleted.
    fs::write(&socket, "mine").unwrap();
    let server = Running::start(path, &FREE);
    server.until_logged("is no socket: move it away");
    server.end("-TERM");
    assert_eq!(fs::read_to_string(&socket).unwrap(), "mine");
}

/// The files of a folder that contain a text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if fs::symlink_metadata(&path).unwrap().is_file() {
            let bytes = fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|part| part == text.as_bytes()) {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found
}

/// Sits down, gives the other seat to a bot and starts a game.
fn play(person: &mut Person, table: &str, id: u32) {
    join(person, table);
    let requests =
        [json!({"sit": "A"}), json!({"add-bot": {"seat": "B", "kind": "steady"}}), json!("start")];
    for (request, id) in requests.into_iter().zip(id..) {
        person.say(json!({"t": "ask", "table": table, "id": id, "request": request}));
        loop {
            let heard = person.hear();
            assert_ne!(heard["t"], "refused", "{heard}");
            if heard["ack"] == id {
                break;
            }
        }
    }
}

#[test]
fn a_forgotten_name_is_in_no_byte_of_any_file_and_games_are_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let (xantippe, ben) = (server.name("Xantippe"), server.name("Ben"));
    let tables = [server.open(&xantippe), server.open(&ben), server.open(&ben)];
    let (mut page, mut other) = (server.connect(&xantippe), server.connect(&ben));
    // One table sleeps with her name, at one a game is on, at one Ben removes her.
    play(&mut page, &tables[0], 1);
    done(path, &["close", &tables[0]]);
    hear(&mut page, "refused");
    play(&mut page, &tables[1], 10);
    join(&mut other, &tables[2]);
    other.say(json!({"t": "ask", "table": tables[2], "id": 1, "request": {"sit": "A"}}));
    hear(&mut other, "update");
    join(&mut page, &tables[2]);
    page.say(json!({"t": "ask", "table": tables[2], "id": 20, "request": {"sit": "B"}}));
    loop {
        let heard = hear(&mut other, "update");
        if heard["table"]["chairs"][1]["sitter"]["person"]["name"] == "Xantippe" {
            break;
        }
    }
    other.say(json!({"t": "ask", "table": tables[2], "id": 2, "request": {"kick": "B"}}));
    while hear(&mut other, "update")["ack"] != 2 {}
    assert!(!files_with(path, "Xantippe").is_empty());

    refused(path, &["forget", "xyz"], "8 to 64 digits");
    refused(path, &["forget", "0123456789"], "no person has an id that begins with 0123456789");
    let people = done(path, &["people", "--name", "xantippe"]);
    let id = people["people"][0]["person"].as_str().unwrap();
    let forgotten = done(path, &["forget", &id[..12]]);
    assert_eq!(forgotten["person"], id, "{forgotten}");
    assert!(forgotten["lines"].as_u64() >= Some(4), "{forgotten}");
    assert_eq!(files_with(path, "Xantippe"), [""; 0]);
    let bye = hear(&mut page, "bye");
    assert_eq!(bye["why"], "deleted");
    let people = done(path, &["people"]);
    assert_eq!((&people["total"], &people["people"][0]["name"]), (&json!(1), &json!("Ben")));
    // Play goes on, and the table writes no name.
    let update = join(&mut other, &tables[1]);
    assert_eq!(update["table"]["chairs"][0]["sitter"]["person"]["name"], "someone", "{update}");
    drop((page, other));
    server.end("-TERM");
    assert_eq!(files_with(path, "Xantippe"), [""; 0]);

    let (code, checked) = operate(path, &["check"]);
    assert_eq!((code, &checked["sound"]), (Some(0), &json!(true)), "{checked}");
    assert_eq!((&checked["tables"], &checked["games"]), (&json!(3), &json!(2)), "{checked}");
    let again = done(path, &["forget", id]);
    assert_eq!(again["lines"], 0, "a person who was deleted is known by the whole id");
}

/// Deletes themselves on the page: the name stays in the journal until the operator cleans up.
#[test]
fn the_names_of_people_who_deleted_themselves_are_taken_out_of_the_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let cookie = server.name("Xantippe");
    let table = server.open(&cookie);
    let mut page = server.connect(&cookie);
    join(&mut page, &table);
    page.say(json!({"t": "ask", "table": table, "id": 1, "request": {"sit": "A"}}));
    while hear(&mut page, "update")["ack"] != 1 {}
    let more = format!("Cookie: {cookie}\r\n");
    let answer = http(server.address, "DELETE /api/me", &more, "");
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    server.end("-TERM");
    assert_eq!(files_with(path, "Xantippe"), ["unspoken.db"]);
    let cleaned = done(path, &["forget", "--deleted"]);
    assert_eq!(cleaned["person"], Value::Null, "{cleaned}");
    assert!(cleaned["lines"].as_u64() >= Some(1), "{cleaned}");
    assert_eq!(files_with(path, "Xantippe"), [""; 0]);
    refused(path, &["forget"], "<PERSON>");
    refused(path, &["forget", "--deleted", "0123456789"], "cannot be used with");
}

/// The close reason of a connection that the server ends at once.
fn farewell(server: &Running, cookie: &str) -> Value {
    let mut page = server.try_connect(cookie);
    hear(&mut page, "bye")["why"].clone()
}

#[test]
fn a_blocked_person_or_address_is_refused_until_it_is_unblocked() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let options = [&FREE[..], &["--trusted-proxy", "127.0.0.9"]].concat();
    let server = Running::start(path, &options);
    let (ada, ben) = (server.name("Ada"), server.name("Ben"));
    let people = done(path, &["people", "--name", "Ada"]);
    let id = people["people"][0]["person"].as_str().unwrap().to_owned();
    let mut page = server.connect(&ada);
    let blocked = done(path, &["block", &id[..8]]);
    let subject = format!("person {id}");
    assert_eq!(blocked, json!({"subject": subject, "changed": true, "connections": 1}));
    assert_eq!(hear(&mut page, "bye")["why"], "blocked");
    assert_eq!(farewell(&server, &ada), "blocked");
    let wish = |cookie: &str| {
        let more = format!("Cookie: {cookie}\r\n");
        http(server.address, "POST /api/tables", &more, r#"{"game":"mind","players":2}"#)
    };
    let answer = wish(&ada);
    assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("\"blocked\""), "{answer}");
    assert!(wish(&ben).starts_with("HTTP/1.1 201"));
    assert_eq!(done(path, &["block", &id[..8]])["changed"], false);
    let list = done(path, &["blocks"]);
    assert_eq!(
        (&list["blocks"][0]["subject"], list["blocks"].as_array().unwrap().len()),
        (&json!(subject), 1)
    );
    server.end("-TERM");

    // It is kept over a restart, and can be changed while the server is down.
    done(path, &["block", "127.0.0.1"]);
    let server = Running::start(path, &options);
    assert_eq!(farewell(&server, &ben), "blocked");
    let answer = http(server.address, "GET /api/tables", "", "");
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let more = format!("Cookie: {ada}\r\n");
    let answer = http(server.address, "GET /api/me", &more, "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(http(server.address, "GET /healthz", "", "").starts_with("HTTP/1.1 200"));
    done(path, &["unblock", "127.0.0.1"]);
    assert_eq!(farewell(&server, &ada), "blocked");
    drop(server.connect(&ben));
    done(path, &["unblock", &id[..10]]);
    drop(server.connect(&ada));
    refused(path, &["unblock", &id[..10]], "is not blocked");
    refused(path, &["block", "127.0.0.9"], "is a trusted proxy");
    refused(path, &["block", "ada"], "write an IP address");
    refused(path, &["block", "0123456789"], "no person has an id");
    let audit = done(path, &["audit"]);
    let did = audit["lines"].as_array().unwrap().iter().map(|line| line["did"].clone());
    assert_eq!(did.collect::<Vec<_>>(), ["unblock", "unblock", "block", "block"]);
    server.end("-TERM");
}

#[test]
fn an_announcement_reaches_everyone_who_is_connected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let cookies = [server.name("Ada"), server.name("Ben")];
    let mut pages = cookies.map(|cookie| server.connect(&cookie));
    let text = "back at ten: a new version";
    let announced = done(path, &["announce", text]);
    assert_eq!(announced, json!({"text": text, "connections": 2}));
    for page in &mut pages {
        assert_eq!(hear(page, "announcement")["text"], text);
    }
    refused(path, &["announce", "  "], "1 to 300 characters");
    refused(path, &["announce", &"x".repeat(301)], "1 to 300 characters");
    drop(pages);
    server.end("-TERM");
}

/// The times of tables are set back in the file: a test cannot wait for days.
#[test]
fn old_tables_are_pruned_after_a_dry_run() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let server = Running::start(path, &FREE);
    let cookie = server.name("Ada");
    let tables = [server.open(&cookie), server.open(&cookie)];
    let mut page = server.connect(&cookie);
    play(&mut page, &tables[0], 1);
    drop(page);
    server.end("-TERM");
    let journal = journal::Sqlite::open(path.join("unspoken.db"), journal::Options::default());
    let journal = journal.unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for table in &tables {
        let key = table.parse::<journal::Key>().unwrap();
        runtime.block_on(journal::Operations::touch(&journal, &key, 1_700_000_000)).unwrap();
    }
    drop(journal);

    let server = Running::start(path, &FREE);
    let both = done(path, &["prune", "--keep-sleeping-days", "30"]);
    assert_eq!((&both["removed"], &both["sleeping"]), (&json!(false), &json!(2)), "{both}");
    // A table in memory is left alone.
    let mut page = server.connect(&cookie);
    join(&mut page, &tables[1]);
    let dry = done(path, &["prune", "--keep-sleeping-days", "30"]);
    let expected = json!({
        "removed": false, "finished": 0, "sleeping": 1, "games": 0, "unknown": 0,
        "tables": [tables[0]],
    });
    assert_eq!(dry, expected);
    let other = done(path, &["prune", "--keep-finished-days", "30", "--really"]);
    assert_eq!((&other["finished"], &other["sleeping"]), (&json!(0), &json!(0)), "{other}");
    assert_eq!(done(path, &["tables"])["total"], 2);
    let pruned = done(path, &["prune", "--keep-sleeping-days", "30", "--really"]);
    assert_eq!((&pruned["removed"], &pruned["sleeping"]), (&json!(true), &json!(1)), "{pruned}");
    let list = done(path, &["tables"]);
    assert_eq!((&list["total"], &list["tables"][0]["table"]), (&json!(1), &json!(tables[1])));
    page.say(json!({"t": "join", "table": tables[0]}));
    loop {
        let heard = hear(&mut page, "refused");
        if heard["code"] == "no-table" {
            break;
        }
    }
    let (code, checked) = operate(path, &["check"]);
    assert_eq!((code, &checked["sound"]), (Some(0), &json!(true)), "{checked}");
    refused(path, &["prune"], "--keep-sleeping-days");
    refused(path, &["prune", "--keep-finished-days", "0"], "--keep-finished-days");
    server.end("-TERM");
}

/// The level of each check of `unspoken doctor`, and its exit code.
fn diagnosis(folder: &Path) -> (Option<i32>, Vec<(String, String)>, Value) {
    let (code, printed) = operate(folder, &["doctor"]);
    let findings = printed["findings"].as_array().unwrap_or_else(|| panic!("{printed}"));
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let levels = findings.iter().map(|it| (word(&it["check"]), word(&it["level"]))).collect();
    (code, levels, printed)
}

#[test]
fn the_doctor_reaches_the_server_as_a_browser_does() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let level = |levels: &[(String, String)], check: &str| {
        let found =
            levels.iter().filter(|(name, _)| name == check).map(|(_, level)| level.as_str());
        found.collect::<Vec<_>>().join(" ")
    };
    let server = Running::start(path, &FREE);
    let (code, levels, printed) = diagnosis(path);
    assert_eq!((code, &printed["well"]), (Some(0), &json!(true)), "{printed}");
    for check in ["server", "clock", "address", "origin", "socket"] {
        assert_eq!(level(&levels, check), "fine", "{check}: {printed}");
    }
    assert_eq!(done(path, &["people"])["total"], 0, "the doctor leaves no person behind");
    server.end("-TERM");

    // Pages at an address where another program listens.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = format!("http://{}", taken.local_addr().unwrap());
    thread::spawn(move || {
        for stream in taken.incoming() {
            let mut stream = stream.unwrap();
            let _gone = stream.read(&mut [0; 4096]);
            let _gone = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
        }
    });
    let server = Running::start(path, &[&FREE[..], &["--public-url", &other]].concat());
    let (code, levels, printed) = diagnosis(path);
    assert_eq!((code, level(&levels, "address").as_str()), (Some(1), "wrong"), "{printed}");
    let advice = printed["findings"].to_string();
    assert!(advice.contains("correct --public-url"), "{printed}");
    server.end("-TERM");

    let (code, levels, printed) = diagnosis(path);
    assert_eq!((code, level(&levels, "server").as_str()), (Some(0), "warning"), "{printed}");
}
