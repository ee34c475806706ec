//! What the rows of Royale were worth: when that is told, to whom, and that it is so.

use rules::royale::{Possible, Zone};
use wire::{Code, Judgement, Request};

use super::{problem, refused};
use crate::common::scenes::{act, begun};
use crate::common::{Person, Server};

async fn ask(server: &Server, cookie: &str, path: &str) -> Result<Judgement, (u16, String)> {
    let answer = server.http(&format!("GET {path}"), &[("Cookie", cookie)], "").await;
    match answer.status {
        200 => Ok(serde_json::from_str(&answer.body).unwrap()),
        _ => Err(problem(&answer)),
    }
}

/// Hides a code and asks these rows, the last two of which solve its zones.
async fn play_round(table: Code, people: &mut [Person], hide: &str, rows: &[(usize, &str)]) {
    act(&mut people[0], table, &format!("hide {hide}")).await.unwrap();
    for (who, row) in rows {
        act(&mut people[*who], table, &format!("ask {row}")).await.unwrap();
    }
}

#[tokio::test]
async fn a_round_is_judged_when_it_is_over_where_the_solver_helps() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"royale","players":2,"preset":"friendly"}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    let path = format!("/api/tables/{table}/judgement");
    act(&mut people[0], table, "hide A1,B2,C3").await.unwrap();
    act(&mut people[1], table, "ask EEE").await.unwrap();
    assert_eq!(ask(&server, &ada, &path).await.unwrap().rounds, [], "the round is still on");
    for row in ["EEE", "ABC", "123"] {
        act(&mut people[1], table, &format!("ask {row}")).await.unwrap();
    }
    let Judgement { rounds } = ask(&server, &ada, &path).await.unwrap();
    let [round] = rounds.as_slice() else { panic!("one round is over: {rounds:?}") };
    assert_eq!((round.round, round.maker.to_string(), round.rows.len()), (1, "A".into(), 4));
    let [first, wasted, ..] = round.rows.as_slice() else { unreachable!() };
    assert_eq!(first.codes_before, 13_800);
    // The tablebase knows the whole pack: 97,982 rows for its 13,800 codes.
    assert!((first.before.least - 97_982.0 / 13_800.0).abs() < 1e-9, "{first:?}");
    assert!(wasted.cost.least > 0.9 && wasted.cost.most < 1.1, "a row too many: {wasted:?}");
    let mut possible = Possible::of(round.pack);
    for judged in &round.rows {
        assert_eq!(judged.codes_before, possible.count());
        possible = possible.and_after(judged.row, judged.pegs);
        assert_eq!((judged.codes_after, judged.cards_after), (possible.count(), possible.cards()));
        assert!(judged.before.least <= judged.asked.most + 1e-9, "{judged:?}");
        assert!(judged.cost.least <= judged.cost.most && judged.cost.least >= 0.0);
    }
    let last = round.rows.last().unwrap();
    assert_eq!((last.codes_after, last.after.most), (1, 0.0));
}

#[tokio::test]
async fn elsewhere_it_is_judged_after_the_game() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"royale","players":3}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben", "Cleo"]).await;
    let cookies = people.iter().map(|person| person.cookie.clone()).collect::<Vec<_>>();
    let rows = [(1, "AAB"), (2, "123"), (1, "ABC")];
    play_round(table, &mut people, "A1,B2,C3", &rows).await;
    let path = format!("/api/tables/{table}/judgement");
    let none = ask(&server, &cookies[0], &path).await;
    assert_eq!(none, Err(refused(404, "judgement-after-game")));
    for person in &mut people {
        person.ask(table, Request::End).await.unwrap();
    }
    let stranger = server.name("Mallory").await;
    let again = format!("/api/replays/{table}-1/judgement");
    assert_eq!(ask(&server, &stranger, &again).await, Err(refused(403, "not-there")));
    let judged = ask(&server, &cookies[2], &again).await.unwrap();
    assert_eq!(ask(&server, &cookies[1], &path).await.unwrap(), judged);
    let rows = &judged.rounds[0].rows;
    let zones = rows.iter().map(|row| (row.row.zone(), row.best.zone())).collect::<Vec<_>>();
    let (colours, shapes) = (Zone::Colours, Zone::Shapes);
    assert_eq!(zones, [(colours, colours), (shapes, shapes), (colours, colours)]);
    assert!(rows[0].before.most < 4.0, "one zone is what they are judged by: {:?}", rows[0]);
    assert!(rows[1].after.most < 1e-9, "their zone is solved");
}

#[tokio::test]
async fn other_games_have_no_rows() {
    let server = Server::start(&[]).await;
    let (table, people) = begun(&server, super::TWO, &["Ada", "Ben"]).await;
    let path = format!("/api/tables/{table}/judgement");
    let none = ask(&server, &people[0].cookie.clone(), &path).await;
    assert_eq!(none, Err(refused(404, "no-judgement")));
}
