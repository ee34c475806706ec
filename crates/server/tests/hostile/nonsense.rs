//! What is no message and no request.

use tokio_tungstenite::tungstenite::Message;
use wire::ServerMessage;

use super::common::Server;
use super::{playing, refusal, undisturbed};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_refused_and_the_next_is_heard() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    let act = |rest: &str| format!(r#"{{"t":"do","table":"{table}","id":1,"seq":0,{rest}}}"#);
    let ask =
        |request: &str| format!(r#"{{"t":"ask","table":"{table}","id":1,"request":{request}}}"#);
    let (deep, digits) = ("[".repeat(2_000) + &"]".repeat(2_000), "9".repeat(3_000));
    let objects = r#"{"a":"#.repeat(600) + "1" + &"}".repeat(600);
    let mut texts = vec![
        String::new(),
        " ".into(),
        "null".into(),
        "0".into(),
        "\"hello\"".into(),
        "{".into(),
        "{}".into(),
        "{{}}".into(),
        "\u{feff}{}".into(),
        "\0".into(),
        deep.clone(),
        objects.clone(),
        r#"["hello",1,7]"#.into(),
        format!(r#"["join","{table}"]"#),
        format!(r#"[{{"t":"join","table":"{table}"}}]"#),
        format!(r#" {{"t":"join","table":"{table}"}}"#),
        format!(r#"{{"t":"join","table":"{table}"}}{{"t":"join","table":"{table}"}}"#),
        format!(r#"{{"t":"join","t":"leave","table":"{table}"}}"#),
        format!(r#"{{"t":"join","table":"{table}","table":"{table}"}}"#),
        format!(r#"{{"t":"join","table":"{table}","__proto__":{{"seat":"A"}}}}"#),
        r#"{"__proto__":{"t":"hello","protocol":2,"client":1}}"#.into(),
        r#"{"t":"__proto__"}"#.into(),
        r#"{"t":"constructor","prototype":{}}"#.into(),
        r#"{"t":["hello"],"protocol":1,"client":1}"#.into(),
        r#"{"t":"hello","protocol":1}"#.into(),
        r#"{"t":"hello","protocol":2,"client":-1}"#.into(),
        r#"{"t":"hello","protocol":2,"client":4294967296}"#.into(),
        r#"{"t":"hello","protocol":1e999,"client":1}"#.into(),
        format!(r#"{{"t":"hello","protocol":{digits},"client":1}}"#),
        r#"{"t":"join","table":"../../x"}"#.into(),
        r#"{"t":"join","table":["k3f9ab"]}"#.into(),
        r#"{"t":"join","table":{"$ne":null}}"#.into(),
        r#"{"t":"join","table":null}"#.into(),
    ];
    texts.extend([
        act(r#""pressed":1e999,"command":{"mind":"rest"}"#),
        act(r#""pressed":NaN,"command":{"mind":"rest"}"#),
        act(r#""pressed":null,"command":{"mind":"rest"}"#),
        act(r#""pressed":0,"command":["mind","rest"]"#),
        act(r#""pressed":0,"command":{"mind":"rest","extreme":"rest"}"#),
        act(r#""pressed":0,"command":{"mind":{"play":101}}"#),
        act(r#""pressed":0,"command":{"mind":{"play":1e2}}"#),
        act(&format!(r#""pressed":0,"command":{{"mind":{{"play":{digits}}}}}"#)),
        act(&format!(r#""pressed":0,"command":{}"#, &deep[1_000..3_000])),
        act(r#""pressed":0,"command":{"mind":"rest"},"by":"A""#),
        act(r#""pressed":0,"id":2,"command":{"mind":"rest"}"#),
        ask(&objects),
        ask(r#"{"sit":"F"}"#),
        ask(r#"{"sit":0}"#),
        ask(r#"["sit","A"]"#),
        ask(r#"{"add-bot":{"seat":"A","kind":"perfect"}}"#),
        ask(r#"{"add-bot":{"seat":"A","seat":"B","kind":"random"}}"#),
        ask(r#""constructor""#),
    ]);
    for text in &texts {
        assert_eq!(refusal(&mut eve, text).await, "malformed", "{text}");
    }
    eve.socket.send(Message::binary(vec![0xff; 100])).await.unwrap();
    assert!(matches!(eve.hear().await, ServerMessage::Refused { code, .. } if code == "malformed"));
    let hello = Message::binary(&br#"{"t":"hello","protocol":2,"client":1}"#[..]);
    eve.socket.send(hello).await.unwrap();
    assert!(matches!(eve.hear().await, ServerMessage::Refused { code, .. } if code == "malformed"));
    eve.greet().await;
    undisturbed(table, &mut ada, &mut bob).await;
}

/// Bodies of requests are no better.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_is_refused() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let deep = "[".repeat(1_500) + &"]".repeat(1_500);
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000));
    let wide = format!(r#"{{"name":"{}"}}"#, "x".repeat(25));
    for (head, bodies) in [
        (
            "POST /api/me",
            &[
                r#"["Ada"]"#,
                "{}",
                "{",
                r#"{"name":"Ada","admin":true}"#,
                r#"{"name":"Ada","name":"Eve"}"#,
                r#"{"name":""}"#,
                r#"{"name":"  "}"#,
                r#"{"name":"a\u0000b"}"#,
                r#"{"name":"a\u202eb"}"#,
                r#"{"name":7}"#,
                r#"{"__proto__":{"name":"Ada"}}"#,
                &deep,
                &long,
                &wide,
            ][..],
        ),
        (
            "POST /api/tables",
            &[
                r#"["mind",2]"#,
                "{}",
                r#"{"game":"chess","players":2}"#,
                r#"{"game":"mind","players":0}"#,
                r#"{"game":"mind","players":9}"#,
                r#"{"game":"mind","players":256}"#,
                r#"{"game":"mind","players":-1}"#,
                r#"{"game":"mind","players":2,"preset":"easy players=4"}"#,
                r#"{"game":"mind","players":2,"seed":"00"}"#,
                r#"{"setup":{"mind":{"players":200,"levels":12,"lives":2,"stars":1,"blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game","seeding":"fresh","export":false}}}}"#,
                r#"{"setup":{"mind":{"players":2,"levels":255,"lives":255,"stars":255,"blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game","seeding":"fresh","export":false}}}}"#,
                &deep,
            ][..],
        ),
    ] {
        for body in bodies {
            let answer = server.http(head, &[("Cookie", &cookie)], body).await;
            assert!(matches!(answer.status, 400 | 413 | 422), "{head} {body}: {answer:?}");
            assert!(serde_json::from_str::<serde_json::Value>(&answer.body).is_ok(), "{answer:?}");
        }
    }
    let answer = server.http("GET /api/me", &[("Cookie", &cookie)], "").await;
    assert_eq!(answer.body, r#"{"name":"Ada"}"#);
}
