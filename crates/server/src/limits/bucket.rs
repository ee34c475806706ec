//! Token buckets: how much of something may still be done.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
///
/// In a cluster each node has its own, and tells the others a few times a second what was taken from
/// it. Until then a key may take its part of twice the burst at one node, so all nodes together give
/// it twice the burst at most.
pub(crate) struct Buckets<K> {
    rate: Rate,
    /// Between how many nodes the rate is shared.
    nodes: AtomicUsize,
    kept: Mutex<BucketMap<K>>,
}

struct BucketMap<K> {
    buckets: HashMap<K, Bucket>,
    /// What was taken that the other nodes do not know of.
    spent: HashMap<K, f64>,
    /// At this number of buckets the full ones are removed.
    sweep_at: usize,
}

/// Full buckets are removed from this number of buckets on.
const SWEEP_FROM: usize = 4_096;

impl<K: Eq + Hash + Copy> Buckets<K> {
    pub(crate) fn new(rate: Rate) -> Self {
        let kept =
            BucketMap { buckets: HashMap::new(), spent: HashMap::new(), sweep_at: SWEEP_FROM };
        Self { rate, nodes: AtomicUsize::new(1), kept: Mutex::new(kept) }
    }

    /// Takes a token of that key, if there is one.
    pub(crate) fn take(&self, key: K) -> bool {
        let nodes = self.nodes.load(Ordering::Relaxed);
        if nodes <= 1 {
            return self.with(key, Bucket::take);
        }
        let most = (2.0 * self.rate.burst / nodes as f64).max(1.0);
        let untold = lock(&self.kept).spent.get(&key).copied().unwrap_or(0.0);
        let taken = untold + 1.0 <= most && self.with(key, Bucket::take);
        if taken {
            *lock(&self.kept).spent.entry(key).or_default() += 1.0;
        }
        taken
    }

    /// Shares the rate between this number of nodes from now on.
    pub(crate) fn share(&self, nodes: usize) {
        self.nodes.store(nodes, Ordering::Relaxed);
        if nodes <= 1 {
            lock(&self.kept).spent.clear();
        }
    }

    /// What was taken since the last call, to be told to the other nodes.
    pub(crate) fn spent(&self) -> Vec<(K, f64)> {
        lock(&self.kept).spent.drain().collect()
    }

    /// Takes tokens for what was done at another node.
    pub(crate) fn charge_elsewhere(&self, key: K, tokens: f64) {
        self.with(key, |bucket| bucket.charge(tokens));
    }

    /// Takes tokens of that key for what was done already. It may owe some afterwards.
    pub(crate) fn charge(&self, key: K, tokens: f64) {
        self.with(key, |bucket| bucket.charge(tokens));
        if self.nodes.load(Ordering::Relaxed) > 1 {
            *lock(&self.kept).spent.entry(key).or_default() += tokens;
        }
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
    fn nodes_together_give_twice_the_burst_at_most() {
        let rate = Rate { burst: 30.0, per_second: 1e-6 };
        for count in [2_usize, 3, 5] {
            let nodes = (0..count).map(|_| Buckets::new(rate)).collect::<Vec<_>>();
            for node in &nodes {
                node.share(count);
            }
            let take = |node: &Buckets<u8>| (0..100).filter(|_| node.take(7)).count();
            let at_once = nodes.iter().map(take).sum::<usize>();
            assert!((30..=60).contains(&at_once), "{at_once} at {count} nodes");
            let spent = nodes.iter().map(Buckets::spent).collect::<Vec<_>>();
            for (number, node) in nodes.iter().enumerate() {
                let others = spent.iter().enumerate().filter(|(other, _)| *other != number);
                for (key, tokens) in others.flat_map(|(_, spent)| spent) {
                    node.charge_elsewhere(*key, *tokens);
                }
            }
            assert_eq!(nodes.iter().map(take).sum::<usize>(), 0, "all of it is known by now");
            assert!(nodes[0].take(8));
        }
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
