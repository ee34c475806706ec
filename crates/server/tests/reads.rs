//! Which requests read whole tables, for whom, and how many at once.

use futures_util::future::join_all;
use wire::{GameId, Request};

use crate::common::scenes::{begun, seat};
use crate::common::{Person, Server, counted};
use crate::operating::{metric, watched};
use crate::record::damage::{DAMAGED, begin_another, damaged, seated};

/// A table of The Mind for two.
const TWO: &str = r#"{"game":"mind","players":2}"#;

/// How the request for a bot with the tempo of seat A is refused.
async fn ghost(server: &Server, person: &mut Person, game: GameId) -> String {
    let table = server.open(&person.cookie, TWO).await;
    person.join(table).await;
    person.ask(table, Request::Sit(seat("A"))).await.unwrap();
    let request = Request::AddGhost { seat: seat("B"), game, of: seat("A") };
    person.ask(table, request).await.unwrap_err()
}

/// A table that was read is found to be damaged, so this tells whether it was read.
#[tokio::test]
async fn a_stranger_who_asks_for_a_recorded_tempo_has_no_table_read() {
    let server = Server::start(&[]).await;
    let mut people = [server.person("Ada").await, server.person("Ben").await];
    let table = server.open(&people[0].cookie, TWO).await;
    for (person, letter) in people.iter_mut().zip(["A", "B"]) {
        person.join(table).await;
        person.ask(table, Request::Sit(seat(letter))).await.unwrap();
    }
    let ben = people[1].cookie.clone();
    drop(people);
    // The record has read the table when it has a later game, so nothing else reads it after the
    // next start.
    let (other, mut people) = begun(&server, TWO, &["Cyd", "Dan"]).await;
    for person in &mut people {
        person.ask(other, Request::End).await.unwrap();
    }
    counted(&server, &people[0].cookie, 1).await;
    drop(people);
    let (_folder, server, metrics) = damaged(server, table).await;
    let game = GameId { table, game: 1 };
    let mut eve = server.person("Eve").await;
    assert_eq!(ghost(&server, &mut eve, game).await, "not-lent");
    assert_eq!(metric(&metrics, DAMAGED).await, Some(0.0), "it was read for a stranger");
    let mut ben = server.again(&ben).await;
    assert_eq!(ghost(&server, &mut ben, game).await, "not-lent");
    assert_eq!(metric(&metrics, DAMAGED).await, Some(1.0), "it was not read for a player");
}

#[tokio::test]
async fn requests_that_read_tables_have_their_turn_or_are_refused() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    for person in &mut people {
        person.ask(table, Request::End).await.unwrap();
    }
    // One game that is over and one that is on.
    begin_another(&server, &mut people).await;
    let ada = people[0].cookie.clone();
    counted(&server, &ada, 1).await;
    drop(people);
    let folder = server.stop().await;
    let (server, _metrics) = watched(&folder, &[]).await;
    seated(&server, &ada, 1).await;
    for path in ["/api/me/tables", "/api/me/export", "/api/ghosts"] {
        let head = format!("GET {path}");
        let asked = (0..250).map(|_| server.http(&head, &[], ""));
        for answer in join_all(asked).await {
            assert_eq!(answer.status, 401, "{path}: a stranger waits for nothing: {answer:?}");
        }
        let mine = [("Cookie", ada.as_str())];
        let asked = (0..250).map(|_| server.http(&head, &mine, ""));
        let answers = join_all(asked).await;
        let busy = answers.iter().filter(|answer| answer.status == 503);
        let busy = busy.inspect(|answer| assert!(answer.body.contains("busy"), "{answer:?}"));
        let (busy, good) = (busy.count(), answers.iter().filter(|it| it.status == 200).count());
        assert_eq!(busy + good, 250, "{path}");
        // Two at once, and 64 that wait.
        assert!(good >= 66 && busy > 0, "{path}: {good} answered, {busy} refused");
        assert_eq!(server.http(&head, &mine, "").await.status, 200, "{path}");
    }
}
