//! A damaged table is left out by every reader, and everything else goes on.

use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;
use wire::{Code, Lender, Request, SeatedTable};

use super::{TWO, end, get};
use crate::common::scenes::{begun, seat};
use crate::common::{PATIENCE, Person, Server, counted};
use crate::operating::{metric, until, watched};

pub const DAMAGED: &str = "unspoken_damaged_tables";

/// Removes the second line of a table. The server has to have been stopped since it was written:
/// until then lines are in another place.
pub fn damage(folder: &Path, table: Code) {
    let file = Connection::open(folder.join("tables.db")).unwrap();
    let sql = "DELETE FROM lines
        WHERE place = (SELECT id FROM tables WHERE key = ?1) << 32 | 2";
    assert_eq!(file.execute(sql, [table.as_str()]).unwrap(), 1);
}

/// These people begin a game at another table.
pub async fn begin_another(server: &Server, people: &mut [Person]) -> Code {
    let table = server.open(&people[0].cookie, TWO).await;
    for (person, letter) in people.iter_mut().zip(["A", "B"]) {
        person.join(table).await;
        person.ask(table, Request::Sit(seat(letter))).await.unwrap();
    }
    people[0].ask(table, Request::Start).await.unwrap();
    table
}

/// Two games of Ada and Ben that are over, at tables of their own, and the cookies of both people.
async fn two_games(server: &Server) -> ([Code; 2], [String; 2]) {
    let (first, mut people) = begun(server, TWO, &["Ada", "Ben"]).await;
    end(first, &mut people).await;
    let second = begin_another(server, &mut people).await;
    end(second, &mut people).await;
    counted(server, &people[0].cookie, 2).await;
    ([first, second], [0, 1].map(|index: usize| people[index].cookie.clone()))
}

/// The tables where a person has a seat, as soon as this many are found.
pub async fn seated(server: &Server, cookie: &str, tables: usize) -> Vec<Code> {
    let found = async {
        loop {
            let answer = get(server, cookie, "/api/me/tables").await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let found = serde_json::from_str::<Vec<SeatedTable>>(&answer.body).unwrap();
            if found.len() >= tables {
                return found.iter().map(|table| table.code).collect();
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, found).await.expect("the tables are found")
}

/// The same file after the server was stopped, the table damaged and a server started that is
/// watched.
pub async fn damaged(server: Server, table: Code) -> (TempDir, Server, Server) {
    let folder = server.stop().await;
    damage(folder.path(), table);
    let (server, metrics) = watched(&folder, &[]).await;
    (folder, server, metrics)
}

#[tokio::test]
async fn the_seats_at_older_tables_are_read() {
    let server = Server::start(&[]).await;
    let (older, people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let (newer, others) = begun(&server, TWO, &["Cora", "Dan"]).await;
    let (ada, cora) = (people[0].cookie.clone(), others[0].cookie.clone());
    drop((people, others));
    let (_folder, server, metrics) = damaged(server, newer).await;
    assert_eq!(seated(&server, &ada, 1).await, [older]);
    assert_eq!(seated(&server, &cora, 0).await, []);
    until(&metrics, DAMAGED, 1.0).await;
}

#[tokio::test]
async fn the_other_tables_of_a_person_are_listed() {
    let server = Server::start(&[]).await;
    let (first, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let second = begin_another(&server, &mut people).await;
    let ada = people[0].cookie.clone();
    drop(people);
    let folder = server.stop().await;
    let (server, metrics) = watched(&folder, &[]).await;
    assert_eq!(seated(&server, &ada, 2).await.len(), 2);
    assert_eq!(metric(&metrics, DAMAGED).await, Some(0.0));
    damage(folder.path(), second);
    assert_eq!(seated(&server, &ada, 1).await, [first]);
    assert_eq!(metric(&metrics, DAMAGED).await, Some(1.0));
}

#[tokio::test]
async fn the_games_of_other_tables_are_exported() {
    let server = Server::start(&[]).await;
    let ([first, second], [ada, _]) = two_games(&server).await;
    let (_folder, server, metrics) = damaged(server, first).await;
    let answer = get(&server, &ada, "/api/me/export").await;
    assert_eq!(answer.status, 200);
    let left_out = format!(r#"{{"left-out":{{"table":"{first}"}}}}"#);
    assert!(answer.body.contains(&left_out), "{}", answer.body);
    assert_eq!(answer.body.matches("{\"unspoken\":1,").count(), 1, "{}", answer.body);
    assert!(answer.body.contains(second.as_str()), "{}", answer.body);
    // The last piece of a body in pieces is empty: the download has come to its end.
    assert!(answer.body.ends_with("\r\n0\r\n\r\n"), "{}", answer.body);
    assert_eq!(metric(&metrics, DAMAGED).await, Some(1.0));
}

#[tokio::test]
async fn lenders_of_other_tables_are_listed() {
    let server = Server::start(&[]).await;
    let ([first, second], [ada, ben]) = two_games(&server).await;
    let lends = r#"{"lends_tempo":true}"#;
    let answer = server.http("PUT /api/me/consent", &[("Cookie", &ada)], lends).await;
    assert_eq!(answer.status, 200);
    let (_folder, server, metrics) = damaged(server, second).await;
    let answer = get(&server, &ben, "/api/ghosts").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let lenders = serde_json::from_str::<Vec<Lender>>(&answer.body).unwrap();
    let [ada] = &lenders[..] else { panic!("{lenders:?}") };
    assert_eq!((ada.name.as_str(), ada.game.table), ("Ada", first));
    assert_eq!(metric(&metrics, DAMAGED).await, Some(1.0));
}

#[tokio::test]
async fn other_games_with_the_same_deal_are_compared() {
    let server = Server::start(&[]).await;
    let (first, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    end(first, &mut people).await;
    let ada = people[0].cookie.clone();
    let mut again = Vec::new();
    for names in [["Cora", "Dan"], ["Eve", "Fay"]] {
        let head = format!("POST /api/replays/{first}-1/deal");
        let answer = server.http(&head, &[("Cookie", &ada)], "{}").await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let body = serde_json::from_str::<Value>(&answer.body).unwrap();
        let table = body["table"].as_str().unwrap().parse::<Code>().unwrap();
        let mut others = Vec::new();
        for (name, letter) in names.into_iter().zip(["A", "B"]) {
            let mut person = server.person(name).await;
            person.join(table).await;
            person.ask(table, Request::Sit(seat(letter))).await.unwrap();
            others.push(person);
        }
        others[0].ask(table, Request::Start).await.unwrap();
        end(table, &mut others).await;
        counted(&server, &others[0].cookie, 1).await;
        again.push(table);
    }
    drop(people);
    let (_folder, server, metrics) = damaged(server, again[1]).await;
    let answer = get(&server, &ada, &format!("/api/replays/{first}-1/others")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let games = serde_json::from_str::<Value>(&answer.body).unwrap();
    let games = games.as_array().unwrap().iter().map(|game| &game["game"]).collect::<Vec<_>>();
    assert_eq!(games.len(), 1, "{games:?}");
    assert_eq!(*games[0], format!("{}-1", again[0]));
    assert_eq!(metric(&metrics, DAMAGED).await, Some(1.0));
}
