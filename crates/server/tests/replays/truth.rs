//! A replay shows each viewer's updates, and all hands where they are open.

use rules::kit::{Chance, Seat, Seed};
use wire::{FrameView, Request, ServerMessage, Stage, View};

use super::watch;
use crate::common::chance::any_option;
use crate::common::scenes::{begun, look};
use crate::common::{Person, Server};

/// The sights and view of each update that a person was sent.
fn noticed(person: &Person) -> Vec<FrameView> {
    let updates = person.messages().filter_map(|message| match message {
        ServerMessage::Update(update) if !update.sights.is_empty() => Some(*update),
        _ => None,
    });
    updates.map(|update| FrameView { sights: update.sights, view: update.view.unwrap() }).collect()
}

/// Whether everything is there that was noticed, in that order. Who came late missed something.
fn check(seen: &[FrameView], shown: &[FrameView], who: &str) {
    assert!(seen.len() > 5, "{who} noticed {} things only", seen.len());
    let mut rest = shown.iter();
    for each in seen {
        assert!(rest.any(|other| other == each), "{who} saw what the replay does not show");
    }
}

/// Plays a random game, and compares its replay with what everyone was told.
async fn play(wish: &str, seats: &[&str], seed: u64) {
    let mut chance = Chance::new(Seed::from(seed), 0);
    let server = Server::start(&[]).await;
    let mut eve = server.person("Eve").await;
    let (table, mut people) = begun(&server, wish, seats).await;
    eve.join(table).await;
    let mut last = people[0].caught_up(table).await;
    let mut moves = 0;
    while matches!(last.table().stage, Stage::Playing { .. }) && moves < 400 {
        let index = chance.below(people.len() as u32) as usize;
        let update = people[index].caught_up(table).await;
        if let Some(command) = any_option(&update, &mut chance)
            && let Ok(update) = people[index].act(table, update.seq, command).await
        {
            last = update;
            moves += 1;
        }
    }
    if matches!(last.table().stage, Stage::Playing { .. }) {
        for person in &mut people {
            person.ask(table, Request::End).await.unwrap();
        }
    }
    for person in people.iter_mut().chain([&mut eve]) {
        look(person, table).await;
    }
    let replay = watch(&server, &people[0].cookie, table, 1).await;
    assert!(replay.frames.is_sorted_by_key(|frame| frame.at));
    for (index, person) in people.iter().enumerate() {
        let shown = replay.frames.iter().map(|frame| frame.seats[index].clone());
        check(&noticed(person), &shown.collect::<Vec<_>>(), seats[index]);
    }
    let shown = replay.frames.iter().map(|frame| frame.spectator.clone()).collect::<Vec<_>>();
    check(&noticed(&eve), &shown, "Eve");
    for frame in &replay.frames {
        let views = frame.seats.iter().map(|shown| &shown.view).collect::<Vec<_>>();
        everything_is_open(&frame.open.view, &views);
    }
}

/// All hands lie open, and so does what was laid face down.
fn everything_is_open(open: &View, seats: &[&View]) {
    for (index, seat) in seats.iter().enumerate() {
        let at = Seat::new(index).unwrap();
        match (open, seat) {
            (View::Mind(open), View::Mind(own)) => assert_eq!(open.hands[at], own.hands[at]),
            (View::Extreme(open), View::Extreme(own)) => {
                assert_eq!(open.hands[at], own.hands[at]);
                let white = open.piles.white.iter().zip(own.piles.white.iter());
                let red = open.piles.red.iter().zip(own.piles.red.iter());
                assert!(white.chain(red).all(|(open, own)| open.seat() == own.seat()
                    && open.card().is_some()
                    && (own.card().is_none() || own == open)));
            }
            (View::Soulmates(open), View::Soulmates(own)) => {
                assert_eq!(open.hands[at], own.hands[at]);
                assert_eq!(open.pile.known().len(), own.pile.len());
                if open.public.seer == at {
                    assert_eq!(open.vision, own.vision);
                }
            }
            (View::Royale(open), View::Royale(own)) => {
                if open.public.roles.maker == at {
                    assert_eq!(open.code, own.code);
                }
            }
            _ => panic!("a game does not turn into another"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_shows_what_everyone_saw() {
    play(r#"{"game":"mind","players":2}"#, &["Ada", "Ben"], 1).await;
    play(r#"{"game":"extreme","players":3}"#, &["Ada", "Ben", "Cyd"], 2).await;
    play(r#"{"game":"soulmates","players":2}"#, &["Ada", "Ben"], 3).await;
    play(r#"{"game":"royale","players":2}"#, &["Ada", "Ben"], 4).await;
}
