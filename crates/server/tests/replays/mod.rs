//! Games that are over: who may watch them again, and that they see what was seen.

mod access;
mod audience;
mod commitments;
pub mod deals;
mod ghosts;
mod judgement;
mod size;
mod tempo;
mod transcripts;
mod truth;

use crate::common::{Answer, Person, Server};
use wire::{Code, Replay, Request};

/// A table of The Mind for two.
const TWO: &str = r#"{"game":"mind","players":2}"#;

/// Asks for a game of a table.
async fn ask(server: &Server, cookie: &str, table: Code, game: u32) -> Answer {
    server.http(&format!("GET /api/replays/{table}-{game}"), &[("Cookie", cookie)], "").await
}

/// A game of a table, which this person may watch again.
pub async fn watch(server: &Server, cookie: &str, table: Code, game: u32) -> Replay {
    let answer = ask(server, cookie, table, game).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    Replay::read(&answer.body).unwrap()
}

/// Everyone agrees to end the game.
pub async fn end(table: Code, people: &mut [Person]) {
    for person in people {
        person.ask(table, Request::End).await.unwrap();
    }
}

/// Why a request was refused.
fn problem(answer: &Answer) -> (u16, String) {
    let body = serde_json::from_str::<serde_json::Value>(&answer.body).unwrap();
    (answer.status, body["code"].as_str().unwrap().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}
