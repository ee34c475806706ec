//! The network referee: a level pauses when a player cannot see it or cannot be heard in time.

use std::time::Duration;

use rules::kit::{Seat, Seats};
use wire::{Pause, Trouble};

use crate::fair::Stamp;

/// How long until a pause that could not be kept is tried again.
const OWED_AGAIN: Duration = Duration::from_secs(1);

/// Whose connection is bad, and for whom play has to be held.
#[derive(Default)]
pub(crate) struct Referee {
    /// Whose connection is too bad to play by.
    troubled: Seats,
    /// For whom and why the level has paused by itself.
    paused: Vec<Pause>,
    /// For whom play has to be held and is not yet: nothing is played before it is.
    owed: Seats,
    /// When that is tried again, after it failed.
    again_at: Option<Stamp>,
    /// Until when presses count that were made before a player was lost; the others do not.
    settling: Option<Stamp>,
    /// Whose connection has gone bad, to be held when the presses before it are settled.
    found: Vec<(Seat, Trouble)>,
    version: u64,
}

impl Referee {
    /// Grows whenever what viewers are told of it changes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn paused(&self) -> &[Pause] {
        &self.paused
    }

    /// Whether nothing keeps play from going on.
    pub(crate) fn is_clear(&self) -> bool {
        self.owed.is_empty() && self.found.is_empty() && self.settling.is_none()
    }

    /// Whether something has to be done before play goes on, and can be tried now.
    pub(crate) fn is_due(&self, now: Stamp) -> bool {
        self.settling.is_some() || !self.found.is_empty() || self.owed_due(now)
    }

    fn owed_due(&self, now: Stamp) -> bool {
        !self.owed.is_empty() && self.again_at.is_none_or(|at| at <= now)
    }

    /// When it has to be tried again.
    pub(crate) fn again_at(&self) -> Option<Stamp> {
        self.again_at.filter(|_| !self.owed.is_empty())
    }

    /// A player was lost: what was pressed before counts first, then play is held for these.
    pub(crate) fn lost(&mut self, missing: Seats, since: Stamp) {
        self.settle(since);
        self.owe(missing);
    }

    /// Play has to be held for these.
    pub(crate) fn owe(&mut self, seats: Seats) {
        self.owed = seats.iter().fold(self.owed, Seats::with);
    }

    /// What was pressed before `since` counts, what was pressed later does not.
    pub(crate) fn settle(&mut self, since: Stamp) {
        self.settling = Some(self.settling.map_or(since, |other| other.min(since)));
    }

    /// Until when presses count; `None` if nothing has to be settled.
    pub(crate) fn settling(&self) -> Option<Stamp> {
        self.settling
    }

    /// All presses are settled.
    pub(crate) fn settled(&mut self) {
        self.settling = None;
    }

    /// A player has a new connection: whether that is bad has to be found anew.
    pub(crate) fn reset(&mut self, seat: Seat) {
        self.troubled = self.troubled.without(seat);
    }

    /// What owes has to be tried at once, whenever it was tried last.
    pub(crate) fn hurry(&mut self) {
        self.again_at = None;
    }

    /// The players whose connections are bad now. For those that have gone bad since the last
    /// time play is to be held; `is_level` says whether presses have to be settled before.
    pub(crate) fn look(&mut self, troubles: &[(Seat, Trouble, Stamp)], is_level: bool) {
        let fresh = troubles.iter().filter(|(seat, ..)| !self.troubled.contains(*seat));
        let fresh = fresh.copied().collect::<Vec<_>>();
        self.troubled = troubles.iter().map(|(seat, ..)| *seat).collect();
        let Some(since) = fresh.iter().map(|(.., since)| *since).min() else { return };
        if is_level {
            self.settle(since);
        }
        self.found.extend(fresh.into_iter().map(|(seat, why, _)| (seat, why)));
    }

    /// The presses are settled: play is owed for those whose connection has gone bad. The level
    /// may be over by then.
    pub(crate) fn rule(&mut self, is_level: bool) {
        for (seat, why) in std::mem::take(&mut self.found) {
            if is_level {
                self.paused.push(Pause { seat, why });
                self.version += 1;
            }
            self.owed = self.owed.with(seat);
        }
    }

    /// The next player for whom play has to be held, if it can be tried now.
    pub(crate) fn owed(&self, now: Stamp) -> Option<Seat> {
        self.owed.iter().next().filter(|_| self.owed_due(now))
    }

    /// Play is held for this player, or need not be.
    pub(crate) fn held(&mut self, seat: Seat) {
        self.owed = self.owed.without(seat);
        if self.owed.is_empty() {
            self.again_at = None;
        }
    }

    /// It could not be kept that play is held.
    pub(crate) fn failed(&mut self, now: Stamp) {
        self.again_at = Some(now.after(OWED_AGAIN));
    }

    /// Cards are played: why the level had paused is over.
    pub(crate) fn resume(&mut self) {
        if self.owed.is_empty() && !self.paused.is_empty() {
            self.paused.clear();
            self.version += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(index: usize) -> Seat {
        Seat::new(index).unwrap()
    }

    #[test]
    fn a_bad_connection_pauses_once_until_it_was_well() {
        let (now, mut referee) = (Stamp::from_millis(10), Referee::default());
        let bad = [(seat(1), Trouble::Silent, Stamp::from_millis(3))];
        referee.look(&bad, true);
        assert_eq!(referee.settling(), Some(Stamp::from_millis(3)));
        referee.settled();
        referee.rule(true);
        assert_eq!(referee.owed(now), Some(seat(1)));
        assert_eq!(referee.paused(), [Pause { seat: seat(1), why: Trouble::Silent }]);
        referee.held(seat(1));
        assert!(referee.is_clear());
        referee.look(&bad, true);
        assert!(referee.is_clear(), "it is the same trouble");
        referee.look(&[], true);
        referee.look(&bad, true);
        assert!(!referee.is_clear(), "it was well in between");
    }

    #[test]
    fn a_pause_that_failed_is_owed_and_tried_again_after_a_second() {
        let (now, mut referee) = (Stamp::from_millis(10), Referee::default());
        referee.owe(Seats::from_iter(Seat::new(0)));
        referee.failed(now);
        assert_eq!((referee.owed(now), referee.again_at()), (None, Some(now.after(OWED_AGAIN))));
        assert!(!referee.is_clear());
        assert_eq!(referee.owed(now.after(OWED_AGAIN)), Some(seat(0)));
        referee.hurry();
        assert_eq!(referee.owed(now), Some(seat(0)));
    }
}
