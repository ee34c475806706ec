//! `unspoken fit`: a population from logs, and bots on their deals.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bots::{Bot, Kindred, Prior, Timing, Waiting};
use clap::Args;
use lab::{Confidant, Linear, Log, People, RoundBot, Wait, fit, play_rounds, read_logs, waits_of};
use rules::kit::Chance;
use rules::mind::{Mind, Setup};

use crate::out::{self, outln};
use crate::simulate::read_people;

/// The pace of the computer in the logs.
const LOGGED_PACE_S: f64 = 0.3;

#[derive(Args)]
pub(crate) struct Options {
    /// A folder of logs, one person a file
    #[arg(long)]
    logs: PathBuf,
    /// Where the logs come from, for the file
    #[arg(long, default_value = "")]
    source: String,
    /// Write the fitted population here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play with this population instead of the fitted one
    #[arg(long, value_name = "FILE")]
    humans: Option<PathBuf>,
    /// How often each round is played
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    times: u64,
    /// All luck comes from this
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let logs = read_logs(&options.logs)?;
    let (mut fitted, quality) = fit(&logs, &options.source);
    let rounds = logs.iter().flatten().count();
    let won = logs.iter().flatten().filter(|round| round.won).count();
    outln!("{} people, {rounds} rounds, {won} won with the computer of the logs", logs.len());
    outln!("{} waits ended in a play, {} did not", quality.plays, quality.silences);
    outln!(
        "log-likelihood {:.1}, of people left out {:.1}; by the gap alone {:.1} and {:.1}",
        quality.log_likelihood,
        quality.left_out.0,
        quality.gap_alone,
        quality.left_out.1
    );
    if let Some(path) = &options.out {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        fitted.name = stem.unwrap_or(fitted.name);
        let text = toml::to_string(&fitted).context("the population cannot be written")?;
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    let people = match &options.humans {
        Some(path) => read_people(path)?,
        None => fitted,
    };
    out::text(&toml::to_string(&people).context("the population cannot be written")?);
    compare(&logs, &people);
    rates(options, &logs, &people)
}

/// The waits of the logs beside those that the middle person of the population would mean.
fn compare(logs: &[Log], people: &People) {
    outln!("{:<8} {:>8} {:>8} {:>8}", "gap", "plays", "median", "model");
    for (low, high) in
        [(1.0, 3.0), (4.0, 6.0), (7.0, 10.0), (11.0, 15.0), (16.0, 20.0), (21.0, 30.0)]
    {
        let all = logs.iter().flatten().flat_map(waits_of);
        let of_gap = |wait: &Wait| wait.played && !wait.alone && (low..=high).contains(&wait.gap);
        let mut waits = all.filter(of_gap).map(|wait| wait.wait_s).collect::<Vec<_>>();
        waits.sort_by(f64::total_cmp);
        let median = waits.get(waits.len() / 2).copied().unwrap_or_default();
        let middle = f64::midpoint(low, high);
        let model = people.curve.base_s + people.pace.median_s * middle.powf(people.curve.exponent);
        outln!("{:<8} {:>8} {median:>8.2} {model:>8.2}", format!("{low}-{high}"), waits.len());
    }
}

/// How many rounds people of the population win with bots, on the deals of the logs. The logged
/// games had no stars; by the rules a team of two that has spent none has two stars at a level of
/// three cards.
fn rates(options: &Options, logs: &[Log], people: &People) -> Result<()> {
    let with_stars = |stars: u8| {
        let setup = format!("players=2 levels=3 stars={stars}").parse::<Setup>();
        setup.map_err(|error| anyhow::anyhow!("{error}"))
    };
    let setup = with_stars(0)?;
    let linear = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let bot = Waiting::<Mind, _>::new(Linear { pace_s: LOGGED_PACE_S, timing: Timing::EXACT });
        [Box::new(people.person::<Mind>(luck).without_stars()), Box::new(bot)]
    };
    let kindred = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let bot = Kindred::<Mind>::new(Prior::UNKNOWN_PLAYER);
        [Box::new(people.person::<Mind>(luck).without_stars()), Box::new(bot)]
    };
    let confidant = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let person = people.person::<Mind>(luck).without_stars();
        [Box::new(person), Box::new(Confidant::new(person))]
    };
    let turns = (options.times, options.seed);
    let mut shares = vec![
        ("the computer of the logs", play_rounds(&setup, logs, turns, RoundBot::Logged, &linear)),
        ("linear, 0.3 s a card", play_rounds(&setup, logs, turns, RoundBot::Honest, &linear)),
        (
            "knows everything but the cards",
            play_rounds(&setup, logs, turns, RoundBot::Honest, &confidant),
        ),
        ("kindred", play_rounds(&setup, logs, turns, RoundBot::Honest, &kindred)),
    ];
    for (stars, name) in [(1, "kindred, one star"), (2, "kindred, two stars")] {
        let share = play_rounds(&with_stars(stars)?, logs, turns, RoundBot::Honest, &kindred);
        shares.push((name, share));
    }
    for (name, share) in shares {
        let (middle, low, high) = (100.0 * share.share, 100.0 * share.low, 100.0 * share.high);
        outln!("{name:<24} {middle:>6.2} % of rounds   ({low:.2} to {high:.2})");
    }
    Ok(())
}
