//! A level pauses for whoever cannot see it, and nothing that was pressed meanwhile counts.

use std::time::{Duration, Instant};

use wire::{ClientMessage, Pause, Stage, Trouble, Update};

use crate::common::Server;
use crate::common::scenes::{phase, seat};
use crate::pair::Pair;

const MS: Duration = Duration::from_millis(1);
const FAITHFUL: &str = r#"{"game":"mind","players":2,"preset":"faithful"}"#;

fn paused(update: &Update) -> Vec<Pause> {
    match &update.table().stage {
        Stage::Playing { paused, .. } => paused.clone(),
        other => panic!("a game is on, not {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_page_pauses_the_level_until_hands_are_laid_again() {
    let server = Server::start(&[]).await;
    let mut pair = Pair::new(&server, FAITHFUL).await;
    let (table, lives) = (pair.table, pair.ada.mind().public.lives);
    let now = Instant::now();
    let since = pair.ben.server_time(now);
    pair.ben.person.send(&ClientMessage::Away { away: true, since }).await;
    // Ada does not know yet, and plays: that does not count.
    let card = pair.ada.lowest();
    let play = pair.ada.press(table, now + 50 * MS, &format!("play {card}")).await;
    assert_eq!(pair.ada.person.answer(play).await.unwrap_err(), "blind");
    let update = pair.ada.person.until(|update| !paused(update).is_empty()).await;
    assert_eq!(paused(&update), [Pause { seat: seat("B"), why: Trouble::Hidden }]);
    assert_eq!(phase(&update), "refocus:-");
    // Whoever looks away cannot be in focus, so nothing begins before they are back.
    pair.ben.person.send(&ClientMessage::Away { away: false, since: since + 1_000.0 }).await;
    pair.focus().await;
    assert_eq!(paused(&pair.ada.latest), []);
    assert_eq!((pair.ada.mind().public.lives, pair.ada.lowest()), (lives, card));
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_with_another_page_open_still_sees_the_table() {
    let server = Server::start(&[]).await;
    let mut pair = Pair::new(&server, FAITHFUL).await;
    let mut phone = server.again(&pair.ben.person.cookie).await;
    phone.join(pair.table).await;
    let since = pair.ben.server_time(Instant::now());
    pair.ben.person.send(&ClientMessage::Away { away: true, since }).await;
    // Asked after that, over the same connection.
    let update = pair.ben.person.caught_up(pair.table).await;
    assert_eq!((phase(&update), paused(&update)), ("playing:-".to_owned(), vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_stands_still_pauses_the_level() {
    let server = Server::start(&["--ping-ms", "200", "--silent-ms", "1500"]).await;
    let mut pair = Pair::new(&server, FAITHFUL).await;
    let (table, lives) = (pair.table, pair.ada.mind().public.lives);
    let frozen = Instant::now();
    pair.ben.network.freeze(true);
    // Pings that left before may still be answered; from then on none is, and after a second that
    // is known to be unusual. What is pressed now waits to know whether Ben can see it.
    let card = pair.ada.lowest();
    let play = pair.ada.press(table, frozen + 1_200 * MS, &format!("play {card}")).await;
    assert_eq!(pair.ada.person.answer(play).await.unwrap_err(), "blind");
    let update = pair.ada.person.until(|update| !paused(update).is_empty()).await;
    assert_eq!(paused(&update), [Pause { seat: seat("B"), why: Trouble::Silent }]);
    assert_eq!(phase(&update), "refocus:-");

    pair.ben.network.freeze(false);
    pair.focus().await;
    assert_eq!(paused(&pair.ada.latest), []);
    assert_eq!((pair.ada.mind().public.lives, pair.ada.lowest()), (lives, card));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_hesitates_delays_a_play_and_no_more() {
    let server = Server::start(&["--ping-ms", "200", "--silent-ms", "20000"]).await;
    let mut pair = Pair::new(&server, FAITHFUL).await;
    pair.ben.network.freeze(true);
    let card = pair.ada.lowest();
    let at = Instant::now() + 1_500 * MS;
    let play = pair.ada.press(pair.table, at, &format!("play {card}")).await;
    tokio::time::sleep(500 * MS).await;
    pair.ben.network.freeze(false);
    let update = pair.ada.person.answer(play).await.unwrap();
    assert_eq!(paused(&update), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_begins_only_on_a_table_that_everyone_was_shown() {
    let server = Server::start(&[]).await;
    let mut pair = Pair::new(&server, FAITHFUL).await;
    let seen = pair.ben.latest.seq;
    let table = pair.table;
    // Somebody stops the level: that is another table than the one Ben's page shows.
    let stop = pair.ada.press(table, Instant::now(), "stop").await;
    pair.ada.latest = pair.ada.person.answer(stop).await.unwrap();
    let rest = pair.ada.press(table, Instant::now(), "rest").await;
    pair.ada.person.answer(rest).await.unwrap();
    pair.ben.latest.seq = seen;
    let rest = pair.ben.press(table, Instant::now(), "rest").await;
    assert_eq!(pair.ben.person.answer(rest).await.unwrap_err(), "stale");
    let update = pair.ada.person.caught_up(table).await;
    assert_eq!(phase(&update), "refocus:A");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_back_and_looks_away_again_is_waited_for_again() {
    let server = Server::start(&[]).await;
    let mut pair = Pair::new(&server, FAITHFUL).await;
    let since = pair.ben.server_time(Instant::now());
    pair.ben.person.send(&ClientMessage::Away { away: true, since }).await;
    pair.ada.person.until(|update| !paused(update).is_empty()).await;
    // Ben's page is loaded again, over a connection of its own.
    let through = Server::at(pair.ben.network.address);
    pair.ben.person = through.again(&pair.ben.person.cookie).await;
    pair.ben.person.join(pair.table).await;
    pair.focus().await;
    assert_eq!(paused(&pair.ada.latest), []);
    let since = pair.ben.server_time(Instant::now());
    pair.ben.person.send(&ClientMessage::Away { away: true, since }).await;
    let update = pair.ada.person.until(|update| !paused(update).is_empty()).await;
    assert_eq!(phase(&update), "refocus:-");
}
