//! `unspoken fit`: a population from logs, and bots on their deals.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bots::{Bot, Kindred, Prior, Timing, Waiting};
use clap::Args;
use lab::{
    Confidant, Linear, Log, People, Quality, RoundBot, Share, Wait, fit, play_rounds, read_logs,
    waits_of,
};
use rules::kit::Chance;
use rules::mind::{Mind, Setup};
use serde::Serialize;

use crate::numbers::whole;
use crate::out::{self, outln};
use crate::simulate::{Form, Print, Printer, bar, percent, read_people};

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
    /// Write the fitted population into this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play with this population instead of the fitted one
    #[arg(long, value_name = "FILE")]
    humans: Option<PathBuf>,
    /// How often each round is played
    #[arg(long, default_value_t = 300, value_parser = whole::<u64>(1, 1_000_000), allow_negative_numbers = true)]
    times: u64,
    /// All luck comes from this number
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    print: Print,
}

/// The rounds of one bot with people of the population.
#[derive(Serialize)]
struct Rounds<'a> {
    bot: &'a str,
    setup: &'a str,
    /// How many rounds were played.
    games: u64,
    seed: u64,
    won: Share,
    /// How well the population fits the logs.
    fit: &'a Quality,
    people: &'a People,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let logs = read_logs(&options.logs)?;
    let (mut fitted, quality) = fit(&logs, &options.source);
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
    if options.print.form() == Form::Text {
        describe(&logs, &quality);
        out::text(&toml::to_string(&people).context("the population cannot be written")?);
        compare(&logs, &people);
    }
    rates(options, &logs, &people, &quality)
}

fn describe(logs: &[Log], quality: &Quality) {
    let rounds = logs.iter().flatten().count();
    let won = logs.iter().flatten().filter(|round| round.won).count();
    outln!("{} people, {rounds} rounds, {won} won with the computer of the logs", logs.len());
    outln!("{} waits ended in a play, {} did not", quality.plays, quality.silences);
    outln!("log-likelihood: of all people, and of people left out");
    let [all, no_trend, gap_alone] = quality.left_out;
    for (name, log_likelihood, left_out) in [
        ("this model", quality.log_likelihood, all),
        ("without a trend", quality.no_trend, no_trend),
        ("by the gap alone", quality.gap_alone, gap_alone),
    ] {
        outln!("{name:<24} {log_likelihood:>8.1} {left_out:>8.1}");
    }
}

/// The waits of the logs beside those that the middle person of the population would mean.
fn compare(logs: &[Log], people: &People) {
    outln!("{:<8} {:>8} {:>8} {:>8}", "gap", "plays", "median", "model");
    for (low, high) in
        [(1.0, 3.0), (4.0, 6.0), (7.0, 10.0), (11.0, 15.0), (16.0, 20.0), (21.0, 30.0)]
    {
        let all = logs.iter().flat_map(|log| waits_of(log));
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
fn rates(options: &Options, logs: &[Log], people: &People, quality: &Quality) -> Result<()> {
    let linear = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let bot = Waiting::<Mind, _>::new(Linear { pace_s: LOGGED_PACE_S, timing: Timing::EXACT });
        [Box::new(people.person::<Mind>(luck).without_stars()), Box::new(bot)]
    };
    let kindred = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let bot = Kindred::<Mind>::new(Prior::UNKNOWN_PLAYER);
        [Box::new(people.person::<Mind>(luck).without_stars()), Box::new(bot)]
    };
    let told = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let person = people.person::<Mind>(luck).without_stars();
        [Box::new(person), Box::new(Confidant::told(person))]
    };
    let informed = |luck: &mut Chance| -> [Box<dyn Bot<Mind>>; 2] {
        let person = people.person::<Mind>(luck).without_stars();
        [Box::new(person), Box::new(Confidant::informed(people, luck))]
    };
    let bots: [(&str, u8, RoundBot, &lab::Pair); 7] = [
        ("the computer of the logs", 0, RoundBot::Logged, &linear),
        ("linear, 0.3 s a card", 0, RoundBot::Honest, &linear),
        ("told", 0, RoundBot::Honest, &told),
        ("informed", 0, RoundBot::Honest, &informed),
        ("kindred", 0, RoundBot::Honest, &kindred),
        ("kindred, one star", 1, RoundBot::Honest, &kindred),
        ("kindred, two stars", 2, RoundBot::Honest, &kindred),
    ];
    let rounds = logs.iter().flatten().count() as u64 * options.times;
    let bar = bar(rounds * bots.len() as u64);
    let form = options.print.form();
    let mut printer = Printer::new("fit", form);
    for (bot, stars, kind, pair) in bots {
        let text = format!("players=2 levels=3 stars={stars}");
        let setup = text.parse::<Setup>()?;
        let turns = (options.times, options.seed);
        let won = play_rounds(&setup, logs, turns, kind, pair, &|rounds| bar.inc(rounds));
        bar.suspend(|| {
            if form == Form::Text {
                outln!("{bot:<24} {} of rounds", percent(won));
            }
            let seed = options.seed;
            printer.print(&Rounds {
                bot,
                setup: &text,
                games: rounds,
                seed,
                won,
                fit: quality,
                people,
            })
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}
