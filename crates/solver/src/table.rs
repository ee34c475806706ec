//! The transposition table: what is known of states, up to renaming.

use super::key::Key;

/// What is known of a state: the least total lies between these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// No strategy needs less in total.
    pub least: u32,
    /// Some strategy needs no more.
    pub most: u32,
}

/// A table of a fixed size: where too many states compete, the one with the fewest codes goes.
pub struct Table {
    /// Plain words, so that memory which was never used is never touched.
    entries: Vec<[u64; WORDS]>,
    mask: usize,
}

const WORDS: usize = 6;
const NEIGHBOURS: usize = 4;

impl Table {
    /// A table of two to the power of `bits` entries, 48 bytes each.
    pub fn new(bits: u32) -> Self {
        let size = 1 << bits;
        Self { entries: vec![[0; WORDS]; size], mask: size - 1 }
    }

    /// What is known of the state of that key.
    pub fn get(&self, key: &Key) -> Option<Bounds> {
        let words = key.words();
        let first = self.first(&words);
        let near = &self.entries[first..first + NEIGHBOURS];
        let entry = near.iter().find(|entry| is_of(entry, &words))?;
        Some(Bounds { least: (entry[5] >> 32) as u32, most: entry[5] as u32 })
    }

    /// Stores what is known of a state with `codes` codes.
    pub fn insert(&mut self, key: &Key, codes: u32, known: Bounds) {
        let words = key.words();
        let first = self.first(&words);
        let near = &mut self.entries[first..first + NEIGHBOURS];
        let slot = near.iter().position(|entry| is_of(entry, &words)).unwrap_or_else(|| {
            let fewest = (0..NEIGHBOURS).min_by_key(|slot| near[*slot][4] & CODES);
            fewest.unwrap_or_default()
        });
        let bounds = u64::from(known.least) << 32 | u64::from(known.most);
        near[slot][..5].copy_from_slice(&words);
        near[slot][4] |= u64::from(codes);
        near[slot][5] = bounds;
    }

    fn first(&self, words: &[u64; 5]) -> usize {
        let spread = words.iter().fold(0u64, |all, word| {
            (all.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        (spread >> 20) as usize & self.mask & !(NEIGHBOURS - 1)
    }
}

/// The number of codes stands below the key's last word.
const CODES: u64 = 0xFFFF;

fn is_of(entry: &[u64; WORDS], words: &[u64; 5]) -> bool {
    entry[..4] == words[..4] && entry[4] & !CODES == words[4]
}
