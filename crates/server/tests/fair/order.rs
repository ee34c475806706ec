//! Who pressed first comes first.

use std::time::{Duration, Instant};

use journal::{Journal, Options, Sqlite};
use serde_json::Value;
use tempfile::TempDir;
use wire::{Code, ServerMessage, Update};

use crate::common::scenes::phase;
use crate::common::{PATIENCE, Server};
use crate::pair::{FAR, NEAR, Pair, Player};

const MS: Duration = Duration::from_millis(1);
const FAITHFUL: &str = r#"{"game":"mind","players":2,"preset":"faithful"}"#;
const FRIENDLY: &str = r#"{"game":"mind","players":2,"preset":"friendly"}"#;

/// Both press their lowest card, the second so much later.
async fn press_both(table: Code, first: &mut Player, second: &mut Player, apart: Duration) {
    let at = Instant::now() + 20 * MS;
    let (lower, higher) = (first.lowest(), second.lowest());
    first.press(table, at, &format!("play {lower}")).await;
    second.press(table, at + apart, &format!("play {higher}")).await;
}

/// The update after which the level is over, by completion or by a mistake.
async fn ended(player: &mut Player) -> Update {
    player.latest = player.person.until(|update| phase(update).contains("focus")).await;
    player.latest.clone()
}

