//! People find each other: by a search, by an invitation, by the deal of the day.

mod daily;
mod invitations;
mod partners;

use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::Code;

use crate::common::{Answer, Server};

/// What the server answers to a person.
async fn get<T: DeserializeOwned>(server: &Server, cookie: &str, path: &str) -> T {
    let answer = server.http(&format!("GET {path}"), &[("Cookie", cookie)], "").await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

async fn post(server: &Server, cookie: &str, path: &str, body: &str) -> Answer {
    server.http(&format!("POST {path}"), &[("Cookie", cookie)], body).await
}

/// The code of a problem.
fn code(answer: &Answer) -> String {
    let body = serde_json::from_str::<Value>(&answer.body).unwrap();
    body["code"].as_str().unwrap_or_default().to_owned()
}

/// The table of an answer.
fn table(answer: &Answer) -> Code {
    assert_eq!(answer.status, 201, "{answer:?}");
    let body = serde_json::from_str::<Value>(&answer.body).unwrap();
    body["table"].as_str().unwrap().parse().unwrap()
}
