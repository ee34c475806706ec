//! One player's own pace, over as many games as they have played.
//!
//! A wait of time t for a card that is d numbers away is taken to be `t = pace · d^power`, with a
//! spread of its logarithm. A power below one is a player who hurries over great distances, above
//! one a player who lingers. Waits without a play count as in the sync score: they were longer than
//! that. The greatest likelihood is found by expectation and maximization, the power drawn towards
//! one as by a moderate belief, since few plays say little about it.

use rules::kit::{Moment, Seat};

use crate::clocks::{Wait, guess};
use crate::watch::{Timed, tracks};

/// The least spread that a hand can have.
const SPREAD_LEAST: f64 = 0.02;
const SPREAD_MOST: f64 = 2.0;
/// How far from one a power is expected to be.
const POWER_DOUBT: f64 = 0.3;
const ROUNDS_MOST: usize = 500;
const CLOSE_ENOUGH: f64 = 1e-9;

/// How long a player waited for a card at a distance, in a deck of a hundred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waited(Wait);

impl Waited {
    /// A wait in seconds over a distance, and whether the card went down then.
    pub fn new(time_s: f64, distance: f64, played: bool) -> Self {
        Self(Wait { seat: Seat::A, time: time_s, distance, played })
    }

    /// The wait in seconds.
    pub fn time_s(&self) -> f64 {
        self.0.time
    }

    /// The distance to the card.
    pub fn distance(&self) -> f64 {
        self.0.distance
    }

    /// Whether the card went down then.
    pub fn played(&self) -> bool {
        self.0.played
    }
}

/// How long one player waited in a game, every time.
pub fn waits_of<G: Timed>(
    setup: &G::Setup,
    events: impl IntoIterator<Item = (Moment, G::Event)>,
    seat: Seat,
) -> Vec<Waited> {
    let tracks = tracks::<G>(setup, events);
    let waits = tracks.into_iter().flat_map(|track| track.waits);
    let own = waits.filter(|wait| wait.seat == seat && wait.time > 0.0);
    own.map(|wait| Waited(Wait { distance: wait.distance * G::DECK_SHARE, ..wait })).collect()
}

/// A player's pace, in whole numbers so that it is the same wherever it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long they wait for the next number, in microseconds.
    pub pace_us: u32,
    /// By which power of the distance the wait grows, in thousandths.
    pub power_milli: u32,
    /// The standard deviation of the wait's logarithm, in thousandths.
    pub spread_milli: u32,
}

/// The error for a player with too few plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a tempo is known from {least} plays on, and there are {plays}", least = Pace::PLAYS_LEAST)]
pub struct TooFew {
    /// How many plays there are.
    pub plays: usize,
}

impl Pace {
    /// How many plays it takes to know a pace.
    pub const PLAYS_LEAST: usize = 20;

    /// The pace behind these waits.
    pub fn fit(waits: &[Waited]) -> Result<Self, TooFew> {
        let plays = waits.iter().filter(|Waited(wait)| wait.played).count();
        if plays < Self::PLAYS_LEAST {
            return Err(TooFew { plays });
        }
        let count = waits.len() as f64;
        let far = |wait: &Wait| wait.distance.ln();
        let middle = waits.iter().map(|Waited(wait)| far(wait)).sum::<f64>() / count;
        // The line of the waits' logarithms, less those of their distances.
        let (mut level, mut slope, mut spread) = (mean_of_plays(waits), 0.0, 0.5);
        for _ in 0..ROUNDS_MOST {
            let (mut sum, mut cross, mut square) = (0.0, 0.0, 0.0);
            let guesses = waits.iter().map(|Waited(wait)| {
                let x = far(wait) - middle;
                (x, guess(wait, level + slope * x, spread))
            });
            let guesses = guesses.collect::<Vec<_>>();
            for (x, (value, _)) in &guesses {
                sum += value;
                cross += x * value;
                square += x * x;
            }
            level = sum / count;
            let next_slope = cross / (square + spread.powi(2) / POWER_DOUBT.powi(2));
            let squares = guesses
                .iter()
                .map(|(x, (value, rest))| (value - level - next_slope * x).powi(2) + rest)
                .sum::<f64>();
            let next = (squares / count).sqrt().clamp(SPREAD_LEAST, SPREAD_MOST);
            let moved = (next - spread).abs() + (next_slope - slope).abs();
            (slope, spread) = (next_slope, next);
            if moved < CLOSE_ENOUGH {
                break;
            }
        }
        Ok(Self {
            pace_us: whole((level - slope * middle).exp() * 1e6),
            power_milli: whole((1.0 + slope) * 1e3),
            spread_milli: whole(spread * 1e3),
        })
    }
}

