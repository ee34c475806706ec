//! Whole games of partners among themselves: what agents are compared with.

use lab::{Player, Table, Tally, play_many};
use rules::kit::Chance;
use wire::with_race;

use crate::game::EnvironmentGame;
use crate::options::{Options, OptionsError};
use crate::partner::SeatPlan;

/// Plays that number of games without agents, on all cores. Each game is the same as in
/// `unspoken simulate` with the same seed and seats.
///
/// Fails if an agent has a seat, if the game's players keep no time, or if a partner cannot sit
/// where it was seated.
pub fn simulate(options: &Options, games: u64, seed: u64) -> Result<Tally, OptionsError> {
    options.check_partners()?;
    if options.seats.iter().any(|seat| matches!(seat, SeatPlan::Agent)) {
        return Err(OptionsError::Agent);
    }
    let tally = with_race!(&options.setup, G, setup => {
        let cast = |luck: &mut Chance| -> Vec<Player<G>> {
            let players = G::cast(&options.seats, options.partners_propose_stars, luck);
            players.into_iter().flatten().collect()
        };
        play_many(&Table::<G> { setup, cast: &cast }, games, seed, &|_| ())
    });
    tally.ok_or(OptionsError::NoTempo)
}
