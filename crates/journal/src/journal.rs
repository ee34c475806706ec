//! What a journal is, whatever engine keeps it.

use std::pin::Pin;

use crate::{AppendError, Entry, Fault, Filter, Key, Note, Page};

/// An answer to come. It borrows nothing, so it can be kept, joined or moved to another task.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The hash of a person's secret. The secret itself never comes here.
pub type Hash = [u8; 32];

/// Append-only logs of lines, one for each table.
pub trait Journal: Send + Sync + 'static {
    /// Appends lines to a table that has `after` lines so far: all of them or none, and with them
    /// the note, if there is one.
    ///
    /// The request is queued by the call, not by the first poll, and answered when it is durable.
    /// Dropping the answer does not take the request back.
    ///
    /// After a [`Fault`] nothing was acknowledged. What was written just then may still turn up
    /// after a crash; the next append then meets a [`AppendError::Conflict`], and reading tells.
    fn append(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>>;

    /// The lines after the first `after` ones, in order. A table that nobody wrote to has none.
    fn read(&self, key: &Key, after: u64) -> BoxFuture<Result<Vec<Box<str>>, Fault>>;

    /// The table's note, if it ever got one.
    fn note(&self, key: &Key) -> BoxFuture<Result<Option<Note>, Fault>>;

    /// Tables that have a note, those with the newest note first. Reads no lines.
    fn list(&self, filter: Filter, page: Page) -> BoxFuture<Result<Vec<Entry>, Fault>>;
}

/// One line for each person, as durable as the tables' lines.
pub trait People: Send + Sync + 'static {
    /// Keeps a line, in place of the one before.
    fn put(&self, hash: Hash, line: Box<str>) -> BoxFuture<Result<(), Fault>>;

    /// The line kept for this hash.
    fn get(&self, hash: Hash) -> BoxFuture<Result<Option<Box<str>>, Fault>>;

    /// Forgets the person for good: their line, their shelf in the catalogue and their name on all
    /// cards. They need not be known.
    fn forget(&self, hash: Hash) -> BoxFuture<Result<(), Fault>>;

    /// Which of these were forgotten.
    fn forgotten(&self, of: Vec<Hash>) -> BoxFuture<Result<Vec<Hash>, Fault>>;

    /// Whether the store writes: it is asked to, and nothing changes.
    fn answers(&self) -> BoxFuture<Result<(), Fault>>;
}
