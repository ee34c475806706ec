//! A player leaves or loses the connection during a game.

use wire::{ClientMessage, Request, Sitter, Stage, Update};

use super::{THREE, TWO, act, begun, gathered, look, lowest, missing, phase, playing, seat, stage};
use crate::common::{Person, Server};

fn refused<T>(code: &str) -> Result<T, String> {
    Err(code.to_owned())
}

fn held(update: &Update) -> Vec<bool> {
    let chairs = update.table().chairs.iter();
    chairs.map(|chair| matches!(chair.sitter, Sitter::Person { held: true, .. })).collect()
}

fn here(update: &Update) -> Vec<bool> {
    let chairs = update.table().chairs.iter();
    chairs.map(|chair| matches!(chair.sitter, Sitter::Person { here: true, .. })).collect()
}

#[tokio::test]
async fn the_level_freezes_until_all_are_back_and_all_hands_lie_on_the_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    let card = lowest(&look(&mut people[0], table).await);
    let ben = people.remove(1).hang_up();
    for person in &mut people {
        let update = person.until(|update| missing(update) == "B").await;
        assert_eq!(phase(&update), "refocus:-");
        assert_eq!(here(&update), [true, false, true]);
        assert!(!update.table().talk, "a stop does not open the chat");
    }
    let play = format!("play {card}");
    assert_eq!(act(&mut people[0], table, &play).await, refused("player-missing"));
    // Hands may be laid down meanwhile; one is missing, so nothing begins.
    act(&mut people[0], table, "rest").await.unwrap();
    let update = act(&mut people[1], table, "rest").await.unwrap();
    assert_eq!(phase(&update), "refocus:AC");

    let mut ben = server.again(&ben).await;
    let update = ben.join(table).await;
    assert_eq!((missing(&update).as_str(), phase(&update).as_str()), ("-", "refocus:AC"));
    assert_eq!(act(&mut people[0], table, &play).await, refused("not-playing"));
    let update = act(&mut ben, table, "rest").await.unwrap();
    assert_eq!(phase(&update), "playing:-");
    act(&mut people[0], table, &play).await.unwrap();
}

#[tokio::test]
async fn leaving_the_table_is_the_same_as_dropping() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    people[1].send(&ClientMessage::Leave { table }).await;
    let update = people[0].until(|update| missing(update) == "B").await;
    assert_eq!(phase(&update), "refocus:-");
    let update = look(&mut people[1], table).await;
    assert_eq!(missing(&update), "-");
}

#[tokio::test]
async fn a_hand_that_lay_on_the_table_is_taken_back_with_its_player() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    act(&mut people[1], table, "rest").await.unwrap();
    drop(people.remove(1));
    let update = people[0].until(|update| missing(update) == "B").await;
    assert_eq!(phase(&update), "focus:-");
    let update = act(&mut people[0], table, "rest").await.unwrap();
    assert_eq!(phase(&update), "focus:A", "play does not begin without them");
}

#[tokio::test]
async fn the_others_let_a_machine_hold_the_seat_until_its_player_returns() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    assert_eq!(people[0].ask(table, Request::Hold).await, refused("no-player-missing"));
    let ben = people.remove(1).hang_up();
    people[0].until(|update| missing(update) == "B").await;
    let update = people[0].ask(table, Request::Hold).await.unwrap();
    assert_eq!(stage(&update), ("B".to_owned(), "A".to_owned(), "-".to_owned()));
    let update = people[0].ask(table, Request::Wait).await.unwrap();
    assert_eq!(stage(&update).1, "-", "one may think again");
    people[0].ask(table, Request::Hold).await.unwrap();
    let update = people[1].ask(table, Request::Hold).await.unwrap();
    assert_eq!(stage(&update), ("-".to_owned(), "-".to_owned(), "-".to_owned()));
    assert_eq!(held(&update), [false, true, false]);

    act(&mut people[0], table, "rest").await.unwrap();
    act(&mut people[1], table, "rest").await.unwrap();
    people[0].until(|update| phase(update).starts_with("playing")).await;

    let mut ben = server.again(&ben).await;
    let update = ben.join(table).await;
    assert_eq!(held(&update), [false; 3]);
    act(&mut ben, table, "stop").await.unwrap();
}

#[tokio::test]
async fn the_others_agree_to_end_the_game() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    drop(people.remove(1));
    people[0].until(|update| missing(update) == "B").await;
    people[0].ask(table, Request::End).await.unwrap();
    let update = people[1].ask(table, Request::End).await.unwrap();
    assert_eq!(update.table().stage, Stage::Over { outcome: None });
    assert_eq!(people[0].ask(table, Request::End).await, refused("no-game"));
}

#[tokio::test]
async fn votes_are_void_when_a_player_comes_or_goes() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    people[1].ask(table, Request::End).await.unwrap();
    let ben = people.remove(1).hang_up();
    let update = people[0].until(|update| missing(update) == "B").await;
    assert_eq!(stage(&update).2, "-");
    people[0].ask(table, Request::Hold).await.unwrap();
    people[0].ask(table, Request::End).await.unwrap();
    let mut ben = server.again(&ben).await;
    let update = ben.join(table).await;
    assert_eq!(stage(&update), ("-".to_owned(), "-".to_owned(), "-".to_owned()));
}

