//! Comments, docs, names of functions and titles of tests name their subject: player, person,
//! connection, server. Words that leave it open are counted in each folder. A clean folder stays
//! clean, and the others may only get better.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that stand for a player, a person or a number without saying which.
const OPEN: [&str; 14] = [
    "whoever",
    "whomever",
    "nobody",
    "nobodys",
    "somebody",
    "anybody",
    "everybody",
    "those who",
    "those whose",
    "those for whom",
    "so many",
    "what came of",
    "goes without saying",
    "the others are not kept",
];

/// How many such words each folder may have. Lower a number when its folder has fewer.
const ALLOWED: [(&str, usize); 20] = [
    ("crates/bots", 0),
    ("crates/journal", 0),
    ("crates/lab", 0),
    ("crates/rules", 0),
    ("crates/server/src", 0),
    ("crates/server/examples", 0),
    ("crates/server/tests", 0),
    ("crates/sim", 0),
    ("crates/solver", 0),
    ("crates/table", 0),
    ("crates/tempo", 0),
    ("crates/unspoken/src", 0),
    ("crates/unspoken/tests", 0),
    ("crates/wire", 0),
    ("docs", 12),
    ("fuzz", 0),
    ("web/build", 0),
    ("web/e2e", 0),
    ("web/src", 0),
    ("xtask/src", 0),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the project's root")
}

/// All sources and pages below a folder, without generated ones.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            if !path.ends_with("paraglide") && !path.ends_with("target") {
                files(&path, found);
            }
        } else if path.extension().is_some_and(|kind| {
            ["rs", "ts", "js", "svelte", "md"].iter().any(|known| kind.eq_ignore_ascii_case(known))
        }) {
            found.push(path);
        }
    }
}

/// The comment, the function's name or the test's title in a line of code; of a page the whole
/// line, without its code.
fn prose(line: &str, is_page: bool) -> String {
    let text = if is_page {
        line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
    } else {
        let line = line.trim_start();
        let is_comment = ["/*", "* ", "<!--"].iter().any(|start| line.starts_with(start));
        let start = if is_comment { Some(0) } else { line.find("//") };
        let comment = start.map_or("", |start| &line[start..]);
        format!("{comment} {}", name_or_title(line))
    };
    text.to_lowercase()
}

/// The name of a function that is declared in the line, in words, or the title of a test.
fn name_or_title(line: &str) -> String {
    if let Some((_, name)) = line.split_once("fn ") {
        return name.split('(').next().unwrap_or_default().replace('_', " ");
    }
    let is_test = ["test(", "it(", "describe("].iter().any(|start| line.starts_with(start));
    let title = is_test.then(|| line.split(['\'', '"', '`']).nth(1)).flatten();
    title.unwrap_or_default().to_owned()
}

/// How many of the words a text has, as whole words.
fn count(text: &str) -> usize {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let all = OPEN.iter().flat_map(|word| {
        text.match_indices(word).filter(|(place, word)| {
            let (before, after) = (&text[..*place], &text[place + word.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    });
    all.count()
}

#[test]
fn comments_and_docs_name_their_subject() {
    for (folder, allowed) in ALLOWED {
        let mut paths = Vec::new();
        files(&root().join(folder), &mut paths);
        assert!(!paths.is_empty(), "{folder} has no sources");
        let mut found = Vec::new();
        for path in paths {
            let text = fs::read_to_string(&path).expect("the file is text");
            let is_page = path.extension().is_some_and(|kind| kind == "md");
            for (number, line) in text.lines().enumerate() {
                for _ in 0..count(&prose(line, is_page)) {
                    let place = path.strip_prefix(root()).unwrap_or(&path).display();
                    found.push(format!("{place}:{}: {}", number + 1, line.trim()));
                }
            }
        }
        let count = found.len();
        assert!(count <= allowed, "{folder}: {count} of {allowed}:\n{}", found.join("\n"));
    }
}

#[test]
fn whole_words_are_counted() {
    assert_eq!(count(&prose("let x = 1; // Nobody waits, and so many others.", false)), 2);
    assert_eq!(count(&prose("let nobody = 1;", false)), 0);
    assert_eq!(count(&prose("    async fn nobody_waits(&self) {", false)), 1);
    assert_eq!(count(&prose("test('whoever is here', async () => {", false)), 1);
    assert_eq!(count(&prose("| `nobody-there` | so manyfold |", true)), 0);
}
