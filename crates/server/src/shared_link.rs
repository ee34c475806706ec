//! A connection's link: measured by its socket, read by the tables that it looks at.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use wire::Quality;

use crate::limits::lock;
use table::LinkState;
use table::fair::{Claim, Fit, KernelTrip, Lag, Link, Ping, Stamp, Tuning};

/// Pings leave this often until enough is known of a connection.
const PAUSE_FIRST: Duration = Duration::from_millis(150);

/// What is known of one connection.
#[derive(Debug, Default)]
pub(crate) struct SharedLink {
    link: Mutex<Link>,
    /// Since when the page is hidden, in microseconds of the server's clock; 0 while it is seen.
    away_since: AtomicU64,
    /// How many tables and audiences want the link to be measured every second.
    often: AtomicU32,
    hurried: Notify,
    /// How many presses were claimed further back than the connection explains.
    corrected: AtomicU32,
}

impl SharedLink {
    /// A ping leaves.
    pub(crate) fn pinged(&self, at: Stamp) -> Ping {
        lock(&self.link).pinged(at)
    }

    /// What the kernel has measured by now.
    pub(crate) fn acknowledged(&self, trip: KernelTrip) {
        lock(&self.link).acknowledged(trip);
    }

    /// A pong is there; says whether it answers a ping.
    pub(crate) fn ponged(&self, ping: Ping, at: Stamp) -> bool {
        lock(&self.link).ponged(ping, at)
    }

    /// What presses are judged by.
    pub(crate) fn lag(&self) -> Lag {
        lock(&self.link).lag()
    }

    /// When the first ping left that has no answer.
    pub(crate) fn unanswered_since(&self) -> Option<Stamp> {
        lock(&self.link).unanswered_since()
    }

    /// The link as tables are told of it.
    pub(crate) fn state(&self, now: Stamp, tuning: &Tuning) -> LinkState {
        LinkState::of(&lock(&self.link), self.away_since(), now, tuning)
    }

    /// When the state changes if no pong comes until then.
    pub(crate) fn changes_at(&self, now: Stamp, tuning: &Tuning) -> Option<Stamp> {
        lock(&self.link).changes_at(now, tuning)
    }

    /// What is believed of when a message says that its player pressed.
    pub(crate) fn claim(&self, arrived: Stamp, claimed: Stamp, tuning: &Tuning) -> Claim {
        Claim::judge(arrived, claimed, self.lag(), tuning)
    }

    /// The same for a press, which is counted if it was corrected.
    pub(crate) fn press(&self, arrived: Stamp, claimed: Stamp, tuning: &Tuning) -> Claim {
        let claim = self.claim(arrived, claimed, tuning);
        if claim.fit() == Fit::TooEarly {
            self.corrected.fetch_add(1, Ordering::Relaxed);
        }
        claim
    }

    /// How many presses were corrected.
    pub(crate) fn corrected(&self) -> u32 {
        self.corrected.load(Ordering::Relaxed)
    }

    /// The page was hidden, or is seen again.
    pub(crate) fn turn_away(&self, since: Option<Stamp>) {
        let micros = since.map_or(0, |since| since.micros().max(1));
        self.away_since.store(micros, Ordering::Relaxed);
    }

    /// Since when the page is hidden.
    pub(crate) fn away_since(&self) -> Option<Stamp> {
        let micros = self.away_since.load(Ordering::Relaxed);
        (micros > 0).then(|| Stamp::from_micros(micros))
    }

    /// Pings the connection every second until what is handed back is dropped. The first ping
    /// leaves at once, unless another has left within the last second.
    pub(crate) fn measure_often(self: &Arc<Self>) -> MeasuredOften {
        if self.often.fetch_add(1, Ordering::Relaxed) == 0 {
            self.hurried.notify_one();
        }
        MeasuredOften(self.clone())
    }

    /// Waits until pings are wanted sooner than they would come.
    pub(crate) async fn hurried(&self) {
        self.hurried.notified().await;
    }

    /// How long until the next ping: `idle` if no table or audience wants it every second.
    pub(crate) fn pause(&self, tuning: &Tuning, idle: Duration) -> Duration {
        if self.often.load(Ordering::Relaxed) == 0 {
            idle
        } else if !lock(&self.link).is_settled() {
            PAUSE_FIRST.min(tuning.ping_every)
        } else {
            tuning.ping_every.min(idle)
        }
    }

    /// The quality of the connection that players see; `None` before the first measurement.
    pub(crate) fn quality(&self, now: Stamp, tuning: &Tuning) -> Option<Quality> {
        self.state(now, tuning).quality()
    }
}

/// A link is measured every second while this is held.
pub(crate) struct MeasuredOften(Arc<SharedLink>);

impl Drop for MeasuredOften {
    fn drop(&mut self) {
        self.0.often.fetch_sub(1, Ordering::Relaxed);
    }
}
