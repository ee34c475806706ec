//! What the tables' lines say, without the names of those who asked to be forgotten.
//!
//! Lines are never edited. Whoever reads them reads them through here, and finds somebody's name
//! replaced from the moment they are forgotten.

use std::collections::HashSet;
use std::sync::Arc;

use journal::{Fault, Hash, Journal, Key, People};
use wire::Name;

use crate::ghost::Ghost;
use crate::person::PersonId;
use crate::record::{Occupant, Record, Seating};

/// The lines of all tables.
#[derive(Clone)]
pub(crate) struct Memory {
    journal: Arc<dyn Journal>,
    people: Arc<dyn People>,
}

impl Memory {
    pub(crate) fn new(journal: Arc<dyn Journal>, people: Arc<dyn People>) -> Self {
        Self { journal, people }
    }

    /// All lines of a table, none if there is no such table.
    pub(crate) async fn lines(&self, key: &Key) -> Result<Vec<Box<str>>, Fault> {
        Ok(self.read(key).await?.lines)
    }

    /// The same, with who among its people was forgotten.
    pub(crate) async fn read(&self, key: &Key) -> Result<Remembered, Fault> {
        let mut lines = self.journal.read(key, 0).await?;
        let seated = people_in(&lines);
        let forgotten =
            if seated.is_empty() { seated } else { self.people.forgotten(seated).await? };
        forget(&mut lines, &forgotten);
        Ok(Remembered { lines, forgotten })
    }
}

/// What is remembered of a table.
pub(crate) struct Remembered {
    pub(crate) lines: Vec<Box<str>>,
    forgotten: Vec<Hash>,
}

impl Remembered {
    /// Who sits there and is known no more.
    pub(crate) fn strangers(&self, seating: &Seating) -> Vec<PersonId> {
        let people = seating.iter().filter_map(|(_, occupant)| match occupant {
            Occupant::Person { id, .. } => Some(*id),
            Occupant::Nobody | Occupant::Bot(_) | Occupant::Ghost(_) => None,
        });
        people.filter(|id| self.forgotten.contains(&id.hash())).collect()
    }
}

/// Everybody who ever sat there.
pub(crate) fn people_in(lines: &[Box<str>]) -> Vec<Hash> {
    let seatings = lines.iter().filter_map(|line| seating(line));
    let chairs = seatings.flat_map(|(_, seating)| seating.chairs);
    let people = chairs.filter_map(|occupant| match occupant {
        Occupant::Person { id, .. } | Occupant::Ghost(Ghost { of: id, .. }) => Some(id.hash()),
        Occupant::Nobody | Occupant::Bot(_) => None,
    });
    people.collect::<HashSet<_>>().into_iter().collect()
}

/// Replaces the names of these people.
pub(crate) fn forget(lines: &mut [Box<str>], forgotten: &[Hash]) {
    if forgotten.is_empty() {
        return;
    }
    for line in lines {
        let Some((mut record, mut chairs)) = seating(line) else { continue };
        let is_forgotten = |id: PersonId| forgotten.contains(&id.hash());
        if !chairs.forget(is_forgotten) {
            continue;
        }
        if let Record::Seated { seating, .. } | Record::Arranged { seating, .. } = &mut record {
            *seating = chairs;
        }
        // What was read can be written.
        if let Ok(text) = serde_json::to_string(&record) {
            *line = text.into();
        }
    }
}

/// A line that says who sits where. Any other is not even read: there are many.
fn seating(line: &str) -> Option<(Record, Seating)> {
    if !line.starts_with("{\"seated\"") && !line.starts_with("{\"arranged\"") {
        return None;
    }
    let record = serde_json::from_str::<Record>(line).ok()?;
    let seating = match &record {
        Record::Seated { seating, .. } | Record::Arranged { seating, .. } => seating.clone(),
        Record::Opened { .. }
        | Record::Started { .. }
        | Record::Event(_)
        | Record::Ended { .. } => return None,
    };
    Some((record, seating))
}

impl Seating {
    /// Takes the names of these people away; whether there were any.
    pub(crate) fn forget(&mut self, forgotten: impl Fn(PersonId) -> bool) -> bool {
        let mut found = false;
        for occupant in &mut self.chairs {
            if let Occupant::Person { id, name, .. } | Occupant::Ghost(Ghost { of: id, name, .. }) =
                occupant
                && forgotten(*id)
            {
                *name = Name::someone();
                found = true;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that seats two people, and those two.
    fn seated() -> (Box<str>, [Hash; 2]) {
        let [ada, ben] = ["a", "b"].map(|digit| digit.repeat(64));
        let person = |id: &str, name: &str| {
            format!(r#"{{"person":{{"id":"{id}","name":"{name}","held":false}}}}"#)
        };
        let chairs = format!("[{},{}]", person(&ada, "Ada"), person(&ben, "Ben"));
        let line = format!(r#"{{"seated":{{"seating":{{"host":"{ada}","chairs":{chairs}}}}}}}"#);
        (line.into(), [[0xaa; 32], [0xbb; 32]])
    }

    #[test]
    fn only_those_who_are_forgotten_lose_their_name() {
        let (line, [ada, ben]) = seated();
        let event: Box<str> = r#"{"event":{"at":0,"event":{"name":"Ada"}}}"#.into();
        let lines = vec![line.clone(), event.clone()];
        let mut people = people_in(&lines);
        people.sort_unstable();
        assert_eq!(people, [ada, ben]);
        let mut after = lines.clone();
        forget(&mut after, &[]);
        assert_eq!(after, lines);
        forget(&mut after, &[ada]);
        assert_eq!(&*after[0], line.replace("Ada", "someone"));
        assert_eq!(after[1], event);
    }
}
