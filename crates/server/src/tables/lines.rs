//! The lines of one table on their way into the journal.

use std::sync::Arc;
use std::time::Instant;

use journal::{AppendError, BoxFuture, Fault, Key, Note};
use table::{Append, AppendFailure, Input};
use tracing::{debug, warn};

use super::Shared;
use crate::calendar::now_s;

/// While lines are written, the time of the last change is stored again after this time.
const TOUCH_EVERY_S: u64 = 3_600;

/// A table's place in the journal, and what is being appended there.
pub(super) struct Lines {
    key: Key,
    shared: Arc<Shared>,
    append: Option<(Instant, BoxFuture<Result<(), AppendError>>)>,
    /// Whether the last append changed who has a seat, or whether a game is on.
    has_noted: bool,
    /// When the last line was written since the table woke, in seconds since 1970.
    changed_s: Option<u64>,
    /// The time that was stored last.
    touched_s: u64,
}

impl Lines {
    pub(super) fn new(key: Key, shared: Arc<Shared>) -> Self {
        Self { key, shared, append: None, has_noted: false, changed_s: None, touched_s: 0 }
    }

    /// The table's name in the journal.
    pub(super) fn key(&self) -> &Key {
        &self.key
    }

    /// Whether the last append changed who has a seat, or whether a game is on.
    pub(super) fn has_noted(&self) -> bool {
        self.has_noted
    }

    /// When the last line was written since the table woke, in seconds since 1970.
    pub(super) fn changed_s(&self) -> Option<u64> {
        self.changed_s
    }

    /// Begins to append; [`written`](Self::written) says when it is done. The core has one append
    /// on its way at most.
    pub(super) fn append(&mut self, append: Append) {
        let Append { expected, lines, note, by: _ } = append;
        self.has_noted = note.is_some();
        let now_s = now_s();
        self.changed_s = Some(now_s);
        if note.is_some() || now_s >= self.touched_s.saturating_add(TOUCH_EVERY_S) {
            // Queued by the call; no player waits for it.
            let _queued = self.touch(now_s);
        }
        let note =
            note.map(|note| Note { text: note.text, listed: note.listed, ended: note.ended });
        let appended = self.shared.journal.append(&self.key, expected, lines, note);
        self.append = Some((Instant::now(), appended));
    }

    /// Waits until what is being appended is durable or refused; for ever if there is nothing.
    pub(super) async fn written(&mut self) -> Input {
        let Some((started, appended)) = &mut self.append else {
            return std::future::pending().await;
        };
        let (done, took) = (appended.await, started.elapsed());
        self.append = None;
        self.shared.metrics.append_seconds.observe(took.as_secs_f64());
        match done {
            Ok(()) => Input::Appended,
            Err(error) => {
                warn!(table = %self.key, %error, "lines could not be appended");
                Input::AppendFailed(match error {
                    AppendError::Conflict { .. } => AppendFailure::Conflict,
                    AppendError::Fault(fault) => AppendFailure::Fault(fault.to_string()),
                })
            }
        }
    }

    /// Stores when the table last changed, before it goes to sleep.
    pub(super) async fn close(&mut self) {
        if let Some(changed_s) = self.changed_s
            && let Err(fault) = self.touch(changed_s).await
        {
            debug!(table = %self.key, %fault, "the time of the last change could not be stored");
        }
    }

    /// Stores when the table last changed. The request is queued by the call.
    fn touch(&mut self, changed_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.touched_s = changed_s;
        self.shared.operations.touch(&self.key, changed_s)
    }
}
