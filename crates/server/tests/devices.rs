//! A person on several devices: links, recovery phrases and signing out.

use serde_json::{Value, json};
use wire::{CloseReason, Request, ServerMessage};

use crate::common::{Answer, Person, Server};

/// The name that a cookie belongs to.
async fn name_of(server: &Server, cookie: &str) -> Option<String> {
    server.http("GET /api/me", &[("Cookie", cookie)], "").await.name()
}

fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

fn read(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

fn token(of: &Value) -> String {
    json!({ "token": of }).to_string()
}

/// Signs another device in by a link, as both devices do it.
async fn link(server: &Server, cookie: &str) -> Answer {
    let mine = [("Cookie", cookie)];
    let opened = read(&server.http("POST /api/me/device-link", &mine, "").await);
    let asked = read(&server.http("POST /api/devices", &[], &token(&opened["token"])).await);
    let shown = read(&server.http("GET /api/me/device-link", &mine, "").await);
    assert_eq!(shown, json!({ "asked": { "number": asked["number"] } }));
    let ticket = token(&asked["ticket"]);
    let waiting = server.http("POST /api/devices/sign-in", &[], &ticket).await;
    assert_eq!((read(&waiting), waiting.header("set-cookie")), (json!("waiting"), None));
    let number = json!({ "number": asked["number"] }).to_string();
    assert_eq!(server.http("PUT /api/me/device-link", &mine, &number).await.status, 200);
    let done = server.http("POST /api/devices/sign-in", &[], &ticket).await;
    // The link and the ticket are used up.
    for (head, body) in
        [("POST /api/devices", token(&opened["token"])), ("POST /api/devices/sign-in", ticket)]
    {
        assert_eq!(server.http(head, &[], &body).await.status, 404, "{head}");
    }
    done
}

async fn farewell(person: &mut Person) -> Option<CloseReason> {
    while let Some(message) = person.hear_or_end().await {
        if let ServerMessage::Bye { why, .. } = message {
            return Some(why);
        }
    }
    None
}

#[tokio::test]
async fn a_link_signs_another_device_in_as_the_same_person() {
    let server = Server::start(&[]).await;
    let ada = server.name("Ada").await;
    let phone = cookie_of(&link(&server, &ada).await);
    assert_ne!(phone, ada, "each device has a secret of its own");
    assert_eq!(name_of(&server, &phone).await.as_deref(), Some("Ada"));
    // The same person, with the same seat.
    let table = server.open(&ada, r#"{"game":"mind","players":2}"#).await;
    let mut first = server.again(&ada).await;
    first.join(table).await;
    first.ask(table, Request::Sit(rules::kit::Seat::A)).await.unwrap();
    let mut second = server.again(&phone).await;
    assert_eq!(second.join(table).await.you, Some(rules::kit::Seat::A));
    // Another name holds on both, and both devices survive a restart.
    let renamed = server.http("POST /api/me", &[("Cookie", &phone)], r#"{"name":"Ida"}"#).await;
    assert_eq!(renamed.header("set-cookie"), None);
    drop((first, second));
    let server = Server::start_in(server.stop().await, &[]).await;
    for cookie in [&ada, &phone] {
        assert_eq!(name_of(&server, cookie).await.as_deref(), Some("Ida"));
    }
}

#[tokio::test]
async fn a_device_is_not_signed_in_unless_the_first_one_confirms_it() {
    let server = Server::start(&[]).await;
    let (ada, eve) = (server.name("Ada").await, server.name("Eve").await);
    let opened = server.http("POST /api/me/device-link", &[("Cookie", &ada)], "").await;
    let link = token(&read(&opened)["token"]);
    let asked = read(&server.http("POST /api/devices", &[], &link).await);
    let number = json!({ "number": asked["number"] }).to_string();
    // Neither another person nor another number confirms it.
    let answer = server.http("PUT /api/me/device-link", &[("Cookie", &eve)], &number).await;
    assert_eq!(answer.status, 404);
    let other = json!({ "number": asked["number"].as_u64().unwrap() ^ 1 }).to_string();
    let answer = server.http("PUT /api/me/device-link", &[("Cookie", &ada)], &other).await;
    assert_eq!(answer.status, 404);
    server.http("DELETE /api/me/device-link", &[("Cookie", &ada)], "").await;
    let ticket = token(&asked["ticket"]);
    let ended = server.http("POST /api/devices/sign-in", &[], &ticket).await;
    assert_eq!((ended.status, ended.header("set-cookie")), (404, None));
    let state = server.http("GET /api/me/device-link", &[("Cookie", &ada)], "").await;
    assert_eq!(state.body, r#""ended""#);
}

#[tokio::test]
async fn a_recovery_phrase_brings_a_person_back() {
    let server = Server::start(&[]).await;
    let ada = server.name("Ada").await;
    let made = server.http("POST /api/me/phrase", &[("Cookie", &ada)], "").await;
    let words = read(&made)["words"].as_str().unwrap().to_owned();
    let folder = server.stop().await;
    // Only a hash is stored: no word beside others stands in the file.
    let pair = words.split(' ').take(2).collect::<Vec<_>>().join(" ");
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(pair.len()).any(|part| part == pair.as_bytes()));
    }
    let server = Server::start_in(folder, &[]).await;
    let typed = json!({ "words": words.to_uppercase().replace(' ', ",  ") }).to_string();
    let found = server.http("POST /api/devices/recover", &[], &typed).await;
    assert_eq!(name_of(&server, &cookie_of(&found)).await.as_deref(), Some("Ada"));

    // A new phrase replaces the old one, and a deleted one counts no longer.
    let made = server.http("POST /api/me/phrase", &[("Cookie", &ada)], "").await;
    let old = server.http("POST /api/devices/recover", &[], &typed).await;
    assert_eq!((old.status, &read(&old)["code"]), (404, &json!("wrong-phrase")));
    assert_eq!(server.http("POST /api/devices/recover", &[], &made.body).await.status, 200);
    server.http("DELETE /api/me/phrase", &[("Cookie", &ada)], "").await;
    assert_eq!(server.http("POST /api/devices/recover", &[], &made.body).await.status, 404);
}

#[tokio::test]
async fn signing_out_everywhere_else_ends_the_other_devices() {
    let server = Server::start(&[]).await;
    let ada = server.name("Ada").await;
    let phone = cookie_of(&link(&server, &ada).await);
    let (mut first, mut second) = (server.again(&ada).await, server.again(&phone).await);
    let devices = server.http("GET /api/me/devices", &[("Cookie", &phone)], "").await;
    assert_eq!(read(&devices), json!({ "devices": 2, "phrase": false }));

    // The new device signs the first one out: the identity is not bound to the first secret.
    let left = server.http("DELETE /api/me/devices", &[("Cookie", &phone)], "").await;
    assert_eq!(read(&left)["devices"], 1);
    assert_eq!(farewell(&mut first).await, Some(CloseReason::SignedOut));
    assert_eq!(name_of(&server, &ada).await, None);
    assert_eq!(name_of(&server, &phone).await.as_deref(), Some("Ada"));
    let open = read(&server.http("GET /api/me/record", &[("Cookie", &phone)], "").await);
    assert_eq!(open["games"], 0, "{open}");
    second.send(&wire::ClientMessage::Probe { sent: 1.0 }).await;
    assert!(matches!(second.hear().await, ServerMessage::Probed { .. }), "it stays connected");
    // A name chosen with the old cookie makes another person.
    let named = server.http("POST /api/me", &[("Cookie", &ada)], r#"{"name":"Ada"}"#).await;
    assert!(named.header("set-cookie").is_some());
}

#[tokio::test]
async fn a_person_has_sixteen_devices_at_most() {
    let server = Server::start(&[]).await;
    let ada = server.name("Ada").await;
    let made = server.http("POST /api/me/phrase", &[("Cookie", &ada)], "").await;
    for _ in 1..16 {
        assert_eq!(server.http("POST /api/devices/recover", &[], &made.body).await.status, 200);
    }
    let refused = server.http("POST /api/devices/recover", &[], &made.body).await;
    assert_eq!((&read(&refused)["code"], refused.status), (&json!("too-many-devices"), 409));
    assert_eq!(refused.header("set-cookie"), None);
    server.http("DELETE /api/me/devices", &[("Cookie", &ada)], "").await;
    assert_eq!(server.http("POST /api/devices/recover", &[], &made.body).await.status, 200);
}

#[tokio::test]
async fn a_deleted_person_is_gone_on_all_devices() {
    let server = Server::start(&[]).await;
    let ada = server.name("Ada").await;
    let phone = cookie_of(&link(&server, &ada).await);
    let made = server.http("POST /api/me/phrase", &[("Cookie", &ada)], "").await;
    let mut second = server.again(&phone).await;
    assert_eq!(server.http("DELETE /api/me", &[("Cookie", &ada)], "").await.status, 204);
    assert_eq!(farewell(&mut second).await, Some(CloseReason::Deleted));
    assert_eq!(name_of(&server, &phone).await, None);
    assert_eq!(server.http("POST /api/devices/recover", &[], &made.body).await.status, 404);
}
