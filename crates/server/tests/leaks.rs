//! Whole random games over real sockets: every frame holds exactly what its viewer may know.

use crate::common::chance::any_option;
use crate::common::scenes::{act, begun};
use crate::common::{Person, Server};
use rules::door::GameName;
use rules::kit::{Chance, Seat, Seed};
use wire::{ClientMessage, Code, Request, ServerMessage, Stage};

/// All chairs and a spectator play one random game; hands back what everyone received.
async fn play(server: &Server, wish: &str, players: u8, seed: u64) -> (Code, Vec<Person>) {
    let mut chance = Chance::new(Seed::from(seed), 0);
    let mut people = Vec::new();
    for seat in 0..=players {
        people.push(server.person(&format!("person {seat}")).await);
    }
    let table = server.open(&people[0].cookie.clone(), wish).await;
    for (index, person) in people.iter_mut().enumerate() {
        person.join(table).await;
        if let Some(seat) = Seat::new(index).filter(|_| index < usize::from(players)) {
            person.ask(table, Request::Sit(seat)).await.unwrap();
        }
    }
    let mut last = people[0].ask(table, Request::Start).await.unwrap();
    let mut step = 0;
    while matches!(last.table().stage, Stage::Playing { .. }) {
        step += 1;
        assert!(step < 20_000, "the game does not end");
        let index = chance.below(people.len() as u32) as usize;
        // Everyone is brought up to date by joining again: that answer is checked, too.
        let update = people[index].caught_up(table).await;
        if let Some(command) = any_option(&update, &mut chance) {
            match people[index].act(table, update.seq, command).await {
                Ok(update) => last = update,
                Err(code) => assert_eq!(code, "stale", "step {step}: {command:?}"),
            }
        }
    }
    // What is still on its way arrives before the answer to this.
    for person in &mut people {
        person.send(&ClientMessage::Hello { protocol: wire::PROTOCOL, client: 1 }).await;
        while !matches!(person.hear().await, ServerMessage::Welcome { .. }) {}
    }
    (table, people)
}

/// Folds the table's journal by the rules, and compares every frame with what its viewer knew.
async fn check(wish: &str, players: u8, seed: u64) {
    let server = Server::start(&[]).await;
    let (table, people) = play(&server, wish, players, seed).await;
    let folder = server.stop().await;
    let truth = crate::common::truth::of(folder.path(), table).await;
    let mut updates = 0;
    for (index, person) in people.iter().enumerate() {
        let seat = Seat::new(index).filter(|_| index < usize::from(players));
        for message in person.messages() {
            if let ServerMessage::Update(update) = message {
                updates += usize::from(truth.check(seat, &update));
            }
        }
    }
    assert!(updates > 20, "only {updates} updates were compared");
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_every_game_hold_what_their_viewer_may_know() {
    for (seed, game) in GameName::ALL.iter().enumerate() {
        let wish = format!(r#"{{"game":"{game}","players":3}}"#);
        check(&wish, 3, seed as u64).await;
    }
}

/// The frames of a person until everything that was on its way has arrived.
async fn settled(person: &mut Person) -> usize {
    person.send(&ClientMessage::Hello { protocol: wire::PROTOCOL, client: 1 }).await;
    while !matches!(person.hear().await, ServerMessage::Welcome { .. }) {}
    person.frames.iter().filter(|frame| frame.contains(r#""t":"update""#)).count()
}

/// That something happened would itself be news.
#[tokio::test]
async fn a_viewer_who_notices_nothing_is_sent_nothing() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"royale","players":3}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben", "Cora"]).await;
    act(&mut people[0], table, "hide A1,B2,C3").await.unwrap();
    let mut before = Vec::new();
    for person in &mut people {
        before.push(settled(person).await);
    }
    act(&mut people[1], table, "mark A1").await.unwrap();
    act(&mut people[1], table, "unmark A1").await.unwrap();
    for (index, person) in people.iter_mut().enumerate() {
        let more = settled(person).await - before[index];
        let last = &person.frames[person.frames.len().saturating_sub(4)..];
        assert_eq!(more > 0, index == 1, "seat {index} was told {more} times: {last:?}");
    }
}
