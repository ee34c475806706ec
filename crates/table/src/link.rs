//! What the table knows of a connection's link: measured at the socket, told to the table.

use std::time::Duration;

use wire::{Grade, Quality, Trouble};

use crate::fair::{Health, Lag, Link, Stamp, Tuning};

/// A link as its connection last told the table of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkState {
    /// How long messages take.
    pub lag: Lag,
    /// Whether pings are answered.
    pub health: Health,
    /// Since when the page is hidden; `None` while it is seen.
    pub hidden_since: Option<Stamp>,
}

impl Default for LinkState {
    /// A link that nothing was measured of.
    fn default() -> Self {
        Self { lag: Lag::default(), health: Health::Well, hidden_since: None }
    }
}

impl LinkState {
    /// The state of a link now.
    pub fn of(link: &Link, hidden_since: Option<Stamp>, now: Stamp, tuning: &Tuning) -> Self {
        Self { lag: link.lag(), health: link.health(now, tuning), hidden_since }
    }

    /// Whether a table that was told `before` has to be told of this: what decides anything has
    /// changed, or the lag by more than it varies anyway.
    pub fn is_news(&self, before: &Self) -> bool {
        let moved = |one: Duration, other: Duration| {
            let change = one.abs_diff(other);
            change > Duration::from_millis(1) && change > other / 16
        };
        self.health != before.health
            || self.hidden_since != before.hidden_since
            || self.grade() != before.grade()
            || (self.lag.trips == 0) != (before.lag.trips == 0)
            || moved(self.lag.trip, before.lag.trip)
            || moved(self.lag.spread, before.lag.spread)
    }

    /// Since when it is unknown whether the player sees the table; `None` while they do.
    pub fn dark_since(&self) -> Option<Stamp> {
        match self.health {
            Health::Late { since } | Health::Silent { since } => Some(since),
            Health::Well | Health::Unsteady => None,
        }
    }

    /// What keeps its player from seeing the table or being heard in time, and since when.
    pub fn trouble(&self, now: Stamp) -> Option<(Trouble, Stamp)> {
        if let Some(since) = self.hidden_since {
            return Some((Trouble::Hidden, since));
        }
        match self.health {
            Health::Well | Health::Late { .. } => None,
            Health::Silent { since } => Some((Trouble::Silent, since)),
            Health::Unsteady => Some((Trouble::Unsteady, now)),
        }
    }

    /// What people are told of it; `None` before anything was measured.
    pub fn quality(&self) -> Option<Quality> {
        let ms = |duration: Duration| u32::try_from(duration.as_millis()).unwrap_or(u32::MAX);
        let (trip_ms, spread_ms) = (ms(self.lag.trip), ms(self.lag.spread));
        let grade = match (trip_ms, spread_ms) {
            (0..=100, 0..=30) => Grade::Good,
            (0..=250, 0..=80) => Grade::Fair,
            _ => Grade::Poor,
        };
        (self.lag.trips > 0).then_some(Quality { grade, trip_ms, spread_ms })
    }

    /// The word for its quality.
    pub fn grade(&self) -> Option<Grade> {
        self.quality().map(|quality| quality.grade)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(trip_us: u64) -> LinkState {
        let lag = Lag::steady(20, Duration::from_micros(trip_us), Duration::ZERO);
        LinkState { lag, ..LinkState::default() }
    }

    #[test]
    fn a_table_is_told_of_what_matters() {
        assert!(state(300).is_news(&LinkState::default()), "the first measurement");
        assert!(!state(900).is_news(&state(300)), "less than a millisecond");
        assert!(
            !state(102_000).is_news(&state(100_000))
                || state(102_000).grade() != state(100_000).grade()
        );
        assert!(state(60_000).is_news(&state(40_000)));
        let late = LinkState { health: Health::Late { since: Stamp::default() }, ..state(300) };
        assert!(late.is_news(&state(300)) && state(300).is_news(&late));
        let hidden = LinkState { hidden_since: Some(Stamp::default()), ..state(300) };
        assert!(hidden.is_news(&state(300)));
    }
}
