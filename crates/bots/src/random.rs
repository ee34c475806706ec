//! The simplest player: anything that is permitted, after a moment.

use std::time::Duration;

use rules::kit::{Chance, Game, Moment, View};
use rules::{extreme, mind, royale, soulmates};

use crate::Bot;

/// Which commands of a game interrupt or take back rather than carry it on.
pub trait Temper: Game {
    /// Whether a calm player does this only now and then.
    fn is_rare(command: &Self::Command) -> bool;
}

/// Does anything that is permitted. Stops, votes and second thoughts come only now and then, or
/// no level would ever get anywhere; whoever has nothing else to do mostly waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Temper> Bot<G> for Random {
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

impl Temper for mind::Mind {
    fn is_rare(command: &mind::Command) -> bool {
        use mind::Command::{Continue, Finish, Lift, Lower, Play, Raise, Rest, Stop};
        match command {
            Lift | Stop | Raise | Lower | Finish => true,
            Rest | Play(_) | Continue => false,
        }
    }
}

impl Temper for extreme::Extreme {
    fn is_rare(command: &extreme::Command) -> bool {
        use extreme::Command::{Choose, Lift, Lower, Play, Raise, Rest, Stop};
        match command {
            Lift | Stop | Raise | Lower => true,
            Rest | Play(_) | Choose(_) => false,
        }
    }
}

impl Temper for soulmates::Soulmates {
    fn is_rare(command: &soulmates::Command) -> bool {
        use soulmates::Command::{Continue, Finish, Hint, Lift, Look, Play, Rest, Stop};
        match command {
            Lift | Stop | Finish => true,
            Look | Hint(_) | Rest | Play(_) | Continue => false,
        }
    }
}

impl Temper for royale::Royale {
    fn is_rare(command: &royale::Command) -> bool {
        use royale::Command::{Ask, Hide, Mark, Unmark};
        match command {
            Mark(_) | Unmark(_) => true,
            Hide(_) | Ask(_) => false,
        }
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
            // Now and then everybody waits; at the next look somebody does something.
            let Some((at, seat, command)) = plans.min_by_key(|(at, ..)| *at) else { continue };
            live = live.submit(at, seat, command).expect("a plan is permitted").commit();
        }
        panic!("the game has not ended");
    }

    #[test]
    fn a_watcher_has_no_plan() {
        let setup = "players=2".parse().unwrap();
        let live = Match::<Mind>::open(&setup, Seed::from(4)).commit();
        let mut chance = Chance::new(Seed::from(5), 0);
        let view = live.view(Viewer::Watcher);
        assert_eq!(Bot::<Mind>::plan(&mut Random, &view, live.at(), &mut chance), None);
    }
}