fn mean_of_plays(waits: &[Waited]) -> f64 {
    let plays = waits.iter().filter(|Waited(wait)| wait.played);
    let logs = plays.map(|Waited(wait)| (wait.time / wait.distance).ln()).collect::<Vec<_>>();
    logs.iter().sum::<f64>() / logs.len() as f64
}

/// The nearest whole number that fits, at least one.
#[allow(clippy::cast_sign_loss, reason = "it is at least one")]
fn whole(value: f64) -> u32 {
    value.round().clamp(1.0, f64::from(u32::MAX)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The middles of ten equal shares of the standard normal distribution.
    const TENTHS: [f64; 10] =
        [-1.645, -1.036, -0.674, -0.385, -0.126, 0.126, 0.385, 0.674, 1.036, 1.645];

    /// Waits by a law with a known scatter, each in a race with a player of the same tempo.
    fn waits(pace_s: f64, power: f64, scatter: f64) -> Vec<Waited> {
        let races = TENTHS.iter().flat_map(|own| TENTHS.map(|other| (*own, other)));
        let waits = races.enumerate().map(|(index, (own, other))| {
            let distance = (2 + index * 37 % 41) as f64;
            let time = pace_s * distance.powf(power) * (scatter * own.min(other)).exp();
            Waited::new(time, distance, own <= other)
        });
        waits.collect()
    }

    fn check(pace_s: f64, power: f64, scatter: f64) {
        let found = Pace::fit(&waits(pace_s, power, scatter)).unwrap();
        let at = |found: Pace, distance: f64| {
            f64::from(found.pace_us) / 1e6 * distance.powf(f64::from(found.power_milli) / 1e3)
        };
        for distance in [3.0, 10.0, 30.0] {
            let off = at(found, distance) / (pace_s * distance.powf(power));
            assert!((0.9..1.1).contains(&off), "{off} at {distance}: {found:?}");
        }
        let spread = f64::from(found.spread_milli) / 1e3;
        assert!((spread - scatter).abs() < 0.06, "{scatter}: {found:?}");
    }

    #[test]
    fn a_pace_is_found_again() {
        for pace_s in [0.05, 0.6, 2.0] {
            check(pace_s, 1.0, 0.1);
            check(pace_s, 0.8, 0.2);
            check(pace_s, 1.2, 0.3);
        }
    }

    /// A player who is always overtaken is slower than their plays alone would say.
    #[test]
    fn waits_without_a_play_count() {
        let plays = (0..30).map(|index| Waited::new(f64::from(2 + index % 9), 6.0, true));
        let plays = plays.collect::<Vec<_>>();
        let overtaken = (0..30).map(|_| Waited::new(9.0, 6.0, false));
        let all = plays.iter().copied().chain(overtaken).collect::<Vec<_>>();
        let (quick, slow) = (Pace::fit(&plays).unwrap(), Pace::fit(&all).unwrap());
        assert!(slow.pace_us > quick.pace_us * 3 / 2, "{quick:?} {slow:?}");
    }

    #[test]
    fn too_little_is_no_pace() {
        let enough = (0..20).map(|far| Waited::new(1.0, f64::from(2 + far), true));
        let enough = enough.collect::<Vec<_>>();
        assert!(Pace::fit(&enough).is_ok());
        assert_eq!(Pace::fit(&enough[1..]), Err(TooFew { plays: 19 }));
        assert_eq!(Pace::fit(&[]), Err(TooFew { plays: 0 }));
    }
}
