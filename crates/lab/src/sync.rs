//! Whether the sync score orders teams by how far apart their clocks really are.

use bots::uniform;
use rayon::prelude::*;
use rules::kit::{Chance, Seat, Seed};
use rules::mind::{Mind, Setup};

use crate::people::{Noise, People, Shape};
use crate::play::{Table, watch_game};
use crate::simulation::Player;

/// How far apart the clocks of a team may be, as a logarithm, and how much they may waver.
const APART_MOST: f64 = 0.6;
const WAVER: (f64, f64) = (0.03, 0.4);
/// Seconds for each number of distance: slow teams and fast ones.
const PACE_S: (f64, f64) = (0.2, 2.0);

/// A simulated team and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Team {
    /// The true standard deviation of the logarithm of a wait, over all players.
    pub disagreement: f64,
    /// The score of its game; `None` if that was too short for one.
    pub score: Option<f64>,
    /// How many levels it completed.
    pub levels: u8,
}

/// Makes teams at random and lets each play one game of The Mind: twelve levels, five lives.
pub fn teams(players: u8, count: u32, seed: u64) -> Result<Vec<Team>, rules::family::SetupError> {
    let setup = Setup::new(rules::mind::Draft {
        levels: 12,
        lives: 5,
        ..rules::mind::Draft::of(rules::kit::Preset::Faithful, players)?
    })?;
    Ok((0..count).into_par_iter().map(|number| team(&setup, seed, number.into())).collect())
}

fn team(setup: &Setup, seed: u64, number: u64) -> Team {
    let mut luck = Chance::new(Seed::from(seed), number);
    let mut between = |least: f64, most: f64| least + (most - least) * uniform(&mut luck);
    let (apart, waver) = (between(0.0, APART_MOST), between(WAVER.0, WAVER.1));
    let pace_s = between(PACE_S.0, PACE_S.1);
    let lean =
        |seat: Seat| apart * (f64::from(seat.index() as u8) / f64::from(setup.players - 1) - 0.5);
    let cast = |chance: &mut Chance| {
        let people = Seat::all(setup.players).map(|seat| -> Player<Mind> {
            let noise = Noise { motor_s: 0.0, shape: Shape::LogNormal, ..Noise::default() };
            let model = People::model(pace_s * lean(seat).exp(), 0.0, waver);
            let like = People { noise: Noise { weber: waver, ..noise }, ..model };
            Box::new(like.person::<Mind>(chance).without_stars())
        });
        people.collect()
    };
    let mut events = Vec::new();
    let table = Table { setup, cast: &cast };
    let played = watch_game(&table, seed, number, |at, event| events.push((at, *event)));
    let leans = Seat::all(setup.players).map(|seat| lean(seat).powi(2));
    let lean = leans.sum::<f64>() / f64::from(setup.players);
    Team {
        disagreement: (lean + waver.powi(2)).sqrt(),
        score: tempo::of::<Mind>(setup, events).sync.map(|sync| sync.score),
        levels: played.levels,
    }
}

/// Spearman's rank correlation between what the teams' clocks agree and what they score; teams
/// without a score are left out.
pub fn order_of(teams: &[Team]) -> f64 {
    let scored = teams.iter().filter_map(|team| Some((-team.disagreement, team.score?)));
    let (truth, scores) = scored.unzip::<_, _, Vec<_>, Vec<_>>();
    let squares = ranks(&truth).zip(ranks(&scores)).map(|(one, other)| (one - other).powi(2));
    let count = truth.len() as f64;
    1.0 - 6.0 * squares.sum::<f64>() / (count * (count * count - 1.0))
}

fn ranks(values: &[f64]) -> impl Iterator<Item = f64> {
    values.iter().map(|value| values.iter().filter(|other| *other < value).count() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_orders_teams_that_play() {
        for players in 2..=4 {
            let order = order_of(&teams(players, 100, 7).unwrap());
            assert!(order >= 0.9, "{players} players: {order:.3}");
        }
    }
}
