//! Messages that were real once.

use rules::kit::{Chance, Seed};
use wire::{ClientMessage, CloseReason, Code, Command, Request, ServerMessage};

use super::{playing, refusal, undisturbed};
use crate::common::Server;

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_were_bent_are_refused() {
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let elsewhere = server.open(&ada.cookie, r#"{"game":"royale","players":2}"#).await;
    let command = |text: &str| Command::Mind(text.parse().unwrap());
    // A table that one does not look at, or that is not there.
    assert_eq!(ada.act(elsewhere, 0, command("lift")).await.unwrap_err(), "not-joined");
    let nowhere = "zzzzzz".parse().unwrap();
    assert_eq!(ada.act(nowhere, 0, command("lift")).await.unwrap_err(), "not-joined");
    let join = serde_json::to_string(&ClientMessage::Join { table: nowhere }).unwrap();
    assert_eq!(refusal(&mut ada, &join).await, "no-table");
    // A `seq` that has not been sent yet.
    let seq = ada.caught_up(table).await.seq;
    for future in [seq + 1, u64::MAX] {
        assert_eq!(ada.act(table, future, command("rest")).await.unwrap_err(), "stale");
        assert_eq!(ada.update().await.seq, seq);
    }
    // Another game's command, and what is not permitted.
    let other = Command::Royale("hide A1,B2,C3".parse().unwrap());
    assert_eq!(ada.act(table, seq, other).await.unwrap_err(), "other-game");
    assert!(ada.act(table, seq, command("finish")).await.is_err());
    // The same number for something else, and then for the same.
    let done = ada.act(table, seq, command("rest")).await.unwrap();
    let id = done.ack.unwrap();
    let again = |command| ClientMessage::Do { table, id, seq: done.seq, pressed: 0.0, command };
    ada.send(&again(command("lift"))).await;
    assert_eq!(ada.answer(id).await.unwrap_err(), "id-reused");
    ada.send(&ClientMessage::Ask { table, id, request: Request::End }).await;
    assert_eq!(ada.answer(id).await.unwrap_err(), "id-reused");
    ada.send(&again(command("rest"))).await;
    let repeated = ada.answer(id).await.unwrap();
    assert_eq!((repeated.seq, repeated.sights.len()), (done.seq, 0));
    // Bob has numbers of his own.
    let seq = bob.caught_up(table).await.seq;
    bob.send(&ClientMessage::Do { table, id, seq, pressed: 0.0, command: command("rest") }).await;
    bob.answer(id).await.unwrap();
    // He counts on from there: a lower number comes too late.
    let (mut low, seq) = (bob.id(), done.seq);
    assert!(low < id);
    bob.send(&ClientMessage::Do { table, id: low, seq, pressed: 0.0, command: command("stop") })
        .await;
    assert_eq!(bob.answer(low).await.unwrap_err(), "stale");
    while low < id {
        low = bob.id();
    }
    // Now both rest and play begins, so what Ada saw before is out of date; the fresh view follows.
    ada.caught_up(table).await;
    assert_eq!(ada.act(table, done.seq, command("stop")).await.unwrap_err(), "stale");
    let fresh = ada.update().await.seq;
    ada.act(table, fresh, command("stop")).await.unwrap();
    undisturbed(table, &mut ada, &mut bob).await;
}

/// Two thousand texts, most of them bent messages, over one connection.
#[tokio::test(flavor = "multi_thread")]
async fn no_text_brings_the_server_down() {
    let seed = std::env::var("HOSTILE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("repeat with HOSTILE_SEED={seed} cargo test -p server --test all no_text");
    let server = Server::start(&[]).await;
    let (table, mut ada, mut bob) = playing(&server).await;
    let mut eve = server.person("Eve").await;
    let other = server.open(&eve.cookie, r#"{"game":"mind","players":3}"#).await;
    eve.join(other).await;
    let mut chance = Chance::new(Seed::from(seed), 0);
    let seeds = seeds(&[table, other]);
    for round in 0..2_000 {
        let text = bent(&seeds, &mut chance);
        eve.send_text(&text).await;
        // She reads along, so that nothing but what she says can end her connection; what ends it
        // by right is another protocol.
        if round % 10 == 9 {
            eve.send_text(r#"{"t":"hello","protocol":6,"client":5}"#).await;
            loop {
                match eve.hear_or_end().await {
                    Some(ServerMessage::Welcome { .. }) => break,
                    Some(ServerMessage::Bye { why: CloseReason::Protocol, .. }) => {
                        eve = server.again(&eve.cookie.clone()).await;
                        break;
                    }
                    Some(ServerMessage::Bye { why, .. }) => panic!("{why:?} after {text}"),
                    Some(_) => {}
                    None => panic!("the connection broke after {text}"),
                }
            }
        }
    }
    undisturbed(table, &mut ada, &mut bob).await;
}

/// Messages that mean something at these tables.
fn seeds(tables: &[Code]) -> Vec<String> {
    let mut texts = Vec::new();
    for table in tables {
        for rest in [
            r#""t":"join""#,
            r#""t":"ask","id":1,"request":{"sit":"A"}"#,
            r#""t":"ask","id":2,"request":{"add-bot":{"seat":"B","kind":"random"}}"#,
            r#""t":"ask","id":3,"request":"start""#,
            r#""t":"ask","id":4,"request":"stand""#,
            r#""t":"ask","id":5,"request":{"kick":"C"}"#,
            r#""t":"ask","id":6,"request":"end""#,
            r#""t":"do","id":7,"seq":1,"pressed":1.5,"command":{"mind":{"play":34}}"#,
            r#""t":"do","id":8,"seq":3,"pressed":0,"command":{"mind":"rest"}"#,
            r#""t":"do","id":9,"seq":3,"pressed":0,"command":{"royale":{"hide":["A1","B2","C3"]}}"#,
            r#""t":"say","id":10,"text":"well played 🙂""#,
            r#""t":"leave""#,
        ] {
            texts.push(format!(r#"{{{rest},"table":"{table}"}}"#));
        }
    }
    texts
}

/// One of the texts, with a few bytes cut, doubled, swapped for others, or as it is.
fn bent(seeds: &[String], chance: &mut Chance) -> String {
    const BITS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "0",
        "-1",
        "1e308",
        "1e-400",
        "18446744073709551616",
        "4294967295",
        "null",
        "true",
        "\\u0000",
        "\\ud800",
        "\u{202e}",
        "🙂",
        "\"t\":",
        "\"id\":",
        "\"A\"",
        "\"E\"",
        "\"seq\":",
        "",
    ];
    let mut letters = chance.pick(seeds).unwrap().chars().collect::<Vec<_>>();
    for _ in 0..chance.below(4) {
        let at =
            |chance: &mut Chance, letters: &[char]| chance.below(letters.len() as u32 + 1) as usize;
        let (from, to) = (at(chance, &letters), at(chance, &letters));
        let (from, to) = (from.min(to), from.max(to).min(from + 12));
        match chance.below(4) {
            0 => drop(letters.drain(from..to)),
            1 => {
                let part = letters[from..to].to_vec();
                letters.splice(from..from, part);
            }
            2 => {
                letters.splice(from..to, chance.pick(BITS).unwrap().chars());
            }
            _ => {
                let any = char::from_u32(chance.below(0x11_0000)).unwrap_or('\u{fffd}');
                letters.splice(from..to, [any]);
            }
        }
    }
    letters.into_iter().collect()
}
