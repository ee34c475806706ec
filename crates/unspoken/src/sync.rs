//! `unspoken sync`: whether the sync score orders teams by how far apart their clocks are.

use anyhow::Result;
use clap::Args;
use indicatif::ProgressBar;
use lab::{order_of, teams};
use serde::Serialize;

use crate::numbers::whole;
use crate::out::outln;
use crate::simulate::{Form, Print, Printer, bar};

#[derive(Args)]
pub(crate) struct Options {
    /// How many teams for each number of players
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(10, 100_000), allow_negative_numbers = true)]
    teams: u32,
    /// All luck comes from this number
    #[arg(long, default_value_t = 7, value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    print: Print,
}

/// The teams of one number of players.
#[derive(Serialize)]
struct Order {
    players: u8,
    /// How many teams play one game each.
    games: u32,
    seed: u64,
    /// How many of them have a score.
    scored: usize,
    /// Levels completed by a team, on average.
    levels: f64,
    /// Between how far apart clocks are and the score: 1 if it orders all teams rightly.
    rank_correlation: f64,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let form = options.print.form();
    let mut printer = Printer::new("sync", form);
    let bar: ProgressBar = bar(3 * u64::from(options.teams));
    if form == Form::Text {
        outln!("players  teams  scored  levels  rank correlation");
    }
    for players in 2..=4 {
        let teams = teams(players, options.teams, options.seed)?;
        bar.inc(u64::from(options.teams));
        let levels = teams.iter().map(|team| f64::from(team.levels)).sum::<f64>();
        let order = Order {
            players,
            games: options.teams,
            seed: options.seed,
            scored: teams.iter().filter(|team| team.score.is_some()).count(),
            levels: levels / f64::from(options.teams),
            rank_correlation: order_of(&teams),
        };
        bar.suspend(|| {
            if form == Form::Text {
                let Order { games, scored, levels, rank_correlation, .. } = order;
                outln!(
                    "{players:>7}  {games:>5}  {scored:>6}  {levels:>6.1}  {rank_correlation:>16.3}"
                );
            }
            printer.print(&order)
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}
