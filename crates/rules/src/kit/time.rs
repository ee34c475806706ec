//! Time as the rules know it: handed in, never read from a clock.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A point in time, in microseconds since the table opened.
///
/// Microseconds, because people press within milliseconds of each other and the simulator must
/// order its events without rounding.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Moment(u64);

impl Moment {
    /// When the table opened.
    pub const START: Self = Self(0);

    /// This many microseconds after the table opened.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// This many milliseconds after the table opened.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// Microseconds since the table opened.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Later by that much; the end of time is never passed.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(wait.as_micros()).unwrap_or(u64::MAX)))
    }

    /// How long before `later` this was; zero if it was not.
    pub fn until(self, later: Self) -> Duration {
        Duration::from_micros(later.0.saturating_sub(self.0))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{:06} s", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}
