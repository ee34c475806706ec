//! Who may watch a game again.

use wire::Request;

use super::common::Server;
use super::common::scenes::{begun, look, seat};
use super::{TWO, ask, end, problem, refused, watch};

#[tokio::test]
async fn those_who_played_or_looked_on_watch_again_and_nobody_else() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    let stranger = server.name("Mallory").await;
    end(table, &mut people).await;
    let replay = watch(&server, &people[1].cookie, table, 1).await;
    assert_eq!(replay.you, Some(seat("B")));
    let late = server.person("Late").await;
    look(&mut eve, table).await;
    for (cookie, status) in
        [(&people[0].cookie, 200), (&eve.cookie, 200), (&late.cookie, 403), (&stranger, 403)]
    {
        assert_eq!(ask(&server, cookie, table, 1).await.status, status);
    }
    assert_eq!(problem(&ask(&server, "", table, 1).await), refused(403, "not-there"));

    // It is all kept, and looking at a game that is over is not having been there.
    let (eve, stranger) = (eve.cookie.clone(), stranger.clone());
    let server = Server::start_in(server.stop().await, &[]).await;
    assert_eq!(ask(&server, &eve, table, 1).await.status, 200);
    let mut stranger = server.again(&stranger).await;
    stranger.join(table).await;
    assert_eq!(problem(&ask(&server, &stranger.cookie, table, 1).await), refused(403, "not-there"));
}

#[tokio::test]
async fn a_game_that_is_on_has_no_replay_and_an_earlier_one_has() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    assert_eq!(problem(&ask(&server, &ada, table, 1).await), refused(404, "still-on"));
    end(table, &mut people).await;
    people[0].ask(table, Request::Rematch).await.unwrap();
    assert_eq!(watch(&server, &ada, table, 1).await.game, 1);
    assert_eq!(problem(&ask(&server, &ada, table, 2).await), refused(404, "still-on"));
    assert_eq!(problem(&ask(&server, &ada, table, 3).await), refused(404, "no-replay"));
    // Nor does a link to the first game open the second.
    let link = format!("POST /api/replays/{table}-2/link");
    let answer = server.http(&link, &[("Cookie", &ada)], "").await;
    assert_eq!(problem(&answer), refused(404, "still-on"));
    for id in ["nothing", "222222-1", "k3f9ab-0", "k3f9ab"] {
        let answer = server.http(&format!("GET /api/replays/{id}"), &[("Cookie", &ada)], "").await;
        assert_eq!(problem(&answer), refused(404, "no-replay"), "{id}");
    }
}

#[tokio::test]
async fn a_link_opens_one_game_to_anybody_and_lasts() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    end(table, &mut people).await;
    people[0].ask(table, Request::Rematch).await.unwrap();
    end(table, &mut people).await;
    let link = format!("POST /api/replays/{table}-1/link");
    let make = async |server: &Server, cookie: &str| {
        let answer = server.http(&link, &[("Cookie", cookie)], "").await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.body
    };
    let key = make(&server, &people[0].cookie).await;
    assert_eq!(make(&server, &people[1].cookie).await, key, "a game has one link");
    let answer = server.http(&link, &[("Cookie", &eve.cookie)], "").await;
    assert_eq!(problem(&answer), refused(403, "not-played"));

    let key = serde_json::from_str::<serde_json::Value>(&key).unwrap();
    let key = key["key"].as_str().unwrap();
    let server = Server::start_in(server.stop().await, &[]).await;
    for (game, key, status) in [
        (1, key, 200),
        (2, key, 403),
        (1, &"0".repeat(32), 403),
        (1, "", 403),
        (1, "nonsense", 403),
    ] {
        let head = format!("GET /api/replays/{table}-{game}?key={key}");
        let answer = server.http(&head, &[], "").await;
        assert_eq!(answer.status, status, "{head}: {answer:?}");
    }
}

/// The times of a game go to those who played, and to others if the table has agreed to it.
#[tokio::test]
async fn times_are_carried_away_by_others_only_where_that_was_agreed() {
    let server = Server::start(&[]).await;
    for (preset, others) in [("faithful", 403), ("research", 200)] {
        let wish = format!(r#"{{"game":"mind","players":2,"preset":"{preset}"}}"#);
        let (table, mut people) = begun(&server, &wish, &["Ada", "Ben"]).await;
        let mut eve = server.person("Eve").await;
        eve.join(table).await;
        end(table, &mut people).await;
        let head = format!("GET /api/replays/{table}-1/plays.csv");
        for (cookie, status) in [(&people[0].cookie, 200), (&eve.cookie, others)] {
            let answer = server.http(&head, &[("Cookie", cookie)], "").await;
            assert_eq!(answer.status, status, "{preset}: {answer:?}");
            assert!(status == 200 || problem(&answer) == refused(403, "not-exported"));
        }
    }
}
