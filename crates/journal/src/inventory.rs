//! The trait for copies: everything that an engine stores, item by item.

use crate::{AppendError, AuditLine, Bar, Block, BoxFuture, Fault, Hash, Invitation, Key, Note};

/// A table or side log that is to be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTable {
    /// The table.
    pub key: Key,
    /// When it last changed, in seconds since 1970; `None` if that was not stored.
    pub changed_s: Option<u64>,
}

/// A table's lines, and its note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeTable {
    /// All lines, in order.
    pub lines: Vec<Box<str>>,
    /// Its note, if it ever got one.
    pub note: Option<Note>,
}

/// Everything that is stored of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WholePerson {
    /// They were deleted: the hash stays, so that their name is left out of old games.
    Deleted,
    /// They are there.
    Present(PresentPerson),
}

/// What is stored of a person who is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresentPerson {
    /// Their line.
    pub line: Box<str>,
    /// When they were last seen, in seconds since 1970.
    pub seen_s: Option<u64>,
    /// Their devices: when each was signed in, and its hash, in that order.
    pub devices: Vec<(u64, Hash)>,
    /// The hash of their recovery phrase.
    pub phrase: Option<Hash>,
    /// The invitations that wait for them, in the order of their senders.
    pub received: Vec<Invitation>,
    /// The people whom they have invited and since when, in the order of their hashes.
    pub invited: Vec<(Hash, u64)>,
}

/// What is stored for operators and hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Administration {
    /// All blocks, in the order of their texts.
    pub blocks: Vec<Block>,
    /// What tables refuse for a time, in the order of the tables and texts.
    pub bars: Vec<(Key, Bar)>,
    /// The audit log, the oldest line first.
    pub audit: Vec<AuditLine>,
}

/// Everything that an engine stores, so that it can be copied to another engine and compared there.
/// What can be made again from it, as the catalogue, is not in it.
///
/// Nothing else may change an engine that is copied into.
pub trait Inventory: Send + Sync + 'static {
    /// All tables and side logs, those that changed last at the end.
    fn tables(&self) -> BoxFuture<Result<Vec<ListedTable>, Fault>>;

    /// The lines and the note of a table; none for a table that is not there.
    fn table(&self, key: &Key) -> BoxFuture<Result<WholeTable, Fault>>;

    /// Appends lines to a table that has `after` lines so far, and replaces its note if there is
    /// one. Many lines may need several appends, of which only the last one brings the note.
    fn extend(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>>;

    /// Sets when a table last changed, where that is stored.
    fn set_changed(&self, key: &Key, at_s: u64) -> BoxFuture<Result<(), Fault>>;

    /// The hashes of all people, deleted people included, in order.
    fn persons(&self) -> BoxFuture<Result<Vec<Hash>, Fault>>;

    /// Everything that is stored of a person; `None` for a hash that is not known.
    fn person(&self, hash: Hash) -> BoxFuture<Result<Option<WholePerson>, Fault>>;

    /// Stores a person in place of what was stored of them.
    fn set_person(&self, hash: Hash, person: WholePerson) -> BoxFuture<Result<(), Fault>>;

    /// What is stored for operators, with the bars that have not ended by `now_s`.
    fn administration(&self, now_s: u64) -> BoxFuture<Result<Administration, Fault>>;

    /// Stores that in place of what was stored. `now_s` is the time of day.
    fn set_administration(
        &self,
        administration: Administration,
        now_s: u64,
    ) -> BoxFuture<Result<(), Fault>>;

    /// The 32 random bytes that deals which are the same for all tables are drawn from.
    fn secret(&self) -> BoxFuture<Result<[u8; 32], Fault>>;

    /// Stores them in place of others.
    fn set_secret(&self, secret: [u8; 32]) -> BoxFuture<Result<(), Fault>>;
}
