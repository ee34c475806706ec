//! The lines that are durable in `recent` and not in `lines` yet, for the threads that read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Key;

/// A line and its number; `None` if it is not the line that was written.
pub(super) type Numbered = (u64, Option<Box<str>>);

/// Lines by table, in order.
pub(super) type Lines = HashMap<Key, Vec<Numbered>>;

/// What one commit changed.
pub(super) enum Update {
    /// These and no others are in `recent`.
    Loaded(Lines),
    /// A table with `after` lines got more.
    Appended { key: Key, after: u64, lines: Vec<Box<str>> },
    /// The first `count` of a table's recent lines are in `lines`.
    Settled { key: Key, count: usize },
}

/// A copy of `recent` in memory: the table has no index, because an index would cost a commit as
/// many pages as `recent` saves.
///
/// The writer updates it after a commit and before it answers. A reader takes the lines from here
/// first and looks into the database after that: a line that it did not find here was in `lines`
/// before it looked there.
#[derive(Default)]
pub(super) struct Recent(Mutex<Lines>);

impl Recent {
    /// The lines of a table after its first `after` ones.
    pub(super) fn after(&self, key: &Key, after: u64) -> Vec<Numbered> {
        let lines = self.lock();
        let lines = lines.get(key).into_iter().flatten();
        lines.filter(|(seq, _)| *seq > after).cloned().collect()
    }

    /// Whether one of the lines of a table contains this text.
    pub(super) fn mentions(&self, key: &Key, text: &str) -> bool {
        let lines = self.lock();
        let mut lines = lines.get(key).into_iter().flatten().filter_map(|(_, line)| line.as_ref());
        lines.any(|line| line.contains(text))
    }

    /// Takes over what a commit changed.
    pub(super) fn update(&self, updates: impl IntoIterator<Item = Update>) {
        let mut all = self.lock();
        for update in updates {
            match update {
                Update::Loaded(lines) => *all = lines,
                Update::Appended { key, after, lines } => {
                    let numbers = after.saturating_add(1)..;
                    let lines = numbers.zip(lines.into_iter().map(Some));
                    all.entry(key).or_default().extend(lines);
                }
                Update::Settled { key, count } => {
                    if let Entry::Occupied(mut entry) = all.entry(key) {
                        let lines = entry.get_mut();
                        lines.drain(..count.min(lines.len()));
                        if lines.is_empty() {
                            entry.remove();
                        }
                    }
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
