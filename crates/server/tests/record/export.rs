//! The export of everything that is stored about a person.

use std::path::Path;

use rusqlite::Connection;
use server::journal_file::{Form, VerifiedGame, replay, verify};
use wire::Request;

use super::{TWO, end, get};
use crate::common::scenes::{begun, look};
use crate::common::{Server, counted};

/// How many lines of the journal have this seed.
fn dealt_from(file: &Path, seed: &str) -> u32 {
    let sql = "SELECT (SELECT count(*) FROM recent WHERE instr(line, ?1))
        + (SELECT count(*) FROM lines WHERE instr(line, ?1))";
    Connection::open(file).unwrap().query_one(sql, [seed], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn everything_of_ones_own_can_be_taken_away_and_nothing_else() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    end(table, &mut people).await;
    people[0].ask(table, Request::Rematch).await.unwrap();
    end(table, &mut people).await;
    // The third game is on, and at another table she is a spectator.
    people[0].ask(table, Request::Rematch).await.unwrap();
    let (other, mut others) = begun(&server, TWO, &["Cyd", "Dan"]).await;
    look(&mut people[0], other).await;
    end(other, &mut others).await;
    counted(&server, &ada, 2).await;
    counted(&server, &others[0].cookie, 1).await;

    let answer = get(&server, &ada, "/api/me/export").await;
    assert_eq!(answer.header("content-type"), Some("application/jsonl"));
    let text = unchunked(&answer.body);
    let head = text.lines().next().unwrap();
    let head = serde_json::from_str::<serde_json::Value>(head).unwrap();
    assert_eq!(head["person"]["name"], "Ada");
    assert_eq!(head["person"]["consent"]["lends_tempo"], false);
    let devices = head["person"]["devices"].as_array().unwrap();
    assert_eq!((devices.len(), &head["person"]["phrase"]), (1, &false.into()), "{head}");
    let age_s = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs() - devices[0].as_u64().unwrap();
    assert!(age_s < 600, "signed in {age_s} s ago");
    let secret = ada.split_once('=').unwrap().1;
    assert!(!text.contains(secret), "the secret stays in the cookie");
    assert!(!text.contains("Cyd"), "who looked on has not played");
    let file = server.folder.path().join("tables.db");
    let seeds = text.split("\"seed\":\"").skip(1).map(|rest| &rest[..64]).collect::<Vec<_>>();
    assert!(seeds.len() == 2 && seeds[0] != seeds[1], "two deals: {text}");
    for seed in seeds {
        assert_eq!(dealt_from(&file, seed), 1, "games that are over reveal their seeds: {text}");
    }
    let verified = verify(text.as_bytes(), "own.jsonl").unwrap();
    assert_eq!(verified.len(), 2);
    assert!(verified.iter().all(VerifiedGame::is_verified), "{verified:?}");

    let parts = text.split("{\"unspoken\":1,").skip(1).collect::<Vec<_>>();
    assert_eq!(parts.len(), 2, "the game that is on is not among them: {text}");
    for part in parts {
        let part = format!("{{\"unspoken\":1,{part}");
        let mut out = Vec::new();
        replay(part.as_bytes(), "own.jsonl", None, Form::Transcript, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with(&format!("game {table}-1: mind")), "{out}");
        assert!(out.contains("\nA Ada\nB Ben\n") && out.contains("verified"), "{out}");
    }
}

/// A body that was sent in pieces, each after its length.
pub fn unchunked(body: &str) -> String {
    let (mut rest, mut text) = (body, String::new());
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        text += &after[..length];
        rest = after[length..].trim_start_matches("\r\n");
    }
    text
}
