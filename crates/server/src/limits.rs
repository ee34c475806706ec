//! Limits on what clients may use. Each is an option of `serve`.

use std::collections::HashMap;
use std::hash::Hash;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All limits.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of one message.
    pub message_bytes_most: usize,
    /// Messages of one connection.
    pub messages: Rate,
    /// Requests and connections of one address.
    pub address: Rate,
    /// Chat messages of one person.
    pub chat: Rate,
    /// Characters of one chat message.
    pub chat_chars_most: usize,
    /// Connections in all.
    pub connections_most: usize,
    /// Connections of one person.
    pub connections_per_person_most: usize,
    /// Connections from one address.
    pub connections_per_address_most: usize,
    /// TCP connections in all, sockets of players included.
    pub sockets_most: usize,
    /// TCP connections from one address, unless it is a trusted proxy.
    pub sockets_per_address_most: usize,
    /// Bytes of the head of a request.
    pub head_bytes_most: usize,
    /// Headers of a request.
    pub headers_most: usize,
    /// How long a request may take to arrive, and again to be answered.
    pub request_within: Duration,
    /// How long a connection may be used for requests.
    pub keep_alive: Duration,
    /// Bytes of the journal that one person has written.
    pub bytes_per_person: Rate,
    /// Bytes of the journal that are written for one address.
    pub bytes_per_address: Rate,
    /// Codes that no table has, of one address.
    pub guesses: Rate,
    /// New people from one address without a proof of work.
    pub newcomers: Rate,
    /// Changes of one table outside of play.
    pub changes: Rate,
    /// Tables that one person opens.
    pub tables_per_person: Rate,
    /// Spectators at one table.
    pub spectators_most: usize,
    /// Tables at one connection.
    pub tables_per_connection_most: usize,
    /// Messages that may wait for one table.
    pub inbox_most: usize,
    /// Messages that may wait for one connection.
    pub queue_most: usize,
    /// How long one message may take to be sent.
    pub send_within: Duration,
    /// How long a connection may take to say hello.
    pub hello_within: Duration,
    /// How long a connection may be silent, pongs included.
    pub idle_after: Duration,
    /// How long an empty table stays in memory.
    pub table_idle: Duration,
}

/// A rate: how many at once, and how many a second in the long run. Written `20/5`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// A second.
    pub per_second: f64,
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("write {text:?} as AT_ONCE/PER_SECOND, as in 20/5");
        let (burst, per_second) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        match (number(burst), number(per_second)) {
            (Some(burst), Some(per_second)) if burst >= 1.0 && per_second > 0.0 => {
                Ok(Self { burst, per_second })
            }
            _ => Err(wrong()),
        }
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}/{}", self.burst, self.per_second)
    }
}

/// A time in seconds, with or without a fraction. Written `10` or `0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = text.trim().parse::<f64>().ok();
        // The upper bound keeps deadlines on the clock: a year is as good as never.
        match seconds.filter(|seconds| (0.001..=31_536_000.0).contains(seconds)) {
            Some(seconds) => Ok(Self(Duration::from_secs_f64(seconds))),
            None => Err(format!("write {text:?} as seconds: 10 or 0.5")),
        }
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

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

/// Counts how many of something each key holds, up to a limit.
pub(crate) struct Counts<K> {
    most: usize,
    counts: Arc<Mutex<HashMap<K, usize>>>,
}

/// A place that is counted until it is dropped.
pub(crate) struct Counted<K: Eq + Hash> {
    key: Option<K>,
    counts: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Eq + Hash + Clone> Counts<K> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, counts: Arc::default() }
    }

    /// Takes a place for the key; `None` at the limit.
    pub(crate) fn take(&self, key: K) -> Option<Counted<K>> {
        let mut counts = lock(&self.counts);
        let count = counts.entry(key.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Counted { key: Some(key), counts: self.counts.clone() })
    }

    /// Whether the key has a place.
    pub(crate) fn has(&self, key: &K) -> bool {
        lock(&self.counts).contains_key(key)
    }
}

impl<K: Eq + Hash> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        if let Some(key) = self.key.take()
            && let Some(count) = counts.get_mut(&key)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(&key);
            }
        }
    }
}

/// Locks a mutex, also after a holder panicked: the data are plain counts, which stay valid.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn nodes_together_give_twice_the_burst_at_most() {
        let rate = Rate { burst: 30.0, per_second: 1e-6 };
        for count in [2_usize, 3, 5] {
            let nodes = (0..count).map(|_| Buckets::new(rate)).collect::<Vec<_>>();
            nodes.iter().for_each(|node| node.share(count));
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
    fn times_are_read() {
        for (text, millis) in [("10", 10_000), ("0.5", 500), (" 1.25 ", 1_250)] {
            let read = text.parse::<Seconds>().unwrap();
            assert_eq!(read, Seconds(Duration::from_millis(millis)));
            assert_eq!(read.to_string().parse(), Ok(read));
        }
        for wrong in ["", "x", "0", "-1", "NaN", "inf", "1e300"] {
            assert!(wrong.parse::<Seconds>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_dropped_is_no_longer_counted() {
        let counts = Counts::new(2);
        let first = counts.take("a");
        let second = counts.take("a");
        assert!(first.is_some() && second.is_some() && counts.take("a").is_none());
        assert!(counts.take("b").is_some());
        drop(first);
        assert!(counts.take("a").is_some());
    }

    #[test]
    fn rates_are_read() {
        assert_eq!("20/5".parse(), Ok(Rate { burst: 20.0, per_second: 5.0 }));
        for wrong in ["", "20", "x/5", "0/5", "5/0", "5/-1", "NaN/1", "inf/1"] {
            assert!(wrong.parse::<Rate>().is_err(), "{wrong}");
        }
    }
}
