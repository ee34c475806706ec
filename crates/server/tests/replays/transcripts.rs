//! Games as text and as tables, and every move of them checked.

use std::fs;
use std::path::Path;

use server::journal_file::{Form, replay};
use wire::Code;

use crate::common::whole::{Team, journal};

/// A journal of each game that is kept for ever.
fn sample(game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/journals/{game}-1.jsonl"));
    fs::read_to_string(path).unwrap()
}

fn written(lines: &str, form: Form) -> Result<String, String> {
    let mut out = Vec::new();
    let done = replay(lines.as_bytes(), "x.jsonl", None, form, &mut out);
    done.map_err(|error| format!("{error:#}")).map(|()| String::from_utf8(out).unwrap())
}

fn whole() -> String {
    let team = Team { stops_once_in: 10, errs_once_in: 12, encore: false };
    let person = "0".repeat(64);
    journal("k3f9ab".parse::<Code>().unwrap(), &person, "players=2", team, 3)
}

#[test]
fn stored_games_are_transcribed_and_verified() {
    for (game, luck) in [("mind", 2), ("extreme", 3), ("soulmates", 8), ("royale", 8)] {
        let text = written(&sample(game), Form::Transcript).unwrap();
        assert!(text.starts_with("game ") && text.contains(&format!("-1: {game} players=")));
        assert!(text.contains(&format!("the seed repeats {luck} of {luck} deals\n")), "{text}");
    }
}

#[test]
fn a_whole_game_is_transcribed_move_by_move() {
    let text = written(&whole(), Form::Transcript).unwrap();
    assert!(text.starts_with("game k3f9ab-1: mind players=2"), "{text}");
    assert!(text.contains("\nA Ada\nB a bot, Steady\n"), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("verified: ") && last.contains("the seed repeats "), "{last}");
    let luck = last.rsplit("repeats ").next().unwrap();
    assert_eq!(luck, "12 of 12 deals", "one for each level");
}

#[test]
fn what_does_not_follow_is_named_with_its_line() {
    let lines = whole();
    let check = |from: &str, to: &str, expected: &str| {
        let place = lines.find(from).unwrap_or_else(|| panic!("{from} is there"));
        let changed = format!("{}{to}{}", &lines[..place], &lines[place + from.len()..]);
        // A command is named by the line of its first event.
        let before = lines[..place].lines().collect::<Vec<_>>();
        let first = before
            .iter()
            .rposition(|line| line.contains(r#""by":"#) || line.contains(r#""at":0,"#));
        let line = first.map_or(before.len(), |first| first + 1);
        let error = written(&changed, Form::Transcript).unwrap_err();
        assert_eq!(error, format!("x.jsonl:{line}: {expected}"), "{to}");
    };
    let none = "no permitted command leads to this";
    // Another player's hand on the table, and a reward that the level does not have.
    check(r#"{"rested":"A"}"#, r#"{"rested":"B"}"#, none);
    check(r#""reward":"star""#, r#""reward":"life""#, none);
    check(r#""card":52"#, r#""card":53"#, none);
    let first = lines.lines().position(|line| line.contains(r#"{"event":{"at":0,"#)).unwrap() + 1;
    let odd = lines.replacen(r#"{"event":{"at":0,"#, r#"{"event":{"at":0,"is":0,"#, 1);
    let unread = "unknown field `is`, expected one of `at`, `by`, `event` at line 1 column 21";
    assert_eq!(written(&odd, Form::Transcript).unwrap_err(), format!("x.jsonl:{first}: {unread}"));
    let error =
        written(&lines.replace(r#""outcome":"won""#, r#""outcome":"lost""#), Form::Transcript);
    assert_eq!(error.unwrap_err(), "x.jsonl: the game ended with Some(Won), not with Some(Lost)");
}

#[test]
fn luck_that_the_seed_does_not_bring_is_counted() {
    let lines = whole();
    let place = lines.find(r#""seed":""#).unwrap() + 8;
    let digit = if &lines[place..=place] == "0" { "1" } else { "0" };
    let other = format!("{}{digit}{}", &lines[..place], &lines[place + 1..]);
    let text = written(&other, Form::Transcript).unwrap();
    assert!(text.ends_with("the seed repeats 0 of 12 deals\n"), "{text}");
}

#[test]
fn plays_are_a_table_with_times() {
    let lines = whole();
    let text = written(&lines, Form::Plays).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let head = rows.headers().unwrap().clone();
    let column = |name: &str| head.iter().position(|other| other == name).unwrap();
    let (mut last, mut plays) = (0, 0);
    for row in rows.records() {
        let row = row.unwrap();
        plays += 1;
        assert_eq!(row[column("play")].parse::<usize>().unwrap(), plays);
        let at = row[column("at_us")].parse::<u64>().unwrap();
        assert!(at >= last && row[column("wait_us")].parse::<u64>().unwrap() <= at);
        last = at;
        assert_eq!(&row[column("by")], "machine");
        assert_eq!(&row[column("error_us")], "0", "a machine plays by the server's clock");
    }
    let played = lines.lines().filter(|line| line.contains(r#""played""#)).count();
    assert_eq!(plays, played);
}
