//! A calm partner: lays its hand, agrees to stars, and plays at a declared pace.

use std::time::Duration;

use rules::kit::{Chance, Moment, View as _};
use rules::royale::{Row, Zone};
use rules::{extreme, family, mind, royale, soulmates};

use crate::Bot;
use crate::random::Temper;

/// From the lowest card of a deck to the highest.
const DECK: Duration = Duration::from_mins(1);
/// However late a card is, a hand has to move first.
const HAND: Duration = Duration::from_millis(350);
/// The highest card of The Mind, and of both Extreme and Soulmates.
const HIGHEST: f64 = 100.0;
const HIGHEST_OF_SMALL: f64 = 50.0;

/// A player with a pace: the whole deck takes a minute, a wait of a part of it that part, give or
/// take a tenth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steady;

/// What somebody calm would do.
pub enum Intent<C> {
    /// Wait for the others.
    Wait,
    /// This, after a human moment.
    Soon(C),
    /// This, when a share of the deck has passed since the last card.
    After {
        /// The last card or the lifting of hands.
        since: Moment,
        /// How much of the deck lies between.
        share: f64,
        /// What then.
        command: C,
    },
}

/// A game that can be played at a pace.
pub trait Paced: Temper {
    /// What a calm player with this view would do.
    fn intent(view: &Self::View, chance: &mut Chance) -> Intent<Self::Command>;
}

impl<G: Paced> Bot<G> for Steady {
    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        match G::intent(view, chance) {
            Intent::Wait => None,
            Intent::Soon(command) => {
                let moment = Duration::from_millis(700 + u64::from(chance.below(900)));
                Some((now.after(moment), command))
            }
            Intent::After { since, share, command } => {
                // Two dice make what lies in the middle likelier.
                let noise = f64::from(chance.below(1_000) + chance.below(1_000)) / 999.0 - 1.0;
                let wait = DECK.mul_f64(share.max(0.0) * (1.0 + noise / 10.0));
                Some((since.after(wait).max(now.after(HAND)), command))
            }
        }
    }
}

/// The first of these that the view permits, after a human moment.
fn soon<V: rules::kit::View<Command: Copy>>(view: &V, wanted: &[V::Command]) -> Intent<V::Command> {
    let permitted = wanted.iter().find(|command| view.permits(command).is_ok());
    permitted.map_or(Intent::Wait, |command| Intent::Soon(*command))
}

/// Where the clock of a pile stands: at the last card one knows, or where so many cards out of all
/// bring it on average.
fn clock(highest: f64, known: Option<family::Card>, laid: u8, left: u8) -> f64 {
    let average = highest * f64::from(laid) / f64::from(laid + left + 1);
    match known {
        Some(card) => f64::from(card.number()),
        None if laid == 0 => 0.0,
        None => average,
    }
}

impl Paced for mind::Mind {
    fn intent(view: &mind::View, _: &mut Chance) -> Intent<mind::Command> {
        use mind::{Command, Mode, Phase};
        match view.public.phase {
            Phase::Focus(_) => soon(view, &[Command::Rest]),
            Phase::Playing { raised } if !raised.is_empty() && view.public.stars > 0 => {
                soon(view, &[Command::Raise])
            }
            Phase::Playing { .. } => {
                let Some(card) = view.hand().lowest() else { return Intent::Wait };
                let open = view.pile.top().filter(|_| view.public.mode == Mode::Open);
                let left = view.hands.values().map(family::Hand::len).sum();
                let clock = clock(HIGHEST, open, view.pile.len(), left);
                let share = (f64::from(card.number()) - clock) / HIGHEST;
                Intent::After { since: view.public.since, share, command: Command::Play(card) }
            }
            Phase::Offer { .. } => soon(view, &[Command::Continue]),
            Phase::Over { .. } => Intent::Wait,
        }
    }
}

