//! Looking on, and talking.

use wire::{Command, Options, Request, ServerMessage, Sitter};

use super::{THREE, TWO, act, begun, gathered, look, lowest, playing, seat};
use crate::common::{Person, Server};

/// The next chat message or refusal.
async fn heard(person: &mut Person) -> String {
    loop {
        match person.hear().await {
            ServerMessage::Said { seat, name, text, .. } => {
                let seat = seat.map_or("-".to_owned(), |seat| seat.to_string());
                return format!("{seat} {name}: {text}");
            }
            ServerMessage::Refused(refused) => return refused.why.code().to_owned(),
            _ => {}
        }
    }
}

#[tokio::test]
async fn spectators_see_what_is_public_and_cannot_act() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let mut eve = server.person("Eve").await;
    let update = eve.join(table).await;
    let Some(wire::View::Mind(view)) = &update.view else { panic!("it is The Mind") };
    assert!(view.hand().is_empty() && view.me.seat().is_none());
    for person in &mut people {
        let card = lowest(&look(person, table).await);
        let hand = format!("[{card}]");
        assert!(!eve.frames.iter().any(|frame| frame.contains(&hand)));
    }
    assert_eq!(update.options, Some(Options::Mind(vec![])));
    assert_eq!(update.table().spectator_count, 1);
    assert_eq!(update.you, None);
    let here = |chair: &wire::Chair| matches!(chair.sitter, Sitter::Person { here: true, .. });
    assert!(update.table().chairs.iter().all(here));
    let stop = Command::Mind("stop".parse().unwrap());
    assert_eq!(eve.act(table, update.seq, stop).await, Err("not-seated".to_owned()));
    for request in [Request::Hold, Request::End, Request::Wait] {
        assert_eq!(eve.ask(table, request).await, Err("not-seated".to_owned()));
    }
    assert_eq!(eve.ask(table, Request::Sit(seat("A"))).await, Err("game-on".to_owned()));
}

#[tokio::test]
async fn chat_is_closed_from_the_lifting_of_hands_to_the_end_of_the_level() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, TWO, &["Ada", "Ben"]).await;
    let says = async |people: &mut Vec<Person>, open: bool| {
        let update = look(&mut people[0], table).await;
        assert_eq!(update.table().talk, open);
        people[0].say(table, "hello").await;
        if open {
            for person in people {
                assert_eq!(heard(person).await, "A Ada: hello");
            }
        } else {
            assert_eq!(heard(&mut people[0]).await, "chat-closed");
        }
    };
    says(&mut people, true).await;
    people[0].ask(table, Request::Start).await.unwrap();
    says(&mut people, true).await;
    act(&mut people[0], table, "rest").await.unwrap();
    act(&mut people[1], table, "rest").await.unwrap();
    says(&mut people, false).await;
    act(&mut people[1], table, "stop").await.unwrap();
    says(&mut people, false).await;
    act(&mut people[0], table, "rest").await.unwrap();
    act(&mut people[1], table, "rest").await.unwrap();
    let cards = [look(&mut people[0], table).await, look(&mut people[1], table).await];
    let cards = cards.map(|update| lowest(&update).parse::<u8>().unwrap());
    for index in if cards[0] < cards[1] { [0, 1] } else { [1, 0] } {
        let play = format!("play {}", cards[index]);
        act(&mut people[index], table, &play).await.unwrap();
    }
    says(&mut people, true).await;
}

#[tokio::test]
async fn spectators_talk_among_themselves() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let mut eve = server.person("Eve").await;
    let mut finn = server.person("Finn").await;
    eve.join(table).await;
    finn.join(table).await;
    eve.say(table, "she holds the 7").await;
    assert_eq!(heard(&mut eve).await, "- Eve: she holds the 7");
    assert_eq!(heard(&mut finn).await, "- Eve: she holds the 7");
    people[0].say(table, "ready?").await;
    // The players hear each other, and had nothing to hear before.
    for person in [&mut people[0], &mut eve, &mut finn] {
        assert_eq!(heard(person).await, "A Ada: ready?");
    }
    assert_eq!(heard(&mut people[1]).await, "A Ada: ready?");
    for person in &people {
        assert!(!person.frames.iter().any(|frame| frame.contains("holds the 7")));
    }
}

#[tokio::test]
async fn chat_is_plain_text_of_limited_length() {
    let server = Server::start(&["--chat-chars", "20"]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada"]).await;
    for (said, expected) in [
        ("<b>hi</b> & bye", "A Ada: <b>hi</b> & bye"),
        ("  hi  ", "A Ada: hi"),
        (" ", "chat-length"),
        (&*"x".repeat(21), "chat-length"),
        ("\u{7}", "chat-length"),
        ("a\u{202e}b\u{7}\n\n\n c", "A Ada: ab\nc"),
    ] {
        people[0].say(table, said).await;
        assert_eq!(heard(&mut people[0]).await, expected);
    }
}
