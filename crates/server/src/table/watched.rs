//! Who looked on at the games of a table: they may watch them again.

use std::collections::HashSet;

use wire::GameId;

use super::kept::Course;
use super::task::Task;
use crate::person::PersonId;

/// How many people are remembered to have looked on at one game.
const WATCHERS_MOST: usize = 1_024;

/// Who is remembered already to have looked on, and at which game.
#[derive(Default)]
pub(super) struct Watched {
    game: u32,
    people: HashSet<PersonId>,
}

impl Watched {
    /// Those who are not remembered yet to have looked on at this game, and are from now on.
    fn news(&mut self, game: u32, people: impl Iterator<Item = PersonId>) -> Vec<PersonId> {
        if self.game != game {
            *self = Self { game, people: HashSet::new() };
        }
        let mut news = Vec::new();
        for person in people {
            if self.people.len() < WATCHERS_MOST && self.people.insert(person) {
                news.push(person);
            }
        }
        news
    }
}

impl Task {
    /// Remembers everyone who looks on at the game that is on.
    pub(super) fn remember_watchers(&mut self) {
        if !matches!(self.kept.course, Course::Playing(_)) {
            return;
        }
        let seating = &self.kept.seating;
        let people = self.clients.iter().map(|client| client.person.id);
        let watchers = people.filter(|person| seating.seat_of(*person).is_none());
        let id = GameId { table: self.code, game: self.kept.games };
        let news = self.watched.news(id.game, watchers);
        if !news.is_empty() {
            self.remember_deal();
        }
        self.shared.album.watched(id, news);
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
    fn everyone_is_remembered_once_for_each_game() {
        let (ada, bob) = (somebody(), somebody());
        let mut watched = Watched::default();
        assert_eq!(watched.news(1, [ada].into_iter()), [ada]);
        assert_eq!(watched.news(1, [ada, bob].into_iter()), [bob]);
        assert_eq!(watched.news(2, [ada].into_iter()), [ada]);
        let crowd = (0..2 * WATCHERS_MOST).map(|_| somebody());
        assert_eq!(watched.news(3, crowd).len(), WATCHERS_MOST);
    }
}
