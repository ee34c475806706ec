//! Fills a journal with finished games of one person, most of them with another person.
//!
//! `cargo run --release -p server --example games -- FILE COUNT SECRET`
//!
//! The secret is the value of the person's cookie. Half of the games are those of one team.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/common/whole.rs"]
mod whole;

use anyhow::{Context, Result, ensure};
use journal::{Journal, Key, Note, Options, Sqlite};
use sha2::{Digest, Sha256};
use whole::{Team, journal};
use wire::Code;

/// How many people there are to play with.
const PARTNERS: u64 = 60;
/// How many different games are played; the others are copies with other people.
const DIFFERENT: u64 = 50;
/// How many appends wait at the same time.
const AT_ONCE: usize = 1_024;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let usage = "say which file, how many games and whose";
    let path = words.next().context(usage)?;
    let count = words.next().context(usage)?.parse::<u64>()?;
    let person = hash(&bytes(&words.next().context(usage)?)?);
    let games = (0..DIFFERENT).map(|seed| game(&person, seed)).collect::<Vec<_>>();
    let journal = Sqlite::open(path, Options::default())?;
    let mut waiting = Vec::new();
    for (number, lines) in (0..count).zip(games.iter().cycle()) {
        let key = Code::of(number).as_str().parse::<Key>()?;
        let partner = if number % 2 == 0 { 0 } else { number / 2 % PARTNERS };
        let with = |line: &String| line.replace(r#"{"bot":"steady"}"#, &chair(partner)).into();
        let lines = lines.iter().map(with).collect();
        let note = Note { text: "{}".into(), listed: false, ended: true };
        waiting.push(journal.append(&key, 0, lines, Some(note)));
        if waiting.len() == AT_ONCE || number + 1 == count {
            for appended in waiting.drain(..) {
                appended.await?;
            }
        }
    }
    journal.close();
    Ok(())
}

/// The lines of a short game with a machine. The head of the export is left out.
fn game(person: &str, seed: u64) -> Vec<String> {
    let team = Team { stops_once_in: 10, errs_once_in: 12, encore: false };
    let lines = journal(Code::of(seed), person, "players=2 levels=4 lives=3 stars=1", team, seed);
    lines.lines().skip(1).map(str::to_owned).collect()
}

/// The player of the other seat, now and then a bot.
fn chair(partner: u64) -> String {
    if partner == PARTNERS - 1 {
        return r#"{"bot":"kindred"}"#.to_owned();
    }
    let id = hash(&partner.to_le_bytes());
    format!(r#"{{"person":{{"id":"{id}","name":"Partner {partner}","held":false}}}}"#)
}

fn hash(secret: &[u8]) -> String {
    let digits = |byte: u8| [byte >> 4, byte & 15].map(|half| b"0123456789abcdef"[half as usize]);
    Sha256::digest(secret).into_iter().flat_map(digits).map(char::from).collect()
}

fn bytes(digits: &str) -> Result<Vec<u8>> {
    ensure!(digits.len() == 32, "a secret has 32 hexadecimal digits");
    let pair = |place: usize| Ok(u8::from_str_radix(&digits[place..place + 2], 16)?);
    (0..digits.len()).step_by(2).map(pair).collect()
}
