//! The load generator against a real server, each a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use rules::door::GameName;
use serde_json::Value;

/// A server that is stopped when the test ends.
struct Server {
    child: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspoken"));
        command.args(["serve", "--listen=127.0.0.1:0", "--metrics=127.0.0.1:0", "--log=error"]);
        command.args(["--address-rate=10000/10000", "--message-rate=10000/10000"]);
        command.args(["--address-byte-rate=1000000000/1000000000", "--newcomer-rate=10000/10000"]);
        // A fast machine starts more games a second than people do.
        command.arg("--change-rate=10000/10000");
        command.arg("--data").arg(folder.path().join("tables.db"));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("it writes");
        BufReader::new(out).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().rsplit(' ').next().expect("that is its last word").to_owned();
        Self { child, url, _folder: folder }
    }

    fn load(&self, arguments: &str) -> Value {
        let pid = self.child.id().to_string();
        let words = ["--json", "--url", &self.url, "--pid", &pid].into_iter();
        let output = load(words.chain(arguments.split(' ')));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("it writes JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().expect("it runs until now");
        self.child.wait().expect("it ends");
    }
}

fn load<'a>(arguments: impl Iterator<Item = &'a str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspoken"));
    command.arg("load").args(arguments).output().expect("the generator starts")
}

#[test]
fn every_game_is_kept_going_without_a_refusal() {
    let server = Server::start();
    for game in GameName::ALL {
        let report = server.load(&format!("--game {game} --players 3 --tables 2 --seconds 1"));
        assert!(report["moves"].as_u64() > Some(10), "{game}: {report}");
        assert_eq!((&report["lost"], &report["late"]), (&0.into(), &0.into()), "{game}: {report}");
        assert_eq!(report["refusals"], serde_json::json!({}), "{game}: {report}");
        assert!(report["memory"]["after_bytes"].as_u64() > Some(0), "{game}: {report}");
    }
}

#[test]
fn a_rate_is_kept_and_idle_people_are_not_lost() {
    let server = Server::start();
    let report = server.load("--tables 3 --players 2 --rate 30 --seconds 1");
    assert_eq!((&report["moves"], &report["late"]), (&30.into(), &0.into()), "{report}");
    let report = server.load("--idle 20 --seconds 1");
    assert_eq!((&report["connections"], &report["lost"]), (&20.into(), &0.into()), "{report}");
}

#[test]
fn games_of_one_level_end_and_updates_are_counted() {
    let server = Server::start();
    let report = server.load("--setup levels=1 --tables 2 --rate 100 --warm-up 0 --seconds 1");
    assert_eq!((&report["moves"], &report["late"]), (&100.into(), &0.into()), "{report}");
    // Four hands are rested and four cards played in each; how many are over within the second
    // depends on what else the machine does.
    assert!(report["games"].as_u64() > Some(1), "{report}");
    let updates = &report["card_updates"];
    assert!(updates["count"].as_u64() > Some(100), "{report}");
    assert!(updates["mean_bytes"].as_f64() > Some(100.0), "{report}");
    // Linux counts CPU time in hundredths of a second, which may be more than all of this takes.
    assert!(report["generator"]["cpu_us_per_move"].is_f64(), "{report}");
}

#[test]
fn other_machines_are_left_alone() {
    let output = load(["--url", "http://192.0.2.1:80"].into_iter());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains("only put on this machine"), "{text}");
}
