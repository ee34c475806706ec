//! What was answered already: a repeated message is answered again, never done again.

use std::collections::VecDeque;

use crate::entry::Ticket;
use crate::person::PersonId;

/// How many of a page's last messages are remembered.
const MESSAGES_MOST: usize = 32;
/// How many of a person's last pages are remembered.
const PAGES_MOST: usize = 4;
/// How many people's answers are kept, the latest ones.
const PEOPLE_MOST: usize = 256;

/// The numbers of the messages that each page of each person was heard with.
///
/// Lists instead of maps, with no more room than they need: every table in memory has them, few
/// people are heard at one, and most of them have one page.
#[derive(Default)]
pub struct Answers {
    people: Vec<(PersonId, Pages)>,
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
    messages: VecDeque<Ticket>,
}

/// What is known of a message's number.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is new.
    New,
    /// The same message was done before.
    Repeated,
    /// Another message had that number.
    Reused,
}

impl Answers {
    /// Whether the message was done before.
    pub fn heard(&self, person: PersonId, ticket: Ticket) -> Heard {
        let page = self.page(person, ticket.client);
        let past = page.and_then(|page| page.messages.iter().find(|past| past.id == ticket.id));
        match past {
            None => Heard::New,
            Some(past) if *past == ticket => Heard::Repeated,
            Some(_) => Heard::Reused,
        }
    }

    /// Whether the page had a later message done. A page numbers its messages as it sends them, and
    /// a connection keeps their order, so this is a message that was refused or lost while the page
    /// could not hear of it.
    pub fn is_overtaken(&self, person: PersonId, ticket: Ticket) -> bool {
        let page = self.page(person, ticket.client);
        page.is_some_and(|page| page.messages.iter().any(|past| past.id > ticket.id))
    }

    fn page(&self, person: PersonId, client: u32) -> Option<&Page> {
        let (_, known) = self.people.iter().find(|(other, _)| *other == person)?;
        known.pages.iter().find(|page| page.client == client)
    }

    /// Remembers a message that was done.
    pub fn done(&mut self, person: PersonId, ticket: Ticket) {
        let place = self.people.iter().position(|(other, _)| *other == person);
        let place = place.unwrap_or_else(|| {
            if self.people.len() >= PEOPLE_MOST {
                let places = 0..self.people.len();
                let oldest = places.min_by_key(|place| self.people[*place].1.last);
                self.people.swap_remove(oldest.unwrap_or_default());
            }
            self.people.push((person, Pages::default()));
            self.people.len() - 1
        });
        self.done += 1;
        let known = &mut self.people[place].1;
        known.last = self.done;
        known.page(ticket.client).remember(ticket);
    }

    /// Forgets everything about a person.
    pub fn forget(&mut self, person: PersonId) {
        self.people.retain(|(other, _)| *other != person);
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
        self.pages.reserve_exact(1);
        self.pages.push_back(page.unwrap_or(Page { client, messages: VecDeque::new() }));
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }
}

impl Page {
    fn remember(&mut self, ticket: Ticket) {
        if self.messages.len() >= MESSAGES_MOST {
            self.messages.pop_front();
        }
        self.messages.push_back(ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn new_person() -> PersonId {
        static PEOPLE: AtomicU64 = AtomicU64::new(0);
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&PEOPLE.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        PersonId::from_hash(hash)
    }

    fn ticket(client: u32, id: u32, content: &str) -> Ticket {
        Ticket::of(client, id, &content)
    }

    #[test]
    fn a_number_counts_for_its_page_alone() {
        let (ada, bob) = (new_person(), new_person());
        let here = ticket(1, 1, "rest");
        let mut answers = Answers::default();
        answers.done(ada, here);
        assert_eq!(answers.heard(ada, here), Heard::Repeated);
        assert_eq!(answers.heard(ada, ticket(1, 1, "lift")), Heard::Reused);
        assert_eq!(answers.heard(ada, ticket(2, 1, "rest")), Heard::New);
        assert_eq!(answers.heard(bob, here), Heard::New);
        answers.forget(ada);
        assert_eq!(answers.heard(ada, here), Heard::New);
    }

    #[test]
    fn a_message_is_overtaken_by_a_later_one_of_its_page() {
        let (ada, mut answers) = (new_person(), Answers::default());
        answers.done(ada, ticket(1, 6, "rest"));
        assert!(answers.is_overtaken(ada, ticket(1, 5, "stop")));
        assert!(!answers.is_overtaken(ada, ticket(1, 7, "stop")));
        assert!(!answers.is_overtaken(ada, ticket(2, 5, "stop")));
        assert!(!answers.is_overtaken(new_person(), ticket(1, 5, "stop")));
    }

    #[test]
    fn what_is_remembered_is_bounded_and_a_page_in_use_stays() {
        let mut answers = Answers::default();
        let (ada, first) = (new_person(), ticket(0, 0, ""));
        for client in 0..100 {
            for id in 0..100 {
                answers.done(ada, ticket(client, id, ""));
            }
            answers.done(ada, first);
        }
        let pages = &answers.people.iter().find(|(person, _)| *person == ada).unwrap().1.pages;
        assert_eq!(pages.len(), PAGES_MOST);
        assert!(pages.iter().all(|page| page.messages.len() <= MESSAGES_MOST));
        assert_eq!(answers.heard(ada, first), Heard::Repeated);
        for _ in 0..PEOPLE_MOST * 2 {
            answers.done(new_person(), first);
            answers.done(ada, first);
        }
        assert_eq!(answers.people.len(), PEOPLE_MOST);
        assert_eq!(answers.heard(ada, first), Heard::Repeated);
    }

    /// Prints stand in journals, so how they are made never changes.
    #[test]
    fn a_print_is_the_same_for_ever() {
        assert_eq!(ticket(0, 0, "rest").print, 2_922_188_239);
    }
}
