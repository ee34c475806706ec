//! Refusals are a closed set: each has its word, is sent from somewhere, and is shown by a test.

use std::fs;
use std::path::{Path, PathBuf};

use strum::VariantNames;
use wire::Refusal;

/// The text of all files below these folders of the project that end so.
fn sources(folders: &[&str], ending: &str) -> String {
    each_source(folders, ending).concat()
}

/// The same, a text a file.
fn each_source(folders: &[&str], ending: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = folders.iter().map(|folder| root.join(folder)).collect::<Vec<_>>();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                texts.push(fs::read_to_string(&path).unwrap());
            }
        }
    }
    texts
}

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
    let examples = sources(&["crates/rules/tests", "scenarios"], ".examples");
    let shown = refused_in_examples(&examples);
    let tests = sources(&["crates/server/tests", "crates/table/tests"], ".rs")
        + &unit_tests(&["crates/server/src", "crates/table/src"]);
    let asserted = assertions(&tests);
    assert!(shown.len() > 100 && asserted.len() > 1_000, "{} {}", shown.len(), asserted.len());
    let is_shown = |code: &&str| {
        shown.contains(code) || asserted.iter().any(|assertion| expects(assertion, code))
    };
    let unshown = Refusal::VARIANTS.iter().filter(|code| !is_shown(code)).collect::<Vec<_>>();
    assert!(unshown.is_empty(), "no test shows {unshown:?}");
}

#[test]
fn only_what_is_expected_counts_as_shown() {
    let expecting = [
        r#"assert_eq!(ada.ask(table, request).await, refused("blind"));"#,
        r#"assert_eq!(json(&answer.body)["code"], "blind");"#,
        "assert!(answer.body.contains(r#\"\"code\":\"blind\"\"#));",
        "assert_eq!(refused.why, wire::Refusal::Blind);",
        r#"matches!(heard, ServerMessage::Refused(it) if it.why.code() == "blind")"#,
    ];
    let not_expecting = [
        r#"let level = r"{"face":"blind"}";"#,
        r##"assert!(read(r#"{"blind":1}"#).is_ok());"##,
        r#"assert_eq!(update["blind"], 3);"#,
        "assert_eq!(refused.why, wire::Refusal::BlindAlley);",
        r#"assert_eq!(code, "blindfolded"); let word = "blind";"#,
        r#"assert_ne!(code, "blind");"#,
    ];
    let is_expected =
        |text: &&str| assertions(text).iter().any(|assertion| expects(assertion, "blind"));
    assert!(expecting.iter().all(is_expected));
    assert!(!not_expecting.iter().any(is_expected));
    let examples = "refuse A rest because not-next\n# refuse because blind\nstart because blind";
    assert_eq!(refused_in_examples(examples), ["not-next"]);
}

/// The codes with which examples are refused.
fn refused_in_examples(examples: &str) -> Vec<&str> {
    let refused = examples.lines().filter(|line| line.trim_start().starts_with("refuse "));
    refused.filter_map(|line| Some(line.split_once("because ")?.1.trim())).collect()
}

/// The text of all modules of tests in the sources below these folders. They end their files.
fn unit_tests(folders: &[&str]) -> String {
    let mut text = String::new();
    for source in each_source(folders, ".rs") {
        if let Some(start) = source.find("#[cfg(test)]") {
            text.push_str(&source[start..]);
        }
    }
    text
}

/// All calls of `assert!`, `assert_eq!` and `matches!` with what stands in their parentheses.
fn assertions(text: &str) -> Vec<&str> {
    let starts = ["assert!(", "assert_eq!(", "matches!("];
    let starts = starts
        .iter()
        .flat_map(|name| text.match_indices(name).map(|(place, name)| place + name.len()));
    let calls = starts.map(|start| {
        let mut depth = 1;
        let end = text[start..].find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        });
        &text[start..end.map_or(text.len(), |end| start + end)]
    });
    calls.collect()
}

/// Whether an assertion expects a refusal: it has the code as a whole string, which is neither the
/// key of a field nor an index, or the variant.
fn expects(assertion: &str, code: &str) -> bool {
    let ends = |text: &str, word: &str| {
        let rests =
            text.match_indices(word).map(|(place, word)| text[place + word.len()..].chars());
        rests.map(|mut rest| rest.next()).collect::<Vec<_>>()
    };
    let word = ends(assertion, &format!("\"{code}\""));
    let name = ends(assertion, &format!("Refusal::{}", variant(code)));
    let is_value = |next: &Option<char>| !matches!(next, Some(':' | ']'));
    let is_whole = |next: &Option<char>| !next.is_some_and(char::is_alphanumeric);
    word.iter().any(is_value) || name.iter().any(is_whole)
}
