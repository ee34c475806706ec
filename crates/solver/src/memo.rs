//! A map from sets to small values: open addressing, grown by doubling up to a limit.

use super::geometry::Set;

/// A map that forgets everything when it is full, so that no search outgrows its memory.
pub struct Memo<V> {
    /// The empty set is never kept, so it marks what is free.
    keys: Vec<Set>,
    values: Vec<V>,
    len: usize,
}

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self { keys: Vec::new(), values: Vec::new(), len: 0 }
    }
}

impl<V: Copy + Default> Memo<V> {
    /// The value stored for the set.
    pub fn get(&self, set: Set) -> Option<V> {
        if self.keys.is_empty() {
            return None;
        }
        let slot = self.slot(set);
        (self.keys[slot] == set).then(|| self.values[slot])
    }

    /// The most entries: two million, in arrays of four million places.
    pub const FULL: usize = 1 << 21;

    /// How many sets it has.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Stores a value for a set that is not empty.
    pub fn insert(&mut self, set: Set, value: V) {
        if self.len == Self::FULL {
            *self = Self::default();
        }
        if self.len * 2 >= self.keys.len() {
            self.grow();
        }
        let slot = self.slot(set);
        self.len += usize::from(self.keys[slot] == 0);
        self.keys[slot] = set;
        self.values[slot] = value;
    }

    fn slot(&self, set: Set) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = hash(set) as usize & mask;
        while self.keys[slot] != 0 && self.keys[slot] != set {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.keys.len() * 2).max(1 << 12);
        let keys = std::mem::replace(&mut self.keys, vec![0; size]);
        let values = std::mem::replace(&mut self.values, vec![V::default(); size]);
        for (set, value) in keys.into_iter().zip(values).filter(|(set, _)| *set != 0) {
            let slot = self.slot(set);
            self.keys[slot] = set;
            self.values[slot] = value;
        }
    }
}

/// Spreads a set over 64 bits.
pub fn hash(set: Set) -> u64 {
    let low = (set as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let high = ((set >> 64) as u64 ^ low.rotate_left(29)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    high ^ high >> 32
}
