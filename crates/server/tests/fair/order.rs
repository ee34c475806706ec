//! The player who pressed first comes first, over real connections. What follows from the order is
//! tested with the table alone, in time that the test hands in.

use std::time::{Duration, Instant};

use journal::{Journal, Options, Sqlite};
use serde_json::Value;
use tempfile::TempDir;
use wire::{Code, Update};

use super::pair::{FAR, NEAR, Pair, Player};
use crate::common::Server;
use crate::common::scenes::phase;

const MS: Duration = Duration::from_millis(1);
const FAITHFUL: &str = r#"{"game":"mind","players":2,"preset":"faithful"}"#;

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
}
