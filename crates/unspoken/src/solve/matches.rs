//! Many random matches against a seeker: how many rows it needs, and how long it thinks.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bots::{Maker, Skill};
use clap::Args;
use rules::kit::{Chance, Seed};
use rules::royale::{Code, Pack, Row, Zone, answer};
use serde::Serialize;
use solver::{Class, Position};

use crate::numbers::whole;
use crate::out::outln;
use crate::simulate::{Form, Print, Printer};

/// How many matches, and who breaks the codes.
#[derive(Args)]
pub struct Options {
    /// How many matches of eight rounds
    #[arg(long, default_value_t = 10_000, value_parser = whole::<u32>(1, 1_000_000_000), allow_negative_numbers = true)]
    matches: u32,
    /// The seed of the first match; each further match has the next number
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// novice, student or master
    #[arg(long, default_value = "master")]
    skill: Skill,
    /// uniform or cunning
    #[arg(long, default_value = "uniform")]
    maker: Maker,
    #[command(flatten)]
    print: Print,
}

/// What the matches came to, with what made them.
#[derive(Serialize)]
struct Outcome {
    matches: u32,
    seed: u64,
    skill: String,
    maker: String,
    /// Rows in a match of eight rounds, on average.
    rows: f64,
    /// Rows in each round, the first one first.
    rows_by_round: Vec<f64>,
    answer_ms_median: f64,
    answer_ms_p99: f64,
    answer_ms_most: f64,
}

/// Plays them, and prints the mean.
pub fn run(options: &Options) -> Result<()> {
    let mut rows_by_round = [0u32; Class::SIZES.len()];
    let mut thoughts = Vec::new();
    for number in 0..u64::from(options.matches) {
        let mut chance = Chance::new(Seed::from(options.seed.wrapping_add(number)), 0);
        let mut pack = Pack::WHOLE;
        for rows in &mut rows_by_round {
            let code =
                options.maker.choose(pack, &mut chance).context("a pack has no code left")?;
            *rows += round(options.skill, pack, code, &mut chance, &mut thoughts)?;
            pack -= code.pack();
        }
    }
    let matches = f64::from(options.matches);
    thoughts.sort_unstable();
    let at = |percent: usize| thoughts[(thoughts.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    let mean = |rows: u32| f64::from(rows) / matches;
    let outcome = Outcome {
        matches: options.matches,
        seed: options.seed,
        skill: options.skill.to_string(),
        maker: options.maker.to_string(),
        rows: mean(rows_by_round.iter().sum()),
        rows_by_round: rows_by_round.map(mean).to_vec(),
        answer_ms_median: at(50),
        answer_ms_p99: at(99),
        answer_ms_most: at(100),
    };
    if options.print.form() == Form::Text {
        describe(&outcome);
    }
    Printer::new("solve match", options.print.form()).print(&outcome)
}

fn describe(outcome: &Outcome) {
    outln!("{:.4} rows a match, over {} matches", outcome.rows, outcome.matches);
    for (size, rows) in Class::SIZES.iter().zip(&outcome.rows_by_round) {
        outln!("  {size:>2} cards {rows:.4}");
    }
    outln!(
        "an answer takes {:.2} ms at the median, {:.2} ms at the 99th of a hundred, {:.2} ms at most",
        outcome.answer_ms_median,
        outcome.answer_ms_p99,
        outcome.answer_ms_most
    );
}

/// Breaks one code and returns the number of rows.
fn round(
    skill: Skill,
    pack: Pack,
    code: Code,
    chance: &mut Chance,
    thoughts: &mut Vec<Duration>,
) -> Result<u32> {
    let mut position = Position::of(pack);
    for rows in 0..=16 {
        let open = |zone: &Zone| position.rows()[*zone].are_open();
        let open = Zone::ALL.iter().copied().filter(open).collect::<Vec<_>>();
        if open.is_empty() {
            return Ok(rows);
        }
        let begun = Instant::now();
        let row: Row = skill.row(&position, &open, chance).context("there is no row to ask")?;
        thoughts.push(begun.elapsed());
        ensure!(open.contains(&row.zone()), "{row} is asked in a closed zone");
        position = position.and_after(row, answer(row.triple(), code.zone(row.zone())));
    }
    anyhow::bail!("two zones have no more than 16 rows")
}
