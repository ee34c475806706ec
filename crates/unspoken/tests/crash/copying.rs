//! `unspoken journal copy` and the tools over a cluster: the program is killed in the middle of a
//! copy, again and again, and goes on.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use cluster::{Archive, Options, SyncCheck};
use journal::{Devices, Glance, Inventory, Journal, Key, Note, Sqlite};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::brokers::{Brokers, PATIENCE, SYNCING};

/// The table that all tables of the test are copies of.
const SAMPLE: &str = "../server/tests/journals/mind-1.jsonl";
const TABLES: usize = 400;
const PEOPLE: u64 = 150;
/// How many tables are copied when the program is killed.
const KILLS: [usize; 3] = [40, 150, 290];

/// What is copied, and where to.
struct Place {
    folder: TempDir,
    cluster: Vec<String>,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspoken"));
        command.args(arguments).args(&self.cluster).env_clear().current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command that prints JSON and succeeds.
    async fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.text(arguments).await).unwrap()
    }

    async fn text(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments).await;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that is refused; what it says.
    async fn refused(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments).await;
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        said
    }

    async fn output(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    /// Starts a command and kills it once it has done so much.
    async fn killed<F: Future<Output = usize>>(
        &self,
        arguments: &[&str],
        least: usize,
        done: impl Fn() -> F,
    ) {
        let mut process = self.command(arguments).spawn().unwrap();
        let begun = Instant::now();
        while done().await < least {
            let ended = process.try_wait().unwrap();
            assert!(ended.is_none(), "it ended before {least}: {}", stderr(process));
            assert!(begun.elapsed() < PATIENCE, "it is too slow");
            sleep(Duration::from_millis(5)).await;
        }
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

fn stderr(process: Child) -> String {
    String::from_utf8(process.wait_with_output().unwrap().stderr).unwrap()
}

/// The code of a table, in letters that codes have.
fn code(number: usize) -> String {
    let digit = |place: u32| char::from(b'a' + (number / 8_usize.pow(place) % 8) as u8);
    format!("wxy{}{}{}", digit(2), digit(1), digit(0))
}

/// A data file with many tables and people; returns how many lines it has.
async fn fill(data: &Path) -> u64 {
    let sample = std::fs::read_to_string(SAMPLE).unwrap();
    let lines = sample.lines().skip(1).map(Box::from).collect::<Vec<Box<str>>>();
    let file = Sqlite::open(data, journal::Options::default()).unwrap();
    for number in 0..TABLES {
        let key = code(number).parse::<Key>().unwrap();
        let note = Note { text: "{}".into(), listed: false, ended: true };
        file.append(&key, 0, lines.clone(), Some(note)).await.unwrap();
    }
    for number in 0..PEOPLE {
        let mut hash = [7; 32];
        hash[..8].copy_from_slice(&number.to_be_bytes());
        file.introduce(hash, format!("{number}").into(), number).await.unwrap();
    }
    (TABLES * lines.len()) as u64
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_killed_goes_on_and_nothing_is_there_twice() {
    let brokers = Brokers::start(SYNCING);
    let cluster = vec![
        format!("--cluster={}", brokers.addresses().join(",")),
        format!("--cluster-monitoring={}", brokers.monitors().join(",")),
        "--cluster-name=copied".to_owned(),
    ];
    let place = Place { folder: TempDir::new().unwrap(), cluster };
    let data = place.path("data.db");
    let lines = fill(&data).await;
    let data = data.to_str().unwrap();

    let missing = place.refused(&["backup", "b.db"]).await;
    assert!(missing.contains("there is no cluster with the name copied"), "{missing}");
    assert!(!place.path("b.db").exists());

    let into = ["journal", "copy", "into-cluster", data, "--json", "--cluster-streams=2"];
    let mut options = Options::new(brokers.addresses(), "copied".parse().unwrap(), PathBuf::new());
    options.sync = SyncCheck::Trust;
    for least in KILLS {
        place
            .killed(&into, least, async || match Archive::find(&options).await {
                Ok(archive) => archive.tables().await.unwrap().len(),
                Err(_not_made_yet) => 0,
            })
            .await;
        let index = place.path("index.db");
        let serve = ["serve", "--listen=127.0.0.1:0", "--data", index.to_str().unwrap()];
        let half = place.refused(&serve).await;
        assert!(half.contains("was begun and not finished"), "{half}");
    }
    let copied = place.json(&into).await;
    assert_eq!((&copied["tables"], &copied["lines"]), (&TABLES.into(), &lines.into()));
    assert_eq!((&copied["people"], &copied["devices"]), (&PEOPLE.into(), &PEOPLE.into()));
    let now = copied["copied_now"].as_u64().unwrap();
    assert!(now < lines * 2 / 3, "{now} of {lines} lines at last");
    let again = place.json(&into).await;
    assert_eq!((&again["digest"], &again["copied_now"]), (&copied["digest"], &0.into()));

    let checked = place.json(&["check", "--json"]).await;
    assert_eq!((&checked["sound"], &checked["tables"]), (&true.into(), &TABLES.into()));
    assert!(checked["games"].as_u64().unwrap() >= TABLES as u64, "{checked}");

    // One table out of the cluster and in again, under another code.
    let exported = place.text(&["journal", "export", &code(5)]).await;
    std::fs::write(place.path("table.jsonl"), &exported).unwrap();
    place.text(&["journal", "import", "table.jsonl", "--code", "zzzzzz"]).await;
    let taken = place.refused(&["journal", "import", "table.jsonl"]).await;
    assert!(taken.contains("choose another code with --code"), "{taken}");
    let other = place.text(&["journal", "export", "zzzzzz"]).await;
    let rest = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(&other), rest(&exported));

    let saved = place.json(&["backup", "backup.db", "--json"]).await;
    assert_eq!(saved["tables"], TABLES + 1);
    let out = ["journal", "copy", "out-of-cluster", "out.db", "--json"];
    place
        .killed(&out, TABLES / 2, async || {
            let found = Glance::open(place.path("out.db.partial"));
            found.ok().and_then(|mut glance| glance.keys().ok()).map_or(0, |keys| keys.len())
        })
        .await;
    assert!(!place.path("out.db").exists());
    let moved = place.json(&out).await;
    assert_eq!(moved["digest"], saved["digest"]);
    assert!(moved["copied_now"].as_u64().unwrap() < lines, "{moved}");
    for name in ["backup.db", "out.db"] {
        let checked = Command::new(env!("CARGO_BIN_EXE_unspoken"))
            .args(["check", "--data"])
            .arg(place.path(name))
            .env_clear()
            .output()
            .unwrap();
        let said = String::from_utf8(checked.stdout).unwrap();
        assert!(said.contains("nothing is wrong"), "{name}: {said}");
    }
    let overwritten = place.refused(&out).await;
    assert!(overwritten.contains("there is a file"), "{overwritten}");
}
