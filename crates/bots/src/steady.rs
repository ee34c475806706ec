//! Bots with a pace: they lay their hands, agree to stars, and play at a fixed tempo.

use rules::kit::Chance;

use crate::span::Span;
use crate::timing::Timing;
use crate::waiting::{Wait, Waiting};

/// The shortest wait, also for a card that is late: the time a hand needs to move.
const HAND_S: f64 = 0.3;
/// The shortest wait between two cards when all other hands are empty.
const ALONE_S: f64 = 0.8;

/// A pace with the noise of a human hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperament {
    /// Seconds for each card of the gap in a deck of a hundred.
    pub pace_s: f64,
    /// How exactly the pace is kept.
    pub timing: Timing,
}

impl Temperament {
    /// The whole deck takes a minute, give or take little.
    pub const STEADY: Self = Self { pace_s: 0.6, timing: Timing { weber: 0.08, motor_s: 0.06 } };
    /// Half a minute, and not too exactly.
    pub const HASTY: Self = Self { pace_s: 0.3, timing: Timing { weber: 0.15, motor_s: 0.06 } };
    /// A minute and a half, with the mind elsewhere.
    pub const DREAMY: Self = Self { pace_s: 0.9, timing: Timing { weber: 0.22, motor_s: 0.15 } };
}

impl Wait for Temperament {
    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        if span.alone {
            return ALONE_S + self.timing.wait_s(0.0, chance);
        }
        let left_s = self.pace_s * deck_of_hundred(span) - span.run_s;
        HAND_S + self.timing.wait_s(left_s.max(0.0), chance)
    }
}

/// The gap as if the deck had a hundred cards: a small deck takes as long as a large one.
fn deck_of_hundred(span: &Span) -> f64 {
    span.gap * span.deck_share
}

/// A player who keeps a declared pace.
pub type Steady<G> = Waiting<G, Temperament>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bot;
    use crate::chair::{Chair, Kind, Playable};
    use rules::family::FocusCommand;
    use rules::kit::{Game, Match, Moment, Seat, Seed, Viewer};
    use rules::{extreme, mind, royale, soulmates};

    /// A whole game by calm players.
    fn play<G: Playable>(setup: &str, seed: u64) -> Match<G> {
        let setup = setup.parse().unwrap();
        let step = Match::<G>::open(&setup, Seed::from(seed));
        let players = Seat::all(step.next().state().players());
        let mut bots =
            players.map(|seat| (seat, Chair::<G>::new(Kind::Steady))).collect::<Vec<_>>();
        let mut step = step;
        for number in 0..10_000 {
            let at = step.next().at();
            for event in step.events() {
                for (seat, bot) in &mut bots {
                    let sight = G::witness(event, Viewer::Seat(*seat)).unwrap();
                    bot.watch(&setup, at, &sight);
                }
            }
            let live = step.commit();
            if live.outcome().is_some() {
                return live;
            }
            let mut chance = Chance::new(Seed::from(seed + 1), number);
            let plans = bots.iter_mut().filter_map(|(seat, bot)| {
                let (at, command) =
                    bot.plan(&live.view(Viewer::Seat(*seat)), live.at(), &mut chance)?;
                Some((at, *seat, command))
            });
            let (at, seat, command) = plans.min_by_key(|(at, ..)| *at).expect("a bot has a plan");
            step = live.submit(at, seat, command).expect("a plan is permitted");
        }
        panic!("the game has not ended: {}", step.next().state());
    }

    #[test]
    fn calm_players_bring_every_game_to_its_end() {
        for seed in 0..20 {
            play::<mind::Mind>("players=3", seed);
            play::<extreme::Extreme>("players=3", seed);
            play::<soulmates::Soulmates>("players=3", seed);
            play::<royale::Royale>("players=2", seed);
            play::<royale::Royale>("players=3", seed);
        }
    }

    /// Bots with a pace complete levels; random bots do not.
    #[test]
    fn two_of_them_get_far_in_the_mind() {
        let levels = (0..40).map(|seed| play::<mind::Mind>("players=2", seed));
        let far =
            levels.filter(|live| live.state().view(Viewer::Spectator).public.level >= 8).count();
        assert!(far >= 20, "{far} of 40 games got to level 8");
    }

    /// A player who keeps laying and lifting a hand does not delay a bot.
    #[test]
    fn a_resolve_stands_while_others_fidget() {
        let setup = "players=3".parse().unwrap();
        let live = Match::<mind::Mind>::open(&setup, Seed::from(4)).commit();
        let mut bot = Steady::<mind::Mind>::new(Temperament::STEADY);
        let mut chance = Chance::new(Seed::from(5), 0);
        let view = |live: &Match<mind::Mind>| live.view(Viewer::Seat(Seat::A));
        let (due, command) = bot.plan(&view(&live), live.at(), &mut chance).unwrap();
        let fidget =
            live.submit(Moment::from_millis(300), Seat::new(1).unwrap(), FocusCommand::Rest.into());
        let live = fidget.unwrap().commit();
        assert_eq!(bot.plan(&view(&live), live.at(), &mut chance), Some((due, command)));
    }
}
