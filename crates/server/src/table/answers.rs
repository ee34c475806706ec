//! What was answered already: a repeated message is answered again, never done again.

use std::collections::{HashMap, VecDeque};

use super::Number;
use crate::person::PersonId;

/// How many of a page's last messages are remembered.
const MESSAGES_MOST: usize = 32;
/// How many of a person's last pages are remembered.
const PAGES_MOST: usize = 4;
/// How many people are remembered, those who were heard last.
const PEOPLE_MOST: usize = 256;

/// The numbers of the messages that each page of each person was heard with.
#[derive(Default)]
pub(super) struct Answers {
    people: HashMap<PersonId, Pages>,
    /// Counts what was done, to know who was heard last.
    done: u64,
}

#[derive(Default)]
struct Pages {
    pages: VecDeque<Page>,
    last: u64,
}

struct Page {
    client: u32,
    /// The `id`s, and what tells messages of the same `id` apart.
    messages: VecDeque<(u32, Option<u64>)>,
}

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
    pub(super) fn heard(&self, person: PersonId, number: Number, print: u64) -> Heard {
        let pages = self.people.get(&person).map(|pages| &pages.pages);
        let page = pages.and_then(|pages| pages.iter().find(|page| page.client == number.client));
        let past = page.and_then(|page| page.messages.iter().find(|(id, _)| *id == number.id));
        match past {
            None => Heard::New,
            // What was done before the server last started is known by its number alone.
            Some((_, None)) => Heard::Repeated,
            Some((_, Some(past))) if *past == print => Heard::Repeated,
            Some(_) => Heard::Reused,
        }
    }

    /// Remembers a message that was done.
    pub(super) fn done(&mut self, person: PersonId, number: Number, print: Option<u64>) {
        if self.people.len() >= PEOPLE_MOST && !self.people.contains_key(&person) {
            let oldest = self.people.iter().min_by_key(|(_, pages)| pages.last);
            if let Some(oldest) = oldest.map(|(person, _)| *person) {
                self.people.remove(&oldest);
            }
        }
        self.done += 1;
        let known = self.people.entry(person).or_default();
        known.last = self.done;
        known.page(number.client).remember(number.id, print);
    }

    /// Forgets everything about a person.
    pub(super) fn forget(&mut self, person: PersonId) {
        self.people.remove(&person);
    }
}

impl Pages {
    /// The page of that number, which is now the last one heard.
    fn page(&mut self, client: u32) -> &mut Page {
        let place = self.pages.iter().position(|page| page.client == client);
        let page = place.and_then(|place| self.pages.remove(place));
        if self.pages.len() >= PAGES_MOST {
            self.pages.pop_front();
        }
        self.pages.push_back(page.unwrap_or(Page { client, messages: VecDeque::new() }));
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }
}

impl Page {
    fn remember(&mut self, id: u32, print: Option<u64>) {
        if self.messages.len() >= MESSAGES_MOST {
            self.messages.pop_front();
        }
        self.messages.push_back((id, print));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::person::Secret;

    fn somebody() -> PersonId {
        Secret::fresh().unwrap().person()
    }

    #[test]
    fn a_number_counts_for_its_page_alone() {
        let (ada, bob) = (somebody(), somebody());
        let (here, there) = (Number { client: 1, id: 1 }, Number { client: 2, id: 1 });
        let mut answers = Answers::default();
        answers.done(ada, here, Some(7));
        assert_eq!(answers.heard(ada, here, 7), Heard::Repeated);
        assert_eq!(answers.heard(ada, here, 8), Heard::Reused);
        assert_eq!(answers.heard(ada, there, 7), Heard::New);
        assert_eq!(answers.heard(bob, here, 7), Heard::New);
        answers.forget(ada);
        assert_eq!(answers.heard(ada, here, 7), Heard::New);
    }

    #[test]
    fn only_so_much_is_remembered_and_nobody_pushes_out_a_page_in_use() {
        let mut answers = Answers::default();
        let (ada, first) = (somebody(), Number { client: 0, id: 0 });
        for client in 0..100 {
            for id in 0..100 {
                answers.done(ada, Number { client, id }, None);
            }
            answers.done(ada, first, None);
        }
        let pages = &answers.people[&ada].pages;
        assert_eq!(pages.len(), PAGES_MOST);
        assert!(pages.iter().all(|page| page.messages.len() <= MESSAGES_MOST));
        assert_eq!(answers.heard(ada, first, 0), Heard::Repeated);
        for _ in 0..PEOPLE_MOST * 2 {
            answers.done(somebody(), first, None);
            answers.done(ada, first, None);
        }
        assert_eq!(answers.people.len(), PEOPLE_MOST);
        assert_eq!(answers.heard(ada, first, 0), Heard::Repeated);
    }
}
