//! The queue of people who search for partners: a pure type, handed the time.
//!
//! People who want the same game, number of players and language are put together as soon as they
//! are enough. After [`BOTS_AFTER`] bots take the seats that are free, and people who search later
//! are led to such a table. Nothing is stored: a restart ends the searches. No person is ranked.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rules::door::GameName;
use table::{Person, PersonId, Refused};
use wire::{Code, Language, PartnerSearch, Refusal};

/// How long people are waited for before bots take the free seats.
pub(crate) const BOTS_AFTER: Duration = Duration::from_secs(15);
/// A page asks every second or two. A person whose page has not asked for this long has gone.
const GONE_AFTER: Duration = Duration::from_secs(6);
/// How many people may search at once.
const SEARCHES_MOST: usize = 4_096;
/// How many tables with bots are remembered for people who search later.
const TABLES_MOST: usize = 1_024;
/// A table to which this many people were led, and still has a bot, is given up.
const LED_MOST: usize = 64;

/// What a person wants to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    pub(crate) game: GameName,
    pub(crate) players: u8,
    pub(crate) language: Language,
}

/// People who play together from now on, the one who waited longest first.
#[derive(Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) wish: Wish,
    pub(crate) people: Vec<Person>,
}

/// The searches of all people, and the tables that came of them.
pub(crate) struct PartnerQueue {
    /// How long people are waited for before bots take the free seats.
    bots_after: Duration,
    searches: HashMap<PersonId, Search>,
    /// Tables where bots took seats, the newest last.
    tables: Vec<TableWithBots>,
}

struct TableWithBots {
    wish: Wish,
    table: Code,
    opened: Instant,
    /// The people who were led there. A person who left, was removed by the host or came too late
    /// for the seat is not led there again.
    led: Vec<PersonId>,
}

struct Search {
    person: Person,
    wish: Wish,
    since: Instant,
    asked: Instant,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    /// A table is being opened for the group.
    Grouped,
    Found(Code),
}

impl PartnerQueue {
    pub(crate) fn new(bots_after: Duration) -> Self {
        Self { bots_after, searches: HashMap::new(), tables: Vec::new() }
    }

    /// A person searches from now on, in place of what they searched for before.
    pub(crate) fn search(
        &mut self,
        person: Person,
        wish: Wish,
        now: Instant,
    ) -> Result<(), Refused> {
        self.forget_gone(now);
        let same = self.searches.get(&person.id).filter(|search| search.wish == wish);
        if same.is_some_and(|search| !matches!(search.stage, Stage::Found(_))) {
            return Ok(());
        }
        if self.searches.len() >= SEARCHES_MOST {
            let text = "many people search at the moment, try again in a while";
            return Err(Refused::new(Refusal::Busy, text));
        }
        let search = Search { wish, since: now, asked: now, stage: Stage::Waiting, person };
        self.searches.insert(search.person.id, search);
        Ok(())
    }

    /// A person's page asks how far their search is.
    pub(crate) fn ask(&mut self, person: PersonId, now: Instant) -> PartnerSearch {
        self.forget_gone(now);
        let Some(search) = self.searches.get_mut(&person) else { return PartnerSearch::Idle };
        search.asked = now;
        let (wish, stage) = (search.wish, search.stage);
        if let Stage::Found(table) = stage {
            return PartnerSearch::Found { table };
        }
        let waiting = self.waiting(wish);
        let first = waiting.first().map_or(now, |search| search.since);
        let left = self.bots_after.saturating_sub(now.saturating_duration_since(first));
        PartnerSearch::Waiting {
            people: waiting.len().clamp(1, usize::from(wish.players)) as u8,
            players: wish.players,
            bots_in_s: left.as_millis().div_ceil(1000) as u32,
        }
    }

    /// A person searches no longer.
    pub(crate) fn cancel(&mut self, person: PersonId) {
        self.searches.remove(&person);
    }

