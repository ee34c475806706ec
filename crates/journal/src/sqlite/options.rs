//! The options of a journal.

use std::time::Duration;

/// How many requests can wait for the writer, and as many for the readers.
pub const QUEUE_MOST: usize = 16_384;

/// How many requests share one commit at most.
pub const BATCH_MOST: usize = 1_024;

/// The longest time that requests gather for one commit.
pub(super) const PACE_MOST: Duration = Duration::from_secs(1);

/// The most lines that [`Options::recent_lines_most`] allows.
pub(super) const RECENT_LINES_MOST: usize = 1 << 20;

/// The longest line, and the longest text of a note.
pub const LINE_BYTES_MOST: usize = 1 << 20;

/// What a file is for. It is marked with that when it is made, and opened for nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Everything that a server on one machine stores.
    #[default]
    Tables,
    /// What a node of a cluster knows of the tables, without their lines. It can be made again.
    Index,
}

/// What can be set when a journal is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the file is for.
    pub content: Content,
    /// Under load, the least time from the start of one commit to the start of the next, so that
    /// requests gather: at most a second. While hardly any requests come during a commit, each is
    /// committed at once.
    pub pace: Duration,
    /// How many lines wait in `recent` until they are moved to where the lines of their table lie
    /// together: 1 to a million. The more, the fewer pages are written; all are kept in memory.
    pub recent_lines_most: usize,
    /// How long to wait for another program's lock: at most a minute.
    pub busy: Duration,
    /// How many threads read: 1 to 64.
    pub readers: usize,
    /// How often the write-ahead log is looked at, at most once a millisecond. Its pages are carried
    /// into the database if no commit came since the last look, at every tenth look, and when the
    /// log is long.
    pub checkpoint_every: Duration,
    /// From three quarters of this size on the write-ahead log is started over even under load,
    /// which holds up one commit for a moment. Its file stays as large as this at most until it is
    /// closed.
    pub wal_bytes_most: u64,
    /// The most pages of 4 KiB that the file may take; `None` for no limit but the disk.
    pub pages_most: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            content: Content::Tables,
            pace: Duration::from_millis(3),
            recent_lines_most: 10 << 10,
            busy: Duration::from_millis(250),
            readers: 2,
            checkpoint_every: Duration::from_secs(1),
            wal_bytes_most: 64 << 20,
            pages_most: None,
        }
    }
}
