//! `unspoken sync`: whether the sync score orders teams by how far apart their clocks are.

use anyhow::Result;
use clap::Args;
use lab::{order_of, teams};

use crate::out::outln;

#[derive(Args)]
pub(crate) struct Options {
    /// How many teams for each number of players
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    teams: u32,
    /// The seed
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    outln!("players  teams  scored  levels  rank correlation");
    for players in 2..=4 {
        let teams = teams(players, options.teams, options.seed)?;
        let scored = teams.iter().filter(|team| team.score.is_some()).count();
        let levels = teams.iter().map(|team| f64::from(team.levels)).sum::<f64>();
        outln!(
            "{players:>7}  {:>5}  {scored:>6}  {:>6.1}  {:>16.3}",
            teams.len(),
            levels / f64::from(options.teams),
            order_of(&teams),
        );
    }
    Ok(())
}
