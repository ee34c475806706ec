//! What was answered already: a repeated message is answered again, never done again.

use std::collections::{HashMap, VecDeque};

use crate::person::PersonId;

/// How many of somebody's last messages are remembered.
const REMEMBERED: usize = 32;

/// The numbers of the messages that each person was heard with.
#[derive(Default)]
pub(super) struct Answers(HashMap<PersonId, VecDeque<(u32, Option<u64>)>>);

/// What is known of a message's number.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is new.
    New,
    /// The same message was done before.
    Repeated,
    /// Another message had that number.
    Reused,
}

impl Answers {
    /// Whether the message was done before. `print` tells messages apart.
    pub(super) fn heard(&self, person: PersonId, id: u32, print: u64) -> Heard {
        let past = self.0.get(&person).and_then(|past| past.iter().find(|(past, _)| *past == id));
        match past {
            None => Heard::New,
            // What was done before the server last started is known by its number alone.
            Some((_, None)) => Heard::Repeated,
            Some((_, Some(past))) if *past == print => Heard::Repeated,
            Some(_) => Heard::Reused,
        }
    }

    /// Remembers a message that was done.
    pub(super) fn done(&mut self, person: PersonId, id: u32, print: Option<u64>) {
        let past = self.0.entry(person).or_default();
        if past.len() == REMEMBERED {
            past.pop_front();
        }
        past.push_back((id, print));
    }

    /// Forgets everything about a person.
    pub(super) fn forget(&mut self, person: PersonId) {
        self.0.remove(&person);
    }
}