async fn lines(folder: &TempDir, table: Code) -> Vec<Value> {
    let journal = Sqlite::open(folder.path().join("tables.db"), Options::default()).unwrap();
    let lines = journal.read(&table.to_string().parse().unwrap(), 0).await.unwrap();
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_far_player_who_pressed_first_comes_first_and_the_journal_says_how() {
    let server = Server::start(&[]).await;
    let Pair { table, mut ada, mut ben } = Pair::dealt(&server, FAITHFUL, true).await;
    let lives = ada.mind().public.lives;
    press_both(table, &mut ben, &mut ada, 100 * MS).await;
    let [own, other] = [ended(&mut ada).await.show_at, ended(&mut ben).await.show_at];
    assert!((own - other).abs() < f64::EPSILON, "both see it at once: {own} {other}");
    assert_eq!((ada.mind().public.level, ada.mind().public.lives), (2, lives));

    let folder = server.stop().await;
    let lines = lines(&folder, table).await;
    let plays = lines.iter().filter(|line| !line["event"]["event"]["played"].is_null());
    let plays = plays.map(|line| line["event"]["by"].clone()).collect::<Vec<_>>();
    assert_eq!(plays.iter().map(|by| &by["seat"]).collect::<Vec<_>>(), ["B", "A"]);
    let micros = |by: &Value, name: &str| by["fair"][name].as_u64().unwrap();
    let [first, second] = [&plays[0], &plays[1]];
    assert!(first["arrived"].as_u64() > second["arrived"].as_u64(), "the far one arrives later");
    assert!(micros(first, "claim") < micros(second, "claim"));
    assert!(micros(first, "place") < micros(second, "place"));
    assert!(micros(first, "bound") >= FAR.as_micros() as u64);
    assert!(micros(second, "bound") >= NEAR.as_micros() as u64);
    assert!(micros(second, "hold") > 20_000, "the near one was held: {second}");
    // When they count is when they were pressed, not when they arrived.
    let at = |by: &Value| {
        lines.iter().find(|line| line["event"]["by"] == *by).unwrap()["event"]["at"]
            .as_u64()
            .unwrap()
    };
    assert!((90_000..110_000).contains(&(at(second) - at(first))));
}

#[tokio::test(flavor = "multi_thread")]
async fn by_arrival_the_far_player_costs_a_life() {
    let server = Server::start(&["--fair-order", "false"]).await;
    let Pair { table, mut ada, mut ben } = Pair::dealt(&server, FAITHFUL, true).await;
    let lives = ada.mind().public.lives;
    press_both(table, &mut ben, &mut ada, 100 * MS).await;
    ended(&mut ada).await;
    assert_eq!(ada.mind().public.lives, lives - 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_was_pressed_before_a_play_wins_over_it() {
    let server = Server::start(&[]).await;
    let Pair { table, mut ada, mut ben } = Pair::new(&server, FAITHFUL).await;
    let at = Instant::now() + 20 * MS;
    ben.press(table, at, "stop").await;
    let card = ada.lowest();
    let play = ada.press(table, at + 100 * MS, &format!("play {card}")).await;
    assert_eq!(ada.person.answer(play).await.unwrap_err(), "stale");
    let update = ada.person.caught_up(table).await;
    assert_eq!(phase(&update), "refocus:-");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photo_finish_costs_no_life_and_the_table_says_so() {
    let server = Server::start(&[]).await;
    let Pair { table, mut ada, mut ben } = Pair::dealt(&server, FRIENDLY, true).await;
    let lives = ada.mind().public.lives;
    // The higher card first, by less than anybody can measure over 300 ms.
    press_both(table, &mut ada, &mut ben, 8 * MS).await;
    let told = ada.person.until(|update| update.photo_finish.is_some()).await;
    let finish = told.photo_finish.unwrap();
    assert_eq!((finish.first.to_string(), finish.second.to_string()), ("B".into(), "A".into()));
    assert!((30..=60).contains(&finish.within_ms), "{finish:?}");
    ended(&mut ada).await;
    assert_eq!((ada.mind().public.level, ada.mind().public.lives), (2, lives));

    // As the rulebook has it, who pressed first came first.
    let Pair { table, mut ada, mut ben } = Pair::dealt(&server, FAITHFUL, true).await;
    press_both(table, &mut ada, &mut ben, 30 * MS).await;
    ended(&mut ada).await;
    assert_eq!(ada.mind().public.lives, lives - 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lie_gains_the_bound_at_most_and_the_table_sees_it() {
    let server = Server::start(&[]).await;
    let Pair { table, mut ada, mut ben } = Pair::dealt(&server, FAITHFUL, true).await;
    let lives = ada.mind().public.lives;
    // Ben is right to press first; Ada's client says that she pressed ten seconds ago.
    let at = Instant::now() + 20 * MS;
    let (lower, higher) = (ben.lowest(), ada.lowest());
    ben.press(table, at, &format!("play {lower}")).await;
    let lie = ada.server_time(at) - 10_000.0;
    ada.claim(table, at + 100 * MS, lie, &format!("play {higher}")).await;
    let update = ended(&mut ben).await;
    assert_eq!((ben.mind().public.level, ben.mind().public.lives), (2, lives));
    let corrected = update.table().chairs.iter().map(|chair| match &chair.sitter {
        wire::Sitter::Person { quality: Some(_), corrected, .. } => *corrected,
        other => panic!("between levels everyone's connection is seen: {other:?}"),
    });
    assert_eq!(corrected.collect::<Vec<_>>(), [1, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_level_is_played_nobody_is_told_of_the_others_connections() {
    let server = Server::start(&[]).await;
    let Pair { table, mut ada, ben: _here } = Pair::new(&server, FAITHFUL).await;
    let update = ada.person.caught_up(table).await;
    for chair in &update.table().chairs {
        let told = matches!(chair.sitter, wire::Sitter::Person { quality: Some(_), .. });
        assert!(!told, "{chair:?}");
    }
    assert!(ada.probe().await.is_some(), "one's own is told");
}

/// A play that comes again over another connection while it waits is made once, and answered.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_and_comes_again_is_done_once() {
    let server = Server::start(&[]).await;
    let Pair { table, mut ada, ben: _here } = Pair::new(&server, FAITHFUL).await;
    let (card, seq) = (ada.lowest(), ada.latest.seq);
    let id = ada.press(table, Instant::now(), &format!("play {card}")).await;
    // Whatever was sent before this is there by now, and waits for Ben.
    ada.probe().await;
    let before = ada.person;
    let cookie = before.cookie.clone();
    let again = wire::ClientMessage::Do {
        table,
        id,
        seq,
        pressed: 0.0,
        command: wire::Command::Mind(format!("play {card}").parse().unwrap()),
    };
    // The first connection stays, so that nobody is missing.
    let mut second = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    second.client = before.client;
    second.greet().await;
    second.join(table).await;
    second.send(&again).await;
    let answered = tokio::time::timeout(PATIENCE, second.answer(id)).await.unwrap();
    assert!(answered.is_ok(), "{answered:?}");
    drop(before);
    let plays = second.messages().filter_map(|message| match message {
        ServerMessage::Update(update) => Some(update.sights.len()),
        _ => None,
    });
    assert!(plays.sum::<usize>() >= 1);
    let folder = server.stop().await;
    let played = lines(&folder, table).await;
    let played = played.iter().filter(|line| !line["event"]["event"]["played"].is_null());
    assert_eq!(played.count(), 1);
}
