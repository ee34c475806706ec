//! Whole games at a table.

use rules::door::GameName;
use rules::kit::Outcome;
use rules::royale::Zone;
use wire::{BotKind, Request, Stage, Update};

use super::{act, begun, gathered, look, lowest, phase, playing, seat};
use crate::common::Server;

#[tokio::test]
async fn all_four_games_start_and_take_a_first_move() {
    let server = Server::start(&[]).await;
    for (game, players, first) in [
        ("mind", 2, "rest"),
        ("extreme", 2, "rest"),
        ("soulmates", 2, "look"),
        ("royale", 2, "hide A1,B2,C3"),
    ] {
        let wish = format!(r#"{{"game":"{game}","players":{players}}}"#);
        let (table, mut people) = begun(&server, &wish, &["Ada", "Ben"]).await;
        let mut made = Vec::new();
        for person in &mut people {
            made.push(act(person, table, first).await.is_ok());
        }
        // In two of the games only one of them has anything to do.
        assert!(made.contains(&true), "{game}");
    }
}

#[tokio::test]
async fn one_person_and_a_machine_play_a_level_to_its_end() {
    let server = Server::start(&[]).await;
    let setup = r#"{"setup":{"mind":{"players":2,"levels":1,"lives":5,"stars":0,
        "blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game",
        "seeding":"fresh","export":false}}}}"#;
    let (table, mut people) = gathered(&server, setup, &["Ada"]).await;
    let ada = &mut people[0];
    let bot = Request::AddBot { seat: seat("B"), kind: BotKind::Random };
    ada.ask(table, bot).await.unwrap();
    let mut update = ada.ask(table, Request::Start).await.unwrap();
    // A machine may stop play now and then, so she does what there is to do until it is done.
    while let Stage::Playing { .. } = update.table().stage {
        let command = match phase(&update).as_str() {
            "focus:-" | "focus:B" | "refocus:-" | "refocus:B" => "rest".to_owned(),
            "playing:-" if hand(&update) > 0 => format!("play {}", lowest(&update)),
            "offer:-" | "offer:B" => "finish".to_owned(),
            _ => {
                update = ada.update().await;
                continue;
            }
        };
        update = match act(ada, table, &command).await {
            Ok(update) => update,
            Err(_too_late) => look(ada, table).await,
        };
    }
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
}

fn hand(update: &wire::Update) -> u8 {
    let Some(wire::View::Mind(view)) = &update.view else { panic!("it is The Mind") };
    view.hand().len()
}

#[tokio::test]
async fn each_sight_is_sent_once() {
    let server = Server::start(&[]).await;
    let (table, mut people) = playing(&server, super::TWO, &["Ada", "Ben"]).await;
    let update = act(&mut people[0], table, "stop").await.unwrap();
    assert_eq!(update.sights.len(), 1);
    people[1].until(|update| phase(update) == "refocus:-").await;
    // A new spectator changes nothing in the game.
    let mut eve = server.person("Eve").await;
    assert!(eve.join(table).await.sights.is_empty());
    let update = people[1].until(|update| update.table().spectator_count == 1).await;
    assert!(update.sights.is_empty(), "{:?}", update.sights);
    let update = people[1].ask(table, Request::Wait).await.unwrap();
    assert!(update.sights.is_empty(), "{:?}", update.sights);
}

/// By the house rule H1, over a restart: six hands, seats to the last, and the first level.
#[tokio::test]
async fn six_play_the_mind_and_go_on_after_a_restart() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"mind","players":6}"#;
    let names = ["Ada", "Ben", "Cora", "Dan", "Eve", "Fay"];
    let (table, mut people) = playing(&server, wish, &names).await;
    let mut cards = Vec::new();
    for (index, person) in people.iter_mut().enumerate() {
        let update = look(person, table).await;
        assert_eq!(update.you.map(rules::kit::Seat::index), Some(index));
        cards.push((lowest(&update).parse::<u8>().unwrap(), index));
    }
    cards.sort_unstable();
    for (card, index) in &cards[..3] {
        act(&mut people[*index], table, &format!("play {card}")).await.unwrap();
    }
    let cookies = people.iter().map(|person| person.cookie.clone()).collect::<Vec<_>>();
    drop(people);
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut people = Vec::new();
    for cookie in &cookies {
        let mut person = server.again(cookie).await;
        person.join(table).await;
        people.push(person);
    }
    for person in &mut people {
        act(person, table, "rest").await.unwrap();
    }
    for (card, index) in &cards[3..] {
        act(&mut people[*index], table, &format!("play {card}")).await.unwrap();
    }
    let Some(wire::View::Mind(view)) = look(&mut people[5], table).await.view else {
        panic!("it is The Mind")
    };
    assert_eq!((view.public.level, view.public.lives, view.hand().len()), (2, 4, 2));
}

#[tokio::test]
async fn a_lesson_is_a_table_that_has_begun() {
    let server = Server::start(&[]).await;
    let mut ada = server.person("Ada").await;
    for game in GameName::ALL {
        let body = format!(r#"{{"game":"{game}"}}"#);
        let answer = server.http("POST /api/lessons", &[("Cookie", &ada.cookie)], &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let table = super::json(&answer.body)["table"].as_str().unwrap().parse().unwrap();
        let update = ada.join(table).await;
        assert!(matches!(update.table().stage, Stage::Playing { .. }), "{update:?}");
        assert_eq!(super::sitters(&update), ["Ada", "*"]);
        assert_eq!(update.table().host, Some(seat("A")));
    }
}

#[tokio::test]
async fn the_table_helps_a_codebreaker_where_it_is_set_up_to() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"royale","players":3,"preset":"friendly"}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben", "Cora"]).await;
    let update = act(&mut people[0], table, "hide A2,C4,E1").await.unwrap();
    let help = update.help.expect("the maker sees what everyone could work out");
    assert_eq!((help.codes, help.suggestion), (Some(13_800), None));
    assert_eq!(help.cards.map(rules::royale::Pack::len), Some(25));
    for (breaker, zone) in [(1, Zone::Colours), (2, Zone::Shapes)] {
        let suggested = |update: &Update| update.help.is_some_and(|help| help.suggestion.is_some());
        let update = people[breaker].until(suggested).await;
        let row = update.help.and_then(|help| help.suggestion).unwrap();
        assert_eq!(row.zone(), zone, "each is told of what they may ask");
        let asked = act(&mut people[breaker], table, &format!("ask {row}")).await;
        assert!(asked.is_ok(), "{asked:?}");
    }
    let help = look(&mut people[1], table).await.help.unwrap();
    assert!(help.codes < Some(13_800), "{help:?}");

    let faithful = r#"{"game":"royale","players":2}"#;
    let (table, mut people) = begun(&server, faithful, &["Ada", "Ben"]).await;
    act(&mut people[0], table, "hide A2,C4,E1").await.unwrap();
    assert_eq!(look(&mut people[1], table).await.help, None);
}
