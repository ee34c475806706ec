//! Reads the journal without the names of deleted people.
//!
//! A person who deletes themselves does not edit the entries on the disk: every reader of the
//! server goes through this module, which replaces the names of people who were deleted. The
//! operator's `forget` replaces them on the disk, with the same rule.

use std::collections::HashSet;
use std::sync::Arc;

use journal::{Fault, Hash, Journal, Key, People, Replacement};
use table::{Entry, Occupant, PersonId, Seating};

use crate::damage::DamagedTables;

/// The journals of all tables, redacted.
#[derive(Clone)]
pub(crate) struct RedactedJournal {
    journal: Arc<dyn Journal>,
    people: Arc<dyn People>,
    damaged: Arc<DamagedTables>,
}

impl RedactedJournal {
    pub(crate) fn new(
        journal: Arc<dyn Journal>,
        people: Arc<dyn People>,
        damaged: Arc<DamagedTables>,
    ) -> Self {
        Self { journal, people, damaged }
    }

    /// All lines of a table, none if there is no such table. A table that is damaged is counted.
    pub(crate) async fn lines(&self, key: &Key) -> Result<Vec<Box<str>>, Fault> {
        Ok(self.read(key).await?.lines)
    }

    /// The same, and which of the table's people were deleted.
    pub(crate) async fn read(&self, key: &Key) -> Result<RedactedTable, Fault> {
        let mut lines = self.written(key).await?;
        let forgotten = self.forgotten(people_in(&lines)).await?;
        forget(&mut lines, &forgotten)?;
        Ok(RedactedTable { lines, forgotten })
    }

    /// Whether a table's journal names a person. Searches it in the file, without reading it.
    pub(crate) async fn mentions(&self, key: &Key, person: PersonId) -> Result<bool, Fault> {
        self.journal.mentions(key, wire::hex(&person.hash()).into()).await
    }

    /// All lines of a table as they were written, with the names of deleted people: call
    /// [`people_in`], [`Self::forgotten`] and [`forget`] before using them.
    pub(crate) async fn written(&self, key: &Key) -> Result<Vec<Box<str>>, Fault> {
        let lines = self.journal.read(key, 0).await;
        if let Err(Fault::Damaged(why)) = &lines {
            self.damaged.add(key, why);
        }
        lines
    }

    /// Which of these people were deleted.
    pub(crate) async fn forgotten(&self, people: Vec<Hash>) -> Result<Vec<Hash>, Fault> {
        if people.is_empty() { Ok(people) } else { self.people.forgotten(people).await }
    }
}

/// A table's lines after redaction.
pub(crate) struct RedactedTable {
    pub(crate) lines: Vec<Box<str>>,
    forgotten: Vec<Hash>,
}

impl RedactedTable {
    /// The seated people who were deleted.
    pub(crate) fn strangers(&self, seating: &Seating) -> Vec<PersonId> {
        let people = seating.iter().filter_map(|(_, occupant)| match occupant {
            Occupant::Person { id, .. } => Some(*id),
            Occupant::Empty | Occupant::Bot(_) | Occupant::Ghost(_) => None,
        });
        people.filter(|id| self.forgotten.contains(&id.hash())).collect()
    }
}

/// All people who ever had a seat. Unreadable lines are skipped: the fold reports them.
pub(crate) fn people_in(lines: &[Box<str>]) -> Vec<Hash> {
    let entries = lines.iter().filter_map(|line| Entry::read(line).ok());
    let people = entries.flat_map(|entry| entry.people()).map(|id| id.hash());
    people.collect::<HashSet<_>>().into_iter().collect()
}

/// Replaces the names of these people.
pub(crate) fn forget(lines: &mut [Box<str>], forgotten: &[Hash]) -> Result<(), Fault> {
    if forgotten.is_empty() {
        return Ok(());
    }
    let is_forgotten = |id: PersonId| forgotten.contains(&id.hash());
    for line in lines {
        let Ok(mut entry) = Entry::read(line) else { continue };
        if entry.forget(is_forgotten) {
            // Fail rather than return a line with names.
            *line = entry.line().map_err(|refused| Fault::Damaged(refused.text.into_owned()))?;
        }
    }
    Ok(())
}

/// Replaces the names of these people in the file. Lines that are no entries of a table stay as they
/// are: logs beside tables have no names.
pub(crate) fn replacement(forgotten: HashSet<Hash>) -> Replacement {
    Arc::new(move |line| {
        // Most lines are events, which have no names.
        if line.starts_with("{\"event\"") {
            return Ok(None);
        }
        let Ok(mut entry) = Entry::read(line) else { return Ok(None) };
        if !entry.forget(|id| forgotten.contains(&id.hash())) {
            return Ok(None);
        }
        let after = entry.line().map_err(|refused| Fault::Damaged(refused.text.into_owned()))?;
        Ok((*after != *line).then_some(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry that seats two people, and their hashes.
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
    fn only_the_names_of_deleted_people_are_replaced() {
        let (line, [ada, ben]) = seated();
        let event: Box<str> = r#"{"event":{"at":0,"event":{"name":"Ada"}}}"#.into();
        let lines = vec![line.clone(), event.clone()];
        let mut people = people_in(&lines);
        people.sort_unstable();
        assert_eq!(people, [ada, ben]);
        let mut after = lines.clone();
        forget(&mut after, &[]).unwrap();
        assert_eq!(after, lines);
        forget(&mut after, &[ada]).unwrap();
        assert_eq!(&*after[0], line.replace("Ada", "someone"));
        assert_eq!(after[1], event);
    }
    #[test]
    fn a_line_is_rewritten_once_and_stays_readable() {
        let (line, [ada, _]) = seated();
        let replace = replacement(HashSet::from([ada]));
        let after = replace(&line).unwrap().unwrap();
        assert_eq!(*after, line.replace("Ada", "someone"));
        assert_eq!(replace(&after), Ok(None));
        for other in
            [r#"{"event":{"at":0,"event":{"name":"Ada"}}}"#, r#"{"seen":{"by":"aa"}}"#, "x"]
        {
            assert_eq!(replace(other), Ok(None), "{other}");
        }
    }
}
