//! People who are not who they say, or not where they belong.

use std::time::{Duration, Instant};

use rules::kit::Seat;
use wire::{CloseReason, Command, Request, Stage};

use super::{farewell, playing, refusal, seat_b, turned_away, undisturbed};
use crate::common::Server;

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_others_get_nowhere() {
    let server = Server::start(&["--public-url", "https://play.example.org"]).await;
    let cookie = server.name("Ada").await;
    let own = "https://play.example.org";
    assert_eq!(turned_away(&server, &[("Cookie", &cookie), ("Origin", own)]).await, None);
    let local = format!("http://{}", server.address);
    for foreign in [
        "https://evil.example",
        "https://play.example.org.evil.example",
        "https://evil-play.example.org",
        "https://play.example.org:444",
        "http://play.example.org",
        "https://play.example.org@evil.example",
        "https://play.example.org/",
        "https://sub.play.example.org",
        "null",
        "",
        &local,
    ] {
        let headers = [("Cookie", cookie.as_str()), ("Origin", foreign)];
        assert_eq!(turned_away(&server, &headers).await, Some(403), "{foreign}");
        let wish = r#"{"game":"mind","players":2}"#;
        for (head, body) in [
            ("POST /api/me", r#"{"name":"Eve"}"#),
            ("DELETE /api/me", ""),
            ("POST /api/tables", wish),
        ] {
            let answer = server.http(head, &headers, body).await;
            assert_eq!(answer.status, 403, "{head} from {foreign}");
            assert!(
                answer.body.contains("foreign-origin") && answer.header("set-cookie").is_none()
            );
        }
    }
    let two = [("Cookie", cookie.as_str()), ("Origin", own), ("Origin", "https://evil.example")];
    assert_eq!(turned_away(&server, &two).await, Some(403));
    // Nothing of all this was done.
    let answer = server.http("GET /api/me", &[("Cookie", &cookie)], "").await;
    assert_eq!((answer.status, answer.name().as_deref()), (200, Some("Ada")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_secret_belongs_to_no_person_and_changes_nothing() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let secret = ada.cookie.strip_prefix("unspoken=").unwrap().to_owned();
    let mut nearly = secret.clone().into_bytes();
    nearly[31] = if nearly[31] == b'0' { b'1' } else { b'0' };
    let nearly = format!("unspoken={}", String::from_utf8(nearly).unwrap());
    let (two, upper) = (format!("{}; {}", bob.cookie, ada.cookie), ada.cookie.to_uppercase());
    let quoted = format!("unspoken=\"{secret}\"");
    let long = format!("unspoken={}", secret.repeat(50));
    let other_name = format!("Unspoken={secret}; unspoken2={secret}");
    for wrong in [
        nearly.as_str(),
        &two,
        &upper,
        &quoted,
        &long,
        &other_name,
        &secret,
        "unspoken=",
        "unspoken",
        "=",
        ";;;",
        "unspoken=00000000000000000000000000000000",
        "unspoken=../../etc/passwd",
        "unspoken=' OR 1=1 --",
        "unspoken=%00",
    ] {
        assert_eq!(turned_away(&server, &[("Cookie", wrong)]).await, Some(401), "{wrong}");
        assert_eq!(server.http("GET /api/me", &[("Cookie", wrong)], "").await.body, "null");
        for (head, body) in
            [("DELETE /api/me", ""), ("POST /api/tables", r#"{"game":"mind","players":2}"#)]
        {
            let answer = server.http(head, &[("Cookie", wrong)], body).await;
            assert_eq!(answer.status, 401, "{head} as {wrong}");
        }
    }
    let two = [("Cookie", ada.cookie.as_str()), ("Cookie", bob.cookie.as_str())];
    assert_eq!(turned_away(&server, &two).await, Some(401));
    // A secret that the server did not issue is replaced by a new one.
    let made_up = format!("unspoken={}", "7".repeat(32));
    let answer = server.http("POST /api/me", &[("Cookie", &made_up)], r#"{"name":"Eve"}"#).await;
    assert!(!answer.header("set-cookie").unwrap().contains(&made_up));
    undisturbed(table, &mut ada, &mut bob).await;
}

/// A person with a valid cookie tries to act for other seats.
#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_cannot_act_for_a_seated_player() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut eve = server.person("Ada").await;
    let update = eve.join(table).await;
    assert_eq!(update.options, Some(wire::Options::Mind(vec![])));
    let rest = Command::Mind("rest".parse().unwrap());
    assert_eq!(eve.act(table, update.seq, rest).await.unwrap_err(), "not-seated");
    for (request, code) in [
        (Request::Kick(Seat::A), "not-host"),
        (Request::PassHost(seat_b()), "not-host"),
        (Request::Start, "not-host"),
        (Request::Rematch, "not-host"),
        (Request::Sit(Seat::A), "game-on"),
        (Request::Stand, "game-on"),
        (Request::End, "not-seated"),
        (Request::Hold, "not-seated"),
    ] {
        assert_eq!(eve.ask(table, request).await.unwrap_err(), code, "{request:?}");
    }
    let smuggled = format!(
        r#"{{"t":"do","table":"{table}","id":90,"seq":{},"pressed":0,"command":{{"mind":"rest"}},"seat":"A"}}"#,
        update.seq
    );
    assert_eq!(refusal(&mut eve, &smuggled).await, "malformed");
    undisturbed(table, &mut ada, &mut bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_identity_is_gone_at_once() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut second = server.again(&ada.cookie).await;
    let cookie = ada.cookie.clone();
    let asked = Instant::now();
    let answer = server.http("DELETE /api/me", &[("Cookie", &cookie)], "").await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(farewell(&mut ada).await, Some(CloseReason::Deleted));
    assert_eq!(farewell(&mut second).await, Some(CloseReason::Deleted));
    assert!(asked.elapsed() < Duration::from_secs(2));
    assert_eq!(turned_away(&server, &[("Cookie", &cookie)]).await, Some(401));
    assert_eq!(server.http("GET /api/me", &[("Cookie", &cookie)], "").await.body, "null");
    // The name is not to be had again with that secret.
    let answer = server.http("POST /api/me", &[("Cookie", &cookie)], r#"{"name":"Ada"}"#).await;
    assert!(!answer.header("set-cookie").unwrap().contains(&cookie));
    // The others are told who is missing, and can go on.
    let missing = |stage: &Stage| match stage {
        Stage::Playing { missing, .. } => missing.contains(Seat::A),
        _ => false,
    };
    let update = bob.until(|update| missing(&update.table().stage)).await;
    assert_eq!(update.table().host, Some(seat_b()));
    bob.ask(table, Request::Hold).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_https_the_cookie_belongs_to_the_host_alone() {
    let server = Server::start(&["--public-url", "https://play.example.org"]).await;
    let cookie = server.name("Ada").await;
    let secret = cookie.strip_prefix("__Host-unspoken=").expect("it has the prefix").to_owned();
    assert_eq!(server.http("GET /api/me", &[("Cookie", &cookie)], "").await.status, 200);
    // What another host of the domain has put there does not take its place.
    let mallory = server.name("Mallory").await.replace("__Host-", "");
    let both = format!("{mallory}; {cookie}");
    let answer = server.http("GET /api/me", &[("Cookie", &both)], "").await;
    assert_eq!(answer.name().as_deref(), Some("Ada"));
    // A cookie from before goes on, under the new name.
    let old = format!("unspoken={secret}");
    let answer = server.http("GET /api/me", &[("Cookie", &old)], "").await;
    assert_eq!(answer.name().as_deref(), Some("Ada"));
    let set = answer.header("set-cookie").unwrap();
    assert!(set.starts_with(&cookie) && set.contains("; Path=/; ") && set.contains("; Secure"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_from_another_site_without_an_origin_gets_nowhere() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let wish = r#"{"game":"mind","players":2}"#;
    for (site, status) in [("cross-site", 403), ("same-origin", 201), ("none", 201)] {
        let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", site)];
        assert_eq!(server.http("POST /api/tables", &headers, wish).await.status, status, "{site}");
    }
    let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "cross-site")];
    assert_eq!(turned_away(&server, &headers).await, Some(403));
}
