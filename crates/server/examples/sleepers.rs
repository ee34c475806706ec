//! Fills a journal with tables that sleep: copies of the first lines of a table that is there.
//!
//! `cargo run --release -p server --example sleepers -- FILE COUNT LINES`
//!
//! Prints the codes of a few copies, and last that of the table with the most lines.

use anyhow::{Context, Result};
use journal::{Filter, Journal, Key, Note, Options, PAGE_MOST, Page, Sqlite};
use wire::Code;

/// How many codes are printed.
const SHOWN: u64 = 20;
/// How many appends wait at the same time.
const AT_ONCE: u64 = 8_192;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let usage = "say which file, how many tables and how many lines of each";
    let path = words.next().context(usage)?;
    let count = words.next().context(usage)?.parse::<u64>()?;
    let lines_most = words.next().context(usage)?.parse::<usize>()?;
    let journal = Sqlite::open(path, Options::default())?;
    let (longest, note, lines) = longest(&journal).await?;
    let lines = &lines[..lines.len().min(lines_most)];
    let mut waiting = Vec::new();
    for number in 0..count {
        let key = code(number, count).as_str().parse::<Key>()?;
        waiting.push(journal.append(&key, 0, lines.to_vec(), Some(note.clone())));
        if waiting.len() as u64 == AT_ONCE || number + 1 == count {
            for appended in waiting.drain(..) {
                appended.await?;
            }
        }
    }
    journal.close();
    for number in (0..count).step_by((count / SHOWN).max(1) as usize) {
        println!("{}", code(number, count));
    }
    println!("{longest}");
    Ok(())
}

/// A code of its own for each copy, spread over all of them.
fn code(number: u64, count: u64) -> Code {
    Code::of(Code::ALL / (count + 1) * (number + 1))
}

/// The table with the most lines among the newest.
async fn longest(journal: &Sqlite) -> Result<(Key, Note, Vec<Box<str>>)> {
    let page = Page::first(PAGE_MOST);
    let mut best: Option<(Key, Note, Vec<Box<str>>)> = None;
    for entry in journal.list(Filter::default(), page).await? {
        let lines = journal.read(&entry.key, 0).await?;
        if best.as_ref().is_none_or(|(.., other)| lines.len() > other.len()) {
            best = Some((entry.key, entry.note, lines));
        }
    }
    best.context("the journal has no table to copy, play at one first")
}
