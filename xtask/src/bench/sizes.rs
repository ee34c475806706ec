//! What the server holds in memory, and tables that sleep on disk.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::process::{Server, files_most};
use super::programs::{Programs, Subject, number};
use super::row::{Row, Target};
use crate::shell::built;

/// Files that a server has open beside its connections.
const FILES_BESIDE: usize = 100;
const CONNECTION: Target = Target::AtMost(10.0, " KB");
const IDLE: Target = Target::AtMost(150.0, " MB");
/// How many people that target is for.
const IDLE_PEOPLE: usize = 19_900;
const READY: Target = Target::AtMost(1.0, " s");
const WAKE: Target = Target::AtMost(50.0, " ms");

/// Memory of people who play.
pub fn memory(programs: &Programs) -> Result<Vec<Row>> {
    let words = ["--tables", "1250", "--rate", "1000"];
    let report = programs.measure(Subject::Tables, &words)?;
    let kilobytes = number(&report["memory"]["per_connection_bytes"]) / 1e3;
    let what = "resident memory a connection, 5,000 people at 1,250 tables";
    Ok(vec![Row::new(what, format!("{kilobytes:.1} KB")).judged(kilobytes, CONNECTION)])
}

/// Memory of people who do nothing.
pub fn idle(programs: &Programs, wanted: usize) -> Result<Vec<Row>> {
    let people = wanted.min(files_most()?.saturating_sub(FILES_BESIDE));
    if people < wanted {
        eprintln!("only {people} files may be open here, so not {wanted} people are connected");
    }
    let report = programs.measure(Subject::Tables, &["--idle", &people.to_string()])?;
    ensure!(report["lost"] == 0, "connections were lost");
    let megabytes = number(&report["memory"]["after_bytes"]) / 1e6;
    let what = format!("resident memory, {people} idle connections");
    let row = Row::new(what, format!("{megabytes:.0} MB"));
    Ok(vec![if people < IDLE_PEOPLE { row } else { row.judged(megabytes, IDLE) }])
}

/// Makes a file with many sleeping tables. Returns the codes of some, with commas between them, and
/// that of the one with the most moves.
pub fn asleep(programs: &Programs, data: &Path, count: u32) -> Result<(String, String)> {
    let server = Server::start(&programs.server, data)?;
    // A few tables that really played, each a few hundred moves.
    programs.load(Subject::Tables, &server, &["--tables", "4", "--rate", "400"])?;
    server.stop()?;
    let output = Command::new(built("release", "examples/sleepers"))
        .arg(data)
        .args([&count.to_string(), "30"])
        .output()?;
    let codes = String::from_utf8(output.stdout)?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let codes = codes.split_whitespace().collect::<Vec<_>>();
    let (longest, copies) = codes.split_last().context("no table sleeps")?;
    Ok((copies.join(","), (*longest).to_owned()))
}

/// A server with many sleeping tables on disk.
pub fn sleepers(programs: &Programs, count: u32) -> Result<Vec<Row>> {
    let data = programs.folder.join("sleepers.db");
    let (copies, longest) = asleep(programs, &data, count)?;
    let server = Server::start(&programs.server, &data)?;
    let copies = programs.load(Subject::Tables, &server, &["--wake", &copies])?;
    let longest = programs.load(Subject::Tables, &server, &["--wake", &longest])?;
    let ready_s = server.ready.as_secs_f64();
    server.stop()?;
    let what = format!("with {count} sleeping tables: ");
    let woken = |what: String, report: &Value| {
        let most_ms = number(&report["wake"]["most_ms"]);
        Row::new(what, format!("{most_ms:.1} ms")).judged(most_ms, WAKE)
    };
    Ok(vec![
        Row::new(what.clone() + "from start to ready", format!("{ready_s:.3} s"))
            .judged(ready_s, READY),
        woken(what.clone() + "the slowest of 20 to wake", &copies),
        woken(what + "one of many moves", &longest),
    ])
}
