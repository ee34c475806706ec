//! Seats, the host, the start and the rematch.

use wire::{BotKind, Command, Request, Sitter, Stage, Update};

use super::{THREE, TWO, act, begun, gathered, look, seat, sitters};
use crate::common::{Person, Server};

fn bot(letter: &str) -> Request {
    Request::AddBot { seat: seat(letter), kind: BotKind::Random }
}

fn refused<T>(code: &str) -> Result<T, String> {
    Err(code.to_owned())
}

#[tokio::test]
async fn seats_are_taken_changed_and_given_up() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    assert_eq!(people[1].ask(table, Request::Sit(seat("A"))).await, refused("seat-taken"));
    assert_eq!(people[1].ask(table, Request::Sit(seat("D"))).await, refused("no-such-seat"));
    let update = people[1].ask(table, Request::Sit(seat("C"))).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "-", "Ben"]);
    let update = people[1].ask(table, Request::Stand).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "-", "-"]);
    assert_eq!(update.table().spectator_count, 1);
    assert_eq!(people[1].ask(table, Request::Stand).await, refused("not-seated"));
}

#[tokio::test]
async fn the_host_adds_and_removes_machines_and_sends_people_away() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let update = people[0].ask(table, bot("C")).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "Ben", "*"]);
    assert_eq!(people[0].ask(table, bot("B")).await, refused("seat-taken"));
    assert_eq!(people[0].ask(table, Request::RemoveBot(seat("B"))).await, refused("no-bot"));
    assert_eq!(people[0].ask(table, Request::Kick(seat("C"))).await, refused("no-person"));
    assert_eq!(people[0].ask(table, Request::Kick(seat("A"))).await, refused("own-seat"));
    let update = people[0].ask(table, Request::RemoveBot(seat("C"))).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "Ben", "-"]);
    let update = people[0].ask(table, Request::Kick(seat("B"))).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "-", "-"]);
    assert_eq!(update.table().spectator_count, 0, "who was removed is gone");
}

#[tokio::test]
async fn only_the_host_decides_about_the_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    for request in [
        bot("C"),
        Request::RemoveBot(seat("C")),
        Request::Kick(seat("A")),
        Request::PassHost(seat("B")),
        Request::Start,
        Request::Rematch,
    ] {
        assert_eq!(people[1].ask(table, request).await, refused("not-host"), "{request:?}");
    }
}

#[tokio::test]
async fn the_person_who_opened_the_table_is_host_once_seated() {
    let server = Server::start(&[]).await;
    let mut ada = server.person("Ada").await;
    let mut ben = server.person("Ben").await;
    let table = server.open(&ada.cookie.clone(), THREE).await;
    ben.join(table).await;
    let update = ben.ask(table, Request::Sit(seat("B"))).await.unwrap();
    assert_eq!(update.table().host, Some(seat("B")), "as long as no other player is connected");
    ada.join(table).await;
    let update = ada.ask(table, Request::Sit(seat("A"))).await.unwrap();
    assert_eq!(update.table().host, Some(seat("A")));
    // Once only: what was passed on stays passed on.
    ada.ask(table, Request::PassHost(seat("B"))).await.unwrap();
    let update = ada.ask(table, Request::Sit(seat("C"))).await.unwrap();
    assert_eq!(update.table().host, Some(seat("B")));
}

#[tokio::test]
async fn the_host_passes_on_by_request_when_standing_up_and_when_gone() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    let update = people[0].ask(table, Request::PassHost(seat("B"))).await.unwrap();
    assert_eq!(update.table().host, Some(seat("B")));
    let update = people[1].ask(table, Request::Stand).await.unwrap();
    assert_eq!(update.table().host, Some(seat("A")));
    let ada = people.remove(0).hang_up();
    let update = people[1].until(|update| update.table().host == Some(seat("C"))).await;
    assert_eq!(sitters(&update), ["Ada", "-", "Cora"], "her seat is kept");
    let pass = Request::PassHost(seat("A"));
    assert_eq!(people[1].ask(table, pass).await, refused("not-here"));
    // Coming back does not take it away again.
    let mut ada = server.again(&ada).await;
    assert_eq!(ada.join(table).await.table().host, Some(seat("C")));
    assert_eq!(ada.ask(table, Request::PassHost(seat("B"))).await, refused("not-host"));
}

#[tokio::test]
async fn when_all_were_gone_the_first_to_return_is_host() {
    let server = Server::start(&["--table-idle-s", "0.01"]).await;
    let (table, people) = gathered(&server, TWO, &["Ada", "Ben"]).await;
    let cookies = people.into_iter().map(Person::hang_up).collect::<Vec<_>>();
    let mut ben = server.again(&cookies[1]).await;
    ben.join(table).await;
    // Her connection may be noticed to be gone only after he is there.
    let mut update = look(&mut ben, table).await;
    while update.table().host != Some(seat("B")) {
        update = ben.update().await;
    }
    assert_eq!(sitters(&update), ["Ada", "Ben"]);
}