    /// The next group that is complete, or whose first person has waited long enough. A table has
    /// to be opened for it, and [`found`](Self::found) or [`failed`](Self::failed) called.
    pub(crate) fn next_group(&mut self, now: Instant) -> Option<Group> {
        self.forget_gone(now);
        let wishes = self.searches.values().map(|search| search.wish).collect::<Vec<_>>();
        let ready = wishes.into_iter().find(|wish| {
            let waiting = self.waiting(*wish);
            let waited = |search: &Search| now.saturating_duration_since(search.since);
            waiting.len() >= usize::from(wish.players)
                || waiting.first().is_some_and(|first| waited(first) >= self.bots_after)
        });
        let wish = ready?;
        let group = self.waiting(wish).into_iter().take(usize::from(wish.players));
        let people = group.map(|search| search.person.clone()).collect::<Vec<_>>();
        for person in &people {
            if let Some(search) = self.searches.get_mut(&person.id) {
                search.stage = Stage::Grouped;
            }
        }
        Some(Group { wish, people })
    }

    /// A table was opened for a group.
    pub(crate) fn found(&mut self, group: &Group, table: Code, now: Instant) {
        for person in &group.people {
            if let Some(search) = self.searches.get_mut(&person.id) {
                search.stage = Stage::Found(table);
            }
        }
        if group.people.len() < usize::from(group.wish.players) {
            if self.tables.len() >= TABLES_MOST {
                self.tables.remove(0);
            }
            let led = group.people.iter().map(|person| person.id).collect();
            self.tables.push(TableWithBots { wish: group.wish, table, opened: now, led });
        }
    }

    /// No table could be opened for a group: its people search no longer.
    pub(crate) fn failed(&mut self, group: &Group) {
        for person in &group.people {
            self.cancel(person.id);
        }
    }

    /// The tables where bots took seats of the same wish and the person was not led to yet, the
    /// newest first. Whether a bot still has a seat there, the table knows.
    pub(crate) fn tables(&self, wish: Wish, person: PersonId) -> Vec<Code> {
        let is_new = |it: &&TableWithBots| it.wish == wish && !it.led.contains(&person);
        self.tables.iter().rev().filter(is_new).map(|it| it.table).collect()
    }

    /// A person is led to a table where a bot has a seat, and searches no longer.
    pub(crate) fn lead(&mut self, table: Code, person: PersonId) {
        self.cancel(person);
        if let Some(found) = self.tables.iter_mut().find(|it| it.table == table) {
            found.led.push(person);
            if found.led.len() >= LED_MOST {
                self.tables.retain(|it| it.table != table);
            }
        }
    }

    /// A table has no seat for a newcomer. It is forgotten, unless it is so new that its people are
    /// still on their way to it.
    pub(crate) fn close(&mut self, table: Code, now: Instant) {
        let is_new = |it: &TableWithBots| now.saturating_duration_since(it.opened) < GONE_AFTER;
        self.tables.retain(|it| it.table != table || is_new(it));
    }

    /// The people who wait for the same, the one who has waited longest first.
    fn waiting(&self, wish: Wish) -> Vec<&Search> {
        let same = |search: &&Search| search.wish == wish && search.stage == Stage::Waiting;
        let mut waiting = self.searches.values().filter(same).collect::<Vec<_>>();
        waiting.sort_by_key(|search| (search.since, search.person.id));
        waiting
    }

