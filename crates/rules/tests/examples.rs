//! The rules pages, the examples and the rules say the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use rules::door::GameName;
use rules::examples::{Example, run};

fn file(path: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    (path, text)
}

/// Runs a game's examples and hands them back.
fn check(game: GameName) -> Vec<Example> {
    let (path, text) = file(&format!("tests/{game}.examples"));
    let report = run(&text);
    for found in &report.mismatches {
        eprintln!("{}:{}: {}", path.display(), found.line, found.text);
    }
    assert!(report.mismatches.is_empty(), "{} lines mismatch", report.mismatches.len());
    report.examples
}

/// The clauses that a rules page states: a bold id at the start of a line, as in `**M5**`.
fn clauses(page: &str) -> BTreeSet<String> {
    let stated = page.lines().filter_map(|line| {
        let (id, _) = line.trim_start_matches("- ").strip_prefix("**")?.split_once("**")?;
        id.chars().last()?.is_ascii_digit().then(|| id.to_owned())
    });
    stated.collect()
}

#[test]
fn every_example_comes_out_as_written() {
    for &game in GameName::ALL {
        assert!(!check(game).is_empty());
    }
}

#[test]
fn every_clause_of_the_rules_pages_has_an_example_and_is_listed_with_it() {
    for &game in GameName::ALL {
        let (path, page) = file(&format!("../../docs/rules/{game}.md"));
        let examples = check(game);
        let shown = examples.iter().flat_map(|example| example.clauses.iter().cloned());
        let shown = shown.collect::<BTreeSet<_>>();
        let stated = clauses(&page);
        assert!(!stated.is_empty(), "{} states no clause", path.display());
        let missing = stated.difference(&shown).collect::<Vec<_>>();
        assert!(missing.is_empty(), "no example in {game}.examples for {missing:?}");
        for clause in &stated {
            let own = examples.iter().filter(|example| example.clauses.contains(clause));
            for Example { title, .. } in own {
                let row =
                    |line: &str| line.starts_with(&format!("| {clause} |")) && line.contains(title);
                let found = page.lines().any(row);
                assert!(found, "{}: add {title:?} to the row of {clause}", path.display());
            }
        }
    }
}

/// Every clause that the project is about stands on a rules page.
#[test]
fn no_clause_is_left_out() {
    let all = [("M", 15), ("B", 3), ("X", 8), ("S", 11), ("Y", 10)];
    let pages =
        GameName::ALL.iter().map(|game| clauses(&file(&format!("../../docs/rules/{game}.md")).1));
    let stated = pages.flatten().collect::<BTreeSet<_>>();
    for (letter, last) in all {
        for number in 1..=last {
            assert!(
                stated.contains(&format!("{letter}{number}")),
                "{letter}{number} is stated nowhere"
            );
        }
    }
    for house in ["H1", "H2", "H3", "H4", "H5", "H6"] {
        assert!(stated.contains(house), "{house} is stated nowhere");
    }
}
