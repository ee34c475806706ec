//! Refusals are a closed set: each has its word, is sent from somewhere, and is shown by a test.

use std::fs;
use std::path::{Path, PathBuf};

use strum::VariantNames;
use wire::Refusal;

/// The text of all files below these folders of the project that end so.
fn sources(folders: &[&str], ending: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = folders.iter().map(|folder| root.join(folder)).collect::<Vec<_>>();
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    text
}

/// These need a system without randomness, a damaged file, 65 pages that watch one game, and two
/// requests within the time that a reader of the journal takes.
const NOT_SHOWN: [&str; 4] = ["no-randomness", "unreadable", "audience-full", "busy"];

/// The name of a variant by its word.
fn variant(code: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    code.split('-').map(capital).collect()
}

#[test]
fn the_word_is_that_of_the_wire() {
    let refusal = Refusal::TooManyHints { given: 4, most: 3 };
    assert_eq!(refusal.code(), "too-many-hints");
    let text = serde_json::to_string(&refusal).unwrap();
    assert_eq!(text, r#"{"code":"too-many-hints","given":4,"most":3}"#);
    assert_eq!(serde_json::from_str::<Refusal>(&text).unwrap(), refusal);
    assert_eq!(serde_json::to_string(&Refusal::NotHost).unwrap(), r#"{"code":"not-host"}"#);
}

#[test]
fn the_rules_use_the_same_words() {
    let rules = sources(&["crates/rules/src"], "refusal.rs");
    let words = rules.lines().filter_map(|line| {
        let (_, word) = line.split_once("=> \"")?;
        word.strip_suffix("\",")
    });
    let unknown = words.filter(|word| !Refusal::VARIANTS.contains(word)).collect::<Vec<_>>();
    assert!(unknown.is_empty() && rules.contains("=> \"not-next\","), "{unknown:?}");
}

#[test]
fn every_refusal_is_sent_from_somewhere() {
    let sent = sources(&["crates/table/src", "crates/server/src"], ".rs");
    let of_rules = sources(&["crates/wire/src"], "refusal.rs");
    let is_sent = |code: &&str| {
        let name = variant(code);
        // Once in the list of statuses, and where it is sent.
        let places = sent.matches(&format!("Refusal::{name}")).count();
        places > 1 || of_rules.contains(&format!("Self::{name}"))
    };
    let unused = Refusal::VARIANTS.iter().filter(|code| !is_sent(code)).collect::<Vec<_>>();
    assert!(unused.is_empty(), "nothing sends {unused:?}");
}

#[test]
fn every_refusal_is_shown_by_a_test_or_an_example() {
    let folders = ["crates/server/tests", "crates/rules/tests", "crates/table/src", "scenarios"];
    let tests = sources(&folders, "") + &sources(&["docs/rules"], ".md");
    let is_shown = |code: &&str| {
        let shown =
            tests.contains(&format!("\"{code}\"")) || tests.contains(&format!("because {code}"));
        shown || NOT_SHOWN.contains(code)
    };
    let unshown = Refusal::VARIANTS.iter().filter(|code| !is_shown(code)).collect::<Vec<_>>();
    assert!(unshown.is_empty(), "no test shows {unshown:?}");
}
