//! How many of something there are at a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use super::lock;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