#[tokio::test]
async fn a_game_starts_when_every_seat_is_taken() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    assert_eq!(people[0].ask(table, Request::Start).await, refused("empty-seats"));
    assert_eq!(people[0].ask(table, Request::Rematch).await, refused("not-over"));
    people[0].ask(table, bot("C")).await.unwrap();
    let update = people[0].ask(table, Request::Start).await.unwrap();
    assert!(matches!(update.table().stage, Stage::Playing { .. }));
    assert_eq!(update.table().games, 1);
    assert!(!update.sights.is_empty() && update.view.is_some() && update.options.is_some());
    for request in [
        Request::Start,
        Request::Sit(seat("A")),
        Request::Stand,
        Request::Kick(seat("B")),
        Request::RemoveBot(seat("C")),
    ] {
        assert_eq!(people[0].ask(table, request).await, refused("game-on"), "{request:?}");
    }
}

#[tokio::test]
async fn a_rematch_keeps_the_group_and_late_moves_are_stale() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let old = act(&mut people[0], table, "rest").await.unwrap();
    assert_eq!(people[0].ask(table, Request::Rematch).await, refused("not-over"));
    for person in &mut people {
        person.ask(table, Request::End).await.unwrap();
    }
    let over = look(&mut people[1], table).await;
    assert_eq!(over.table().stage, Stage::Over { outcome: None });
    let rest = Command::Mind("rest".parse().unwrap());
    assert_eq!(people[1].act(table, over.seq, rest).await, refused("no-game"));

    let update = people[0].ask(table, Request::Rematch).await.unwrap();
    assert_eq!((update.table().games, update.table().host), (2, Some(seat("A"))));
    assert_eq!(sitters(&update), ["Ada", "Ben"]);
    assert!(update.seq > old.seq && update.seq > over.seq);
    assert_eq!(people[1].act(table, over.seq, rest).await, refused("stale"));
    let fresh = people[1].update().await;
    assert!(people[1].act(table, fresh.seq, rest).await.is_ok());
}

#[tokio::test]
async fn players_say_that_they_are_ready() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, TWO, &["Ada", "Ben"]).await;
    let update = people[1].ask(table, Request::Ready).await.unwrap();
    assert_eq!(ready(&update), [false, true]);
    // The next player in that seat is not ready.
    people[1].ask(table, Request::Stand).await.unwrap();
    assert_eq!(people[1].ask(table, Request::Ready).await.err().as_deref(), Some("not-seated"));
    let update = people[1].ask(table, Request::Sit(seat("B"))).await.unwrap();
    assert_eq!(ready(&update), [false, false]);
    people[1].ask(table, Request::Ready).await.unwrap();
    let update = people[1].ask(table, Request::Unready).await.unwrap();
    assert_eq!(ready(&update), [false, false]);
    // The host need not wait, and during a game no player can get ready.
    people[0].ask(table, Request::Start).await.unwrap();
    assert_eq!(people[1].ask(table, Request::Ready).await.err().as_deref(), Some("game-on"));
}

#[tokio::test]
async fn players_say_that_they_need_a_moment_more() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, TWO, &["Ada", "Ben"]).await;
    let update = people[1].ask(table, Request::Unhurried(true)).await.unwrap();
    assert_eq!(unhurried(&update), [false, true]);
    // It holds in the game, where saying anything about it would be a signal.
    let update = people[0].ask(table, Request::Start).await.unwrap();
    assert_eq!(unhurried(&update), [false, true]);
    let refused = people[1].ask(table, Request::Unhurried(false)).await;
    assert_eq!(refused.err().as_deref(), Some("game-on"));
}

fn unhurried(update: &Update) -> Vec<bool> {
    let chairs = update.table().chairs.iter();
    chairs.map(|chair| matches!(chair.sitter, Sitter::Person { unhurried: true, .. })).collect()
}

fn ready(update: &Update) -> Vec<bool> {
    let chairs = update.table().chairs.iter();
    chairs.map(|chair| matches!(chair.sitter, Sitter::Person { ready: true, .. })).collect()
}

#[tokio::test]
async fn with_a_fixed_seed_every_group_is_dealt_the_same() {
    let server = Server::start(&[]).await;
    let other = Server::start(&[]).await;
    let wish = r#"{"game":"mind","players":2,"preset":"research"}"#;
    let mut hands = Vec::new();
    for server in [&server, &server, &other] {
        let (table, mut people) = begun(server, wish, &["Ada", "Ben"]).await;
        hands.push(look(&mut people[0], table).await.view);
    }
    assert_eq!(hands[0], hands[1]);
    assert_ne!(hands[0], hands[2], "every server has a secret of its own");
}

#[tokio::test]
async fn servers_with_the_same_secret_deal_alike() {
    let wish = r#"{"game":"mind","players":2,"preset":"research"}"#;
    let mut hands = Vec::new();
    for secret in ["a word", "a word", "another word"] {
        let server = Server::start(&["--deals", secret]).await;
        let (table, mut people) = begun(&server, wish, &["Ada", "Ben"]).await;
        hands.push(look(&mut people[0], table).await.view);
    }
    assert_eq!(hands[0], hands[1]);
    assert_ne!(hands[0], hands[2]);
}
