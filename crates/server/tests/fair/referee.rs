//! A level pauses for a player who cannot see it, and presses during the pause do not count.

use std::time::{Duration, Instant};

use wire::{ClientMessage, Pause, Stage, Trouble, Update};

use super::pair::Pair;
use crate::common::Server;
use crate::common::scenes::{phase, seat};

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
    // A player with a hidden page cannot focus, so play does not begin before they are back.
    pair.ben.person.send(&ClientMessage::Away { away: false, since: since + 1_000.0 }).await;
    pair.focus().await;
    assert_eq!(paused(&pair.ada.latest), []);
    assert_eq!((pair.ada.mind().public.lives, pair.ada.lowest()), (lives, card));
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
