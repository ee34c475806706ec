//! How long messages of one connection take.

use std::time::Duration;

use super::kernel_trip::LATE_ACKNOWLEDGEMENT;
use super::micros::Micros;
use super::tuning::Tuning;

/// How long messages of one connection take, as far as it was measured.
///
/// A client that keeps the server's time by its own probes is off by half the difference of the
/// two ways. So its presses seem to take half a round trip, however the two ways share it; only
/// what varies is left to be allowed for, and what the clock does not know yet: a path that has
/// become longer may have become so in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// How many round trips this is known from.
    pub trips: u32,
    /// The middle round trip, from a ping to its answer.
    pub trip: Duration,
    /// By how much nine of ten exceed it at most.
    pub spread: Duration,
    /// By how much all but the slowest few exceed it at most.
    pub tail: Micros,
    /// How much longer the path has become lately.
    pub rise: Micros,
    /// The longest round trip that the kernel's own measurement explains. What a client takes
    /// longer to answer is believed of no press.
    pub explained: Micros,
}

impl Lag {
    /// What this comes to for a client that answers at once over a path that does not change.
    pub fn steady(trips: u32, trip: Duration, spread: Duration) -> Self {
        let (tail, rise, explained) = (spread.into(), Micros::default(), Micros::MOST);
        Self { trips, trip, spread, tail, rise, explained }
    }

    /// How far back from its arrival a press may be claimed. Where nothing was measured nothing
    /// may be claimed.
    pub fn bound(self, tuning: &Tuning) -> Duration {
        if self.trips == 0 {
            return Duration::ZERO;
        }
        let rise = self.rise.duration();
        let one_way = if rise > LATE_ACKNOWLEDGEMENT * 2 { rise / 2 } else { Duration::ZERO };
        let explained = self.explained.duration() / 2;
        let varied = (self.trip / 2 + self.spread * 5 / 2).min(explained);
        (varied + one_way + Duration::from_millis(3)).min(tuning.claim_max)
    }

    /// How long before its arrival a press was usually made.
    pub fn usual_way(self) -> Duration {
        self.explained_trip() / 2
    }

    /// Between these times pings are usually answered. Outside of them the path may have changed.
    pub(super) fn answers(self) -> (Duration, Duration) {
        let slack = (self.spread * 2).max(self.trip / 4).max(Duration::from_millis(10));
        (self.trip.saturating_sub(slack), self.trip + self.spread + slack)
    }

    /// The middle round trip, as far as the kernel explains it.
    pub(super) fn explained_trip(self) -> Duration {
        self.trip.min(self.explained.duration())
    }

    /// How long after it was made a press is still on its way, but for one in a hundred.
    pub fn horizon(self) -> Duration {
        let explained = self.explained.duration() / 2;
        (self.trip / 2 + self.spread * 7 / 5).min(explained) + self.rise.duration() / 2
    }

    /// How long after it was sent a message is there, but for one in a hundred: the slow ones count,
    /// because lost packets are sent again after a fixed time.
    pub fn delivery(self) -> Duration {
        self.horizon().max(self.explained_trip() / 2 + self.tail.duration())
    }

    /// Whether messages take so little time that no press has to be waited for.
    pub fn is_near(self) -> bool {
        self.horizon() <= Tuning::NEAR
    }

    /// By how much a press may have been at another time than it seems: the two ways may share
    /// the round trip as 70 to 30, which no measurement from one end can tell, what a path became
    /// longer by may be in one of them alone, and the probes that the client's clock rests on vary.
    pub fn error(self) -> Duration {
        let rise = self.rise.duration();
        self.explained_trip().saturating_sub(rise) / 5 + rise / 2 + self.spread / 4
    }

    /// Until when a ping is answered unless something is wrong.
    pub(super) fn usual(self) -> Duration {
        self.trip + self.spread * 4 + Duration::from_millis(100)
    }
}