#[tokio::test]
async fn a_table_without_connections_sleeps_and_wakes_unchanged() {
    let server = Server::start(&["--table-idle-s", "0.01"]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let before = look(&mut people[0], table).await;
    let cookies = people.into_iter().map(Person::hang_up).collect::<Vec<_>>();
    let mut ada = server.again(&cookies[0]).await;
    let mut update = ada.join(table).await;
    while missing(&update) != "B" {
        update = ada.update().await;
    }
    assert_eq!(phase(&update), "refocus:-");
    assert_eq!(lowest(&update), lowest(&before));
    assert_eq!(update.table().setup, before.table().setup);
    let mut ben = server.again(&cookies[1]).await;
    assert_eq!(missing(&ben.join(table).await), "-");
    act(&mut ada, table, "rest").await.unwrap();
    let update = act(&mut ben, table, "rest").await.unwrap();
    assert_eq!(phase(&update), "playing:-");
}

#[tokio::test]
async fn a_game_survives_a_restart_of_the_server() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let before = look(&mut people[0], table).await;
    let cookie = people[0].cookie.clone();
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut ada = server.again(&cookie).await;
    let update = ada.join(table).await;
    assert_eq!((missing(&update).as_str(), phase(&update).as_str()), ("B", "refocus:-"));
    assert_eq!(lowest(&update), lowest(&before));
    assert!(update.sights.is_empty(), "a join brings the state alone");
}

/// The answers were lost with the server; asked again, nothing is done twice.
#[tokio::test]
async fn requests_are_known_again_after_a_restart() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, TWO, &["Ada", "Ben"]).await;
    let id = people[0].ask(table, Request::Start).await.unwrap().ack.unwrap();
    let (client, cookie) = (people[0].client, people[0].cookie.clone());
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut ada = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    ada.client = client;
    ada.greet().await;
    ada.join(table).await;
    ada.send(&ClientMessage::Ask { table, id, request: Request::Start }).await;
    assert_eq!(ada.answer(id).await.unwrap().table().games, 1);
    ada.send(&ClientMessage::Ask { table, id: 1, request: Request::Sit(seat("A")) }).await;
    assert_eq!(ada.answer(1).await.unwrap().ack, Some(1), "the seat was taken before the game");
    ada.send(&ClientMessage::Ask { table, id, request: Request::Stand }).await;
    assert_eq!(ada.answer(id).await.err().as_deref(), Some("id-reused"));
}

#[tokio::test]
async fn a_second_connection_keeps_its_person_at_the_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, TWO, &["Ada", "Ben"]).await;
    let mut phone = server.again(&people[1].cookie.clone()).await;
    phone.join(table).await;
    drop(people.remove(1));
    // In every later update for Ada no player is missing.
    let card = lowest(&look(&mut people[0], table).await);
    let update = act(&mut people[0], table, &format!("play {card}")).await.unwrap();
    assert_eq!(missing(&update), "-");
    assert_eq!(here(&update), [true, true]);
    drop(phone);
    people[0].until(|update| missing(update) == "B").await;
}

#[tokio::test]
async fn royale_waits_for_the_missing_as_well() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"royale","players":2}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben"]).await;
    act(&mut people[0], table, "hide A1,B2,C3").await.unwrap();
    let ada = people.remove(0).hang_up();
    let update = people[0].until(|update| missing(update) == "A").await;
    let none = wire::Options::Royale { hide: false, colours: false, shapes: false, mark: true };
    assert_eq!(update.options, Some(none));
    assert_eq!(act(&mut people[0], table, "ask AAB").await, refused("player-missing"));
    act(&mut people[0], table, "mark A1").await.unwrap();
    let mut ada = server.again(&ada).await;
    ada.join(table).await;
    act(&mut people[0], table, "ask AAB").await.unwrap();
}

#[tokio::test]
async fn the_choice_for_a_star_in_extreme_waits_for_the_missing() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"extreme","players":2}"#;
    let (table, mut people) = playing(&server, wish, &["Ada", "Ben"]).await;
    act(&mut people[0], table, "raise").await.unwrap();
    act(&mut people[1], table, "raise").await.unwrap();
    let update = look(&mut people[0], table).await;
    let Some(wire::Options::Extreme(choices)) = update.options else { panic!("it is Extreme") };
    let ben = people.remove(1).hang_up();
    let frozen = people[0].until(|update| missing(update) == "B").await;
    assert_eq!(frozen.options, Some(wire::Options::Extreme(vec![])));
    let choice = wire::Command::Extreme(choices[0]);
    assert_eq!(people[0].act(table, update.seq, choice).await, refused("player-missing"));
    // A machine chooses for him, then all focus again.
    people[0].ask(table, Request::Hold).await.unwrap();
    people[0].act(table, update.seq, choice).await.unwrap();
    let focused = |update: &Update| {
        let Some(wire::View::Extreme(view)) = &update.view else { panic!("it is Extreme") };
        matches!(view.public.phase, rules::extreme::Phase::Focus(_))
    };
    people[0].until(focused).await;
    let mut ben = server.again(&ben).await;
    assert_eq!(held(&ben.join(table).await), [false, false]);
}

#[tokio::test]
async fn a_person_who_deletes_their_name_leaves_the_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    let forget = async |cookie: &str| {
        let answer = server.http("DELETE /api/me", &[("Cookie", cookie)], "").await;
        assert_eq!(answer.status, 204);
    };
    forget(&people[2].cookie.clone()).await;
    let update = look(&mut people[0], table).await;
    assert_eq!(super::sitters(&update), ["Ada", "Ben", "-"]);

    // During a game the seat is theirs until the others decide.
    let bot = Request::AddBot { seat: seat("C"), kind: wire::BotKind::Random };
    people[0].ask(table, bot).await.unwrap();
    people[0].ask(table, Request::Start).await.unwrap();
    forget(&people[1].cookie.clone()).await;
    people[0].until(|update| missing(update) == "B").await;
    let update = people[0].ask(table, Request::Hold).await.unwrap();
    assert_eq!(held(&update), [false, true, false]);
}
