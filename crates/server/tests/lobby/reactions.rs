//! Wordless signs between levels.

use wire::{ClientMessage, Reaction, ServerMessage};

use super::{THREE, TWO, begun, gathered, playing, seat};
use crate::common::{Person, Server};

/// What becomes of a sign: who is seen to have sent which, or why not.
async fn react(person: &mut Person, table: wire::Code, sign: Reaction) -> String {
    let id = person.id();
    person.send(&ClientMessage::React { table, id, sign }).await;
    loop {
        match person.hear().await {
            ServerMessage::Refused(refused) if refused.id == Some(id) => {
                return refused.why.code().to_owned();
            }
            ServerMessage::Reacted { name, sign: seen, .. } if seen == sign => {
                return name.to_string();
            }
            _ => {}
        }
    }
}

/// The next sign that a person sees.
async fn seen(person: &mut Person) -> (rules::kit::Seat, Reaction) {
    loop {
        if let ServerMessage::Reacted { seat, sign, .. } = person.hear().await {
            return (seat, sign);
        }
    }
}

#[tokio::test]
async fn players_send_signs_and_all_at_the_table_see_them() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    for sign in [Reaction::Wave, Reaction::Heart] {
        assert_eq!(react(&mut people[0], table, sign).await, "Ada");
        assert_eq!(seen(&mut people[1]).await, (seat("A"), sign));
        assert_eq!(seen(&mut eve).await, (seat("A"), sign));
    }
    assert_eq!(react(&mut eve, table, Reaction::Wave).await, "not-seated");
    let unknown = format!(r#"{{"t":"react","table":"{table}","id":90,"sign":"seven"}}"#);
    people[0].send_text(&unknown).await;
    loop {
        if let ServerMessage::Refused(refused) = people[0].hear().await {
            assert_eq!(refused.why.code(), "malformed", "the set is closed");
            break;
        }
    }
}

#[tokio::test]
async fn a_sign_that_is_sent_again_after_a_reconnection_is_seen_once() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let mut ben = people.pop().unwrap();
    let mut ada = people.pop().unwrap();
    let (id, sign) = (ada.id(), Reaction::Smile);
    ada.send(&ClientMessage::React { table, id, sign }).await;
    assert_eq!(seen(&mut ben).await, (seat("A"), sign));
    let mut ada = server.reconnected(ada).await;
    ada.join(table).await;
    ada.send(&ClientMessage::React { table, id, sign }).await;
    ada.answer(id).await.unwrap();
    assert_eq!(react(&mut ada, table, Reaction::Bravo).await, "Ada");
    assert_eq!(seen(&mut ben).await, (seat("A"), Reaction::Bravo), "the next one is another");
}

#[tokio::test]
async fn no_sign_is_sent_while_a_level_is_played() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    assert_eq!(react(&mut people[0], table, Reaction::Wave).await, "Ada", "before the level");
    drop(people);
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    for sign in Reaction::ALL.into_iter().take(4) {
        assert_eq!(react(&mut people[0], table, sign).await, "chat-closed");
    }
    let before = people[1].frames.len();
    people[1].caught_up(table).await;
    let later = &people[1].frames[before..];
    assert!(!later.iter().any(|text| text.contains("reacted")), "nothing of it reaches others");
}

#[tokio::test]
async fn signs_are_few_at_a_time() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let mut sent = 0;
    while react(&mut people[0], table, Reaction::Wave).await == "Ada" {
        sent += 1;
        assert!(sent < 12, "there is no limit");
    }
    assert!(sent >= 5, "only {sent}");
    assert_eq!(react(&mut people[0], table, Reaction::Wave).await, "reaction-rate");
    // Ben has heard those of Ada.
    assert_eq!(react(&mut people[1], table, Reaction::Smile).await, "Ben", "each has their own");
}
