//! Every message as it stands on the wire. A changed snapshot is a changed protocol: review it as
//! one (`cargo insta review`, or rename the `.snap.new`).

mod samples;

use std::fmt::{Debug, Write};

use rules::door::GameName;
use samples::Sample;
use serde::{Serialize, de::DeserializeOwned};
use wire::{ClientMessage, Reader, Replay, ServerMessage};

/// The samples as pretty JSON beneath their names. Each reads back as it was written.
fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(samples: &[Sample<T>]) -> String {
    written_by(samples, |json| serde_json::from_str(json))
}

/// The same, read back by the given function.
fn written_by<T: Serialize + PartialEq + Debug>(
    samples: &[Sample<T>],
    read: impl Fn(&str) -> serde_json::Result<T>,
) -> String {
    let mut text = String::new();
    for (name, sample) in samples {
        let json = serde_json::to_string_pretty(sample).expect("a message can be written");
        let back = read(&json).expect("a message can be read");
        assert_eq!(&back, sample, "{name} reads back differently");
        writeln!(text, "// {name}\n{json}\n").expect("a string takes all text");
    }
    text
}

#[test]
fn client_messages() {
    let all = samples::client();
    insta::assert_snapshot!(written(&all[..12]));
    written(&all);
}

#[test]
fn requests() {
    insta::assert_snapshot!(written(&samples::requests()));
}

#[test]
fn audience_requests() {
    insta::assert_snapshot!(written(&samples::audience_requests()));
}

#[test]
fn commands() {
    insta::assert_snapshot!(written(&samples::commands()));
}

#[test]
fn server_messages() {
    insta::assert_snapshot!(written(&samples::server()));
}

#[test]
fn setups() {
    insta::assert_snapshot!(written(&samples::setups()));
}

#[test]
fn stages() {
    insta::assert_snapshot!(written(&samples::stages()));
}

#[test]
fn sitters() {
    insta::assert_snapshot!(written(&samples::sitters()));
}

/// One file a game, for players and spectators.
#[test]
fn updates() {
    let games = GameName::ALL.iter().map(ToString::to_string);
    for game in ["gathering".to_owned()].into_iter().chain(games) {
        let mut of_game = samples::updates();
        of_game.retain(|(name, _)| *name == game);
        assert!(!of_game.is_empty(), "samples::updates has no update of {game}");
        let read = |text: &str| Reader::default().read(text);
        insta::assert_snapshot!(format!("update_{game}"), written_by(&of_game, read));
    }
}

/// Authors of clients copy these examples.
#[test]
fn the_examples_in_the_documentation_are_messages() {
    let page = include_str!("../../../docs/protocol.md");
    let mut shown = std::collections::BTreeSet::new();
    let mut reader = Reader::default();
    for block in page.split("```json\n").skip(1) {
        let json = block.split("```").next().unwrap_or_default();
        let client = serde_json::from_str::<ClientMessage>(json);
        let server = reader.read(json);
        assert!(client.is_ok() != server.is_ok(), "{json}\n{client:?}\n{server:?}");
        let value = serde_json::from_str::<serde_json::Value>(json).expect("it was just read");
        shown.insert(value["t"].to_string());
    }
    let client = samples::client().into_iter().map(|(_, message)| tag(&message));
    let server = samples::server().into_iter().chain(samples::updates());
    let server = server.map(|(_, message)| tag(&message));
    assert_eq!(shown, client.chain(server).collect(), "docs/protocol.md shows every message");
}

fn tag(message: &impl Serialize) -> String {
    serde_json::to_value(message).expect("a message can be written")["t"].to_string()
}

/// What the server reads from strangers is exactly what is described, or refused.
fn check_refused(text: &str, because: &str) {
    match ClientMessage::read(text) {
        Ok(message) => panic!("{text} was read as {message:?}"),
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains(because), "{text} was refused because {error}");
        }
    }
}

