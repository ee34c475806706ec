//! Partners with a pace: they lay their hands, agree to stars, and play at a declared tempo.

use rules::kit::{Chance, Moment};
use rules::royale::{self, Row, Zone};

use crate::paced::{Paced, Run, Star};
use crate::span::{Intent, Span};
use crate::timing::Timing;
use crate::waiting::{Wait, Waiting};

/// However late a card is, a hand has to move first.
const HAND_S: f64 = 0.3;
/// The shortest wait between two cards of somebody who is alone with them.
const ALONE_S: f64 = 0.8;

/// A pace with the noise of a human hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperament {
    /// Seconds for each card of the gap in a deck of a hundred.
    pub pace_s: f64,
    /// How well the pace is kept.
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

impl Paced for royale::Royale {
    const RAISE: Option<royale::Command> = None;

    fn star(_: &royale::View) -> Star {
        Star::Absent
    }

    fn intent(view: &royale::View, _: &Run, chance: &mut Chance) -> Intent<royale::Command> {
        use royale::Command;
        if view.may_hide() {
            let mut cards = view.public.pack.iter().collect::<Vec<_>>();
            let hidden = <[royale::Card; 3]>::try_from(&*chance.draw(&mut cards, 3)).ok();
            let code = hidden.and_then(royale::Code::new);
            return code.map_or(Intent::Wait, |code| Intent::Soon(Command::Hide(code)));
        }
        let open = [Zone::Colours, Zone::Shapes].into_iter().filter(|zone| view.may_ask(*zone));
        let open = open.collect::<Vec<_>>();
        let Some(zone) = chance.pick(&open) else { return Intent::Wait };
        // A row that may be right.
        let possible = view.public.possible();
        let Some(code) = possible.nth(chance.below(possible.count())) else { return Intent::Wait };
        let row = match zone {
            Zone::Colours => Row::Colours(code.colours()),
            Zone::Shapes => Row::Shapes(code.shapes()),
        };
        Intent::Soon(Command::Ask(row))
    }

    /// There is no clock in Royale.
    fn count(_: &mut Run, _: &royale::Setup, _: Moment, _: &royale::Sight) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bot;
    use rules::kit::{Game, Match, Seat, Seed, Viewer};
    use rules::{extreme, mind, soulmates};

    /// A whole game by calm players.
    fn play<G: Paced>(setup: &str, seed: u64) -> Match<G> {
        let setup = setup.parse().unwrap();
        let step = Match::<G>::open(&setup, Seed::from(seed));
        let players = Seat::all(step.next().state().players());
        let mut bots =
            players.map(|seat| (seat, Steady::<G>::new(Temperament::STEADY))).collect::<Vec<_>>();
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
            let (at, seat, command) =
                plans.min_by_key(|(at, ..)| *at).expect("somebody has something to do");
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

    /// With a pace they get somewhere; whoever does anything at any time does not.
    #[test]
    fn two_of_them_get_far_in_the_mind() {
        let levels = (0..40).map(|seed| play::<mind::Mind>("players=2", seed));
        let far =
            levels.filter(|live| live.state().view(Viewer::Watcher).public.level >= 8).count();
        assert!(far >= 20, "{far} of 40 games got to level 8");
    }

    /// Whoever keeps laying and lifting a hand does not hold a machine up.
    #[test]
    fn a_resolve_stands_while_others_fidget() {
        let setup = "players=3".parse().unwrap();
        let live = Match::<mind::Mind>::open(&setup, Seed::from(4)).commit();
        let mut bot = Steady::<mind::Mind>::new(Temperament::STEADY);
        let mut chance = Chance::new(Seed::from(5), 0);
        let view = |live: &Match<mind::Mind>| live.view(Viewer::Seat(Seat::A));
        let (due, command) = bot.plan(&view(&live), live.at(), &mut chance).unwrap();
        let fidget =
            live.submit(Moment::from_millis(300), Seat::new(1).unwrap(), mind::Command::Rest);
        let live = fidget.unwrap().commit();
        assert_eq!(bot.plan(&view(&live), live.at(), &mut chance), Some((due, command)));
    }
}
