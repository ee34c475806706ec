//! Opening, finding and joining tables.

use rules::door::GameName;
use wire::{CheckedSetup, ClientMessage, Request, ServerMessage, Setup};

use super::{TWO, gathered, json, look, seat};
use crate::common::Server;

#[tokio::test]
async fn tables_are_opened_by_preset_or_by_set_up() {
    let server = Server::start(&[]).await;
    let mut ada = server.person("Ada").await;
    let cookie = ada.cookie.clone();

    let preset = r#"{"game":"mind","players":3,"preset":"friendly"}"#;
    let table = server.open(&cookie, preset).await;
    let update = ada.join(table).await;
    assert_eq!(update.table().setup.players(), 3);
    assert_eq!(update.table().chairs.len(), 3);
    assert!(!update.table().public);
    let mut setup = serde_json::to_value(update.table().setup).unwrap();
    assert_eq!(setup["mind"]["manners"]["photo_finish"], true);

    setup["mind"]["lives"] = 5.into();
    let wish = serde_json::json!({ "setup": setup, "public": true }).to_string();
    let table = server.open(&cookie, &wish).await;
    let update = look(&mut ada, table).await;
    assert_eq!(serde_json::to_value(update.table().setup).unwrap(), setup);
    assert!(update.table().public);
}

