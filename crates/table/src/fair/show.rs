//! When everyone sees it.

use std::time::Duration;

use super::lag::Lag;
use super::tuning::Tuning;

/// How long after it was sent something is shown, so that the slowest of these connections has it
/// by then. A player who is alone sees everything as soon as it is there.
pub fn lead(lags: impl IntoIterator<Item = Lag>, tuning: &Tuning) -> Duration {
    let (mut people, mut slowest) = (0, Duration::ZERO);
    for lag in lags {
        people += 1;
        // Ways down vary as ways up do.
        slowest = slowest.max(lag.delivery());
    }
    if people < 2 { Duration::ZERO } else { slowest.min(tuning.show_max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_viewer_is_waited_for_within_a_limit_and_never_by_itself() {
        let (ms, tuning) = (Duration::from_millis, Tuning::default());
        let of = |trip: u64| Lag::steady(20, ms(trip), ms(10));
        assert_eq!(lead([of(300)], &tuning), Duration::ZERO);
        assert_eq!(lead([of(20), of(100), of(40)], &tuning), ms(64));
        assert_eq!(lead([of(20), of(2_000)], &tuning), tuning.show_max);
    }
}
