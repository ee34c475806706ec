//! Cards as their people are told of them.

use journal::{Fault, Filed, Hash};
use wire::{Companion, Name, Played};

use super::card::{Entry, Sat};
use table::PersonId;

/// A card that was read.
pub(super) struct Told {
    pub(super) entry: Entry,
    filed: Filed,
}

impl Told {
    pub(super) fn read(filed: Filed) -> Result<Self, Fault> {
        let entry = serde_json::from_str(&filed.text);
        let entry = entry.map_err(|e| Fault::Damaged(format!("card {}: {e}", filed.turn)))?;
        Ok(Self { entry, filed })
    }

    /// What stands before it in the order of cards has a smaller turn.
    pub(super) fn turn(&self) -> u64 {
        self.filed.turn
    }

    /// The game's table, and which of its games it was.
    pub(super) fn key(&self) -> &str {
        self.filed.key.as_str()
    }

    pub(super) fn number(&self) -> u32 {
        self.filed.number
    }

    /// The game as this person is told of it; `None` if its table has no code.
    pub(super) fn played(&self, to: PersonId, same_deal: u32) -> Option<Played> {
        let Entry { setup, chairs, team, outcome, reached, sync, .. } = &self.entry;
        Some(Played {
            table: self.key().parse().ok()?,
            number: self.number(),
            setup: *setup,
            chairs: chairs.iter().map(|sat| self.companion(*sat, to)).collect(),
            team: team.to_string(),
            outcome: *outcome,
            result: self.entry.result(to),
            reached: reached.clone(),
            sync: *sync,
            same_deal,
        })
    }

    /// The people on the card, whoever asks first.
    pub(super) fn people(&self, to: PersonId) -> Vec<Companion> {
        let people = self.entry.chairs.iter().filter(|sat| matches!(sat, Sat::Person(_)));
        let mut people = people.map(|sat| self.companion(*sat, to)).collect::<Vec<_>>();
        people.sort_by_key(|companion| *companion != Companion::You);
        people
    }

    fn companion(&self, sat: Sat, to: PersonId) -> Companion {
        match sat {
            Sat::Person(person) if person == to => Companion::You,
            Sat::Person(person) => self.name(person.hash()),
            Sat::Bot(kind) => Companion::Bot(kind),
            Sat::Ghost => Companion::Ghost,
            Sat::Nobody => Companion::Nobody,
        }
    }

    fn name(&self, person: Hash) -> Companion {
        let called = self.filed.names.iter().find(|(hash, _)| *hash == person);
        let name = called.and_then(|(_, name)| name.parse::<Name>().ok());
        name.map_or(Companion::Someone, Companion::Named)
    }
}
