//! People, known by the hash of a secret that only their browser has.

use std::fmt;

use serde::{Deserialize, Serialize};
use wire::{Mark, Name, hex};

/// A person, by the hash of their secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PersonId([u8; 32]);

impl PersonId {
    /// The person with this hash.
    pub const fn from_hash(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// The hash itself, by which the store finds the person.
    pub const fn hash(&self) -> [u8; 32] {
        self.0
    }

    /// The mark that this person is known by, of what they have chosen.
    pub fn mark(&self, chosen: Option<Mark>) -> Mark {
        chosen.unwrap_or_else(|| Mark::of(self.0))
    }
}

/// Enough to tell people apart in a log.
impl fmt::Debug for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0[..4]))
    }
}

wire::hex_in_json!(PersonId);

/// A person and their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who it is.
    pub id: PersonId,
    /// What they are called.
    pub name: Name,
    /// The mark they have chosen; `None` for the one that follows from who they are.
    pub mark: Option<Mark>,
    /// Whether others may play with a bot that keeps their recorded tempo.
    pub lends_tempo: bool,
}

impl Person {
    /// The mark they are known by.
    pub fn mark(&self) -> Mark {
        self.id.mark(self.mark)
    }
}

#[cfg(test)]
mod tests {
    use wire::NotHex;

    use super::*;

    #[test]
    fn an_id_reads_back_as_it_was_written() {
        let id = PersonId::from_hash(std::array::from_fn(|place| place as u8 * 7));
        assert_eq!(PersonId::try_from(String::from(id)), Ok(id));
        for wrong in ["", "xx", &"0".repeat(63), &"G".repeat(64), &"é".repeat(32)] {
            assert_eq!(PersonId::try_from((*wrong).to_owned()), Err(NotHex), "{wrong:?}");
        }
    }
}
