//! How much of the disk one person and one address may fill.
//!
//! What is written is charged when it is written, at its exact size, so a budget may be overdrawn
//! once. A person or an address that owes something changes nothing until it has come back.

use table::{Append, PersonId, Refused};
use wire::Refusal;

use crate::address::Subnet;
use crate::limits::{Buckets, Limits};

/// The budgets of all people and addresses.
pub(crate) struct Writes {
    people: Buckets<PersonId>,
    addresses: Buckets<Subnet>,
}

impl Writes {
    pub(crate) fn new(limits: &Limits) -> Self {
        let people = Buckets::new(limits.people.bytes);
        Self { people, addresses: Buckets::new(limits.addresses.bytes) }
    }

    /// The budgets of all people.
    pub(crate) fn people(&self) -> &Buckets<PersonId> {
        &self.people
    }

    /// The budgets of all addresses.
    pub(crate) fn addresses(&self) -> &Buckets<Subnet> {
        &self.addresses
    }

    /// Whether a person at an address may have something written.
    pub(crate) fn permit(&self, person: PersonId, from: Subnet) -> Result<(), Refused> {
        if self.people.left(person) > 0.0 && self.addresses.left(from) > 0.0 {
            return Ok(());
        }
        let text = "much was written for you or your address lately, wait a moment";
        Err(Refused::new(Refusal::ChangeRate, text))
    }

    /// Charges what is written to a person, and to an address if it is known.
    pub(crate) fn charge(&self, append: &Append, from: Option<Subnet>) {
        let note = append.note.as_ref().map_or(0, |note| note.text.len());
        let bytes = note + append.lines.iter().map(|line| line.len()).sum::<usize>();
        let bytes = bytes as f64;
        if let Some(person) = append.by {
            self.people.charge(person, bytes);
        }
        if let Some(from) = from {
            self.addresses.charge(from, bytes);
        }
    }
}
