//! A connection's line: measured by its socket, read by the tables that it looks at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use wire::{Grade, Quality, Trouble};

use crate::fair::{Health, Lag, Link, Ping, Stamp, Tuning};
use crate::limits::lock;

/// How long a table that plays wants to know everything about a line.
const BRISK_FOR: Duration = Duration::from_hours(1);
/// So many round trips are taken quickly, to know something to begin with.
const TRIPS_FIRST: usize = 6;
const PAUSE_FIRST: Duration = Duration::from_millis(150);

/// What is known of one connection.
#[derive(Debug, Default)]
pub(crate) struct Line {
    link: Mutex<Link>,
    /// Since when the page is hidden, in microseconds of the server's clock; 0 while it is seen.
    away_since: AtomicU64,
    put_right: AtomicU32,
    brisk_until: AtomicU64,
    hurried: Notify,
    awaited: AtomicBool,
}

impl Line {
    /// A ping leaves.
    pub(crate) fn pinged(&self, at: Stamp) -> Ping {
        lock(&self.link).pinged(at)
    }

    /// A pong is there; says whether it answers a ping.
    pub(crate) fn ponged(&self, ping: Ping, at: Stamp) -> bool {
        lock(&self.link).ponged(ping, at)
    }

    /// What presses are judged by.
    pub(crate) fn lag(&self) -> Lag {
        lock(&self.link).lag()
    }

    /// How it stands with the line.
    pub(crate) fn health(&self, now: Stamp, tuning: &Tuning) -> Health {
        lock(&self.link).health(now, tuning)
    }

    /// When the first ping left that has no answer.
    pub(crate) fn unanswered_since(&self) -> Option<Stamp> {
        lock(&self.link).unanswered_since()
    }

    /// What keeps its player from seeing the table or being heard in time, if anything.
    pub(crate) fn trouble(&self, now: Stamp, tuning: &Tuning) -> Option<Trouble> {
        if self.away_since().is_some() {
            return Some(Trouble::Hidden);
        }
        match self.health(now, tuning) {
            Health::Well | Health::Late { .. } => None,
            Health::Silent { .. } => Some(Trouble::Silent),
            Health::Unsteady => Some(Trouble::Unsteady),
        }
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

    /// A press was claimed further back than the line explains.
    pub(crate) fn put_right(&self) {
        self.put_right.fetch_add(1, Ordering::Relaxed);
    }

    /// Asks for frequent pings, and at once if there were none.
    pub(crate) fn hurry(&self, now: Stamp) {
        let before = self.brisk_until.swap(now.after(BRISK_FOR).micros(), Ordering::Relaxed);
        if before <= now.micros() {
            self.hurried.notify_one();
        }
    }

    /// Waits until pings are wanted sooner than they would come.
    pub(crate) async fn hurried(&self) {
        self.hurried.notified().await;
    }

    /// How long until the next ping; `idle` apart if nobody plays.
    pub(crate) fn pause(&self, now: Stamp, tuning: &Tuning, idle: Duration) -> Duration {
        if self.brisk_until.load(Ordering::Relaxed) <= now.micros() {
            idle
        } else if self.lag().trips < TRIPS_FIRST {
            PAUSE_FIRST.min(tuning.ping_every)
        } else {
            tuning.ping_every.min(idle)
        }
    }

    /// A table wants to be told of the next pong.
    pub(crate) fn wait_for_pong(&self) {
        self.awaited.store(true, Ordering::Relaxed);
    }

    /// Whether a table wanted to be told.
    pub(crate) fn is_awaited(&self) -> bool {
        self.awaited.swap(false, Ordering::Relaxed)
    }

    /// What people are told of it; `None` before anything was measured.
    pub(crate) fn quality(&self) -> Option<Quality> {
        let lag = self.lag();
        let ms = |duration: Duration| u32::try_from(duration.as_millis()).unwrap_or(u32::MAX);
        let (trip_ms, spread_ms) = (ms(lag.trip), ms(lag.spread));
        let grade = match (trip_ms, spread_ms) {
            (0..=100, 0..=30) => Grade::Good,
            (0..=250, 0..=80) => Grade::Fair,
            _ => Grade::Poor,
        };
        let put_right = self.put_right.load(Ordering::Relaxed);
        (lag.trips > 0).then_some(Quality { grade, trip_ms, spread_ms, put_right })
    }
}
