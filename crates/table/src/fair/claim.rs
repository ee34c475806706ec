//! What a client says of when its player pressed, and how much of it is believed.

use std::time::Duration;

use super::lag::Lag;
use super::stamp::Stamp;
use super::tuning::Tuning;

/// A press as it was claimed, with what the claim was judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// When the message was there.
    pub arrived: Stamp,
    /// When the client says that its player pressed.
    pub claimed: Stamp,
    /// How far back from the arrival that may be, from the server's own measurements.
    pub bound: Duration,
    /// How far back it usually is.
    pub usual: Duration,
}

/// How a claim lies in what is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is believed.
    Within,
    /// It lies further back than the connection can explain.
    TooEarly,
    /// It lies after the arrival.
    TooLate,
}

impl Claim {
    /// Judges a claim by what was measured of its connection.
    pub fn judge(arrived: Stamp, claimed: Stamp, lag: Lag, tuning: &Tuning) -> Self {
        let bound = lag.bound(tuning);
        Self { arrived, claimed, bound, usual: lag.usual_way().min(bound) }
    }

    /// Something that happens at the server itself.
    pub fn here(at: Stamp) -> Self {
        Self { arrived: at, claimed: at, bound: Duration::ZERO, usual: Duration::ZERO }
    }

    /// When the press counts: never before `arrived - bound`, never after `arrived`. A claim that
    /// the connection cannot explain gains nothing: the press counts as if nothing was claimed but
    /// what is usual.
    pub fn press(self) -> Stamp {
        match self.fit() {
            Fit::Within => self.claimed,
            Fit::TooEarly => self.arrived.before(self.usual),
            Fit::TooLate => self.arrived,
        }
    }

    /// Whether the claim was believed.
    pub fn fit(self) -> Fit {
        if self.claimed > self.arrived {
            Fit::TooLate
        } else if self.claimed < self.arrived.before(self.bound) {
            Fit::TooEarly
        } else {
            Fit::Within
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(claimed_ms: u64, press_ms: u64, fit: Fit) {
        let lag = Lag::steady(20, Duration::from_millis(194), Duration::ZERO);
        let arrived = Stamp::from_millis(10_000);
        let claim = Claim::judge(arrived, Stamp::from_millis(claimed_ms), lag, &Tuning::default());
        assert_eq!((claim.press(), claim.fit()), (Stamp::from_millis(press_ms), fit));
    }

    #[test]
    fn a_claim_is_believed_within_the_bound_and_gains_nothing_outside() {
        check(10_000, 10_000, Fit::Within);
        check(9_950, 9_950, Fit::Within);
        check(9_900, 9_900, Fit::Within);
        check(9_899, 9_903, Fit::TooEarly);
        check(0, 9_903, Fit::TooEarly);
        check(10_001, 10_000, Fit::TooLate);
        check(u64::MAX, 10_000, Fit::TooLate);
    }

    proptest! {
        #[test]
        fn whatever_is_claimed_gains_the_bound_at_most(
            arrived in 0u64..100_000_000, claimed: u64, trip in 0u64..2_000_000, spread in 0u64..500_000,
        ) {
            let tuning = Tuning::default();
            let micros = Duration::from_micros;
            let lag = Lag::steady(9, micros(trip), micros(spread));
            let arrived = Stamp::from_micros(arrived);
            let claim = Claim::judge(arrived, Stamp::from_micros(claimed), lag, &tuning);
            prop_assert!(claim.press() <= arrived);
            prop_assert!(claim.press().until(arrived) <= lag.bound(&tuning));
            prop_assert!(claim.bound <= tuning.claim_max);
        }
    }
}
