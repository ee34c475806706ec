//! The program as a user at a terminal meets it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rules::door::GameName;

/// Runs the program with these lines typed into it; it ends with the last of them.
fn unspoken(arguments: &[&str], typed: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_unspoken"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    program.stdin.take().expect("it reads").write_all(typed.as_bytes()).expect("it listens");
    program.wait_with_output().expect("it ends")
}

fn check(arguments: &[&str], typed: &str, code: i32, expected: &[&str]) {
    let output = unspoken(arguments, typed);
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("it writes text");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{text}");
    for part in expected {
        assert!(text.contains(part), "{part:?} is not in the output of {arguments:?}:\n{text}");
    }
}

#[test]
fn without_a_game_the_mind_is_played() {
    check(&["play"], "rest\n", 0, &["The Mind. You are A", "You laid a hand on the table."]);
}

#[test]
fn every_game_can_be_played() {
    check(&["play", "mind", "--players", "4"], "stop\n\n", 0, &["play has not begun", "4 lives"]);
    check(&["play", "extreme", "--seat", "B"], "rest\n", 0, &["You are B", "red (down): -"]);
    let setup = ["play", "soulmates", "--setup", "first_seer=A"];
    check(&setup, "look\nhint -\n", 0, &["You looked at", "You wrote nothing", "You hold"]);
    check(&["play", "royale"], "hide A1,B2,C3\n", 0, &["Your code is A1,B2,C3", "13800 in all"]);
}

/// A seed fixes the deal; what is printed shows one hand only.
#[test]
fn only_what_the_seat_may_see_is_shown() {
    let table = |seat| {
        let arguments = ["play", "mind", "--seed", "7", "--setup", "levels=12", "--seat", seat];
        String::from_utf8(unspoken(&arguments, "").stdout).unwrap()
    };
    let hand = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("You hold: "));
        line.expect("the hand is shown").to_owned()
    };
    let (a, b) = (table("A"), table("B"));
    assert_ne!(hand(&a), hand(&b));
    assert!(!a.contains(&hand(&b)) && !b.contains(&hand(&a)), "{a}\n{b}");
    assert_eq!(a, table("A"), "the same seed deals the same cards");
}

#[test]
fn impossible_set_ups_are_refused_with_what_would_be_right() {
    check(&["play", "mind", "--players", "7"], "", 2, &["error: the set-up: 7 players cannot"]);
    check(&["play", "mind", "--setup", "lives=9"], "", 2, &["choose 1 to 5"]);
    check(&["play", "mind", "--seat", "C"], "", 2, &["there is no seat C at a table of 2"]);
    check(&["play", "chess"], "", 2, &["is none of mind, extreme, soulmates, royale"]);
    check(&["examples", "nowhere.examples"], "", 2, &["nowhere.examples cannot be read"]);
}

#[test]
fn the_best_row_is_printed_with_its_total() {
    check(&["solve", "whole"], "", 0, &["7.1001 rows expected (97982 over 13800 codes)"]);
    let four = ["solve", "A1 A2 B1,B3", "--search", "--json"];
    check(&four, "", 0, &["\"codes\":24", "\"exact\":true", "\"total\":90"]);
    let history = ["solve", "A1 A2 B1 B3 C5", "--history", "ABC:3b 111:-"];
    check(&history, "", 0, &["ask ", "rows expected"]);
    let limited = ["solve", "A1 A2 B1 B3 C5 D1 E2", "--search", "--limit", "0ms"];
    check(&limited, "", 0, &["ask ", " to "]);
    check(&["solve", "A1 A2 B1", "--worst"], "", 0, &["rows at worst"]);
    check(&["solve", "A1 A2 B1", "--zone", "shapes"], "", 0, &["ask "]);
}

#[test]
fn a_tablebase_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.tablebase").display().to_string();
    let four = ["solve", "tablebase", "--file", &file, "--sizes", "4", "--worst"];
    check(&four, "", 0, &["    4       10      10  3.7083  3.8458    4.0000  5"]);
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    check(&four, "", 0, &["    4       10      10"]);
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    check(&["solve", "tablebase", "--check", "--file", &file], "", 0, &["    4       10      10"]);
}

