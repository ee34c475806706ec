//! The scheduled events of a simulated world, by time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use table::fair::Stamp;

/// A queue of scheduled events. Events of the same instant happen in the order in which they were
/// scheduled.
pub(crate) struct Agenda<T> {
    heap: BinaryHeap<Item<T>>,
    count: u64,
}

struct Item<T> {
    at: Stamp,
    number: u64,
    what: T,
}

impl<T> Agenda<T> {
    pub(crate) fn new() -> Self {
        Self { heap: BinaryHeap::new(), count: 0 }
    }

    pub(crate) fn add(&mut self, at: Stamp, what: T) {
        self.count += 1;
        self.heap.push(Item { at, number: self.count, what });
    }

    pub(crate) fn next(&mut self) -> Option<(Stamp, T)> {
        self.heap.pop().map(|item| (item.at, item.what))
    }
}

/// The heap hands out its greatest item first, so earlier items are greater.
impl<T> Ord for Item<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl<T> PartialOrd for Item<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Item<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Item<T> {}
