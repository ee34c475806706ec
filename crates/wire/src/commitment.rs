//! Commitments: what players are shown of a deal before its first card.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::hex::{NotHex, hex, unhex};

/// The SHA-256 hash of the seed that decides all deals of a game, as 64 hexadecimal digits. It is
/// shown when the game begins and says nothing about the cards. Once the seed is revealed, the
/// hash shows that the deals were decided before the game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct Commitment([u8; 32]);

impl Commitment {
    /// The commitment with this hash.
    pub const fn from_hash(hash: [u8; 32]) -> Self {
        Self(hash)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Commitment {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        unhex(text).map(Self)
    }
}

crate::text_in_json!(Commitment);
