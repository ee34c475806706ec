//! Studies from the operator's side: the example is rehearsed whole, and its data is what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

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