#[tokio::test]
async fn impossible_wishes_say_what_would_be_right() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let whole = r#"{"setup":{"mind":{"players":2,"levels":12,"lives":9,"stars":1,
        "blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game",
        "seeding":"fresh","export":false}}}}"#;
    for (wish, code, text) in [
        (r#"{"game":"mind","players":7}"#, "setup", "7 players cannot play this, it takes 2 to 6"),
        (whole, "setup", "a team cannot start with 9 lives, choose 1 to 5"),
        (r#"{"players":5}"#, "setup", "name a game and the players, or a whole setup"),
        (r#"{"game":"mind"}"#, "setup", "name a game and the players, or a whole setup"),
        (r#"{"game":"chess","players":2}"#, "malformed", "unknown variant `chess`"),
        (r#"{"game":"mind","players":2,"fun":1}"#, "malformed", "unknown field `fun`"),
    ] {
        let answer = server.http("POST /api/tables", &[("Cookie", &cookie)], wish).await;
        let status = if code == "setup" { 422 } else { 400 };
        assert_eq!(answer.status, status, "{wish}: {answer:?}");
        assert_eq!(json(&answer.body)["code"], code, "{wish}");
        assert!(answer.body.contains(text), "{wish}: {answer:?}");
    }
    let wish = r#"{"game":"royale","players":9}"#;
    let crowd = server.http("POST /api/tables", &[("Cookie", &cookie)], wish).await;
    assert_eq!((crowd.status, &json(&crowd.body)["code"]), (422, &"setup".into()));
    let unnamed = server.http("POST /api/tables", &[], TWO).await;
    assert_eq!((unnamed.status, &json(&unnamed.body)["code"]), (401, &"no-name".into()));
}

#[tokio::test]
async fn a_table_is_joined_by_its_code_small_or_large() {
    let server = Server::start(&[]).await;
    let mut ada = server.person("Ada").await;
    let table = server.open(&ada.cookie.clone(), TWO).await;
    let shouted = table.to_string().to_uppercase();
    ada.send_text(&format!(r#"{{"t":"join","table":"{shouted}"}}"#)).await;
    assert_eq!(ada.update().await.table().code, table);

    let other = if table.as_str() == "k3f9ab" { "k3f9ac" } else { "k3f9ab" }.parse().unwrap();
    ada.send(&ClientMessage::Join { table: other }).await;
    match ada.hear().await {
        ServerMessage::Refused(refused) => {
            assert_eq!((refused.table, refused.why.code()), (Some(other), "no-table"));
            assert_eq!(refused.text, format!("there is no table {other}, check the code"));
        }
        message => panic!("{message:?}"),
    }
    ada.send_text(r#"{"t":"join","table":"k3f9l0"}"#).await;
    assert!(
        matches!(ada.hear().await, ServerMessage::Refused(refused) if refused.why.code() == "malformed")
    );
}

#[tokio::test]
async fn strangers_find_public_tables_with_people_at_them() {
    let server = Server::start(&[]).await;
    let list = async || json(&server.http("GET /api/tables", &[], "").await.body);
    let (_hidden, _people) = gathered(&server, TWO, &["Ada", "Ben"]).await;
    let mut cora = server.person("Cora").await;
    let wish = r#"{"game":"soulmates","players":3,"public":true}"#;
    let table = server.open(&cora.cookie.clone(), wish).await;
    assert_eq!(list().await, json("[]"), "no person is at the table yet");

    cora.join(table).await;
    cora.ask(table, Request::Sit(seat("B"))).await.unwrap();
    let line = |taken: u8, playing: bool| {
        serde_json::json!([{ "code": table, "game": "soulmates", "taken": taken, "chairs": 3,
            "playing": playing }])
    };
    assert_eq!(list().await, line(1, false));
    for empty in ["A", "C"] {
        let bot = Request::AddBot { seat: seat(empty), kind: wire::BotKind::Random };
        cora.ask(table, bot).await.unwrap();
    }
    cora.ask(table, Request::Start).await.unwrap();
    assert_eq!(list().await, line(3, true));

    let mut dan = server.person("Dan").await;
    dan.join(table).await;
    let cookie = cora.hang_up();
    dan.until(|update| super::missing(update) == "B").await;
    dan.send(&ClientMessage::Leave { table }).await;
    dan.send(&ClientMessage::Ask { table, id: 1, request: Request::Wait }).await;
    assert!(
        matches!(dan.hear().await, ServerMessage::Refused(refused) if refused.why.code() == "not-joined")
    );
    // The table hears that he left before it hears of the next who comes.
    let mut cora = server.again(&cookie).await;
    assert_eq!(cora.join(table).await.table().spectator_count, 0);
    cora.send(&ClientMessage::Leave { table }).await;
    let mut tries = 0;
    while list().await != json("[]") {
        tries += 1;
        assert!(tries < 1_000, "the table is still listed");
    }
}

/// Asks the server about a set-up of Soulmates with this level table: the table as it was read, or
/// the sentence that says what is wrong with it.
async fn checked(server: &Server, setup: &str, table: &str) -> Result<String, String> {
    let setup = Setup::read(GameName::Soulmates, setup).unwrap();
    let body = serde_json::json!({ "setup": setup, "table": table }).to_string();
    let answer = server.http("POST /api/setups/check", &[], &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    match serde_json::from_str(&answer.body).unwrap() {
        CheckedSetup::Playable { setup, table } => {
            assert_eq!(table, setup.level_table());
            Ok(table.unwrap())
        }
        CheckedSetup::Impossible { text } => Err(text),
    }
}

#[tokio::test]
async fn a_level_table_is_checked_before_a_table_is_opened() {
    let server = Server::start(&[]).await;
    let read = checked(&server, "players=2 first_seer=B", " 4/3/1,\n5/3/2 6/2/0").await;
    assert_eq!(read.as_deref(), Ok("4/3/1,5/3/2,6/2/0"));
    for (players, table, sentence) in [
        (2, "4/3/1,4/5/1", "level 2 cannot look at 5 of 4 cards"),
        (2, "4/3", "as cards/look/hints, as 4/3/1"),
        (2, "", "table"),
        (5, "4/3/1", "five players start at level 2"),
    ] {
        let wrong = checked(&server, &format!("players={players}"), table).await.unwrap_err();
        assert!(wrong.contains(sentence), "{table:?}: {wrong}");
    }
    // Whatever it accepts can be opened.
    let ada = server.name("Ada").await;
    let setup = Setup::read(GameName::Soulmates, "players=2 table=4/3/1").unwrap();
    server.open(&ada, &serde_json::json!({ "setup": setup }).to_string()).await;
}
