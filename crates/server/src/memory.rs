//! What the tables' lines say, without the names of those who asked to be forgotten.
//!
//! Lines are never edited. Whoever reads them reads them through here, and finds somebody's name
//! replaced from the moment they are forgotten.

use std::collections::HashSet;
use std::sync::Arc;

use journal::{Fault, Hash, Journal, Key, People};
use table::{Entry, Ghost, Occupant, PersonId, Seating};

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
        let forgotten = self.forgotten(people_in(&lines)).await?;
        forget(&mut lines, &forgotten)?;
        Ok(Remembered { lines, forgotten })
    }

    /// All lines of a table as they were written. They hold names that must not be handed out:
    /// [`people_in`], [`Self::forgotten`] and [`forget`] come first.
    pub(crate) async fn written(&self, key: &Key) -> Result<Vec<Box<str>>, Fault> {
        self.journal.read(key, 0).await
    }

    /// Who among these people was forgotten.
    pub(crate) async fn forgotten(&self, people: Vec<Hash>) -> Result<Vec<Hash>, Fault> {
        if people.is_empty() { Ok(people) } else { self.people.forgotten(people).await }
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

/// Everybody who ever sat there. A line that cannot be read names no one; the fold reports it.
pub(crate) fn people_in(lines: &[Box<str>]) -> Vec<Hash> {
    let entries = lines.iter().filter_map(|line| Entry::read(line).ok());
    let chairs = entries.flat_map(|entry| match entry {
        Entry::Seated { seating, .. } | Entry::Arranged { seating, .. } => seating.chairs,
        Entry::Opened { .. } | Entry::Started { .. } | Entry::Event(_) | Entry::Ended { .. } => {
            Vec::new()
        }
    });
    let people = chairs.filter_map(|occupant| match occupant {
        Occupant::Person { id, .. } | Occupant::Ghost(Ghost { of: id, .. }) => Some(id.hash()),
        Occupant::Nobody | Occupant::Bot(_) => None,
    });
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
        if entry.seating_mut().is_some_and(|seating| seating.forget(is_forgotten)) {
            // A line whose names cannot be replaced is not handed out.
            *line = entry.line().map_err(|refused| Fault::Damaged(refused.text.into_owned()))?;
        }
    }
    Ok(())
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
        forget(&mut after, &[]).unwrap();
        assert_eq!(after, lines);
        forget(&mut after, &[ada]).unwrap();
        assert_eq!(&*after[0], line.replace("Ada", "someone"));
        assert_eq!(after[1], event);
    }
}
