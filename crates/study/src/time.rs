//! Times, handed in by the caller.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A time in milliseconds since 1970, as the caller's clock tells it. The caller sees to it that
/// the times of one study never go back.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Time(u64);

impl Time {
    /// The time this many milliseconds after the start of 1970.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the start of 1970.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// How long it is after an earlier time; nothing if that is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// The time this much later.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)))
    }
}
