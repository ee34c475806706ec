//! The network referee: a level pauses when a player cannot see it or cannot be heard in time.

use std::time::Duration;

use rules::kit::{Seat, Seats};
use wire::{Pause, Trouble};

use crate::fair::Stamp;

/// How long until a pause that could not be written is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Whose connection is bad, and which pauses have to be written before play goes on.
#[derive(Default)]
pub(crate) struct Referee {
    /// Whose connection is too bad to play by.
    troubled: Seats,
    /// For whom and why the level has paused by itself.
    paused: Vec<Pause>,
    /// The players for whom a pause has to be written and is not durable yet: nothing is played
    /// before it is.
    unpaused: Seats,
    /// When writing a pause is tried again, after it failed.
    retry_at: Option<Stamp>,
    /// Until when presses count that were made before a player was lost; the others do not.
    settling: Option<Stamp>,
    /// Players whose connection has gone bad: they are paused for when earlier presses are settled.
    gone_bad: Vec<(Seat, Trouble)>,
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
        self.unpaused.is_empty() && self.gone_bad.is_empty() && self.settling.is_none()
    }

    /// Whether something has to be done before play goes on, and can be tried now.
    pub(crate) fn is_due(&self, now: Stamp) -> bool {
        self.settling.is_some() || !self.gone_bad.is_empty() || self.can_pause(now)
    }

    fn can_pause(&self, now: Stamp) -> bool {
        !self.unpaused.is_empty() && self.retry_at.is_none_or(|at| at <= now)
    }

    /// When writing a pause has to be tried again.
    pub(crate) fn retry_at(&self) -> Option<Stamp> {
        self.retry_at.filter(|_| !self.unpaused.is_empty())
    }

    /// A player was lost: earlier presses count first, then play is paused for these.
    pub(crate) fn lost(&mut self, missing: Seats, since: Stamp) {
        self.settle(since);
        self.pause_for(missing);
    }

    /// Play has to be paused for these.
    pub(crate) fn pause_for(&mut self, seats: Seats) {
        self.unpaused = seats.iter().fold(self.unpaused, Seats::with);
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

    /// Pauses that are not durable yet are tried at once, whenever they were tried last.
    pub(crate) fn retry_now(&mut self) {
        self.retry_at = None;
    }

    /// Takes in which connections are bad now. Play is to be paused for those that have gone bad
    /// since the last time; `is_level` says whether presses have to be settled before.
    pub(crate) fn observe(&mut self, troubles: &[(Seat, Trouble, Stamp)], is_level: bool) {
        let fresh = troubles.iter().filter(|(seat, ..)| !self.troubled.contains(*seat));
        let fresh = fresh.copied().collect::<Vec<_>>();
        self.troubled = troubles.iter().map(|(seat, ..)| *seat).collect();
        let Some(since) = fresh.iter().map(|(.., since)| *since).min() else { return };
        if is_level {
            self.settle(since);
        }
        self.gone_bad.extend(fresh.into_iter().map(|(seat, why, _)| (seat, why)));
    }

    /// The presses are settled: play has to be paused for the players whose connection has gone
    /// bad. The level may be over by then.
    pub(crate) fn rule(&mut self, is_level: bool) {
        for (seat, why) in std::mem::take(&mut self.gone_bad) {
            if is_level {
                self.paused.push(Pause { seat, why });
                self.version += 1;
            }
            self.unpaused = self.unpaused.with(seat);
        }
    }

    /// The next player for whom play has to be paused, if that can be tried now.
    pub(crate) fn next_pause(&self, now: Stamp) -> Option<Seat> {
        self.unpaused.iter().next().filter(|_| self.can_pause(now))
    }

    /// Play is paused for this player, or need not be.
    pub(crate) fn paused_for(&mut self, seat: Seat) {
        self.unpaused = self.unpaused.without(seat);
        if self.unpaused.is_empty() {
            self.retry_at = None;
        }
    }

    /// A pause could not be written.
    pub(crate) fn failed(&mut self, now: Stamp) {
        self.retry_at = Some(now.after(RETRY_AFTER));
    }

    /// Cards are played: why the level had paused is over.
    pub(crate) fn resume(&mut self) {
        if self.unpaused.is_empty() && !self.paused.is_empty() {
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
        referee.observe(&bad, true);
        assert_eq!(referee.settling(), Some(Stamp::from_millis(3)));
        referee.settled();
        referee.rule(true);
        assert_eq!(referee.next_pause(now), Some(seat(1)));
        assert_eq!(referee.paused(), [Pause { seat: seat(1), why: Trouble::Silent }]);
        referee.paused_for(seat(1));
        assert!(referee.is_clear());
        referee.observe(&bad, true);
        assert!(referee.is_clear(), "it is the same trouble");
        referee.observe(&[], true);
        referee.observe(&bad, true);
        assert!(!referee.is_clear(), "it was well in between");
    }

    #[test]
    fn a_pause_that_failed_is_tried_again_after_a_second() {
        let (now, mut referee) = (Stamp::from_millis(10), Referee::default());
        referee.pause_for(Seats::from_iter(Seat::new(0)));
        referee.failed(now);
        assert_eq!(
            (referee.next_pause(now), referee.retry_at()),
            (None, Some(now.after(RETRY_AFTER)))
        );
        assert!(!referee.is_clear());
        assert_eq!(referee.next_pause(now.after(RETRY_AFTER)), Some(seat(0)));
        referee.retry_now();
        assert_eq!(referee.next_pause(now), Some(seat(0)));
    }
}
