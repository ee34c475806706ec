//! Identity without accounts.

use super::json;
use crate::common::{Answer, Server};

async fn named(server: &Server, name: &str) -> Answer {
    let body = serde_json::json!({ "name": name }).to_string();
    server.http("POST /api/me", &[], &body).await
}

#[tokio::test]
async fn names_are_trimmed_and_counted_as_people_see_them() {
    let server = Server::start(&[]).await;
    let family = "👨‍👩‍👧‍👦".repeat(10);
    for (given, kept) in [("  Ada ", "Ada"), ("李小龍", "李小龍"), (&family, &family)] {
        let answer = named(&server, given).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(json(&answer.body)["name"], *kept);
    }
    for (wrong, text) in [
        (" ", "a name has at least one character"),
        (&*"x".repeat(25), "a name has at most 24 characters"),
        ("A\u{0}da", "a name has no control characters"),
        ("\u{202E}adA", "none that turn text around"),
    ] {
        let answer = named(&server, wrong).await;
        assert_eq!(answer.status, 422, "{answer:?}");
        assert_eq!(json(&answer.body)["code"], "name");
        assert!(answer.body.contains(text), "{answer:?}");
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[tokio::test]
async fn a_name_is_all_it_takes() {
    let server = Server::start(&[]).await;
    let answer = named(&server, "Ada").await;
    let cookie = answer.header("set-cookie").unwrap().to_owned();
    let (secret, rest) = cookie.split_once("; ").unwrap();
    assert_eq!(rest, "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    let secret = secret.strip_prefix("unspoken=").unwrap();
    assert_eq!(secret.len(), 32);
    assert!(!answer.body.contains(secret));

    let mine = format!("unspoken={secret}");
    let me = server.http("GET /api/me", &[("Cookie", &mine)], "").await;
    assert_eq!((me.status, &json(&me.body)["name"]), (200, &"Ada".into()));

    let again = server.http("POST /api/me", &[("Cookie", &mine)], r#"{"name":"Grace"}"#).await;
    assert_eq!((again.status, again.header("set-cookie")), (200, None));
    let me = server.http("GET /api/me", &[("Cookie", &mine)], "").await;
    assert_eq!(json(&me.body)["name"], "Grace");

    let gone = server.http("DELETE /api/me", &[("Cookie", &mine)], "").await;
    assert_eq!(gone.status, 204);
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    let me = server.http("GET /api/me", &[("Cookie", &mine)], "").await;
    assert_eq!((me.status, me.body.as_str()), (200, "null"), "a stranger is no error");
}

#[tokio::test]
async fn a_tempo_is_lent_only_with_consent() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let mine = [("Cookie", cookie.as_str())];
    let no = serde_json::json!({ "lends_tempo": false });
    let yes = serde_json::json!({ "lends_tempo": true });
    assert_eq!(json(&server.http("GET /api/me/consent", &mine, "").await.body), no);
    let given = server.http("PUT /api/me/consent", &mine, &yes.to_string()).await;
    assert_eq!((given.status, json(&given.body)), (200, yes.clone()));

    // Another name and another start of the server leave it as it is.
    server.http("POST /api/me", &mine, r#"{"name":"Grace"}"#).await;
    let server = Server::start_in(server.stop().await, &[]).await;
    assert_eq!(json(&server.http("GET /api/me/consent", &mine, "").await.body), yes);
    server.http("PUT /api/me/consent", &mine, &no.to_string()).await;
    assert_eq!(json(&server.http("GET /api/me/consent", &mine, "").await.body), no);
    assert_eq!(json(&server.http("GET /api/me", &mine, "").await.body)["name"], "Grace");
}

#[tokio::test]
async fn a_secret_that_was_not_issued_is_never_adopted() {
    let server = Server::start(&[]).await;
    let made_up = format!("unspoken={}", "0".repeat(32));
    let answer = server.http("POST /api/me", &[("Cookie", &made_up)], r#"{"name":"Eve"}"#).await;
    let cookie = answer.header("set-cookie").expect("a secret of its own");
    assert!(!cookie.starts_with(&made_up));
}

#[tokio::test]
async fn behind_https_the_cookie_travels_encrypted() {
    let server = Server::start(&["--public-url", "https://play.example.org"]).await;
    let answer = named(&server, "Ada").await;
    assert!(answer.header("set-cookie").unwrap().ends_with("; Secure"), "{answer:?}");
}

#[tokio::test]
async fn another_name_is_shown_at_the_table_from_the_next_connection_on() {
    let server = Server::start(&[]).await;
    let (table, mut people) = super::gathered(&server, super::TWO, &["Ada", "Ben"]).await;
    let cookie = people[0].cookie.clone();
    server.http("POST /api/me", &[("Cookie", &cookie)], r#"{"name":"Grace"}"#).await;
    let mut again = server.again(&cookie).await;
    again.join(table).await;
    let update = people[1].until(|update| super::sitters(update)[0] == "Grace").await;
    assert_eq!(super::sitters(&update), ["Grace", "Ben"]);
}

#[tokio::test]
async fn a_mark_is_chosen_kept_and_shown_at_the_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = super::gathered(&server, super::TWO, &["Ada", "Ben"]).await;
    let cookie = people[0].cookie.clone();
    let mine = [("Cookie", &*cookie)];
    let mark = |update: &wire::Update| match update.table().chairs[0].sitter {
        wire::Sitter::Person { mark, .. } => serde_json::to_value(mark).unwrap(),
        ref other => panic!("{other:?}"),
    };

    // A person who has chosen none has one all the same, and keeps it.
    let derived = json(&server.http("GET /api/me", &mine, "").await.body)["mark"].clone();
    assert!(derived["picture"].is_string() && derived["colour"].is_string(), "{derived}");
    server.http("POST /api/me", &mine, r#"{"name":"Grace"}"#).await;
    assert_eq!(json(&server.http("GET /api/me", &mine, "").await.body)["mark"], derived);

    let chosen = serde_json::json!({ "picture": "snail", "colour": "amber" });
    let body = serde_json::json!({ "name": "Grace", "mark": chosen }).to_string();
    let answer = server.http("POST /api/me", &mine, &body).await;
    assert_eq!((answer.status, &json(&answer.body)["mark"]), (200, &chosen));
    let mut again = server.again(&cookie).await;
    assert_eq!(mark(&again.join(table).await), chosen);
    people[1].until(|update| mark(update) == chosen).await;

    // Another name keeps the mark; what has no drawing is refused and changes nothing.
    server.http("POST /api/me", &mine, r#"{"name":"Ada"}"#).await;
    for wrong in [
        r#"{"name":"Eve","mark":{"picture":"skull","colour":"amber"}}"#,
        r#"{"name":"Eve","mark":{"picture":"moon","colour":"url(evil)"}}"#,
        r#"{"name":"Eve","mark":{"picture":"moon"}}"#,
        r#"{"name":"Eve","mark":"moon"}"#,
    ] {
        let answer = server.http("POST /api/me", &mine, wrong).await;
        assert!((400..500).contains(&answer.status), "{wrong}: {answer:?}");
    }
    let me = json(&server.http("GET /api/me", &mine, "").await.body);
    assert_eq!(me, serde_json::json!({ "name": "Ada", "mark": chosen }));
}
