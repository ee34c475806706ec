//! How far a copy is, and what it has.

use serde::Serialize;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Tables and side logs are copied.
    Tables,
    /// People are copied.
    People,
    /// The tables of the copy are read back.
    CheckingTables,
    /// The people of the copy are read back.
    CheckingPeople,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub step: Step,
    /// To how many it is done.
    pub done: u64,
    /// How many there are.
    pub all: u64,
}

/// What a copy has of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableCount {
    /// Tables, and the logs beside them.
    pub tables: u64,
    /// Their lines.
    pub lines: u64,
    /// Tables with a note, which lists show.
    pub notes: u64,
    /// How many of the lines were copied just now; the others were there already.
    pub copied_now: u64,
}

/// What a copy has of people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PeopleCount {
    /// People who are there.
    pub people: u64,
    /// People who were deleted.
    pub deleted: u64,
    /// Devices that are signed in.
    pub devices: u64,
    /// Recovery phrases.
    pub phrases: u64,
    /// Invitations that wait.
    pub invitations: u64,
}

/// What a copy has for operators and hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AdministrationCount {
    /// Blocks.
    pub blocks: u64,
    /// Addresses that tables refuse for a time.
    pub bars: u64,
    /// Lines of the audit log.
    pub audit: u64,
}

/// What a copy has, after all of it was read back and compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Copied {
    /// Tables.
    #[serde(flatten)]
    pub tables: TableCount,
    /// People.
    #[serde(flatten)]
    pub people: PeopleCount,
    /// What is stored for operators and hosts.
    #[serde(flatten)]
    pub administration: AdministrationCount,
    /// SHA-256 over the hashes of all tables and people, as digits: equal for copies of the same.
    pub digest: String,
}
