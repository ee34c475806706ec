//! The record: who sees what was played, how it is found, and how it is forgotten.

mod books;
pub mod damage;
mod deals;
mod deletion;
pub mod export;
mod victory;

use crate::common::{Answer, Person, Server};
use serde::de::DeserializeOwned;
use wire::{Code, GameSummary, History, Participant, Record, Request};

/// A table of The Mind for two.
const TWO: &str = r#"{"game":"mind","players":2}"#;

async fn get(server: &Server, cookie: &str, path: &str) -> Answer {
    server.http(&format!("GET {path}"), &[("Cookie", cookie)], "").await
}

async fn fetched<T: DeserializeOwned>(server: &Server, cookie: &str, path: &str) -> T {
    let answer = get(server, cookie, path).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

async fn record(server: &Server, cookie: &str) -> Record {
    fetched(server, cookie, "/api/me/record").await
}

async fn games(server: &Server, cookie: &str, search: &str) -> History {
    fetched(server, cookie, &format!("/api/me/games?{search}")).await
}

/// Why a request was refused.
fn problem(answer: &Answer) -> (u16, String) {
    let body = serde_json::from_str::<serde_json::Value>(&answer.body).unwrap();
    (answer.status, body["code"].as_str().unwrap().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// Everyone agrees to end the game.
async fn end(table: Code, people: &mut [Person]) {
    for person in people {
        person.ask(table, Request::End).await.unwrap();
    }
}

/// The names of participants; the reader is "you".
fn names(people: &[Participant]) -> Vec<&str> {
    fn name(who: &Participant) -> &str {
        match who {
            Participant::You => "you",
            Participant::Named { name, .. } => name.as_str(),
            who => panic!("{who:?} has no name"),
        }
    }
    people.iter().map(name).collect()
}

/// Games as they are named: `k3f9ab-1`.
fn ids(games: &[GameSummary]) -> Vec<String> {
    games.iter().map(|game| format!("{}-{}", game.table, game.number)).collect()
}
