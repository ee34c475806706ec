//! Faults of the disk and the file: a move that cannot be stored is refused, and play goes on when
//! the cause is gone.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};
use std::time::Duration;

use crate::common::scenes::{act, look, lowest, missing, phase, playing, seat};
use crate::common::{PATIENCE, Person, Server, truth};
use rules::kit::Seat;
use rusqlite::Connection;
use tempfile::TempDir;
use tokio::time::timeout;
use wire::{CloseReason, Code, Request, ServerMessage};

/// A table of The Mind for two.
const TWO: &str = r#"{"game":"mind","players":2}"#;

/// Runs a program of the system; returns whether it succeeded.
fn system(program: &str, arguments: &[&str]) -> bool {
    let mut command = Program::new(program);
    let command = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Fails a test that could not do this, unless the developer has chosen to leave such tests out.
fn needs_root(what: &str) {
    let left_out = std::env::var_os("UNSPOKEN_WITHOUT_ROOT").is_some();
    assert!(left_out, "only root can {what}: set UNSPOKEN_WITHOUT_ROOT=1 to leave this test out");
}

/// Every update told its viewer what they knew then by the journal.
async fn check_truth(folder: &Path, table: Code, people: &[Person]) {
    let truth = truth::of(folder, table).await;
    for (index, person) in people.iter().enumerate() {
        let mut compared = 0;
        for message in person.messages() {
            if let ServerMessage::Update(update) = message {
                // Before they sat down they were spectators, and there was no game.
                compared += usize::from(truth.check(Seat::new(index), &update));
            }
        }
        // The deal, the hands on the table, and the stop after the fault.
        assert!(compared >= 3, "only {compared} updates of player {index} were compared");
    }
}

/// A move is refused and changes nothing, and is accepted once the cause is gone.
async fn check_goes_on(server: &Server, table: Code, people: &mut [Person], mend: impl FnOnce()) {
    let before = look(&mut people[0], table).await;
    let refused = act(&mut people[0], table, "stop").await;
    assert_eq!(refused.err().as_deref(), Some("not-kept"));
    let after = look(&mut people[0], table).await;
    assert_eq!((after.seq, after.view), (before.seq, before.view), "nothing has changed");
    let named = server.http("POST /api/me", &[], r#"{"name":"Eve"}"#).await;
    assert_eq!(named.status, 503, "{named:?}");
    assert!(named.body.contains("not-kept"), "{named:?}");
    assert_eq!(server.http("GET /readyz", &[], "").await.status, 503, "it is not ready");
    mend();
    // The last answer counts for a second.
    let ready = async {
        while server.http("GET /readyz", &[], "").await.status != 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, ready).await.expect("it is ready again");
    assert_eq!(server.http("POST /api/me", &[], r#"{"name":"Eve"}"#).await.status, 200);
    let update = act(&mut people[0], table, "stop").await.unwrap();
    assert_eq!(phase(&update), "refocus:-");
}

/// A disk of its own, unmounted at the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(folder: &Path) -> Option<Self> {
        let mounted =
            system("mount", &["-t", "tmpfs", "-o", "size=3m", "tmpfs", folder.to_str().unwrap()]);
        mounted.then(|| Self(folder.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        system("umount", &[self.0.to_str().unwrap()]);
    }
}

/// Fills the disk.
fn fill(path: &Path) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
}

#[tokio::test]
async fn a_full_disk_refuses_moves_until_there_is_room() {
    let folder = TempDir::new().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path()) else {
        return needs_root("mount a small disk");
    };
    let server = Server::start_in(folder, &[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let ballast = disk.0.join("ballast");
    fill(&ballast);
    // The log may have some room left that was used before.
    for _ in 0..1_000 {
        if people[0].ask(table, Request::PassHost(seat("A"))).await.is_err() {
            break;
        }
    }
    check_goes_on(&server, table, &mut people, || fs::remove_file(&ballast).unwrap()).await;
    let folder = server.stop().await;
    check_truth(folder.path(), table, &people).await;
    drop(disk);
}

#[tokio::test]
async fn a_file_that_becomes_read_only_refuses_moves_until_it_may_be_written() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let files = ["tables.db", "tables.db-wal"].map(|name| server.folder.path().join(name));
    let change =
        |how: &str| files.iter().all(|file| system("chattr", &[how, file.to_str().unwrap()]));
    if !change("+i") {
        return needs_root("freeze an open file");
    }
    check_goes_on(&server, table, &mut people, || assert!(change("-i"))).await;
    let folder = server.stop().await;
    check_truth(folder.path(), table, &people).await;
}

#[tokio::test]
async fn a_locked_database_refuses_moves_until_it_is_let_go() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let other = Connection::open(server.folder.path().join("tables.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mend = || other.execute_batch("COMMIT").unwrap();
    check_goes_on(&server, table, &mut people, mend).await;
    drop(other);
    let folder = server.stop().await;
    check_truth(folder.path(), table, &people).await;
}

/// A player's connection breaks while the disk is full: no player can go on, and the pause is
/// stored as soon as the disk has room.
#[tokio::test]
async fn a_pause_that_could_not_be_stored_is_stored_later() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let other = Connection::open(server.folder.path().join("tables.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let cookie = people.pop().unwrap().hang_up();
    let ada = &mut people[0];
    let update = ada.until(|update| missing(update) == "B").await;
    assert_eq!(phase(&update), "playing:-", "nothing is true that is not kept");
    let mut ben = server.again(&cookie).await;
    ben.join(table).await;
    assert_eq!(act(ada, table, "raise").await.err().as_deref(), Some("not-kept"));
    other.execute_batch("COMMIT").unwrap();
    ada.until(|update| phase(update) == "refocus:-").await;
    assert_eq!(missing(&look(&mut ben, table).await), "-");
}

/// Another process has written to the table, as when two servers are forced onto one file.
#[tokio::test]
async fn a_table_that_differs_from_its_journal_is_read_again() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let before = look(&mut people[0], table).await;
    let other = Connection::open(server.folder.path().join("tables.db")).unwrap();
    let again = "INSERT INTO lines (place, line)
        SELECT table_id << 32 | (SELECT max(seq) + 1 FROM recent), line FROM recent
        WHERE line LIKE '{\"seated\"%' ORDER BY seq DESC LIMIT 1";
    assert_eq!(other.execute(again, []).unwrap(), 1);
    let [mut ada, ben] = <[Person; 2]>::try_from(people).ok().unwrap();
    let command = wire::Command::Mind("stop".parse().unwrap());
    let id = ada.id();
    ada.send(&wire::ClientMessage::Do { table, id, seq: before.seq, pressed: 0.0, command }).await;
    loop {
        match ada.hear().await {
            ServerMessage::Refused(refused) => assert_eq!(refused.why, wire::Refusal::NotKept),
            ServerMessage::Bye { why, .. } => break assert_eq!(why, CloseReason::Restarting),
            _ => {}
        }
    }
    let (mut ada, mut ben) = (server.reconnected(ada).await, server.reconnected(ben).await);
    ada.join(table).await;
    ben.join(table).await;
    assert_eq!(phase(&look(&mut ada, table).await), "refocus:-");
    for person in [&mut ada, &mut ben] {
        act(person, table, "rest").await.unwrap();
    }
    assert_eq!(phase(&look(&mut ada, table).await), "playing:-");
}

/// Appends a line to the only table of a stopped server.
fn append(folder: &Path, line: &str) {
    let file = Connection::open(folder.join("tables.db")).unwrap();
    let append = "INSERT INTO lines (place, line) SELECT max(place) + 1, ?1
        FROM (SELECT place FROM lines UNION ALL SELECT table_id << 32 | seq FROM recent)";
    assert_eq!(file.execute(append, [line]).unwrap(), 1);
}

/// A damaged file or an older server: the table is refused, and the others are not affected.
#[tokio::test]
async fn a_table_with_a_line_that_cannot_be_read_is_refused() {
    let server = Server::start(&[]).await;
    let (table, people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let folder = server.stop().await;
    append(folder.path(), r#"{"danced":{}}"#);
    let server = Server::start_in(folder, &[]).await;
    let mut ada = server.again(&people[0].cookie).await;
    ada.send(&wire::ClientMessage::Join { table }).await;
    let ServerMessage::Refused(refused) = ada.hear().await else { panic!("it was joined") };
    assert_eq!((refused.table, refused.why.code()), (Some(table), "unreadable"));
    assert!(!refused.text.contains("danced"), "a journal's content is not told: {}", refused.text);
    let replay = format!("GET /api/replays/{table}-1");
    let answer = server.http(&replay, &[("Cookie", &ada.cookie)], "").await;
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.body.contains(r#""code":"unreadable""#), "{answer:?}");
    let other = server.open(&ada.cookie.clone(), TWO).await;
    assert_eq!(ada.join(other).await.table().code, other);
}

/// Power fails while a commit is on its way: all that was acknowledged is there.
#[tokio::test]
async fn a_torn_last_record_is_passed_over() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let before = look(&mut people[0], table).await;
    let copy = TempDir::new().unwrap();
    for name in ["tables.db", "tables.db-wal"] {
        fs::copy(server.folder.path().join(name), copy.path().join(name)).unwrap();
    }
    // The next commit begins as the one before it did, and breaks off.
    let log = fs::read(copy.path().join("tables.db-wal")).unwrap();
    let torn = log.iter().copied().chain(log[32..3_000].iter().copied()).collect::<Vec<_>>();
    fs::write(copy.path().join("tables.db-wal"), torn).unwrap();

    let server = Server::start_in(copy, &[]).await;
    let mut again = server.again(&people[0].cookie).await;
    let update = again.join(table).await;
    assert_eq!((phase(&update).as_str(), missing(&update).as_str()), ("refocus:-", "B"));
    assert_eq!(lowest(&update), lowest(&before));
}
