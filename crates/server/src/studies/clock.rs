//! The time of studies: that of the calendar when the server started, and a monotonic clock since.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use study::Time;

/// Tells times that never go back while the server runs.
pub(crate) struct StudyClock {
    started: Instant,
    /// What the calendar said then.
    at: Time,
}

impl StudyClock {
    pub(crate) fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = Time::default().after(since);
        Self { started: Instant::now(), at }
    }

    /// The time now.
    pub(crate) fn now(&self) -> Time {
        self.at.after(self.started.elapsed())
    }
}
