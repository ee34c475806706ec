//! Who may come to a table: what its host has decided, and who was removed.

use std::collections::HashSet;
use std::time::Duration;

use rules::kit::Seat;
use serde::{Deserialize, Serialize};
use wire::{Code, Name};

use crate::fair::Stamp;
use crate::person::PersonId;

/// How many people a table remembers to have removed; the first is let back in for one more.
const REMOVED_MOST: usize = 64;
/// How many people a table remembers to have been there.
const KNOWN_MOST: usize = 1_024;
/// How long newcomers are refused from the address of a removed person.
pub const BARRED_FOR: Duration = Duration::from_mins(10);

/// What the host has decided.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Admission {
    /// Whether only people who were there already may come in.
    pub locked: bool,
    /// The code that leads here instead of the one that the table was opened with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// Whether the lobby and the big screen hide the code.
    pub hides_code: bool,
    /// Whether there are no spectators: without a seat people come in only to take one.
    pub players_only: bool,
    /// Who may not come in.
    pub removed: Vec<Removed>,
    /// Whose chat is not sent on.
    pub muted: Vec<PersonId>,
}

/// A person whom the host removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// By what the host names them when they are let back in.
    pub number: u32,
    /// Who.
    pub id: PersonId,
    /// What they were called.
    pub name: Name,
    /// Where they sat, if they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

impl Admission {
    /// Whether a person may not come in.
    pub fn has_removed(&self, person: PersonId) -> bool {
        self.removed.iter().any(|removed| removed.id == person)
    }

    /// The people who are removed here and were not before.
    pub(crate) fn removed_since<'a>(
        &'a self,
        before: &'a Self,
    ) -> impl Iterator<Item = PersonId> + 'a {
        self.people().filter(|person| !before.has_removed(*person))
    }

    /// Whether a person's chat is not sent on.
    pub fn has_muted(&self, person: PersonId) -> bool {
        self.muted.contains(&person)
    }

    /// Keeps a person out from now on.
    pub(crate) fn remove(&mut self, id: PersonId, name: Name, seat: Option<Seat>) {
        self.removed.retain(|removed| removed.id != id);
        if self.removed.len() == REMOVED_MOST {
            self.removed.remove(0);
        }
        let number = self.removed.last().map_or(1, |last| last.number.saturating_add(1));
        self.removed.push(Removed { number, id, name, seat });
    }

    /// Lets a person back in; `None` if no person was removed under that number.
    pub(crate) fn readmit(&mut self, number: u32) -> Option<Removed> {
        let place = self.removed.iter().position(|removed| removed.number == number)?;
        Some(self.removed.remove(place))
    }

    /// Sends a person's chat on, or not.
    pub(crate) fn mute(&mut self, person: PersonId, muted: bool) {
        self.muted.retain(|other| *other != person);
        if muted {
            if self.muted.len() == REMOVED_MOST {
                self.muted.remove(0);
            }
            self.muted.push(person);
        }
    }

    /// Everyone who is named.
    pub fn people(&self) -> impl Iterator<Item = PersonId> {
        self.removed.iter().map(|removed| removed.id)
    }

    /// Takes the names of these people away; whether there were any.
    pub fn forget(&mut self, forgotten: impl Fn(PersonId) -> bool) -> bool {
        let mut found = false;
        for removed in self.removed.iter_mut().filter(|removed| forgotten(removed.id)) {
            removed.name = Name::someone();
            found = true;
        }
        found
    }
}

/// Where a connection comes from: the same number for the same network address, and nothing that
/// the address could be found from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin(pub u64);

/// Who has been at the table while it was awake, and from where people were removed.
#[derive(Default)]
pub(crate) struct Guests {
    known: HashSet<PersonId>,
    barred: Vec<(Origin, Stamp)>,
}

impl Guests {
    /// A person has come in.
    pub(crate) fn welcome(&mut self, person: PersonId) {
        if self.known.len() < KNOWN_MOST {
            self.known.insert(person);
        }
    }

    /// Whether a person has been here.
    pub(crate) fn knows(&self, person: PersonId) -> bool {
        self.known.contains(&person)
    }

    /// A person was removed who came from there.
    pub(crate) fn bar(
        &mut self,
        person: PersonId,
        from: impl IntoIterator<Item = Origin>,
        now: Stamp,
    ) {
        self.known.remove(&person);
        self.barred.retain(|(_, until)| *until > now);
        let until = now.after(BARRED_FOR);
        self.barred.extend(from.into_iter().map(|origin| (origin, until)));
    }

    /// Newcomers from this address are refused until then.
    pub(crate) fn bar_until(&mut self, from: Origin, until: Stamp) {
        self.barred.push((from, until));
    }

    /// Whether newcomers from this address are refused.
    pub(crate) fn bars(&self, from: Origin, now: Stamp) -> bool {
        self.barred.iter().any(|(origin, until)| *origin == from && *until > now)
    }

    /// Everyone may come in again from wherever a person was removed.
    pub(crate) fn unbar(&mut self) {
        self.barred.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(digit: u8) -> PersonId {
        PersonId::from_hash([digit; 32])
    }

    #[test]
    fn a_person_is_removed_until_let_back_in() {
        let mut admission = Admission::default();
        let name = || "Ada".parse::<Name>().unwrap();
        admission.remove(person(1), name(), None);
        admission.remove(person(2), name(), Seat::new(1));
        admission.remove(person(1), name(), None);
        assert_eq!(admission.removed.len(), 2, "removed twice is removed once");
        assert!(admission.readmit(9).is_none());
        let back = admission.readmit(2).unwrap();
        assert_eq!((back.id, back.seat), (person(2), Seat::new(1)));
        assert!(!admission.has_removed(person(2)) && admission.has_removed(person(1)));
        for digit in 3..200 {
            admission.remove(person(digit), name(), None);
        }
        assert_eq!(admission.removed.len(), REMOVED_MOST);
    }

    #[test]
    fn no_new_person_comes_from_a_removed_address_for_ten_minutes() {
        let (mut guests, now) = (Guests::default(), Stamp::from_millis(1_000));
        guests.welcome(person(1));
        guests.bar(person(1), [Origin(7)], now);
        assert!(!guests.knows(person(1)) && guests.bars(Origin(7), now));
        assert!(!guests.bars(Origin(8), now));
        assert!(guests.bars(Origin(7), now.after(Duration::from_secs(599))));
        assert!(!guests.bars(Origin(7), now.after(BARRED_FOR)));
    }
}