impl Paced for extreme::Extreme {
    fn intent(view: &extreme::View, chance: &mut Chance) -> Intent<extreme::Command> {
        use extreme::{Colour, Command, Phase};
        // Both piles go by one clock (X6): white counts up while red counts down.
        let place = |colour: Colour, value: family::Card| match colour {
            Colour::White => f64::from(value.number()),
            Colour::Red => HIGHEST_OF_SMALL + 1.0 - f64::from(value.number()),
        };
        let colours = [Colour::White, Colour::Red];
        match view.public.phase {
            Phase::Focus(_) => soon(view, &[Command::Rest]),
            Phase::Playing { raised } if !raised.is_empty() && view.public.stars > 0 => {
                soon(view, &[Command::Raise])
            }
            Phase::Playing { .. } => {
                let tops = colours.into_iter().filter_map(|colour| {
                    view.piles[colour].top().map(|value| place(colour, value))
                });
                let clock = tops.fold(0.0, f64::max);
                let next = colours.into_iter().filter_map(|colour| {
                    let value = colour.first(view.hand()[colour])?;
                    Some((place(colour, value), extreme::Card { colour, value }))
                });
                match next.min_by(|(one, _), (other, _)| one.total_cmp(other)) {
                    None => Intent::Wait,
                    Some((place, card)) => Intent::After {
                        since: view.public.since,
                        share: (place - clock) / HIGHEST_OF_SMALL,
                        command: Command::Play(card),
                    },
                }
            }
            Phase::Choosing { .. } => {
                let first = usize::from(chance.once_in(2));
                let wanted = [colours[first], colours[1 - first]].map(Command::Choose);
                soon(view, &wanted)
            }
            Phase::Over { .. } => Intent::Wait,
        }
    }
}

impl Paced for soulmates::Soulmates {
    fn intent(view: &soulmates::View, chance: &mut Chance) -> Intent<soulmates::Command> {
        use soulmates::{Command, Phase};
        match view.public.phase {
            Phase::Looking => soon(view, &[Command::Look]),
            // Which hints are worth most is beyond somebody who only has a pace; most of them are
            // worth more than few.
            Phase::Hinting | Phase::Amending => {
                let hints = view.options().into_iter().filter_map(|command| match command {
                    Command::Hint(cards) => Some(cards),
                    _ => None,
                });
                let hints = hints.collect::<Vec<_>>();
                let most = hints.iter().map(|cards| cards.len()).max();
                let full = hints.into_iter().filter(|cards| Some(cards.len()) == most);
                let full = full.collect::<Vec<_>>();
                chance.pick(&full).map_or(Intent::Wait, |cards| Intent::Soon(Command::Hint(*cards)))
            }
            Phase::Focus(_) => soon(view, &[Command::Rest]),
            Phase::Playing => {
                let Some(card) = view.hand().lowest() else { return Intent::Wait };
                let left = view.hands.values().map(family::Hand::len).sum();
                let clock = clock(HIGHEST_OF_SMALL, None, view.pile.len(), left);
                let share = (f64::from(card.number()) - clock) / HIGHEST_OF_SMALL;
                Intent::After { since: view.public.since, share, command: Command::Play(card) }
            }
            Phase::Offer { .. } => soon(view, &[Command::Continue]),
            Phase::Over { .. } => Intent::Wait,
        }
    }
}

impl Paced for royale::Royale {
    fn intent(view: &royale::View, chance: &mut Chance) -> Intent<royale::Command> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::{Game, Match, Seat, Seed, Viewer};

    /// A whole game by calm players; how many events it took.
    fn play<G: Paced>(setup: &str, seed: u64) -> Match<G> {
        let setup = setup.parse().unwrap();
        let mut live = Match::<G>::open(&setup, Seed::from(seed)).commit();
        for step in 0..10_000 {
            if live.outcome().is_some() {
                return live;
            }
            let mut chance = Chance::new(Seed::from(seed + 1), step);
            let plans = Seat::all(live.state().players()).filter_map(|seat| {
                let view = live.view(Viewer::Seat(seat));
                let plan = Bot::<G>::plan(&mut Steady, &view, live.at(), &mut chance)?;
                Some((plan.0, seat, plan.1))
            });
            let (at, seat, command) =
                plans.min_by_key(|(at, ..)| *at).expect("somebody has something to do");
            live = live.submit(at, seat, command).expect("a plan is permitted").commit();
        }
        panic!("the game has not ended: {}", live.state());
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
}
