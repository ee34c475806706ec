//! Comments, docs, examples, names of functions, titles of tests and the sentences in literals
//! (errors, logs, assertions, help) name their subject: player, person, connection, server.

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

/// Where the project's own text is. The pages in the root are read, too.
const FOLDERS: [&str; 9] =
    ["crates", "docs", "fuzz", "python", "scenarios", "web/build", "web/e2e", "web/src", "xtask"];

/// Folders of tools, and of what they generate.
const GENERATED: [&str; 4] = ["paraglide", "target", "node_modules", "shots"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the project's root")
}

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All of it is prose, but for its code.
    Page,
    Rust,
    /// TypeScript, JavaScript or Svelte.
    Script,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "md" | "examples" | "toml" => Some(Self::Page),
            "rs" => Some(Self::Rust),
            "ts" | "js" | "svelte" => Some(Self::Script),
            _ => None,
        }
    }
}

/// All sources, examples and pages below a folder, without generated ones and this file.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            if !GENERATED.iter().any(|name| path.ends_with(name)) {
                files(&path, found);
            }
        } else if Kind::of(&path).is_some() && !path.ends_with(file!()) {
            found.push(path);
        }
    }
}

/// The prose of a text, a line a line of it.
fn prose(text: &str, kind: Kind) -> Vec<String> {
    let literals = if kind == Kind::Rust { literals(text) } else { Vec::new() };
    let lines = text.lines().enumerate().map(|(number, line)| {
        let said = match kind {
            Kind::Page => line.split('`').step_by(2).collect::<Vec<_>>().join(" "),
            Kind::Rust => {
                let literal = literals.get(number).map_or("", String::as_str);
                format!("{} {} {literal}", comment(line), name_or_title(line))
            }
            Kind::Script => {
                format!("{} {} {}", comment(line), name_or_title(line), quoted(line))
            }
        };
        said.to_lowercase()
    });
    lines.collect()
}

/// The comment in a line of code.
fn comment(line: &str) -> &str {
    let line = line.trim_start();
    let is_comment = ["/*", "* ", "<!--"].iter().any(|start| line.starts_with(start));
    let start = if is_comment { Some(0) } else { line.find("//") };
    start.map_or("", |start| &line[start..])
}

/// The name of a function that is declared in the line or of a result that is ignored there, in
/// words, or the title of a test.
fn name_or_title(line: &str) -> String {
    let line = line.trim_start();
    if let Some((_, name)) = line.split_once("fn ") {
        return name.split('(').next().unwrap_or_default().replace('_', " ");
    }
    if let Some(name) = line.strip_prefix("let _") {
        return name.split(' ').next().unwrap_or_default().replace('_', " ");
    }
    let is_test = ["test(", "it(", "describe("].iter().any(|start| line.starts_with(start));
    let title = is_test.then(|| line.split(['\'', '"', '`']).nth(1)).flatten();
    title.unwrap_or_default().to_owned()
}

/// The sentences in the literals of a Rust source, by line. A literal without a space is a word of
/// the protocol or the notation and counts for nothing.
fn literals(text: &str) -> Vec<String> {
    let mut lines = vec![String::new(); text.lines().count()];
    let (mut number, mut rest) = (0, text);
    while let Some(place) = rest.find(['"', '\n', '/', '\'', 'r']) {
        let (before, found) = rest.split_at(place);
        let is_start = !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        if let Some(after) = found.strip_prefix('\n') {
            number += 1;
            rest = after;
        } else if found.starts_with("//") {
            rest = &found[found.find('\n').unwrap_or(found.len())..];
        } else if let Some(after) = found.strip_prefix("'\"'").or(found.strip_prefix("'\\\"'")) {
            rest = after;
        } else if let Some((literal, after)) = literal(found, is_start) {
            for (offset, line) in literal.split('\n').enumerate() {
                if literal.contains(' ') && number + offset < lines.len() {
                    lines[number + offset].push_str(line);
                    lines[number + offset].push(' ');
                }
            }
            number += literal.matches('\n').count();
            rest = after;
        } else {
            rest = &found[1..];
        }
    }
    lines
}

