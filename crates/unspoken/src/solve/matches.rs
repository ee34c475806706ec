//! Many random matches against a seeker: how many rows it needs, and how long it thinks.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bots::{Maker, Skill};
use clap::Args;
use rules::kit::{Chance, Seed};
use rules::royale::{Code, Pack, Row, Zone, answer};
use solver::{Class, Position};

use crate::out::outln;

/// How many matches, and who breaks the codes.
#[derive(Args)]
pub struct Options {
    /// How many matches of eight rounds
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    matches: u32,
    /// The seed of the first match; each further match has the next number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// novice, student or master
    #[arg(long, default_value = "master")]
    skill: Skill,
    /// uniform or cunning
    #[arg(long, default_value = "uniform")]
    maker: Maker,
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
    outln!(
        "{:.4} rows a match, over {} matches",
        mean(rows_by_round.iter().sum()),
        options.matches
    );
    for (size, rows) in Class::SIZES.iter().zip(rows_by_round) {
        outln!("  {size:>2} cards {:.4}", mean(rows));
    }
    outln!(
        "an answer takes {:.2} ms at the median, {:.2} ms at the 99th of a hundred, {:.2} ms at most",
        at(50),
        at(99),
        at(100)
    );
    Ok(())
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
