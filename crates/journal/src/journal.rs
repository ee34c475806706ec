//! The traits of a journal, independent of the engine that stores it.

use std::pin::Pin;

use crate::{AppendError, Entry, Fault, Filter, Key, Note, Page};

/// A future answer. It borrows nothing, so it can be stored, joined or moved to another task.
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
    /// After a [`Fault`] nothing was acknowledged. The lines may still be in the file after a
    /// crash; the next append then fails with [`AppendError::Conflict`], and reading the table
    /// shows them.
    fn append(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>>;

    /// The lines after the first `after` ones, in order. A table without lines gives an empty list.
    fn read(&self, key: &Key, after: u64) -> BoxFuture<Result<Vec<Box<str>>, Fault>>;

    /// Whether a line of the table contains this text. Keeps no line in memory.
    fn mentions(&self, key: &Key, text: Box<str>) -> BoxFuture<Result<bool, Fault>>;

    /// The table's note, if it ever got one.
    fn note(&self, key: &Key) -> BoxFuture<Result<Option<Note>, Fault>>;

    /// Tables that have a note, newest note first. Reads no lines.
    fn list(&self, filter: Filter, page: Page) -> BoxFuture<Result<Vec<Entry>, Fault>>;
}

/// One line for each person, as durable as the tables' lines.
pub trait People: Send + Sync + 'static {
    /// Stores the person's line and replaces the previous one.
    fn put(&self, hash: Hash, line: Box<str>) -> BoxFuture<Result<(), Fault>>;

    /// The line stored for this hash.
    fn get(&self, hash: Hash) -> BoxFuture<Result<Option<Box<str>>, Fault>>;

    /// Deletes the person for good: their line, their collection in the catalogue and their name on
    /// all cards. Succeeds also for a hash without a line.
    fn forget(&self, hash: Hash) -> BoxFuture<Result<(), Fault>>;

    /// Those of these people who were deleted.
    fn forgotten(&self, of: Vec<Hash>) -> BoxFuture<Result<Vec<Hash>, Fault>>;

    /// Checks that the store accepts writes, by an empty request to the writer. Changes nothing.
    fn answers(&self) -> BoxFuture<Result<(), Fault>>;
}
