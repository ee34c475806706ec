//! Bounds how many tables are read at once.

use std::sync::Arc;

use table::Refused;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wire::Refusal;

use crate::limits::Counts;

/// How many tables are read and replays made for requests at the same time.
const READS_AT_ONCE: usize = 2;
/// How many requests may wait for their turn.
const READS_WAITING_MOST: usize = 64;
/// How many tables are woken at the same time.
const WAKES_AT_ONCE: usize = 4;

/// Keeps readers of whole tables from taking all of the memory and the machine. A task that holds a
/// turn must not ask for another one.
#[derive(Clone)]
pub(crate) struct Gate {
    turns: Arc<Semaphore>,
    waiting: Arc<Counts<()>>,
}

/// The turn to read a table and make something of it. While it is held, one turn fewer is left.
pub(crate) struct Turn {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Gate {
    /// For requests.
    pub(crate) fn for_reads() -> Self {
        Self::new(READS_AT_ONCE, READS_WAITING_MOST)
    }

    /// For tables that people join. They have a gate of their own, so that no game waits for
    /// replays; after a restart all of them are woken, so every connection may wait.
    pub(crate) fn for_wakes(connections_most: usize) -> Self {
        Self::new(WAKES_AT_ONCE, connections_most)
    }

    fn new(at_once: usize, waiting_most: usize) -> Self {
        let turns = Arc::new(Semaphore::new(at_once));
        Self { turns, waiting: Arc::new(Counts::new(waiting_most)) }
    }

    /// Waits until there is room for one more. Fails if too many wait already.
    pub(crate) async fn turn(&self) -> Result<Turn, Refused> {
        let busy = || Refused::new(Refusal::Busy, "many tables are being read, try again");
        let _waits = self.waiting.take(()).ok_or_else(busy)?;
        Ok(self.next_turn().await)
    }

    /// The same for a request that has had a turn before and goes on: it always waits.
    pub(crate) async fn next_turn(&self) -> Turn {
        // An error would mean that the gate is closed, which it never is.
        Turn { _permit: self.turns.clone().acquire_owned().await.ok() }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_request_too_many_is_refused_and_the_others_have_their_turn() {
        let gate = Gate::new(1, 1);
        let first = gate.turn().await.unwrap();
        let mut second = Box::pin(gate.turn());
        assert!((&mut second).now_or_never().is_none());
        let third = gate.turn().now_or_never().map(|turn| turn.err().map(|refused| refused.why));
        assert_eq!(third, Some(Some(Refusal::Busy)));
        let mut next = Box::pin(gate.next_turn());
        assert!((&mut next).now_or_never().is_none());
        drop(first);
        drop(second.await.unwrap());
        assert!(next.now_or_never().is_some());
    }
}
