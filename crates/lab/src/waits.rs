//! The waits of all players in simulated games.

use rayon::prelude::*;
use rules::kit::Seat;
use tempo::{Waited, waits_of};

use crate::play::{Table, watch_game};
use crate::study::Study;

/// All waits of the first `games` games, seat by seat.
pub fn waits_in<G: Study>(table: &Table<G>, games: u64, seed: u64) -> Vec<Vec<Waited>> {
    let seats = Seat::all(G::new(table.setup).players()).collect::<Vec<_>>();
    let of_game = |game| {
        let mut events = Vec::new();
        watch_game(table, seed, game, |at, event| events.push((at, event.clone())));
        let of_seat = |seat: &Seat| waits_of::<G>(table.setup, events.iter().cloned(), *seat);
        seats.iter().map(of_seat).collect::<Vec<_>>()
    };
    let games = (0..games).into_par_iter().map(of_game).collect::<Vec<_>>();
    let of_seat =
        |index: usize| games.iter().flat_map(|game| game[index].iter().copied()).collect();
    (0..seats.len()).map(of_seat).collect()
}
