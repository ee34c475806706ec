//! What the operator's tools ask of the store: calendar times, lists of tables and people, blocks,
//! the audit log, and rewriting and removing what is stored.

use std::sync::Arc;

use crate::{BoxFuture, Fault, Hash, Key, Note};

/// Part of a list, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// How many rows come before it.
    pub skip: u64,
    /// The most rows to return, limited to [`PAGE_MOST`](crate::PAGE_MOST).
    pub most: usize,
}

/// A table in the operator's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTable {
    /// The table.
    pub key: Key,
    /// Its note.
    pub note: Note,
    /// When it last changed, in seconds since 1970; `None` if that was not stored.
    pub changed_s: Option<u64>,
    /// How many cards it has in the catalogue.
    pub cards: u64,
}

/// A person in the operator's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPerson {
    /// The hash of their secret.
    pub hash: Hash,
    /// Their line.
    pub line: Box<str>,
    /// When they were last seen, in seconds since 1970; `None` if that was not stored.
    pub seen_s: Option<u64>,
    /// How many cards their collection has.
    pub cards: u64,
}

/// Something that may not connect, and since when. What the text means is up to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What is blocked.
    pub subject: Box<str>,
    /// Since when, in seconds since 1970.
    pub at_s: u64,
}

/// Something that a table refuses for a time. What the text means is up to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// What is refused.
    pub subject: Box<str>,
    /// Until when, in seconds since 1970.
    pub until_s: u64,
}

/// A line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    /// When it was written, in seconds since 1970.
    pub at_s: u64,
    /// What it says; opaque here.
    pub line: Box<str>,
}

/// Gives the text that replaces a line, or `None` for a line that stays as it is. After an error
/// nothing is replaced.
pub type Replacement = Arc<dyn Fn(&str) -> Result<Option<Box<str>>, Fault> + Send + Sync>;

/// What the operator's tools need. All times are handed in: the journal reads no calendar.
pub trait Operations: Send + Sync + 'static {
    /// Sets when a table last changed. Does nothing for a table without lines.
    fn touch(&self, key: &Key, at_s: u64) -> BoxFuture<Result<(), Fault>>;

    /// Tables that have a note, the newest note first, and how many there are in all.
    fn tables(&self, span: Span) -> BoxFuture<Result<(Vec<StoredTable>, u64), Fault>>;

    /// Sets when a person was last seen. A time less than ten minutes after the stored one changes
    /// nothing.
    fn seen(&self, hash: Hash, at_s: u64) -> BoxFuture<Result<(), Fault>>;

    /// All people, those seen last first, and how many there are in all.
    fn people(&self, span: Span) -> BoxFuture<Result<(Vec<StoredPerson>, u64), Fault>>;

    /// Everyone who was deleted.
    fn deleted(&self) -> BoxFuture<Result<Vec<Hash>, Fault>>;

    /// Replaces lines for good and returns how many. The names of deleted people leave all cards.
    /// Afterwards the file is written anew and the write-ahead log is emptied: what was replaced or
    /// deleted before is in no page, free page or log. Appends wait meanwhile, for as long as
    /// reading and writing the whole file takes, and the disk needs room for it twice.
    fn rewrite(&self, replacement: Replacement) -> BoxFuture<Result<u64, Fault>>;

    /// Removes tables for good, with their notes, cards and times. Returns how many there were.
    fn remove(&self, keys: Vec<Key>) -> BoxFuture<Result<u64, Fault>>;

    /// Blocks something; a block that exists stays as it is. Returns whether it is new.
    fn block(&self, subject: Box<str>, at_s: u64) -> BoxFuture<Result<bool, Fault>>;

    /// Ends a block; returns whether there was one.
    fn unblock(&self, subject: Box<str>) -> BoxFuture<Result<bool, Fault>>;

    /// All blocks, in the order of their texts.
    fn blocks(&self) -> BoxFuture<Result<Vec<Block>, Fault>>;

    /// Stores what a table refuses, in place of an older bar of the same subject, and deletes all
    /// bars that have ended by `now_s`. Does nothing for a table without lines.
    fn bar(&self, key: &Key, bar: Bar, now_s: u64) -> BoxFuture<Result<(), Fault>>;

    /// Ends all bars of a table.
    fn unbar(&self, key: &Key) -> BoxFuture<Result<(), Fault>>;

    /// The bars of a table, also those that have ended, in the order of their texts.
    fn bars(&self, key: &Key) -> BoxFuture<Result<Vec<Bar>, Fault>>;

    /// Deletes all bars that have ended by `now_s`.
    fn expire_bars(&self, now_s: u64) -> BoxFuture<Result<(), Fault>>;

    /// Adds a line to the audit log.
    fn audit(&self, line: AuditLine) -> BoxFuture<Result<(), Fault>>;

    /// The lines of the audit log, the newest first, and how many there are in all.
    fn audited(&self, span: Span) -> BoxFuture<Result<(Vec<AuditLine>, u64), Fault>>;
}
