//! `ARCHITECTURE.md` against the sources: what it names exists.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there")
}

/// The texts between backquotes.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn every_function_on_the_way_of_a_move_is_in_its_file() {
    let page = page();
    let (_, way) = page.split_once("## The way of one move").expect("the page has the way");
    let (way, _) = way.split_once("\n## ").expect("another chapter follows");
    let mut functions = 0;
    for step in way.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let (place, _) = step.split_once(": ").expect("a step says where it is and what it does");
        let mut names = quoted(place);
        let file = names.next().expect("a step names its file");
        let text = fs::read_to_string(root().join(file)).expect(file);
        for name in names {
            let (_, function) = name.split_once("::").expect("a function is named with its type");
            assert!(text.contains(&format!("fn {function}(")), "{file} has no function {function}");
            functions += 1;
        }
    }
    assert!(functions >= 12, "only {functions} functions are on the way");
}

#[test]
fn every_file_that_the_page_names_is_there() {
    let page = page();
    let is_path = |text: &&str| {
        text.contains('/') && !text.contains([' ', '<', '*', ':']) && !text.starts_with("/api")
    };
    let paths = page.lines().flat_map(quoted).filter(is_path).collect::<Vec<_>>();
    assert!(paths.len() > 30, "only {} files are named", paths.len());
    for path in paths {
        assert!(root().join(path).exists(), "there is no {path}");
    }
    let links = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    for link in links {
        assert!(root().join(link).exists(), "there is no {link}");
    }
}

#[test]
fn every_crate_is_on_the_picture() {
    let page = page();
    let picture = page.split("```").nth(1).expect("the page has a picture");
    for entry in fs::read_dir(root().join("crates")).expect("the folder is there") {
        let name = entry.expect("the entry is readable").file_name();
        let name = name.to_str().expect("a crate's name is text");
        assert!(picture.split_whitespace().any(|word| word == name), "{name} is not shown");
    }
}
