//! The time of day, for operators alone. Games and fairness never use it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970; 0 on a machine whose clock is before that.
pub(crate) fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
