//! `unspoken verify FILE`: whether the deals of games were decided before they began.

use std::fs::File;
use std::io::{BufReader, stdin};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;
use server::journal_file::{self, VerifiedGame};
use wire::Commitment;

use crate::out::outln;

/// What to check.
#[derive(Args)]
pub struct Options {
    /// What you downloaded of your games, or a table that `unspoken journal export` wrote; - for
    /// standard input
    file: PathBuf,
    /// Only the game with this commitment, as it was shown when the game began
    #[arg(long)]
    commitment: Option<Commitment>,
    /// Print JSON, one line for each game
    #[arg(long)]
    json: bool,
}

/// Prints what each game's seed proves. The exit code is 1 if the deals of a game do not follow
/// from its seed, or no game has the commitment.
pub fn run(Options { file, commitment, json }: &Options) -> Result<ExitCode> {
    let games = if file.as_os_str() == "-" {
        journal_file::verify(stdin().lock(), "standard input")?
    } else {
        let name = file.display().to_string();
        let lines = File::open(file).with_context(|| format!("{name} cannot be read"))?;
        journal_file::verify(BufReader::new(lines), &name)?
    };
    let games = games.iter().filter(|game| commitment.is_none_or(|it| it == game.commitment));
    let games = games.collect::<Vec<_>>();
    for game in &games {
        if *json {
            outln!("{}", json!(game));
        } else {
            outln!("{}", sentence(game));
        }
    }
    if games.is_empty() {
        eprintln!("no game in the file has this commitment");
    }
    let is_verified = !games.is_empty() && games.iter().all(|game| game.is_verified());
    Ok(if is_verified { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn sentence(verified: &VerifiedGame) -> String {
    let VerifiedGame { game, commitment, deals, from_seed } = verified;
    if verified.is_verified() {
        return format!("game {game}: all {deals} deals follow from the seed of {commitment}");
    }
    format!(
        "game {game}: {from_seed} of {deals} deals follow from the seed in the file; it was left \
         out because other groups play the deal or an encore can follow, or the cards were changed"
    )
}
