//! Killed at any moment, the journal has every line that it acknowledged.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use journal::{Journal, Options, Sqlite};

use crate::{append, check_integrity, key, lines, open, wait};

const TEST: &str = "crash::killed_at_any_moment_nothing_acknowledged_is_lost";
const CHILD: &str = "JOURNAL_TEST_CRASH_CHILD";
const ROUNDS: usize = 10;
const TABLES: usize = 8;

/// Runs itself again as a child that appends for ever, and kills that.
#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    if let Some(path) = std::env::var_os(CHILD) {
        append_for_ever(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let mut acknowledged = BTreeMap::<String, usize>::new();
    for round in 0..ROUNDS {
        let before = acknowledged.values().sum::<usize>();
        run_and_kill(&path, &mut acknowledged);
        let new = acknowledged.values().sum::<usize>() - before;
        assert!(new > 0, "round {round} acknowledged nothing");

        let journal = open(&path);
        for (table, &count) in &acknowledged {
            let found = lines(&journal, table);
            assert!(found.len() >= count, "{table} has {} of {count} lines", found.len());
            let expected = (1..=found.len()).map(|seq| line(table, seq)).collect::<Vec<_>>();
            assert_eq!(found, expected, "in round {round}");
        }
        append(&journal, "parent", round as u64, "play goes on").unwrap();
        drop(journal);
        check_integrity(&path);
    }
}

fn line(table: &str, seq: usize) -> String {
    format!("{table} {seq} {}", "x".repeat(seq % 300))
}

fn run_and_kill(path: &Path, acknowledged: &mut BTreeMap<String, usize>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("ack ") {
        text.clear();
        assert!(said.read_line(&mut text).unwrap() > 0, "the child ended by itself");
    }
    let listener = std::thread::spawn(move || {
        while said.read_line(&mut text).unwrap() > 0 {}
        text
    });
    let moment_ms = getrandom::u32().unwrap() % 150;
    std::thread::sleep(Duration::from_millis(moment_ms.into()));
    child.kill().unwrap();
    child.wait().unwrap();
    let text = listener.join().unwrap();
    // A line without its end was cut off and may be short of digits.
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        if let Some((table, count)) =
            line.trim_end().strip_prefix("ack ").and_then(|ack| ack.split_once(' '))
        {
            acknowledged.insert(table.into(), count.parse().unwrap());
        }
    }
}

fn append_for_ever(path: &Path) -> ! {
    // Checkpoints and new starts of the log come often, so that some kills hit them.
    let options = Options {
        checkpoint_every: Duration::from_millis(5),
        wal_bytes_most: 256 << 10,
        recent_lines_most: 64,
        ..Options::default()
    };
    let journal = Sqlite::open(path, options).unwrap();
    let mut tables = (0..TABLES)
        .map(|number| format!("t{number}"))
        .map(|table| {
            let count = lines(&journal, &table).len();
            (table, count)
        })
        .collect::<Vec<_>>();
    loop {
        let append = |(table, count): &mut (String, usize)| {
            *count += 1;
            let line = line(table, *count).into();
            journal.append(&key(table), *count as u64 - 1, vec![line], None)
        };
        let answers = tables.iter_mut().map(append).collect::<Vec<_>>();
        for ((table, count), answer) in tables.iter().zip(answers) {
            wait(answer).unwrap();
            println!("ack {table} {count}");
        }
    }
}
