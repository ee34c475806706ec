//! Times in little room, and the smallest of the last ones.

use std::time::Duration;

use super::link::WINDOW;

/// A time of less than 71 minutes, in a quarter of the room of a `Duration`: each connection has
/// several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(u32);

impl Micros {
    pub(super) const MOST: Self = Self(u32::MAX);

    /// The same time as a `Duration`.
    pub fn duration(self) -> Duration {
        Duration::from_micros(u64::from(self.0))
    }
}

impl From<Duration> for Micros {
    fn from(duration: Duration) -> Self {
        Self(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX))
    }
}

/// The smallest of the last values: of some [`WINDOW`] to twice that.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Least {
    before: Option<Micros>,
    now: Option<Micros>,
    count: u32,
}

impl Least {
    /// Adds a value; returns the smallest.
    pub(super) fn add(&mut self, value: Duration) -> Duration {
        let value = Micros::from(value);
        if self.count as usize == WINDOW {
            *self = Self { before: self.now, now: None, count: 0 };
        }
        self.count += 1;
        let now = self.now.map_or(value, |now| now.min(value));
        self.now = Some(now);
        self.before.map_or(now, |before| before.min(now)).duration()
    }
}
