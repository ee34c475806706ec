//! Requests in the order in which they came, one at a time for each table.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use journal::{Fault, Key};

/// Requests that wait, by table. A table that has a lane is being worked for.
pub(crate) struct Lanes<T> {
    state: Mutex<State<T>>,
    most: usize,
}

struct State<T> {
    lanes: HashMap<Key, VecDeque<T>>,
    /// How many requests wait or are being worked for.
    count: usize,
    is_closed: bool,
}

/// What the caller has to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pushed {
    /// Begin to work for the table, until there is no [next](Lanes::next) request.
    First,
    /// Nothing: its work goes on.
    Behind,
}

impl<T> Lanes<T> {
    /// Room for this number of requests.
    pub(crate) fn new(most: usize) -> Self {
        let state = State { lanes: HashMap::new(), count: 0, is_closed: false };
        Self { state: Mutex::new(state), most }
    }

    /// Queues a request.
    pub(crate) fn push(&self, table: &Key, request: T) -> Result<Pushed, Fault> {
        let mut state = self.state();
        if state.is_closed {
            return Err(Fault::Closed);
        }
        if state.count >= self.most {
            return Err(Fault::Busy);
        }
        state.count += 1;
        if let Some(lane) = state.lanes.get_mut(table) {
            lane.push_back(request);
            return Ok(Pushed::Behind);
        }
        state.lanes.insert(table.clone(), VecDeque::from([request]));
        Ok(Pushed::First)
    }

    /// The next request of a table that is being worked for. Without one the work ends.
    pub(crate) fn next(&self, table: &Key) -> Option<T> {
        let mut state = self.state();
        let request = state.lanes.get_mut(table).and_then(VecDeque::pop_front);
        if request.is_none() {
            state.lanes.remove(table);
        }
        request
    }

    /// A request has been answered.
    pub(crate) fn done(&self) {
        let mut state = self.state();
        state.count = state.count.saturating_sub(1);
    }

    /// Takes no more requests. Returns how many are not answered yet.
    pub(crate) fn close(&self) -> usize {
        let mut state = self.state();
        state.is_closed = true;
        state.count
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_worked_for_once_at_a_time_and_in_order() {
        let lanes = Lanes::new(9);
        let (a, b) = ("a".parse().unwrap(), "b".parse().unwrap());
        assert_eq!(lanes.push(&a, 1), Ok(Pushed::First));
        assert_eq!(lanes.push(&a, 2), Ok(Pushed::Behind));
        assert_eq!(lanes.push(&b, 3), Ok(Pushed::First));
        assert_eq!(lanes.next(&a), Some(1));
        assert_eq!(lanes.push(&a, 4), Ok(Pushed::Behind));
        assert_eq!([lanes.next(&a), lanes.next(&a), lanes.next(&a)], [Some(2), Some(4), None]);
        assert_eq!(lanes.push(&a, 5), Ok(Pushed::First));
    }

    #[test]
    fn a_full_or_closed_queue_takes_nothing() {
        let lanes = Lanes::new(2);
        let table = "a".parse().unwrap();
        assert!(lanes.push(&table, 1).is_ok() && lanes.push(&table, 2).is_ok());
        assert_eq!(lanes.next(&table), Some(1));
        // It is still being worked for.
        assert_eq!(lanes.push(&table, 3), Err(Fault::Busy));
        lanes.done();
        assert_eq!(lanes.push(&table, 3), Ok(Pushed::Behind));
        assert_eq!(lanes.close(), 2);
        assert_eq!(lanes.push(&table, 4), Err(Fault::Closed));
    }
}
