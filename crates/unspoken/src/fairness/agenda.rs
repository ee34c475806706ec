//! What is to come in a simulation, in the order of its time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use table::fair::Stamp;

/// What is to come, and what time it is, in milliseconds.
pub struct Agenda<T> {
    now: f64,
    /// When, and a number, which keeps what is due at the same time in the order it came in.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
    items: Vec<Option<T>>,
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Self { now: 0.0, queue: BinaryHeap::new(), items: Vec::new() }
    }
}

impl<T> Agenda<T> {
    /// The time of what happened last.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Something is to happen then.
    pub fn add(&mut self, at: f64, item: T) {
        self.queue.push(Reverse((Stamp::from_wire(at).micros(), self.items.len())));
        self.items.push(Some(item));
    }

    /// What happens next, which is the time from now on; `None` if that is after the end.
    pub fn next(&mut self, end: f64) -> Option<T> {
        loop {
            let Reverse((micros, number)) = self.queue.pop()?;
            self.now = Stamp::from_micros(micros).to_wire();
            if self.now > end {
                return None;
            }
            if let Some(item) = self.items[number].take() {
                return Some(item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_comes_in_order_and_the_time_with_it() {
        let mut agenda = Agenda::default();
        for (at, item) in [(30.0, 'c'), (10.0, 'a'), (30.0, 'd'), (20.0, 'b'), (99.0, 'e')] {
            agenda.add(at, item);
        }
        let came = std::iter::from_fn(|| agenda.next(50.0).map(|item| (agenda.now(), item)));
        assert_eq!(came.collect::<Vec<_>>(), [(10.0, 'a'), (20.0, 'b'), (30.0, 'c'), (30.0, 'd')]);
    }
}
