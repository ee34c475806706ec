//! A player finds back to the tables where they have a seat.

use wire::{BotKind, Code, Participant, Request, SeatedTable};

use super::{THREE, TWO, begun, missing, playing, seat};
use crate::common::{Person, Server};

async fn tables(server: &Server, cookie: &str) -> Vec<SeatedTable> {
    let answer = server.http("GET /api/me/tables", &[("Cookie", cookie)], "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

/// The one table in a list.
fn only(mut tables: Vec<SeatedTable>) -> SeatedTable {
    assert_eq!(tables.len(), 1, "{tables:?}");
    tables.remove(0)
}

/// Who is in the chairs, and whether they are there.
fn chairs(table: &SeatedTable) -> Vec<(&str, bool)> {
    fn name(who: &Participant) -> &str {
        match who {
            Participant::You => "you",
            Participant::Named { name, .. } => name.as_str(),
            Participant::Bot(BotKind::Steady) => "Steady",
            who => panic!("{who:?} was not expected"),
        }
    }
    table.chairs.iter().map(|chair| (name(&chair.who), chair.here)).collect()
}

/// Asks until the sleeping tables are read.
async fn until_found(server: &Server, cookie: &str) -> Vec<SeatedTable> {
    for _ in 0..200 {
        let found = tables(server, cookie).await;
        if !found.is_empty() {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the table is not found")
}

#[tokio::test]
async fn a_player_is_led_back_and_told_who_is_there() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    let ben = people.remove(1).hang_up();
    people[0].until(|update| missing(update) == "B").await;
    let found = only(tables(&server, &ben).await);
    assert_eq!((found.code, found.chapter), (table, 1));
    assert_eq!(chairs(&found), [("Ada", true), ("you", false), ("Cora", true)]);

    let mut back = server.again(&ben).await;
    back.join(table).await;
    let found = only(tables(&server, &ben).await);
    assert_eq!(chairs(&found)[1], ("you", true));
}

#[tokio::test]
async fn only_a_seat_in_a_game_that_is_on_counts() {
    let server = Server::start(&[]).await;
    let stranger = server.name("Eve").await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    // A spectator has no seat.
    let mut eve = server.again(&stranger).await;
    eve.join(table).await;
    assert!(tables(&server, &stranger).await.is_empty());
    let ada = cookie_after_end(&mut people, table).await;
    assert!(tables(&server, &ada).await.is_empty(), "the game is over");
}

/// All agree to end the game; the cookie of the first.
async fn cookie_after_end(people: &mut Vec<Person>, table: Code) -> String {
    for person in people.iter_mut() {
        person.ask(table, Request::End).await.unwrap();
    }
    people.remove(0).hang_up()
}

#[tokio::test]
async fn a_table_that_slept_through_a_restart_is_found() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let ada = people.remove(0).hang_up();
    let folder = server.stop().await;
    let server = Server::start_in(folder, &[]).await;
    let found = only(until_found(&server, &ada).await);
    assert_eq!((found.code, found.chapter), (table, 1));
    assert_eq!(chairs(&found), [("you", false), ("Ben", false)]);
    // One tap: the seat is still theirs.
    let mut back = server.again(&ada).await;
    back.join(table).await;
    assert_eq!(chairs(&tables(&server, &ada).await[0])[0], ("you", true));
}

#[tokio::test]
async fn a_lesson_is_not_continued_and_a_game_with_bots_is() {
    let server = Server::start(&[]).await;
    let ada = server.name("Ada").await;
    let headers = [("Cookie", ada.as_str())];
    let lesson = server.http("POST /api/lessons", &headers, r#"{"game":"mind"}"#).await;
    assert_eq!(lesson.status, 201);
    assert!(tables(&server, &ada).await.is_empty());
    let table = server.open(&ada, TWO).await;
    let mut person = server.again(&ada).await;
    person.join(table).await;
    person.ask(table, Request::Sit(seat("A"))).await.unwrap();
    person.ask(table, Request::AddBot { seat: seat("B"), kind: BotKind::Steady }).await.unwrap();
    assert!(tables(&server, &ada).await.is_empty(), "no game is on");
    person.ask(table, Request::Start).await.unwrap();
    let found = only(tables(&server, &ada).await);
    assert_eq!(chairs(&found)[1], ("Steady", true));
}
