//! Tables as JSON lines: a journal of each game that was played once and is replayed for ever, and
//! what exports and imports make of good and bad files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Server;
use crate::common::scenes::begun;
use crate::replays::deals::level;
use crate::replays::end;
use server::journal_file::{Form, Place, export, import, replay};
use tempfile::TempDir;
use wire::Code;

/// A file that is never written anew: what it holds stays readable.
fn sample(game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/journals/{game}-1.jsonl"));
    fs::read_to_string(path).unwrap()
}

fn data(folder: &TempDir) -> PathBuf {
    folder.path().join("tables.db")
}

async fn imported(folder: &TempDir, text: &str) -> Result<Code, String> {
    let done = import(Place::File(&data(folder)), text.as_bytes(), "sample.jsonl", None).await;
    done.map_err(|error| format!("{error:#}"))
}

#[tokio::test]
async fn journals_of_every_game_are_replayed_for_ever() {
    // The first of them are from before presses were ordered, the last one is not.
    for game in ["mind", "extreme", "soulmates", "royale", "mind-fair"] {
        let folder = TempDir::new().unwrap();
        let text = sample(game);
        let table = imported(&folder, &text).await.unwrap();
        let mut out = Vec::new();
        export(Place::File(&data(&folder)), table, &mut out).await.unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text, "{game}");

        let server = Server::start_in(folder, &[]).await;
        let mut spectator = server.person("Eve").await;
        let update = spectator.join(table).await;
        let stands = (update.seq, &update.table().stage, update.view.unwrap());
        insta::assert_snapshot!(game, serde_json::to_string_pretty(&stands).unwrap());
    }
}

#[tokio::test]
async fn a_table_is_exported_while_the_server_runs() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let table = server.open(&cookie, r#"{"game":"mind","players":2}"#).await;
    let path = server.folder.path().join("tables.db");
    let mut out = Vec::new();
    export(Place::File(&path), table, &mut out).await.unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    let unknown = "222222".parse::<Code>().unwrap();
    let error = export(Place::File(&path), unknown, &mut Vec::new()).await;
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("there is no table 222222 in"), "{error}");
    let other = path.with_file_name("other.db");
    let error = export(Place::File(&other), table, &mut Vec::new()).await.unwrap_err();
    assert!(error.to_string().starts_with("there is no file"), "{error}");
    // A table is not put under a server's feet.
    let error = imported(&server.folder, &sample("mind")).await.unwrap_err();
    assert!(error.starts_with("another server uses"), "{error}");
}

#[tokio::test]
async fn no_table_is_overwritten_but_it_can_have_another_code() {
    let folder = TempDir::new().unwrap();
    let text = sample("royale");
    let table = imported(&folder, &text).await.unwrap();
    let error = imported(&folder, &text).await.unwrap_err();
    assert_eq!(error, format!("there is a table {table} already, choose another code with --code"));
    let other = "k3f9ab".parse::<Code>().unwrap();
    assert_eq!(
        import(Place::File(&data(&folder)), text.as_bytes(), "x", Some(other)).await.unwrap(),
        other
    );
}

#[tokio::test]
async fn what_does_not_follow_by_the_rules_is_refused_with_its_line() {
    let text = sample("mind");
    let lines = text.lines().collect::<Vec<_>>();
    let with = |line: usize, other: &str| {
        let mut lines = lines.clone();
        lines[line - 1] = other;
        lines.join("\n")
    };
    let dealt = lines.iter().position(|line| line.contains("dealt")).unwrap() + 1;
    let twice = r#"{"event":{"at":0,"event":{"dealt":{"level":1,"hands":[[7],[7],[9]]}}}}"#;
    let early = lines[dealt].replace(r#"{"at":"#, r#"{"at":-"#);
    for (text, expected) in [
        (String::new(), "sample.jsonl is empty"),
        (text[..20].to_owned(), "sample.jsonl:1: not a table that was exported"),
        (with(1, r#"{"unspoken":9,"table":"k3f9ab"}"#), "sample.jsonl:1: this program reads"),
        (lines[0].to_owned(), "sample.jsonl: there are no entries after the first line"),
        (with(2, lines[dealt - 1]), "sample.jsonl:2: the first line opens a table"),
        (with(3, lines[1]), "sample.jsonl:3: a table is opened once"),
        (with(3, "nonsense"), "sample.jsonl:3: "),
        (with(3, lines[dealt - 1]), "sample.jsonl:3: an event stands here while no game was on"),
        (with(dealt, twice), &format!("sample.jsonl:{dealt}: mind cannot stand like this")),
        (with(dealt + 1, &early), &format!("sample.jsonl:{}: ", dealt + 1)),
        (with(dealt + 1, lines[dealt - 2]), "a game began while another was on"),
    ] {
        let folder = TempDir::new().unwrap();
        let error = imported(&folder, &text).await.unwrap_err();
        assert!(error.contains(expected), "{error}\nnot {expected}");
        assert!(!data(&folder).exists(), "nothing is made for a bad file");
    }
}

/// Reads a file as `unspoken replay` does.
fn replayed(text: &str) -> Result<(), String> {
    let done =
        replay(text.as_bytes(), "sample.jsonl", None, Form::Transcript, &mut std::io::sink());
    done.map_err(|error| format!("{error:#}"))
}

/// The last line of what `unspoken replay` prints of a file.
fn verdict(text: &str) -> String {
    let mut out = Vec::new();
    replay(text.as_bytes(), "sample.jsonl", None, Form::Transcript, &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().last().unwrap().to_owned()
}

/// Fixed games drew by the number of the step once, and draw by what each draw is for today.
#[tokio::test]
async fn fixed_games_are_verified_however_they_drew() {
    let old = sample("mind").replace(r#""seeding":"fresh""#, r#""seeding":"fixed""#);
    assert!(verdict(&old).ends_with("the seed repeats 2 of 2 deals"), "{}", verdict(&old));

    let server = Server::start(&[]).await;
    let wish = r#"{"game":"mind","players":2,"preset":"research"}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben"]).await;
    {
        let [ada, ben] = &mut people[..] else { panic!("two sit there") };
        for stops in [2, 0] {
            level(table, &mut [ada, ben], stops).await;
        }
    }
    end(table, &mut people).await;
    let mut out = Vec::new();
    export(Place::File(&data(&server.folder)), table, &mut out).await.unwrap();
    let new = String::from_utf8(out).unwrap();
    assert!(verdict(&new).ends_with("the seed repeats 3 of 3 deals"), "{}", verdict(&new));
}

#[tokio::test]
async fn an_import_accepts_nothing_that_a_replay_refuses() {
    let mut refused = 0;
    for game in ["mind", "extreme", "soulmates", "royale", "mind-fair"] {
        let text = sample(game);
        let lines = text.lines().collect::<Vec<_>>();
        // The first line names the table, and the second one opens it.
        for dropped in 2..lines.len() {
            let rest = lines.iter().enumerate().filter(|(place, _)| *place != dropped);
            let rest = rest.map(|(_, line)| *line).collect::<Vec<_>>().join("\n") + "\n";
            let Err(error) = replayed(&rest) else { continue };
            if error.contains("is over") {
                continue;
            }
            refused += 1;
            let folder = TempDir::new().unwrap();
            let import = imported(&folder, &rest).await;
            assert!(import.is_err(), "{game} without line {}: {error}", dropped + 1);
        }
    }
    assert!(refused > 50, "{refused} files");
}
