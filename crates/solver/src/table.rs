//! The transposition table: what is known of states, up to renaming.

use super::key::Key;

/// What is known of a state: the least total lies between these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// No strategy needs less in total.
    pub least: u32,
    /// Some strategy needs no more.
    pub most: u32,
}

/// A table of a fixed size: where two states compete, the one that is newer stays unless the
/// older one has many more codes.
pub struct Table {
    entries: Vec<Entry>,
    mask: usize,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    codes: u16,
    least: u32,
    most: u32,
}

const NEIGHBOURS: usize = 4;

impl Table {
    /// A table of two to the power of `bits` entries, 64 bytes each.
    pub fn new(bits: u32) -> Self {
        let size = 1 << bits;
        Self { entries: vec![Entry::default(); size], mask: size - 1 }
    }

    /// What is known of the state of that key.
    pub fn get(&self, key: &Key) -> Option<Known> {
        let found = self.near(key).map(|slot| &self.entries[slot]).find(|entry| entry.key == *key);
        found.map(|entry| Known { least: entry.least, most: entry.most })
    }

    /// Keeps what is known of a state with so many codes.
    pub fn insert(&mut self, key: &Key, codes: u32, known: Known) {
        let slots = self.near(key);
        let slot = slots.clone().find(|slot| self.entries[*slot].key == *key);
        let slot = slot.unwrap_or_else(|| {
            slots.min_by_key(|slot| self.entries[*slot].codes).unwrap_or_default()
        });
        let codes = codes as u16;
        self.entries[slot] = Entry { key: *key, codes, least: known.least, most: known.most };
    }

    fn near(&self, key: &Key) -> impl Iterator<Item = usize> + Clone + use<> {
        let first = key.hash() as usize & self.mask & !(NEIGHBOURS - 1);
        first..first + NEIGHBOURS
    }
}
