//! Pauses between attempts, up to a deadline.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// The first pause and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// Pauses that grow, up to a deadline.
pub(crate) struct Wait {
    deadline: Instant,
    pause: Duration,
}

impl Wait {
    pub(crate) fn new(patience: Duration) -> Self {
        Self { deadline: Instant::now() + patience, pause: PAUSE.0 }
    }

    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    pub(crate) async fn pause(&mut self) {
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSE.1);
    }
}