#[test]
fn unknown_fields_are_refused() {
    let unknown = "unknown field";
    check_refused(r#"{"t":"hello","protocol":1,"client":7,"extra":1}"#, unknown);
    check_refused(r#"{"t":"join","table":"k3f9ab","seat":"A"}"#, unknown);
    check_refused(r#"{"t":"leave","table":"k3f9ab","":0}"#, unknown);
    check_refused(r#"{"t":"say","table":"k3f9ab","id":1,"text":"x","name":"Ada"}"#, unknown);
    check_refused(&ask(r#"{"add-bot":{"seat":"A","kind":"random","name":"Ada"}}"#), unknown);
    check_refused(&act(r#"{"extreme":{"play":{"colour":"red","value":3,"seat":"A"}}}"#), unknown);
    let doing = act(r#"{"mind":"rest"}"#).replace("{\"t\"", "{\"seat\":\"B\",\"t\"");
    check_refused(&doing, unknown);
}

#[test]
fn prototypes_are_only_names() {
    let unknown = "unknown field `__proto__`";
    check_refused(r#"{"t":"hello","protocol":1,"client":7,"__proto__":{"admin":true}}"#, unknown);
    check_refused(r#"{"__proto__":{"t":"hello","protocol":1,"client":7}}"#, "missing field `t`");
    check_refused(&act(r#"{"__proto__":{"mind":"rest"}}"#), "unknown variant `__proto__`");
    check_refused(&act(r#"{"mind":{"__proto__":1}}"#), "unknown variant `__proto__`");
    check_refused(r#"{"t":"constructor"}"#, "unknown variant `constructor`");
}

#[test]
fn unknown_variants_are_refused() {
    let unknown = "unknown variant";
    check_refused(r#"{"t":"goodbye"}"#, unknown);
    check_refused(r#"{"t":"Hello","protocol":1,"client":7}"#, unknown);
    check_refused(&act(r#"{"chess":"rest"}"#), unknown);
    check_refused(&act(r#"{"mind":"shout"}"#), unknown);
    check_refused(&act(r#"{"mind":{"choose":"red"}}"#), unknown);
    check_refused(&ask(r#""promote""#), unknown);
    check_refused(&ask(r#"{"add-bot":{"seat":"A","kind":"perfect"}}"#), unknown);
}

#[test]
fn duplicate_keys_are_refused() {
    let duplicate = "duplicate field";
    check_refused(r#"{"t":"hello","protocol":1,"client":7,"protocol":1}"#, duplicate);
    check_refused(r#"{"t":"hello","t":"join","protocol":1,"client":7}"#, duplicate);
    check_refused(r#"{"t":"hello","t":"hello","protocol":1,"client":7}"#, duplicate);
    check_refused(&act(r#"{"mind":"rest"}"#).replace("\"id\"", "\"id\":1,\"id\""), duplicate);
    check_refused(&ask(r#"{"add-bot":{"seat":"A","seat":"B","kind":"random"}}"#), duplicate);
    check_refused(&act(r#"{"mind":"rest","mind":"lift"}"#), "single key");
    check_refused(&act(r#"{"mind":"rest","extreme":"rest"}"#), "single key");
}

#[test]
fn numbers_stay_within_bounds() {
    for number in ["-1", "4294967296", "1.5", "1e3", "18446744073709551616", "\"1\"", "null"] {
        check_refused(&format!(r#"{{"t":"hello","protocol":{number}}}"#), "invalid");
    }
    let huge = "9".repeat(4_000);
    check_refused(&format!(r#"{{"t":"hello","protocol":{huge}}}"#), "number out of range");
    check_refused(r#"{"t":"hello","protocol":1e999999999}"#, "number out of range");
    check_refused(r#"{"t":"hello","protocol":NaN}"#, "expected value");
    let pressed = |time: &str| act(r#"{"mind":"rest"}"#).replace("\"pressed\":1.5", time);
    check_refused(&pressed(r#""pressed":1e400"#), "number out of range");
    check_refused(&pressed(r#""pressed":"soon""#), "invalid type");
    for card in ["0", "101", "256", "-7", "7.5"] {
        check_refused(&act(&format!(r#"{{"mind":{{"play":{card}}}}}"#)), "");
    }
    check_refused(&act(r#"{"extreme":{"play":{"colour":"red","value":51}}}"#), "1 to 50");
    check_refused(&act(r#"{"royale":{"ask":{"colours":[1,2,9]}}}"#), "");
    check_refused(&act(r#"{"royale":{"ask":{"colours":[1,2]}}}"#), "invalid length");
    check_refused(&act(r#"{"royale":{"hide":["A1","A1","B2"]}}"#), "three different cards");
    check_refused(&ask(r#"{"sit":"G"}"#), "");
    check_refused(&ask(r#"{"sit":"AB"}"#), "");
}

#[test]
fn deep_nesting_is_refused_before_the_stack_is() {
    for depth in [100, 1_000, 100_000] {
        let lists = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        check_refused(&lists, "");
        check_refused(&act(&lists), "");
        check_refused(&format!(r#"{{"t":"hello","protocol":{lists}}}"#), "");
        let objects = format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
        check_refused(&objects, "");
        check_refused(&ask(&objects), "");
    }
}

#[test]
fn what_is_no_message_is_refused() {
    for text in
        ["", " ", "null", "1", "\"hello\"", "[]", "{}", "{\"t\":null}", "{\"t\":1}", "\u{feff}{}"]
    {
        check_refused(text, "");
    }
    check_refused(r#"{"t":"hello","protocol":1,"client":7} {}"#, "trailing");
    check_refused(r#"{"t":"hello","protocol":1,"client":7"#, "EOF");
    check_refused(r#"{"t":"hello"}"#, "missing field `protocol`");
    check_refused(r#"{"t":"join","table":"k3f9a0"}"#, "six letters and digits");
}

/// Serde takes a list of the fields in their order for the object; the server does not.
#[test]
fn lists_are_no_messages() {
    for list in [r#"["hello",1,7]"#, r#"["join","k3f9ab"]"#, r#" {"t":"join","table":"k3f9ab"}"#] {
        check_refused(list, "begins with {");
    }
}

/// Cut, bent and doubled anywhere, a message is read as a message or refused.
#[test]
fn no_mutation_of_a_message_makes_the_reader_panic() {
    for (_, message) in samples::client() {
        let text = serde_json::to_string(&message).expect("a message can be written");
        for (place, _) in text.char_indices() {
            for piece in ["", "\"", "{", "}", "[", ",", "0", "-", "\\", "null", "\u{0}"] {
                let bent = format!("{}{piece}{}", &text[..place], &text[place..]);
                let cut = format!("{}{piece}", &text[..place]);
                for broken in [bent, cut] {
                    if let Ok(read) = serde_json::from_str::<ClientMessage>(&broken) {
                        let again = serde_json::to_string(&read).expect("it can be written");
                        assert_eq!(serde_json::from_str::<ClientMessage>(&again).ok(), Some(read));
                    }
                }
            }
        }
    }
}

/// Every field that the server sends is declared.
#[test]
fn server_messages_are_closed_too() {
    let text = r#"{"t":"bye","why":"idle","text":"connect again","seed":7}"#;
    assert!(serde_json::from_str::<ServerMessage>(text).is_err());
}

fn act(command: &str) -> String {
    format!(r#"{{"t":"do","table":"k3f9ab","id":1,"seq":2,"pressed":1.5,"command":{command}}}"#)
}

fn ask(request: &str) -> String {
    format!(r#"{{"t":"ask","table":"k3f9ab","id":1,"request":{request}}}"#)
}

#[test]
fn what_looks_back_reads_back_as_it_was_written() {
    let replay = serde_json::to_string(&samples::replay()).unwrap();
    assert_eq!(Replay::read(&replay).unwrap(), samples::replay());
    reads_back(&samples::judgement());
    for (record, history) in samples::past() {
        reads_back(&record);
        reads_back(&history);
    }
}

fn reads_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(written: &T) {
    let text = serde_json::to_string(written).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), written);
}

#[test]
fn records() {
    let (records, histories): (Vec<_>, Vec<_>) = samples::past().into_iter().unzip();
    let [person, team] = records.try_into().expect("there are two");
    let [more, last] = histories.try_into().expect("there are two");
    let records = written(&[("of a person", person), ("of a team", team)]);
    insta::assert_snapshot!(records + &written(&[("with more to come", more), ("the last", last)]));
}