#[test]
fn impossible_positions_are_refused_with_what_would_be_right() {
    check(&["solve"], "", 2, &["give the cards of the pack"]);
    check(&["solve", "A1 A9 B1"], "", 2, &["a card is a colour A to E"]);
    check(&["solve", "A1 A2"], "", 2, &["at least three"]);
    check(&["solve", "A1 A2 B1", "--history", "AAB"], "", 2, &["has no pegs"]);
    check(&["solve", "A1 A2 B1", "--history", "EEE:1b"], "", 2, &["no code of the pack"]);
    check(&["solve", "A1 A2 B1", "--limit", "soon"], "", 2, &["as in 100ms"]);
}

#[test]
fn an_exported_table_is_transcribed_and_checked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/tests/journals");
    let file = folder.join("mind-1.jsonl").display().to_string();
    check(&["replay", &file], "", 0, &["mind players=3", "A Ada", "verified: 27 moves"]);
    check(&["replay", "--csv", &file], "", 0, &["game,play,level", "at_us", "error_us"]);
    check(&["replay", "--game", "9", &file], "", 2, &["no game 9 of the table is over"]);
    let text = std::fs::read_to_string(&file).unwrap();
    check(&["replay", "-"], &text, 0, &["verified: 27 moves"]);
    let wrong = text.replacen(r#"{"rested":"A"}"#, r#"{"rested":"B"}"#, 1);
    let expected = ["error: standard input:", "no permitted command leads to this"];
    check(&["replay", "-"], &wrong, 2, &expected);
    check(&["verify", &file], "", 0, &["deals follow from the seed of "]);
    check(&["verify", "--json", &file], "", 0, &[r#""commitment":""#, r#""from_seed":"#]);
    let other = "00".repeat(32);
    let nothing = ["no game in the file has this commitment"];
    check(&["verify", "--commitment", &other, &file], "", 1, &nothing);
    check(&["verify", "--commitment", "9f86", &file], "", 2, &["hexadecimal digits"]);
    check(&["verify", "-"], &wrong, 2, &expected[1..]);
    check(&["verify", "nowhere.jsonl"], "", 2, &["nowhere.jsonl cannot be read"]);
    check(&["replay", "nowhere.jsonl"], "", 2, &["nowhere.jsonl cannot be read"]);
}

#[test]
fn examples_are_run_and_mismatches_have_file_and_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests");
    let path = |name: &str| folder.join(name).display().to_string();
    let files = GameName::ALL.iter().map(|name| path(&format!("{name}.examples")));
    let files = files.collect::<Vec<_>>();
    let arguments = ["examples"].into_iter().chain(files.iter().map(String::as_str));
    check(&arguments.collect::<Vec<_>>(), "", 0, &["mind.examples: ", ", 0 wrong"]);

    let wrong = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong.examples");
    let text = "game mind\n[M5] wrong\nstart players=2 | hands=21,56/50\ndo A play 56\n";
    std::fs::write(&wrong, text).expect("the file can be written");
    let wrong = wrong.display().to_string();
    let line = format!("{wrong}:4: refused because not-next: you hold 21, which comes before 56");
    check(&["examples", &wrong], "", 1, &[&line, "1 examples, 2 lines, 1 wrong"]);
}

/// The program's output is read up to its first line only.
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("tables.db").display().to_string();
    let sample = "crates/server/tests/journals/mind-1.jsonl";
    check(&["journal", "import", &format!("../../{sample}"), "--data", &data], "", 0, &["s3jmgb"]);
    let commands: [&[&str]; 16] = [
        &["simulate", "--seats", "steady,steady", "--games", "20"],
        &["simulate", "--seats", "steady,steady", "--games", "20", "--csv"],
        &["crossplay", "--games", "2"],
        &["examples", "crates/rules/tests/mind.examples"],
        &["replay", sample],
        &["replay", "--csv", sample],
        &["verify", sample],
        &["journal", "export", "s3jmgb", "--data", &data],
        &["journal", "export", "s3jmgb", "--csv", "--data", &data],
        &["solve", "A1 A2 B1 B3 C5"],
        &["solve", "match", "--matches", "2"],
        &["sync", "--teams", "10"],
        &["play"],
        &["tables", "--data", &data],
        &["check", "--data", &data],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let mut program = Command::new(env!("CARGO_BIN_EXE_unspoken"))
            .args(arguments)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(program.stdout.take());
        let output = program.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {}\n{text}", output.status);
        assert!(!text.contains("panicked") && !text.contains("error"), "{arguments:?}: {text}");
    }
}

