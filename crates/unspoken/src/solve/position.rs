//! The best row in one position.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rules::royale::{Pack, Pegs, Row, Zone};
use serde::Serialize;
use solver::{Advice, Aim, Position, Solver};

use super::limit::Limit;
use crate::out::outln;

/// Which position, and what is to be known of it.
#[derive(Args)]
#[group(id = "position")]
pub struct Options {
    /// The cards that are not covered, as in "A1 A2 B1 B3": colours A to E are red, yellow, green,
    /// brown and blue, shapes 1 to 5 circle, rectangle, triangle, square and hexagon; `whole` is
    /// all 25
    #[arg(value_name = "PACK")]
    pack: Option<String>,
    /// Rows that were asked, with their pegs, as in "AAB:1b1w 112:-"
    #[arg(long, default_value = "")]
    history: String,
    /// Only for the codebreaker of one zone in a game of three: colours or shapes
    #[arg(long, conflicts_with = "worst")]
    zone: Option<Zone>,
    /// The least worst case first, the expected number of rows second
    #[arg(long)]
    worst: bool,
    /// Stop after this time with the best row so far, as in 100ms; without it the answer is exact
    #[arg(long)]
    limit: Option<Limit>,
    /// Search, even if the tablebase knows
    #[arg(long)]
    search: bool,
    /// Write the result as one line of JSON
    #[arg(long)]
    json: bool,
}

impl Options {
    /// Whether no pack was given.
    pub fn is_empty(&self) -> bool {
        self.pack.is_none()
    }
}

/// Finds the best row and prints it.
pub fn run(options: &Options) -> Result<()> {
    let pack = read_pack(options.pack.as_deref().unwrap_or_default())?;
    let asked = words(&options.history).map(read_row).collect::<Result<Vec<_>>>()?;
    let position = asked.iter().try_fold(Position::of(pack), |position, (row, pegs)| {
        ensure!(
            position.rows()[row.zone()].are_open(),
            "{row} is asked in a zone that is solved or full, leave it out"
        );
        Ok(position.and_after(*row, *pegs))
    })?;
    let mut solver = Solver::default();
    if options.search {
        solver = solver.without_tablebase();
    }
    let stop = &mut Limit::stop(options.limit);
    let advice = match options.zone {
        Some(zone) => solver.advise_zone(&position, zone, stop),
        None => {
            let aim = if options.worst { Aim::Worst } else { Aim::Mean };
            solver.advise(&position, aim, stop)
        }
    };
    let Some(advice) = advice else {
        ensure!(
            position.possible().count() > 0,
            "no code of the pack gets these answers, look at the rows again"
        );
        bail!("there is nothing left to ask");
    };
    print(options, pack, &advice)
}

#[derive(Serialize)]
struct Printed {
    pack: String,
    codes: u32,
    row: String,
    exact: bool,
    /// The sum of rows from here over all codes that are possible, when it is known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u32>,
    total_least: u32,
    total_most: u32,
    expected_least: f64,
    expected_most: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<u32>,
}

fn print(options: &Options, pack: Pack, advice: &Advice) -> Result<()> {
    let (expected_least, expected_most) = advice.expected();
    let exact = advice.is_exact();
    if options.json {
        let printed = Printed {
            pack: pack.to_string(),
            codes: advice.codes,
            row: advice.row.to_string(),
            exact,
            total: exact.then_some(advice.most),
            total_least: advice.least,
            total_most: advice.most,
            expected_least,
            expected_most,
            worst: advice.worst,
        };
        outln!("{}", serde_json::to_string(&printed).context("the result cannot be written")?);
        return Ok(());
    }
    outln!("ask {}", advice.row);
    if exact {
        outln!("{expected_most:.4} rows expected ({} over {} codes)", advice.most, advice.codes);
    } else {
        outln!(
            "{expected_least:.4} to {expected_most:.4} rows expected ({} to {} over {} codes)",
            advice.least,
            advice.most,
            advice.codes
        );
    }
    match advice.worst {
        Some(rows) => outln!("{rows} rows at worst"),
        None if options.worst => outln!("the least worst case was not found in time"),
        None => {}
    }
    Ok(())
}

/// Reads cards between commas or spaces.
fn read_pack(text: &str) -> Result<Pack> {
    if text.trim() == "whole" {
        return Ok(Pack::WHOLE);
    }
    let pack = words(text).collect::<Vec<_>>().join(",").parse::<Pack>();
    let pack = pack.with_context(|| format!("the pack {text:?}"))?;
    ensure!(pack.len() >= 3, "a code has three cards, give a pack of at least three");
    Ok(pack)
}

fn read_row(text: &str) -> Result<(Row, Pegs)> {
    let (row, pegs) = text
        .split_once(':')
        .with_context(|| format!("{text:?} has no pegs, give them as in AAB:1b1w"))?;
    let wrong = || format!("{text:?}");
    Ok((row.parse().with_context(wrong)?, pegs.parse().with_context(wrong)?))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ']).filter(|word| !word.is_empty())
}
