//! Whole games of partners among themselves, for baselines.

use std::collections::BTreeMap;

use environment::{EnvironmentName, Options, simulate as play};
use pyo3::prelude::*;
use rules::door::GameName;

use crate::bad_argument;
use crate::batch::{SeatArgument, read_seats};

/// Plays whole games without agents, and returns what they came to: counts, and the share of games
/// won with the ends of its 95 % interval.
#[pyfunction]
#[pyo3(signature = (game, setup, seats, *, games, seed, partners_propose_stars=true))]
pub fn simulate(
    py: Python<'_>,
    game: &str,
    setup: &str,
    seats: Vec<SeatArgument>,
    games: u64,
    seed: u64,
    partners_propose_stars: bool,
) -> PyResult<BTreeMap<&'static str, f64>> {
    let game = game.parse::<GameName>().map_err(bad_argument)?;
    let name = EnvironmentName { game, ticks: false };
    let mut options = Options::new(name, setup).map_err(bad_argument)?;
    options.seats = read_seats(&options.setup, &seats)?;
    options.partners_propose_stars = partners_propose_stars;
    let tally = py.detach(|| play(&options, games, seed)).map_err(bad_argument)?;
    let win = tally.win();
    let counts = [
        ("games", tally.games),
        ("won", tally.won),
        ("levels", tally.levels),
        ("lives", tally.lives),
        ("stars", tally.stars),
        ("mistakes", tally.mistakes),
    ]
    .map(|(name, count)| (name, count as f64));
    let play_s = tally.play_us as f64 / 1e6;
    let shares =
        [("play_s", play_s), ("win", win.share), ("win_low", win.low), ("win_high", win.high)];
    Ok(counts.into_iter().chain(shares).collect())
}
