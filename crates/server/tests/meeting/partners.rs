//! The search for partners over real sockets.

use std::time::Duration;

use tempfile::TempDir;
use wire::{Code, PartnerSearch, Reaction, Request, ServerMessage, Sitter, Stage};

use super::{code, get, post};
use crate::common::scenes::{act, look, lowest, seat};
use crate::common::{Person, Server, options};

const MIND_FOR_TWO: &str = r#"{"game":"mind","players":2,"language":"en"}"#;

async fn search(server: &Server, person: &Person, wish: &str) -> PartnerSearch {
    let answer = post(server, &person.cookie, "/api/partners", wish).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

async fn state(server: &Server, person: &Person) -> PartnerSearch {
    get(server, &person.cookie, "/api/partners").await
}

fn found(search: PartnerSearch) -> Code {
    let PartnerSearch::Found { table } = search else { panic!("{search:?}") };
    table
}

/// A server on which bots take the free seats at once.
async fn impatient() -> Server {
    let folder = TempDir::new().unwrap();
    let options = server::Options { bots_after: Duration::ZERO, ..options(folder.path(), &[]) };
    Server::start_with(folder, options).await
}

/// Why a chat message is refused; empty if it arrives.
async fn said(person: &mut Person, table: Code, text: &str) -> String {
    person.say(table, text).await;
    loop {
        match person.hear().await {
            ServerMessage::Refused(refused) => return refused.why.code().to_owned(),
            ServerMessage::Said { text: heard, .. } if heard == text => return String::new(),
            _ => {}
        }
    }
}

#[tokio::test]
async fn people_who_want_the_same_find_each_other_and_play_at_once() {
    let server = Server::start(&[]).await;
    let (mut ada, mut ben) = (server.person("Ada").await, server.person("Ben").await);
    let cyd = server.person("Cyd").await;
    let waiting = search(&server, &ada, MIND_FOR_TWO).await;
    let PartnerSearch::Waiting { people: 1, players: 2, bots_in_s } = waiting else {
        panic!("{waiting:?}")
    };
    assert!((1..=15).contains(&bots_in_s), "an honest word on how long: {bots_in_s}");
    let french = MIND_FOR_TWO.replace("en", "fr");
    assert!(matches!(search(&server, &cyd, &french).await, PartnerSearch::Waiting { .. }));

    let table = found(search(&server, &ben, MIND_FOR_TWO).await);
    assert_eq!(found(state(&server, &ada).await), table);
    assert!(matches!(state(&server, &cyd).await, PartnerSearch::Waiting { .. }));
    ada.join(table).await;
    let update = ben.join(table).await;
    assert!(matches!(update.table().stage, Stage::Playing { .. }), "the game has begun");
    assert_eq!((update.you, update.table().public), (Some(seat("B")), false));
    assert!(update.table().commitment.is_some());
    for person in [&mut ada, &mut ben] {
        act(person, table, "rest").await.unwrap();
    }

    let cancelled = server.http("DELETE /api/partners", &[("Cookie", &cyd.cookie)], "").await;
    assert_eq!(cancelled.status, 204);
    assert_eq!(state(&server, &cyd).await, PartnerSearch::Idle);
}

#[tokio::test]
async fn a_search_that_cannot_be_is_refused() {
    let server = Server::start(&[]).await;
    let ada = server.person("Ada").await;
    for (wish, why) in [
        (r#"{"game":"royale","players":4,"language":"en"}"#, "setup"),
        (r#"{"game":"mind","players":2,"language":"tlh"}"#, "malformed"),
    ] {
        assert_eq!(code(&post(&server, &ada.cookie, "/api/partners", wish).await), why, "{wish}");
    }
    let answer = server.http("POST /api/partners", &[], MIND_FOR_TWO).await;
    assert_eq!(code(&answer), "no-name");
}

#[tokio::test]
async fn a_bot_takes_the_seat_and_a_person_takes_it_over_between_levels() {
    let server = impatient().await;
    let (mut ada, mut ben) = (server.person("Ada").await, server.person("Ben").await);
    let table = found(search(&server, &ada, MIND_FOR_TWO).await);
    let update = ada.join(table).await;
    assert!(matches!(update.table().chairs[1].sitter, Sitter::Bot(_)), "{update:?}");

    // A level is played: the bot lays its hand by itself.
    act(&mut ada, table, "rest").await.unwrap();
    let is_level = |update: &wire::Update| update.table.as_ref().is_some_and(|table| !table.talk);
    if !is_level(&look(&mut ada, table).await) {
        ada.until(is_level).await;
    }
    let joining = search(&server, &ben, MIND_FOR_TWO).await;
    assert_eq!(joining, PartnerSearch::Joining { table }, "a later person is led to the bot");
    let update = ben.join(table).await;
    assert!(update.table().strangers.unwrap().free.is_empty(), "not during a level");
    assert_eq!(ben.ask(table, Request::Sit(seat("B"))).await.unwrap_err(), "level-on");
    assert_eq!(ben.ask(table, Request::Sit(seat("A"))).await.unwrap_err(), "seat-taken");

    // The level is over as soon as Ada has played her only card and the bot its own.
    let card = lowest(&look(&mut ada, table).await);
    act(&mut ada, table, &format!("play {card}")).await.unwrap();
    let has_seat = |update: &wire::Update| {
        let strangers = update.table.as_ref().and_then(|table| table.strangers);
        strangers.is_some_and(|strangers| strangers.free.contains(seat("B")))
    };
    if !has_seat(&look(&mut ben, table).await) {
        ben.until(has_seat).await;
    }
    let update = ben.ask(table, Request::Sit(seat("B"))).await.unwrap();
    assert_eq!(update.you, Some(seat("B")));
    let wire::View::Mind(view) = update.view.unwrap() else { panic!("it is The Mind") };
    assert_eq!(view.hand().len(), view.public.level, "Ben plays on with the bot's cards");
    for person in [&mut ada, &mut ben] {
        act(person, table, "rest").await.unwrap();
    }
    assert_eq!(crate::common::scenes::phase(&look(&mut ben, table).await), "playing:-");
    let cyd = server.person("Cyd").await;
    let other = found(search(&server, &cyd, MIND_FOR_TWO).await);
    assert_ne!(other, table, "no bot is left there");
}

#[tokio::test]
async fn a_person_who_was_removed_is_not_led_to_the_same_table_again() {
    let server = impatient().await;
    let (mut ada, mut ben) = (server.person("Ada").await, server.person("Ben").await);
    let table = found(search(&server, &ada, MIND_FOR_TWO).await);
    ada.join(table).await;
    assert_eq!(search(&server, &ben, MIND_FOR_TWO).await, PartnerSearch::Joining { table });
    ben.join(table).await;
    let is_watched = |update: &wire::Update| {
        update.table.as_ref().is_some_and(|table| !table.spectators.is_empty())
    };
    let mut update = look(&mut ada, table).await;
    if !is_watched(&update) {
        update = ada.until(is_watched).await;
    }
    let number = update.table().spectators[0].number;
    ada.ask(table, Request::RemoveSpectator(number)).await.unwrap();
    let other = found(search(&server, &ben, MIND_FOR_TWO).await);
    assert_ne!(other, table);
    let cyd = server.person("Cyd").await;
    let joining = search(&server, &cyd, MIND_FOR_TWO).await;
    assert_eq!(joining, PartnerSearch::Joining { table }, "others are");
}

#[tokio::test]
async fn strangers_send_signs_and_chat_when_all_have_agreed() {
    let server = Server::start(&[]).await;
    let (mut ada, mut ben) = (server.person("Ada").await, server.person("Ben").await);
    search(&server, &ada, MIND_FOR_TWO).await;
    let table = found(search(&server, &ben, MIND_FOR_TWO).await);
    for person in [&mut ada, &mut ben] {
        person.join(table).await;
    }
    let (id, sign) = (ada.id(), Reaction::Wave);
    ada.send(&wire::ClientMessage::React { table, id, sign }).await;
    while !matches!(ben.hear().await, ServerMessage::Reacted { .. }) {}

    assert_eq!(said(&mut ada, table, "hello").await, "chat-not-agreed");
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    assert_eq!(said(&mut eve, table, "hello").await, "chat-not-agreed");
    assert_eq!(eve.ask(table, Request::AgreeToChat(true)).await.unwrap_err(), "not-seated");
    ada.ask(table, Request::AgreeToChat(true)).await.unwrap();
    assert_eq!(said(&mut ada, table, "hello").await, "chat-not-agreed", "Ben has not agreed");
    let update = ben.ask(table, Request::AgreeToChat(true)).await.unwrap();
    assert!(update.table().strangers.unwrap().chat);
    assert_eq!(said(&mut ada, table, "hello").await, "");
    ben.ask(table, Request::AgreeToChat(false)).await.unwrap();
    assert_eq!(said(&mut ada, table, "hello?").await, "chat-not-agreed", "it is taken back");
}

#[tokio::test]
async fn other_tables_have_their_chat_without_an_agreement() {
    let server = Server::start(&[]).await;
    let two = r#"{"game":"mind","players":2}"#;
    let names = ["Ada", "Ben"];
    let (table, mut people) = crate::common::scenes::begun(&server, two, &names).await;
    assert_eq!(look(&mut people[0], table).await.table().strangers, None);
    assert_eq!(said(&mut people[0], table, "hello").await, "");
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    assert_eq!(eve.ask(table, Request::Sit(seat("A"))).await.unwrap_err(), "game-on");
}
