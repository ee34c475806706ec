//! What the operator has blocked: addresses and people.

use std::collections::HashSet;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Mutex;

use journal::Block;
use table::{PersonId, Refused};
use tracing::warn;
use wire::{Refusal, hex, unhex};

use crate::address::{Subnet, subnet_of};
use crate::limits::lock;

/// An address or a person that can be blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Address(Subnet),
    Person(PersonId),
}

/// As it is stored: `address 192.0.2.1` or `person 4a…`.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Address(subnet) => write!(f, "address {subnet}"),
            Self::Person(person) => write!(f, "person {}", hex(&person.hash())),
        }
    }
}

impl FromStr for Subject {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("{text:?} is neither an address nor a person");
        let (kind, subject) = text.split_once(' ').ok_or_else(unknown)?;
        match kind {
            "address" => {
                let address = subject.parse::<IpAddr>().map_err(|_| unknown())?;
                Ok(Self::Address(subnet_of(address)))
            }
            "person" => {
                Ok(Self::Person(PersonId::from_hash(unhex(subject).map_err(|_| unknown())?)))
            }
            _ => Err(unknown()),
        }
    }
}

/// Everything that is blocked, in memory.
pub(crate) struct Blocks(Mutex<HashSet<Subject>>);

impl Blocks {
    /// What the file had when it was opened.
    pub(crate) fn new(stored: &[Block]) -> Self {
        let mut blocked = HashSet::new();
        for block in stored {
            match block.subject.parse() {
                Ok(subject) => {
                    blocked.insert(subject);
                }
                Err(error) => warn!(%error, "a block cannot be read and does not count"),
            }
        }
        Self(Mutex::new(blocked))
    }

    pub(crate) fn add(&self, subject: Subject) {
        lock(&self.0).insert(subject);
    }

    pub(crate) fn remove(&self, subject: Subject) {
        lock(&self.0).remove(&subject);
    }

    pub(crate) fn has_address(&self, address: Subnet) -> bool {
        lock(&self.0).contains(&Subject::Address(address))
    }

    pub(crate) fn has_person(&self, person: PersonId) -> bool {
        lock(&self.0).contains(&Subject::Person(person))
    }

    /// Whether a person may come in from an address.
    pub(crate) fn permit(&self, person: PersonId, from: Subnet) -> Result<(), Refused> {
        if self.has_person(person) || self.has_address(from) { Err(blocked()) } else { Ok(()) }
    }
}

/// The refusal of a person who is blocked, or whose address is.
pub(crate) fn blocked() -> Refused {
    Refused::new(Refusal::Blocked, "the operator of this server has blocked you: ask them why")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_reads_back_as_it_was_written() {
        let person = format!("person {}", "4a".repeat(32));
        for (text, written) in [
            ("address 192.0.2.1", "address 192.0.2.1"),
            ("address ::ffff:192.0.2.1", "address 192.0.2.1"),
            ("address 2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2::"),
            (&person, &person),
        ] {
            let subject = text.parse::<Subject>().unwrap();
            assert_eq!(subject.to_string(), written);
            assert_eq!(written.parse(), Ok(subject));
        }
        for wrong in ["", "address", "address x", "person 4a", "team x"] {
            assert!(wrong.parse::<Subject>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_block_counts_until_it_is_removed() {
        let blocks = Blocks::new(&[]);
        let person = PersonId::from_hash([1; 32]);
        let (here, there) = (subnet_of([192, 0, 2, 1].into()), subnet_of([192, 0, 2, 2].into()));
        blocks.add(Subject::Address(here));
        let why = blocks.permit(person, here).map_err(|refused| refused.why);
        assert_eq!(why, Err(Refusal::Blocked));
        assert!(blocks.permit(person, there).is_ok());
        blocks.add(Subject::Person(person));
        blocks.remove(Subject::Address(here));
        assert!(blocks.permit(person, there).is_err());
        blocks.remove(Subject::Person(person));
        assert!(blocks.permit(person, here).is_ok());
    }
}
