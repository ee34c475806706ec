//! Token buckets: how much of something may still be done.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::Instant;

use super::{Rate, lock};

/// A token bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    rate: Rate,
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, tokens: rate.burst, filled: Instant::now() }
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&mut self) -> bool {
        self.refill();
        let enough = self.tokens >= 1.0;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }

    /// Takes tokens for what was done already. The bucket may owe some afterwards.
    fn charge(&mut self, tokens: f64) {
        self.refill();
        self.tokens -= tokens;
    }

    /// How many tokens there are; less than zero if some are owed.
    fn left(&mut self) -> f64 {
        self.refill();
        self.tokens
    }

    fn refill(&mut self) {
        let now = Instant::now();
        let gained = now.duration_since(self.filled).as_secs_f64() * self.rate.per_second;
        self.tokens = (self.tokens + gained).min(self.rate.burst);
        self.filled = now;
    }

    fn is_full(&self, now: Instant) -> bool {
        let gained = now.duration_since(self.filled).as_secs_f64() * self.rate.per_second;
        self.tokens + gained >= self.rate.burst
    }
}

/// A bucket for each key. Full buckets are removed, so the rate bounds the memory.
pub(crate) struct Buckets<K> {
    rate: Rate,
    kept: Mutex<BucketMap<K>>,
}

struct BucketMap<K> {
    buckets: HashMap<K, Bucket>,
    /// At this number of buckets the full ones are removed.
    sweep_at: usize,
}

/// Full buckets are removed from this number of buckets on.
const SWEEP_FROM: usize = 4_096;

impl<K: Eq + Hash> Buckets<K> {
    pub(crate) fn new(rate: Rate) -> Self {
        let kept = BucketMap { buckets: HashMap::new(), sweep_at: SWEEP_FROM };
        Self { rate, kept: Mutex::new(kept) }
    }

    /// Takes a token of that key, if there is one.
    pub(crate) fn take(&self, key: K) -> bool {
        self.with(key, Bucket::take)
    }

    /// Takes tokens of that key for what was done already. It may owe some afterwards.
    pub(crate) fn charge(&self, key: K, tokens: f64) {
        self.with(key, |bucket| bucket.charge(tokens));
    }

    /// How many tokens that key has left; less than zero if it owes some.
    pub(crate) fn left(&self, key: K) -> f64 {
        self.with(key, Bucket::left)
    }

    fn with<T>(&self, key: K, work: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut kept = lock(&self.kept);
        if kept.buckets.len() >= kept.sweep_at {
            let now = Instant::now();
            kept.buckets.retain(|_, bucket| !bucket.is_full(now));
            // The next sweep is at twice the number, so its cost a request stays constant.
            kept.sweep_at = (kept.buckets.len() * 2).max(SWEEP_FROM);
        }
        work(kept.buckets.entry(key).or_insert_with(|| Bucket::new(self.rate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_no_more() {
        let mut bucket = Bucket::new(Rate { burst: 3.0, per_second: 0.001 });
        let taken = (0..10).filter(|_| bucket.take()).count();
        assert_eq!(taken, 3);
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let buckets = Buckets::new(Rate { burst: 1.0, per_second: 1e9 });
        for key in 0..10 * SWEEP_FROM {
            assert!(buckets.take(key));
        }
        assert!(lock(&buckets.kept).buckets.len() <= SWEEP_FROM);
    }
}
