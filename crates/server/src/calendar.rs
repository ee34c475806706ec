//! The time of day, for operators, invitations and the deal of the day. Games and fairness never
//! use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

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
    pub(crate) fn now_s(&self) -> u64 {
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