#[test]
fn numbers_on_the_command_line_are_checked() {
    for (option, value) in [
        ("--games", "0"),
        ("--weber", "-1"),
        ("--weber", "nan"),
        ("--motor-s", "inf"),
        ("--pace-s", "0"),
        ("--linear-s", "-0.1"),
        ("--human-weber", "NaN"),
        ("--pace-log-sd", "-inf"),
        ("--budget-s", "0"),
    ] {
        let given = format!("{option}={value}");
        check(&["simulate", "--seats", "steady,steady", &given], "", 2, &[option]);
    }
    check(&["fit", "--logs", "none", "--times", "0"], "", 2, &["--times"]);
    for arguments in [
        &["crossplay", "--games", "0"][..],
        &["crossplay", "--human-weber=-1"],
        &["sync", "--teams", "0"],
        &["solve", "match", "--matches", "0"],
        &["solve", "tablebase", "--threads", "0"],
        &["solve", "A1 A2 B1", "--limit=-1ms"],
        &["load", "--tables", "0"],
        &["load", "--rate", "0"],
        &["load", "--seconds", "inf"],
        &["tables", "--most", "0"],
        &["serve", "--idle-s", "nan"],
        &["serve", "--chat-rate", "inf/1"],
        &["serve", "--connections=-1"],
        &["play", "--players", "0"],
    ] {
        check(arguments, "", 2, &["error: "]);
    }
}

#[test]
fn a_picture_that_cannot_be_drawn_is_refused_before_the_games() {
    for command in [&["simulate", "--seats", "steady,steady"][..], &["crossplay"]] {
        let arguments = [command, &["--games", "1000000000", "--plot", "x.png"]].concat();
        check(&arguments, "", 2, &["pictures are drawn as SVG"]);
        let arguments = [command, &["--games", "1000000000", "--plot", "nowhere/x.svg"]].concat();
        check(&arguments, "", 2, &["there is no folder nowhere"]);
    }
}

#[test]
fn an_error_of_the_lab_says_what_to_type() {
    for (arguments, part) in [
        (&["simulate"][..], "--seats human,kindred"),
        (&["simulate", "--seats", "human kindred"], "separate players by commas"),
        (
            &["simulate", "--seats", "steady,steady", "--games", "1e4"],
            "write a whole number from 1",
        ),
        (&["simulate", "--seats", "steady,steady", "--pace-s", "-1"], "write a number above 0"),
        (&["crossplay", "--seed", "-1"], "write a whole number from 0"),
        (&["sync", "--teams", "5"], "write a whole number from 10 to 100000"),
        (&["fit", "--logs", "nowhere"], "name a folder of logs"),
        (&["solve", "match", "--matches", "many"], "write a whole number from 1"),
    ] {
        check(arguments, "", 2, &[part]);
    }
}

#[test]
fn matches_are_measured_in_one_line_of_json() {
    let arguments = ["solve", "match", "--matches", "2", "--skill", "novice", "--json"];
    check(&arguments, "", 0, &["\"command\":\"solve match\"", "\"skill\":\"novice\"", "\"rows\":"]);
}

#[test]
fn options_are_described_for_shells_and_for_man() {
    for shell in ["bash", "zsh", "fish"] {
        check(&["completions", shell], "", 0, &["doctor", "public-url"]);
    }
    check(&["completions", "tcsh"], "", 2, &["possible values: bash"]);
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man");
    check(&["manual", &man.display().to_string()], "", 0, &[]);
    let page = |name: &str| std::fs::read_to_string(man.join(name)).unwrap();
    assert!(page("unspoken.1").contains("unspoken\\-doctor(1)"), "{}", page("unspoken.1"));
    assert!(page("unspoken-serve.1").contains("\\-\\-public\\-url"));
    assert!(page("unspoken-journal-export.1").contains("\\-\\-csv"));
}
