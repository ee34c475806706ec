//! How the journal is run.

use std::time::Duration;

/// How many requests can wait for the writer, and as many for the readers.
pub const QUEUE_MOST: usize = 16_384;

/// How many requests share one commit at most.
pub const BATCH_MOST: usize = 1_024;

/// The longest line, and the longest text of a note.
pub const LINE_BYTES_MOST: usize = 1 << 20;

/// What can be set when a journal is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The least time from the start of one commit to the start of the next, so that requests
    /// gather. A request that comes later than that after the last commit does not wait at all.
    pub pace: Duration,
    /// How long to wait for another program's lock: at most a minute.
    pub busy: Duration,
    /// How many threads read: 1 to 64.
    pub readers: usize,
    /// How often what was committed is carried from the write-ahead log into the database:
    /// at most once a millisecond.
    pub checkpoint_every: Duration,
    /// From this size the write-ahead log is started over even under load, which holds up one
    /// commit for a moment. When idle it is cut back from a sixteenth of this.
    pub wal_bytes_most: u64,
    /// The file takes no more than so many pages of 4 KiB; `None` for as much as the disk has.
    pub pages_most: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            pace: Duration::from_millis(1),
            busy: Duration::from_millis(250),
            readers: 2,
            checkpoint_every: Duration::from_secs(1),
            wal_bytes_most: 64 << 20,
            pages_most: None,
        }
    }
}
