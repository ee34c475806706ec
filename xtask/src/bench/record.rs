//! The record of a person with thousands of games: how long its pages take.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::Value;

use super::process::Server;
use crate::shell::{built, cargo, run as sh};

/// What every page may take.
const MS_MOST: f64 = 50.0;
/// How long the games may take to get on record.
const PATIENCE: Duration = Duration::from_mins(10);

/// How the record is measured.
#[derive(Args)]
pub struct Options {
    /// How many games are stored, all of one person
    #[arg(long, default_value_t = 10_000)]
    games: u32,
    /// How often each page is asked for
    #[arg(long, default_value_t = 300)]
    times: u32,
    /// Where the data file is put: the disk that is measured
    #[arg(long)]
    folder: Option<PathBuf>,
    /// The profile to build and measure
    #[arg(long, default_value = "release")]
    profile: String,
}

/// Builds the server, fills its file, asks over HTTP and prints what it took.
pub fn run(options: &Options) -> Result<()> {
    let profile = match options.profile.as_str() {
        "debug" => "dev",
        other => other,
    };
    sh(&mut cargo(&["build", "--profile", profile, "--package", "unspoken"]))?;
    let words = ["build", "--profile", profile, "--package", "server", "--example", "games"];
    sh(&mut cargo(&words))?;
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let (program, filler) =
        (built(&options.profile, "unspoken"), built(&options.profile, "examples/games"));
    let data = folder.path().join("games.db");
    let cookie = named(&program, &data)?;
    fill(&filler, &data, options.games, &cookie)?;
    let server = Server::start(&program, &data)?;
    let visitor = Visitor { server: &server, cookie };
    let started = Instant::now();
    let record = visitor.caught_up(u64::from(options.games))?;
    println!("\n{} games of one person on record after {:.1?}", options.games, started.elapsed());
    let slow = visitor.measure(&record, options.times)?;
    server.stop()?;
    ensure!(slow.is_empty(), "more than {MS_MOST} ms at p99: {}", slow.join(", "));
    Ok(())
}

/// Creates a person and stops the server again. Returns the cookie.
fn named(program: &Path, data: &Path) -> Result<String> {
    let server = Server::start(program, data)?;
    let answer = server.http("POST /api/me", "", r#"{"name":"Ada"}"#)?;
    let cookie = answer.split("set-cookie: ").nth(1).and_then(|rest| rest.split(';').next());
    let cookie = cookie.context("the server sets no cookie")?.to_owned();
    server.stop()?;
    Ok(cookie)
}

fn fill(filler: &Path, data: &Path, games: u32, cookie: &str) -> Result<()> {
    let (_, secret) = cookie.split_once('=').context("a cookie has a value")?;
    let status = Command::new(filler).arg(data).args([&games.to_string(), secret]).status()?;
    ensure!(status.success(), "the games could not be stored, see above");
    Ok(())
}

struct Visitor<'a> {
    server: &'a Server,
    cookie: String,
}

impl Visitor<'_> {
    /// Waits until the person's record has `games` games, and returns it.
    fn caught_up(&self, games: u64) -> Result<Value> {
        let started = Instant::now();
        loop {
            let record = self.ask("/api/me/record")?;
            if record["games"] == games {
                return Ok(record);
            }
            ensure!(started.elapsed() < PATIENCE, "only {} games are on record", record["games"]);
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn ask(&self, path: &str) -> Result<Value> {
        let answer = self.server.http(&format!("GET {path}"), &self.cookie, "")?;
        let Some((head, body)) = answer.split_once("\r\n\r\n") else {
            bail!("{path}: the answer has no end of its head");
        };
        ensure!(head.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        Ok(serde_json::from_str(body)?)
    }

    /// Prints the times of each page, and returns the pages that took too long.
    fn measure(&self, record: &Value, times: u32) -> Result<Vec<String>> {
        let team = record["teams"][0]["id"].as_str().context("there is a team")?;
        let latest = self.ask("/api/me/games")?;
        let before = latest["before"].as_u64().context("there are more games")?;
        let mut slow = Vec::new();
        for (what, path) in [
            ("the person's page", "/api/me/record".to_owned()),
            ("the team's page", format!("/api/teams/{team}")),
            ("the latest games", "/api/me/games".to_owned()),
            ("games from the middle on", format!("/api/me/games?before={}", before / 2)),
            ("the team's games", format!("/api/me/games?team={team}")),
            ("games with a partner", "/api/me/games?partner=partner%2017".to_owned()),
            ("games with an unknown partner", "/api/me/games?partner=zoe".to_owned()),
            ("a game and a result", "/api/me/games?game=mind&result=lost".to_owned()),
            ("partner, game, result and team, none fits", {
                format!("/api/me/games?partner=zoe&game=mind&result=won&team={team}")
            }),
        ] {
            let mut waits = Vec::new();
            for _ in 0..times {
                let started = Instant::now();
                self.ask(&path)?;
                waits.push(started.elapsed().as_secs_f64() * 1_000.0);
            }
            waits.sort_by(f64::total_cmp);
            let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
            let (p50, p99) = (at(50), at(99));
            println!("{what:<44} p50 {p50:>6.2} ms   p99 {p99:>6.2} ms   (≤ {MS_MOST} ms)");
            if p99 > MS_MOST {
                slow.push(what.to_owned());
            }
        }
        Ok(slow)
    }
}
