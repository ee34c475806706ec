//! The people with whom a person has played, and invitations between them.

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::game::Setup;
use crate::mark::Mark;
use crate::name::Name;

/// A person with whom the reader has played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Companion {
    /// By what the reader names them: it tells other people nothing.
    pub id: String,
    /// What they were called in the last game together.
    pub name: Name,
    /// The mark they are known by.
    pub mark: Mark,
    /// How many of the latest games were with them.
    pub games: u32,
    /// What was played in the last game together.
    pub setup: Setup,
    /// The table to which the reader has invited them, while the invitation waits.
    pub invited: Option<Code>,
}

/// An invitation that waits for the reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Invitation {
    /// By what the reader names the person who sent it, as in [`Companion`].
    pub id: String,
    /// Who sent it.
    pub from: Name,
    /// What is to be played.
    pub setup: Setup,
    /// At which table.
    pub table: Code,
    /// When it was sent, in seconds since 1970.
    pub at_s: u64,
}
