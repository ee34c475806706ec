//! The deal of a game that is over, for another group to play.
//!
//! Each step of a game draws from its own stream of the seed, and another group comes to the same
//! level after another number of steps. So a deal names the stream of every draw by what it was
//! for.

use rules::kit::Seed;
use serde::{Deserialize, Serialize};
use wire::GameId;

use crate::person::{NotHex, hex, unhex};

/// Streams that no step of the first game can have: for what that game never came to.
const BEYOND: u64 = 1 << 32;

/// All the luck of a game, told by what it was for. It is as secret as a seed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The game that had it first.
    pub of: GameId,
    seed: String,
    /// Which draw, by its key, came from which stream of the seed. Called `lots` in journals.
    #[serde(rename = "lots")]
    streams: Vec<(u32, u64)>,
}

impl Deal {
    /// The deal of a game with this seed, whose draws, by their keys, came from these streams.
    pub fn new(of: GameId, seed: Seed, streams: Vec<(u32, u64)>) -> Self {
        Self { of, seed: hex(seed.bytes()), streams }
    }

    /// The seed of all its draws.
    pub fn seed(&self) -> Result<Seed, NotHex> {
        unhex(&self.seed).map(Seed::new)
    }

    /// The stream from which the draw of that key comes. What the first game never came to is the same for
    /// all that repeat it.
    pub fn stream(&self, key: u32) -> u64 {
        let known = self.streams.iter().find(|(other, _)| *other == key);
        known.map_or(BEYOND + u64::from(key), |(_, stream)| *stream)
    }
}

/// Prints nothing of the luck: a log line must not tell the deals.
impl std::fmt::Debug for Deal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Deal(of {})", self.of)
    }
}

/// Events that chance decides, by the first word of their notation.
const LUCK: [&str; 4] = ["dealt", "drawn", "looked", "covered"];

/// Whether chance decided this event.
pub fn is_luck<E: ToString>(event: &E) -> bool {
    let text = event.to_string();
    text.split(' ').next().is_some_and(|word| LUCK.contains(&word))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    use crate::game::TableGame;
    use rules::kit::{Chance, Match, Moment, Seat, View as _, Viewer};
    use rules::{extreme, mind, royale, soulmates};

    /// What chance decided in a game, by what it was for.
    type Drawn = BTreeMap<u32, Vec<String>>;

    /// A game by players who do anything, each whim another game; and from which streams it drew.
    fn play<G: TableGame>(
        setup: &G::Setup,
        deal: Option<&Deal>,
        whim: u64,
    ) -> (Drawn, Vec<(u32, u64)>) {
        let mut live = Match::<G>::open(setup, Seed::from(11)).commit();
        let (mut drawn, mut keys) = (Drawn::new(), Vec::new());
        for number in 0..4_000 {
            let mut chance = Chance::new(Seed::from(whim), number);
            let acts = Seat::all(live.state().players()).flat_map(|seat| {
                let options = live.view(Viewer::Seat(seat)).options();
                options.into_iter().map(move |command| (seat, command))
            });
            let acts = acts.collect::<Vec<_>>();
            let Some((seat, command)) = chance.pick(&acts).copied() else { break };
            let key = G::draw_key(&live.view(Viewer::Watcher));
            let stream = deal.map_or(live.seq(), |deal| deal.stream(key));
            let step =
                live.submit_from(Moment::from_millis(number), seat, command, stream).unwrap();
            let luck =
                step.events().iter().filter(|event| is_luck(*event)).map(ToString::to_string);
            let luck = luck.collect::<Vec<_>>();
            if !luck.is_empty() {
                let twice = drawn.insert(key, luck);
                assert_eq!(twice, None, "draw {key} was drawn twice, whim {whim}");
                keys.push((key, stream));
            }
            live = step.commit();
        }
        (drawn, keys)
    }

    /// A group that repeats a deal is dealt the same wherever the first game came, and the same as all
    /// others who repeat it beyond that.
    fn check<G: TableGame>(setup: &str) {
        let setup = setup.parse::<G::Setup>().unwrap_or_else(|e| panic!("{setup}: {e}"));
        let of = "k3f9ab-1".parse().unwrap();
        let games = (0..40).map(|whim| play::<G>(&setup, None, whim));
        let (first, keys) = games.min_by_key(|(drawn, _)| drawn.len()).unwrap();
        let deal = Deal::new(of, Seed::from(11), keys);
        let again = (100..140).map(|whim| play::<G>(&setup, Some(&deal), whim).0);
        let again = again.chain([first]).collect::<Vec<_>>();
        let mut compared = 0;
        for (index, one) in again.iter().enumerate() {
            for other in &again[index + 1..] {
                for (key, luck) in one {
                    if let Some(same) = other.get(key) {
                        assert_eq!(luck, same, "draw {key} of {setup}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 100, "{setup}: only {compared} deals were comparable");
    }

    #[test]
    fn a_deal_is_the_same_however_a_group_comes_to_it() {
        check::<mind::Mind>("players=2 lives=5 stars=3");
        check::<extreme::Extreme>("players=2 lives=5 stars=2");
        check::<soulmates::Soulmates>("players=2 lives=3");
        check::<royale::Royale>("players=3 rounds=9");
    }
}
