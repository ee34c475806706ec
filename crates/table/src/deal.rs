//! A deal that several groups play: that of a game that is over, or a fixed one.
//!
//! Each step of a game draws from its own stream of the seed, and another group comes to the same
//! level after another number of steps. So a deal names the stream of every draw by what it was
//! for.

use std::fmt;
use std::str::FromStr;

use rules::kit::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wire::{GameId, NotHex, hex, unhex};

use crate::daily::DailyDealId;

/// Streams that no step of the first game can have: for what that game never came to.
const BEYOND: u64 = 1 << 32;

/// All the luck of a game, told by what it was for. It is as secret as a seed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// Where it comes from.
    pub of: DealOrigin,
    seed: String,
    /// Which draw, by its key, came from which stream of the seed. Called `lots` in journals.
    #[serde(rename = "lots")]
    streams: Vec<(u32, u64)>,
}

impl Deal {
    /// The deal of a game with this seed, whose draws, by their keys, came from these streams.
    pub fn new(of: GameId, seed: Seed, streams: Vec<(u32, u64)>) -> Self {
        Self { of: DealOrigin::Game(of), seed: hex(seed.bytes()), streams }
    }

    /// The fixed deal of this seed: every draw, also of the first group, comes from the stream of
    /// its key.
    pub fn fixed(seed: Seed) -> Self {
        let of = DealOrigin::Fixed(FixedDeal::of(seed));
        Self { of, seed: hex(seed.bytes()), streams: Vec::new() }
    }

    /// A deal of the day with this seed, which every group draws from like a fixed deal.
    pub fn daily(id: DailyDealId, seed: Seed) -> Self {
        Self { of: DealOrigin::Daily(id), seed: hex(seed.bytes()), streams: Vec::new() }
    }

    /// The deal of a day, for a table that repeats it in this game after its day: it is played like
    /// that of any game, and does not count as the deal of the day.
    #[must_use]
    pub fn repeated(self, game: GameId) -> Self {
        Self { of: DealOrigin::Game(game), ..self }
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
impl fmt::Debug for Deal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Deal(of {})", self.of)
    }
}

/// Where a deal comes from, as in `k3f9ab-1`, `fixed-0123456789abcdef01234567` or
/// `daily-2026-11-18-mind-2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum DealOrigin {
    /// The game that had it first.
    Game(GameId),
    /// A fixed seed.
    Fixed(FixedDeal),
    /// A deal of the day.
    Daily(DailyDealId),
}

impl DealOrigin {
    /// The game that had it first; `None` for a fixed deal or a deal of the day.
    pub fn game(self) -> Option<GameId> {
        match self {
            Self::Game(game) => Some(game),
            Self::Fixed(_) | Self::Daily(_) => None,
        }
    }

    /// Which deal of the day it is, if it is one.
    pub fn daily(self) -> Option<DailyDealId> {
        match self {
            Self::Daily(daily) => Some(daily),
            Self::Game(_) | Self::Fixed(_) => None,
        }
    }
}

/// What a fixed deal is written with before its digits. No table's code is that short.
const FIXED: &str = "fixed-";
/// The same for a deal of the day.
const DAILY: &str = "daily-";

impl fmt::Display for DealOrigin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Game(game) => game.fmt(f),
            Self::Fixed(deal) => write!(f, "{FIXED}{deal}"),
            Self::Daily(deal) => write!(f, "{DAILY}{deal}"),
        }
    }
}

impl FromStr for DealOrigin {
    type Err = DealOriginError;

    fn from_str(text: &str) -> Result<Self, DealOriginError> {
        if let Some(daily) = text.strip_prefix(DAILY) {
            return daily.parse().map(Self::Daily);
        }
        match text.strip_prefix(FIXED) {
            Some(digits) => {
                let hash = unhex(digits).map_err(|_| DealOriginError)?;
                Ok(Self::Fixed(FixedDeal(hash)))
            }
            None => text.parse().map(Self::Game).map_err(|_| DealOriginError),
        }
    }
}

wire::text_in_json!(DealOrigin);

/// The error for a text that names no deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a deal is named by its first game, as in k3f9ab-1, by `fixed-` and 24 digits, or by its day, \
     game and players, as in daily-2026-11-18-mind-2"
)]
pub struct DealOriginError;

/// Tells fixed deals apart: a hash of the seed, from which no card can be found. 24 hexadecimal
/// digits, because the key of a log has at most 32 characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FixedDeal([u8; 12]);

impl FixedDeal {
    fn of(seed: Seed) -> Self {
        let hash = Sha256::new_with_prefix("fixed deal").chain_update(seed.bytes()).finalize();
        Self(std::array::from_fn(|index| hash[index]))
    }
}

impl fmt::Display for FixedDeal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
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
            let key = G::draw_key(&live.view(Viewer::Spectator));
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
    fn origins_read_back_as_they_were_written() {
        let fixed = Deal::fixed(Seed::from(11)).of;
        let daily = "daily-2026-11-18-mind-2".parse::<DealOrigin>().unwrap();
        assert!(daily.daily().is_some());
        for origin in [fixed, daily, "k3f9ab-1".parse().unwrap()] {
            assert_eq!(origin.to_string().parse(), Ok(origin));
            let json = serde_json::to_string(&origin).unwrap();
            assert_eq!(serde_json::from_str::<DealOrigin>(&json).unwrap(), origin);
        }
        assert_eq!(fixed.to_string().len(), FIXED.len() + 24);
        assert_ne!(fixed, Deal::fixed(Seed::from(12)).of);
        for text in ["", "fixed", "fixed-", "fixed-1", "k3f9ab", "fixed-k3f9ab-1"] {
            assert_eq!(text.parse::<DealOrigin>(), Err(DealOriginError), "{text:?}");
        }
    }

    /// All groups with a fixed deal are dealt the same, whatever they did before a draw.
    fn check_fixed<G: TableGame>(setup: &str) {
        let setup = setup.parse::<G::Setup>().unwrap_or_else(|e| panic!("{setup}: {e}"));
        let deal = Deal::fixed(Seed::from(11));
        let mut drawn = Drawn::new();
        let mut compared = 0;
        for whim in 0..40 {
            for (key, luck) in play::<G>(&setup, Some(&deal), whim).0 {
                match drawn.get(&key) {
                    Some(same) => {
                        assert_eq!(luck, *same, "draw {key} of {setup}, whim {whim}");
                        compared += 1;
                    }
                    None => drop(drawn.insert(key, luck)),
                }
            }
        }
        assert!(compared > 20, "{setup}: only {compared} deals were comparable");
    }

    #[test]
    fn a_fixed_deal_is_the_same_for_every_group() {
        check_fixed::<mind::Mind>("players=2 lives=5 stars=3");
        check_fixed::<extreme::Extreme>("players=2 lives=5 stars=2");
        check_fixed::<soulmates::Soulmates>("players=2 lives=3");
        check_fixed::<royale::Royale>("players=3 rounds=9");
    }

    #[test]
    fn a_deal_is_the_same_however_a_group_comes_to_it() {
        check::<mind::Mind>("players=2 lives=5 stars=3");
        check::<extreme::Extreme>("players=2 lives=5 stars=2");
        check::<soulmates::Soulmates>("players=2 lives=3");
        check::<royale::Royale>("players=3 rounds=9");
    }
}