    fn forget_gone(&mut self, now: Instant) {
        let is_here = |search: &Search| now.saturating_duration_since(search.asked) < GONE_AFTER;
        self.searches.retain(|_, search| is_here(search) || search.stage == Stage::Grouped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(digit: u8) -> Person {
        let (id, name) = (PersonId::from_hash([digit; 32]), "Ada".parse().unwrap());
        Person { id, name, mark: None, lends_tempo: false }
    }

    fn wish(players: u8) -> Wish {
        Wish { game: GameName::Mind, players, language: Language::En }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn people_who_want_the_same_are_put_together_in_the_order_of_their_searches() {
        let (mut queue, start) = (PartnerQueue::new(BOTS_AFTER), Instant::now());
        queue.search(person(1), wish(2), start).unwrap();
        queue.search(person(2), Wish { language: Language::Fr, ..wish(2) }, start).unwrap();
        queue.search(person(3), wish(3), start).unwrap();
        let now = start + seconds(1);
        assert_eq!(queue.next_group(now), None, "each wants something else");
        queue.search(person(4), wish(2), now).unwrap();
        let group = queue.next_group(now).unwrap();
        assert_eq!((group.wish, group.people.as_slice()), (wish(2), &[person(1), person(4)][..]));
        assert_eq!(queue.next_group(now), None, "a person is in one group");
        let table = "k3f9ab".parse().unwrap();
        queue.found(&group, table, now);
        for digit in [1, 4] {
            assert_eq!(queue.ask(person(digit).id, now), PartnerSearch::Found { table });
        }
        assert!(queue.tables(wish(2), person(9).id).is_empty(), "no bot has a seat there");
    }

    #[test]
    fn bots_take_the_free_seats_after_fifteen_seconds() {
        let (mut queue, start) = (PartnerQueue::new(BOTS_AFTER), Instant::now());
        let (mia, table) = (person(1), "k3f9ab".parse().unwrap());
        queue.search(mia.clone(), wish(3), start).unwrap();
        for passed in 0..15 {
            let now = start + seconds(passed);
            assert_eq!(queue.next_group(now), None, "after {passed} s");
            let bots_in_s = 15 - passed as u32;
            let waiting = PartnerSearch::Waiting { people: 1, players: 3, bots_in_s };
            assert_eq!(queue.ask(mia.id, now), waiting);
        }
        let now = start + seconds(15);
        let group = queue.next_group(now).unwrap();
        assert_eq!(group.people.as_slice(), std::slice::from_ref(&mia));
        queue.found(&group, table, now);
        let later = person(2).id;
        assert_eq!(queue.tables(wish(3), later), [table], "a person who searches later may join");
        assert!(queue.tables(wish(2), later).is_empty());
        queue.close(table, now);
        assert_eq!(queue.tables(wish(3), later), [table], "Mia is on her way there");
        queue.close(table, now + GONE_AFTER);
        assert!(queue.tables(wish(3), later).is_empty());
    }

    #[test]
    fn a_person_is_led_to_a_table_once() {
        let (mut queue, now) = (PartnerQueue::new(Duration::ZERO), Instant::now());
        let (mia, ben, table) = (person(1), person(2).id, "k3f9ab".parse().unwrap());
        queue.search(mia.clone(), wish(3), now).unwrap();
        let group = queue.next_group(now).unwrap();
        queue.found(&group, table, now);
        assert!(queue.tables(wish(3), mia.id).is_empty(), "Mia searches because she left it");
        assert_eq!(queue.tables(wish(3), ben), [table]);
        queue.lead(table, ben);
        assert!(queue.tables(wish(3), ben).is_empty(), "Ben was there");
        for digit in 3..64 {
            queue.lead(table, person(digit).id);
        }
        assert_eq!(queue.tables(wish(3), person(64).id), [table]);
        queue.lead(table, person(64).id);
        assert!(queue.tables(wish(3), person(65).id).is_empty(), "no person stayed there");
    }

    #[test]
    fn a_person_whose_page_has_gone_is_not_waited_for() {
        let (mut queue, start) = (PartnerQueue::new(BOTS_AFTER), Instant::now());
        queue.search(person(1), wish(2), start).unwrap();
        let now = start + GONE_AFTER;
        queue.search(person(2), wish(2), now).unwrap();
        assert_eq!(queue.next_group(now), None);
        assert_eq!(queue.ask(person(1).id, now), PartnerSearch::Idle);
        queue.cancel(person(2).id);
        assert_eq!(queue.ask(person(2).id, now), PartnerSearch::Idle);
    }

    #[test]
    fn a_group_without_a_table_searches_no_longer() {
        let (mut queue, now) = (PartnerQueue::new(BOTS_AFTER), Instant::now());
        for digit in [1, 2] {
            queue.search(person(digit), wish(2), now).unwrap();
        }
        let group = queue.next_group(now).unwrap();
        queue.failed(&group);
        assert_eq!(queue.ask(person(1).id, now), PartnerSearch::Idle);
    }
}
