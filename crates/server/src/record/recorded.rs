//! A finished game of the record, read from its card.

use std::collections::HashMap;

use journal::{Fault, Filed};
use wire::{GameId, GameSummary, Mark, Name, Participant};

use super::card::{CardSeat, GameCard};
use table::PersonId;

/// A card that was read.
pub(super) struct RecordedGame {
    pub(super) entry: GameCard,
    filed: Filed,
}

/// The marks of people as they are today. A person who is not among them is shown with the mark
/// of a person who chose none.
pub(super) type Marks = HashMap<PersonId, Mark>;

impl RecordedGame {
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

    /// Which game it is; `None` if its table has no code.
    pub(super) fn game(&self) -> Option<GameId> {
        Some(GameId { table: self.key().parse().ok()?, game: self.number() })
    }

    /// The people on the card who have a name, but for this one. Their marks are shown.
    pub(super) fn others(&self, to: PersonId) -> impl Iterator<Item = PersonId> {
        let names = self.filed.names.iter().map(|(hash, _)| PersonId::from_hash(*hash));
        names.filter(move |person| *person != to)
    }

    /// The game as this person is shown it; `None` if its table has no code.
    pub(super) fn summary(
        &self,
        to: PersonId,
        marks: &Marks,
        same_deal: u32,
    ) -> Option<GameSummary> {
        let GameCard { setup, chairs, team, outcome, reached, sync, .. } = &self.entry;
        Some(GameSummary {
            table: self.key().parse().ok()?,
            number: self.number(),
            setup: *setup,
            chairs: chairs.iter().map(|sat| self.companion(*sat, to, marks)).collect(),
            team: team.to_string(),
            outcome: *outcome,
            result: self.entry.result(to),
            reached: reached.clone(),
            sync: *sync,
            same_deal,
        })
    }

    /// The people on the card, the asking person first.
    pub(super) fn people(&self, to: PersonId, marks: &Marks) -> Vec<Participant> {
        let people = self.entry.chairs.iter().filter(|sat| matches!(sat, CardSeat::Person(_)));
        let mut people = people.map(|sat| self.companion(*sat, to, marks)).collect::<Vec<_>>();
        people.sort_by_key(|companion| *companion != Participant::You);
        people
    }

    fn companion(&self, sat: CardSeat, to: PersonId, marks: &Marks) -> Participant {
        match sat {
            CardSeat::Person(person) if person == to => Participant::You,
            CardSeat::Person(person) => self.named(person, marks),
            CardSeat::Bot(kind) => Participant::Bot(kind),
            CardSeat::Ghost => Participant::Ghost,
            CardSeat::Empty => Participant::Empty,
        }
    }

    fn named(&self, person: PersonId, marks: &Marks) -> Participant {
        let mark = person.mark(marks.get(&person).copied());
        self.name(person).map_or(Participant::Someone, |name| Participant::Named { name, mark })
    }

    /// What a person was called in the game; `None` if they were not in it or were deleted.
    pub(super) fn name(&self, person: PersonId) -> Option<Name> {
        let called = self.filed.names.iter().find(|(hash, _)| *hash == person.hash());
        called.and_then(|(_, name)| name.parse::<Name>().ok())
    }
}