/// The content of the literal that a text begins with, raw or not, and what follows.
fn literal(text: &str, can_be_raw: bool) -> Option<(&str, &str)> {
    if let Some(raw) = text.strip_prefix('r').filter(|_| can_be_raw) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[hashes..].strip_prefix('"')?;
        return inner.split_once(&format!("\"{}", "#".repeat(hashes)));
    }
    let inner = text.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = inner.find(|letter| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })?;
    Some((&inner[..end], &inner[end + 1..]))
}

/// The sentences between quotation marks in a line of a script.
fn quoted(line: &str) -> String {
    let parts = ['\'', '"', '`'].iter().flat_map(|mark| line.split(*mark).skip(1).step_by(2));
    parts.filter(|part| part.trim().contains(' ')).collect::<Vec<_>>().join(" ")
}

/// How many of the words a text has, as whole words. A word in quotation marks, or with a hyphen
/// behind it, is one of the protocol.
fn count(text: &str) -> usize {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let is_code = |before: Option<char>, after: Option<char>| {
        let is_mark = |letter: Option<char>| matches!(letter, Some('"' | '\''));
        after == Some('-') || is_mark(before) && is_mark(after)
    };
    let all = OPEN.iter().flat_map(|word| {
        text.match_indices(word).filter(|(place, word)| {
            let before = text[..*place].chars().next_back();
            let after = text[place + word.len()..].chars().next();
            !is_letter(before) && !is_letter(after) && !is_code(before, after)
        })
    });
    all.count()
}

#[test]
fn prose_names_its_subject() {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        let before = paths.len();
        files(&root().join(folder), &mut paths);
        assert!(paths.len() > before, "{folder} has no sources");
    }
    for entry in fs::read_dir(root()).expect("the root can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_file() && path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file is text");
        let kind = Kind::of(&path).expect("other files are not read");
        for (number, said) in prose(&text, kind).iter().enumerate() {
            if count(said) > 0 {
                let place = path.strip_prefix(root()).unwrap_or(&path).display();
                let line = text.lines().nth(number).unwrap_or_default().trim();
                found.push(format!("{place}:{}: {line}", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "name the subject:\n{}", found.join("\n"));
}

#[test]
fn whole_words_of_prose_are_counted() {
    let count_in =
        |text: &str, kind| prose(text, kind).iter().map(|line| count(line)).sum::<usize>();
    let rust = |text: &str| count_in(text, Kind::Rust);
    assert_eq!(rust("let x = 1; // Nobody waits, and so many others."), 2);
    assert_eq!(rust("let nobody = 1;"), 0);
    assert_eq!(rust("let _nobody_waits = 1;"), 1);
    assert_eq!(rust("    async fn nobody_waits(&self) {"), 1);
    assert_eq!(rust(r#"assert_eq!(sitter, "nobody", "nobody sits there");"#), 1);
    assert_eq!(rust("let text = \"only\n    those who play\"; let nobody = 2;"), 1);
    assert_eq!(rust(r##"let chairs = r#"{"a": ["nobody", "nobody-there"]}"#;"##), 0);
    assert_eq!(rust(r#"let mark = '"'; let nobody = "a \" b"; let somebody = 1;"#), 0);
    let script = |text: &str| count_in(text, Kind::Script);
    assert_eq!(script("test('whoever is here', async () => {"), 2, "a title, and a sentence");
    assert_eq!(script("expect(x, 'nobody is here').toBe('nobody');"), 1);
    assert_eq!(count_in("| `nobody-there` | so manyfold |", Kind::Page), 0);
    assert_eq!(count_in("[X5] Whoever holds nothing.", Kind::Page), 1);
}
