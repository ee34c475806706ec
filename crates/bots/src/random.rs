//! The simplest player: anything that is permitted, after a moment.

use std::time::Duration;

use rules::kit::{Chance, Moment, View};

use crate::Bot;
use crate::chair::Playable;

/// Does anything that is permitted. Rare commands (stops, votes, taking back) are chosen only now
/// and then, because otherwise no level would be completed; a bot with only rare commands mostly
/// waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Playable> Bot<G> for Random {
    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        let options = view.options();
        let (rare, usual): (Vec<_>, Vec<_>) = options.into_iter().partition(G::is_rare);
        let rarely = !rare.is_empty() && chance.once_in(20);
        let choice = if rarely { &rare } else { &usual };
        let wait = Duration::from_millis(500 + u64::from(chance.below(2_000)));
        chance.pick(choice).map(|command| (now.after(wait), *command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::{Match, Seat, Seed, Viewer};
    use rules::mind::Mind;

    /// A whole game by random players, each seeing only its own view.
    #[test]
    fn random_players_play_a_game_to_its_end() {
        let setup = "players=3".parse().unwrap();
        let mut live = Match::<Mind>::open(&setup, Seed::from(4)).commit();
        for step in 0..10_000 {
            if live.outcome().is_some() {
                return;
            }
            let mut chance = Chance::new(Seed::from(5), step);
            let plans = Seat::all(3).filter_map(|seat| {
                let view = live.view(Viewer::Seat(seat));
                let plan = Bot::<Mind>::plan(&mut Random, &view, live.at(), &mut chance)?;
                Some((plan.0, seat, plan.1))
            });
            // Now and then all bots wait; then time passes and they plan again.
            let Some((at, seat, command)) = plans.min_by_key(|(at, ..)| *at) else { continue };
            live = live.submit(at, seat, command).expect("a plan is permitted").commit();
        }
        panic!("the game has not ended");
    }

    #[test]
    fn a_spectator_has_no_plan() {
        let setup = "players=2".parse().unwrap();
        let live = Match::<Mind>::open(&setup, Seed::from(4)).commit();
        let mut chance = Chance::new(Seed::from(5), 0);
        let view = live.view(Viewer::Spectator);
        assert_eq!(Bot::<Mind>::plan(&mut Random, &view, live.at(), &mut chance), None);
    }
}
