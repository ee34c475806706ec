//! The tails that a node remembers, so that most appends need no look.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use journal::Key;

use crate::tail::Tail;

/// The last tail that this node saw of each table. Of very many tables those that were not used for
/// long are forgotten.
pub(crate) struct Tails {
    halves: Mutex<Halves>,
    half_most: usize,
}

/// Used recently, and used before that.
#[derive(Default)]
struct Halves {
    young: HashMap<Key, Tail>,
    old: HashMap<Key, Tail>,
}

impl Tails {
    /// Room for this number of tables, at least.
    pub(crate) fn new(half_most: usize) -> Self {
        Self { halves: Mutex::default(), half_most }
    }

    /// What is remembered of a table.
    pub(crate) fn get(&self, table: &Key) -> Option<Tail> {
        let halves = self.halves();
        halves.young.get(table).or_else(|| halves.old.get(table)).copied()
    }

    /// Remembers a tail, unless a later one is remembered.
    pub(crate) fn set(&self, table: &Key, tail: Tail) {
        let mut halves = self.halves();
        let older = halves.young.get(table).or_else(|| halves.old.get(table)).copied();
        if older.is_some_and(|older| older.sequence > tail.sequence) {
            return;
        }
        if halves.young.len() >= self.half_most && !halves.young.contains_key(table) {
            halves.old = std::mem::take(&mut halves.young);
        }
        halves.young.insert(table.clone(), tail);
    }

    fn halves(&self) -> MutexGuard<'_, Halves> {
        self.halves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_are_used_stay_and_tails_never_go_back() {
        let tails = Tails::new(2);
        let key = |name: &str| name.parse::<Key>().unwrap();
        let tail = |sequence| Tail { sequence, ..Tail::NONE };
        for (name, sequence) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("a", 5), ("d", 6)] {
            tails.set(&key(name), tail(sequence));
        }
        tails.set(&key("a"), tail(4));
        let known =
            ["a", "b", "c", "d"].map(|name| tails.get(&key(name)).map(|tail| tail.sequence));
        assert_eq!(known, [Some(5), None, Some(4), Some(6)]);
    }
}
