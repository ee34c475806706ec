//! Who may watch a game again.

use wire::Request;

use super::{TWO, ask, end, problem, refused, watch};
use crate::common::Server;
use crate::common::scenes::{begun, look, play_level, seat};

#[tokio::test]
async fn only_players_and_spectators_watch_a_replay() {
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
    let nowhere = "222222".parse().unwrap();
    assert_eq!(problem(&ask(&server, &ada, nowhere, 1).await), refused(403, "not-there"));
    for id in ["nothing", "k3f9ab-0", "k3f9ab"] {
        let answer = server.http(&format!("GET /api/replays/{id}"), &[("Cookie", &ada)], "").await;
        assert_eq!(problem(&answer), refused(404, "no-replay"), "{id}");
    }
}

#[tokio::test]
async fn a_link_opens_one_game_to_everyone_and_lasts() {
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

/// Players get the times of a game; others get them if the set-up allows export.
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

/// A spreadsheet takes a cell that begins with `=` for a formula.
#[tokio::test]
async fn no_name_is_a_formula_in_the_times_of_a_game() {
    let server = Server::start(&[]).await;
    let names = ["=1+1", "+Ben", "-Cyd", "@Dan"];
    let wish = r#"{"game":"mind","players":4}"#;
    let (table, mut people) = begun(&server, wish, &names).await;
    play_level(table, &mut people).await;
    end(table, &mut people).await;
    let head = format!("GET /api/replays/{table}-1/plays.csv");
    let answer = server.http(&head, &[("Cookie", &people[0].cookie)], "").await;
    for name in names {
        assert!(answer.body.contains(&format!(",'{name},")), "{name}: {answer:?}");
        assert!(!answer.body.contains(&format!(",{name},")), "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn a_stranger_does_not_learn_whether_there_is_such_a_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let stranger = server.name("Mallory").await;
    for is_over in [false, true] {
        if is_over {
            end(table, &mut people).await;
        }
        for path in [
            "/api/replays/CODE-1",
            "/api/replays/CODE-1?key=00000000000000000000000000000000",
            "/api/replays/CODE-1/plays.csv",
            "/api/replays/CODE-1/judgement",
            "/api/replays/CODE-1/others",
            "/api/me/games/CODE-1/deal",
            "/api/tables/CODE/tempo",
            "/api/tables/CODE/judgement",
        ] {
            for cookie in [stranger.as_str(), ""] {
                let answer_for = async |code: &str| {
                    let head = format!("GET {}", path.replace("CODE", code));
                    let answer = server.http(&head, &[("Cookie", cookie)], "").await;
                    (answer.status, answer.body)
                };
                assert_eq!(
                    answer_for(table.as_str()).await,
                    answer_for("222222").await,
                    "{path} {is_over}"
                );
            }
        }
    }
}

/// A stranger who finds a code and looks in for a moment sees no hands afterwards.
#[tokio::test]
async fn looking_in_at_a_private_table_gives_no_right_to_its_replay() {
    let server = Server::start(&[]).await;
    for (wish, status) in [(TWO, 403), (r#"{"game":"mind","players":2,"public":true}"#, 200)] {
        let (table, mut people) = begun(&server, wish, &["Ada", "Ben"]).await;
        let mut eve = server.person("Eve").await;
        eve.join(table).await;
        let eve = eve.hang_up();
        end(table, &mut people).await;
        assert_eq!(ask(&server, &eve, table, 1).await.status, status, "{wish}");
    }
}

/// Many strangers at once cost nothing, and many who may watch wait for their turn.
#[tokio::test(flavor = "multi_thread")]
async fn few_replays_are_read_at_once() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    end(table, &mut people).await;
    let asked = (0..200).map(|_| ask(&server, &people[0].cookie, table, 1));
    let mut counts = [0, 0];
    for answer in futures_util::future::join_all(asked).await {
        match answer.status {
            200 => counts[0] += 1,
            503 => counts[1] += 1,
            other => panic!("{other}"),
        }
    }
    assert!(counts[0] >= 60, "{counts:?}");
}
