//! The note of a table, and lists of tables by their notes.

use crate::Key;

/// The most entries that one page of a list holds.
pub const PAGE_MOST: usize = 1_000;

/// What is kept of a table beside its lines. An append replaces it in the same transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Whatever the caller wants to show in a list; opaque here.
    pub text: Box<str>,
    /// Whether the table is shown in the public list.
    pub listed: bool,
    /// Whether the table has come to its end.
    pub ended: bool,
}

/// Which tables to list. Empty fields let everything through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only tables that are shown in the public list, or only those that are not.
    pub listed: Option<bool>,
    /// Only tables that have ended, or only those that have not.
    pub ended: Option<bool>,
}

impl Filter {
    /// Whether a note passes.
    pub fn permits(&self, note: &Note) -> bool {
        self.listed.is_none_or(|listed| listed == note.listed)
            && self.ended.is_none_or(|ended| ended == note.ended)
    }
}

/// Which part of a list to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Only entries with a smaller turn: the last turn of the page before.
    pub before: Option<u64>,
    /// The most entries to return, limited to [`PAGE_MOST`].
    pub most: usize,
}

impl Page {
    /// The newest entries.
    pub const fn first(most: usize) -> Self {
        Self { before: None, most }
    }

    /// The entries after this one.
    pub const fn after(entry: &Entry, most: usize) -> Self {
        Self { before: Some(entry.turn), most }
    }
}

/// A table in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Counts the notes written so far, over all tables: a later note has a greater turn.
    pub turn: u64,
    /// The table.
    pub key: Key,
    /// Its note.
    pub note: Note,
}
