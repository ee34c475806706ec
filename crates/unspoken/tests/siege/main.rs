//! A siege: the attacks that an operator has to expect, against a server with its default limits,
//! while two people sit at a table of it.
//!
//! `cargo xtask siege` makes more of each than CI does.

#[path = "../running/mod.rs"]
mod running;

mod attacker;
mod attacks;
mod bystander;
mod requests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use attacks::ATTACKS;
use bystander::Bystander;
use running::{Running, http};

/// The proxy that the server trusts, an address of this machine.
const PROXY: &str = "127.0.0.2";

/// The two tables that are in the file before the server starts.
const WHOLE: &str = "k3f9ab";
const DAMAGED: &str = "k3f9ac";

/// How long a player may wait for an answer while the server is attacked.
const WAIT_MOST: Duration = Duration::from_secs(2);
/// How much memory an attack may leave behind.
const GROWTH_BYTES_MOST: u64 = 64 << 20;

/// What an attack came to.
pub struct Outcome {
    /// How many requests, messages or connections it made.
    pub count: usize,
    /// What became of them.
    pub text: String,
    /// Whether the server did what it is to do.
    pub held: bool,
}

/// A server under attack.
pub struct Siege {
    /// Where the server was started, with its data file.
    pub folder: TempDir,
    /// Its process.
    pub server: Running,
    is_full: bool,
}

impl Siege {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        prepare(folder.path());
        let mut command = Command::new(program());
        command.args(["serve", "--trusted-proxy", PROXY, "--log", "warn"]).args(running::FREE);
        command.current_dir(folder.path()).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let server = Running::wait(command);
        Self { folder, server, is_full: std::env::var_os("UNSPOKEN_SIEGE").is_some() }
    }

    /// How many of something: the first number in CI, the second when it is asked for.
    pub fn number(&self, short: usize, full: usize) -> usize {
        if self.is_full { full } else { short }
    }

    /// The server's data file.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("unspoken.db")
    }

    /// Runs another command of the program in the server's folder; its exit code and output.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        run(self.folder.path(), arguments)
    }

    /// The value of a metric.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let text = http(self.server.metrics, "GET /metrics", "", "");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse().ok())
    }

    fn cost(&self) -> Cost {
        let folder = PathBuf::from(format!("/proc/{}", self.server.pid()));
        let status = fs::read_to_string(folder.join("status")).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let resident = resident.split_whitespace().next().unwrap().parse::<u64>().unwrap();
        let stat = fs::read_to_string(folder.join("stat")).unwrap();
        let times = stat.rsplit_once(") ").unwrap().1.split(' ').skip(11).take(2);
        let ticks = times.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>();
        Cost { resident_bytes: resident * 1_024, cpu_s: ticks / 100.0 }
    }
}

/// What the server's process has used.
struct Cost {
    resident_bytes: u64,
    cpu_s: f64,
}

/// The program under attack: another build of it if one is named.
fn program() -> PathBuf {
    let named = std::env::var_os("UNSPOKEN_SIEGE_PROGRAM").map(PathBuf::from);
    named.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_unspoken")))
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(folder).env_clear().stdin(Stdio::null());
    let output = command.output().unwrap();
    (output.status.code(), running::text(&output))
}

/// A table that was exported once.
fn sample() -> String {
    let path = "../server/tests/journals/mind-1.jsonl";
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A file with two tables, one of which the disk has changed.
fn prepare(folder: &Path) {
    fs::write(folder.join("sample.jsonl"), sample()).unwrap();
    for code in [WHOLE, DAMAGED] {
        let (status, text) = run(folder, &["journal", "import", "sample.jsonl", "--code", code]);
        assert_eq!(status, Some(0), "{text}");
    }
    let file = folder.join("unspoken.db");
    let mut bytes = fs::read(&file).unwrap();
    // The lines of the table that came last are the last ones in the file.
    let ended = br#""lost""#;
    let place = bytes.windows(ended.len()).rposition(|bytes| bytes == ended);
    bytes[place.expect("the game of the sample was lost") + 1] = b'm';
    fs::write(&file, bytes).unwrap();
    let (status, text) = run(folder, &["check", "--json"]);
    let found = serde_json::from_str::<Value>(&text).unwrap();
    assert_eq!((status, found["damaged"].as_array().map(Vec::len)), (Some(1), Some(1)), "{text}");
    assert_eq!(found["damaged"][0]["table"], DAMAGED, "{text}");
}

#[test]
fn the_server_holds_out_against_every_attack() {
    let siege = Siege::start();
    let bystander = Bystander::join(&siege.server);
    let begun = Instant::now();
    let mut failed = Vec::new();
    println!(
        "{:<38} {:>7} {:>7} {:>15} {:>9}  outcome",
        "attack", "count", "CPU s", "memory MB", "a wait ms"
    );
    for (name, attack) in ATTACKS {
        let before = siege.cost();
        bystander.forget();
        let Outcome { count, text, held } = attack(&siege);
        let (after, wait) = (siege.cost(), bystander.longest());
        let grown = after.resident_bytes.saturating_sub(before.resident_bytes);
        println!(
            "{name:<38} {count:>7} {:>7.2} {:>6.1} to {:>5.1} {:>9.1}  {text}",
            after.cpu_s - before.cpu_s,
            before.resident_bytes as f64 / 1e6,
            after.resident_bytes as f64 / 1e6,
            wait.as_secs_f64() * 1e3,
        );
        if !held || wait > WAIT_MOST || grown > GROWTH_BYTES_MOST {
            failed.push(name);
        }
    }
    println!("{} attacks in {:.0} s", ATTACKS.len(), begun.elapsed().as_secs_f64());
    assert!(bystander.leave(), "a connection of the people at the table broke off");
    assert!(failed.is_empty(), "the server does not hold out against: {failed:?}");
    siege.server.end("-TERM");
}
