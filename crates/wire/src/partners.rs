//! The search for partners.

use serde::{Deserialize, Serialize};

use crate::code::Code;

/// The languages of the interface, by which partners are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// English.
    En,
    /// French.
    Fr,
    /// German.
    De,
    /// Spanish.
    Es,
    /// Italian.
    It,
}

/// How far a person's search for partners is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PartnerSearch {
    /// The person searches for no partners.
    Idle,
    /// People are waited for.
    Waiting {
        /// How many people wait for the same, the person included.
        people: u8,
        /// How many players the game is for.
        players: u8,
        /// After how many seconds bots take the seats that are free.
        bots_in_s: u32,
    },
    /// A table was found, with a seat for the person.
    Found {
        /// Which table.
        table: Code,
    },
    /// A game is on in which a bot has a seat that the person may take between two levels.
    Joining {
        /// Which table.
        table: Code,
    },
}
