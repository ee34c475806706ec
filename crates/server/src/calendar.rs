//! The time of day, for operators, invitations and the deal of the day. Games and fairness never
//! use it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use table::Day;
use tokio::time::MissedTickBehavior;

use crate::App;
use crate::limits::lock;

/// How long a game with the deal of a day may go on after that day.
const GRACE_S: u64 = 3_600;
/// How often the server looks whether deals of a day are over.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where the days of the deals and the ages of invitations come from.
#[derive(Clone, Debug, Default)]
pub enum WallClock {
    /// The system's clock.
    #[default]
    System,
    /// A time that a test sets, in seconds since 1970.
    Set(Arc<AtomicU64>),
}

impl WallClock {
    /// Seconds since 1970.
    fn now_s(&self) -> u64 {
        match self {
            Self::System => now_s(),
            Self::Set(time) => time.load(Ordering::Relaxed),
        }
    }
}

/// Seconds since 1970; 0 on a machine whose clock is before that.
pub(crate) fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The days by the server's clock in UTC, and which of their deals are public.
pub(crate) struct Calendar {
    clock: WallClock,
    /// The latest day whose deals are public.
    public: Mutex<Day>,
}

impl Calendar {
    /// Deals that are over by now are public: no table is in memory yet.
    pub(crate) fn new(clock: WallClock) -> Self {
        let public = Mutex::new(over_at(clock.now_s()));
        Self { clock, public }
    }

    /// Seconds since 1970.
    pub(crate) fn now_s(&self) -> u64 {
        self.clock.now_s()
    }

    /// The day that it is, and how many seconds are left of it.
    pub(crate) fn today(&self) -> (Day, u32) {
        Day::at(self.now_s())
    }

    /// The latest day whose deals are not played any more.
    pub(crate) fn day_over(&self) -> Day {
        over_at(self.now_s())
    }

    /// The latest day whose deals are public: every table has stopped to play them. A clock that
    /// is set back hides none of them again.
    pub(crate) fn public_until(&self) -> Day {
        *lock(&self.public)
    }

    /// Whether the deals of a day are public.
    pub(crate) fn is_public(&self, day: Day) -> bool {
        day <= self.public_until()
    }
}

/// The latest day whose deals are not played any more at this time.
fn over_at(now_s: u64) -> Day {
    Day::at(now_s.saturating_sub(GRACE_S)).0.before()
}

/// Ends the deals of each day at every table, and makes them public after that.
pub(crate) async fn end_days(app: Arc<App>) {
    let mut every = tokio::time::interval(LOOK_EVERY);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let calendar = &app.shared.calendar;
    loop {
        every.tick().await;
        let day = calendar.day_over();
        if !calendar.is_public(day) {
            app.directory.end_day(day).await;
            *lock(&calendar.public) = day;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_is_played_for_an_hour_after_its_day() {
        let midnight = 20_776 * 86_400;
        let (today, _) = Day::at(midnight);
        assert_eq!(over_at(midnight - 1), today.before().before());
        assert_eq!(over_at(midnight + GRACE_S - 1), today.before().before());
        assert_eq!(over_at(midnight + GRACE_S), today.before());
        assert_eq!(over_at(0), Day::at(0).0, "there is no day before the first");
    }
}
