//! New tables: their first lines, and the state that these make.

use rules::kit::{Seats, Seed};
use wire::{BotKind, Code, Setup, StudyTable, hex};

use crate::deal::Deal;
use crate::effect::Append;
use crate::entry::Entry;
use crate::live_match::first_lines;
use crate::person::{Person, PersonId};
use crate::refused::Refused;
use crate::seating::{Occupant, Seating};
use crate::state::TableState;

/// What a new table is opened with.
#[derive(Clone, Debug)]
pub struct Founding {
    /// What is played.
    pub setup: Setup,
    /// Whether strangers find it in the list.
    pub public: bool,
    /// Who opens it, and is its host once they sit.
    pub by: PersonId,
    /// The deal of another game, if it is opened for that.
    pub deal: Option<Deal>,
}

/// A table that exists once its first lines are durable.
pub struct Founded {
    /// The first lines, to be appended where there are none.
    pub append: Append,
    /// The table that they make.
    pub state: TableState,
}

impl Founding {
    /// A table where people gather.
    pub fn found(self, code: Code) -> Result<Founded, Refused> {
        let by = self.by;
        founded(code, vec![self.entry().line()?], by)
    }

    /// A table where a person learns the game with bots, which begins at once.
    pub fn found_lesson(
        self,
        code: Code,
        learner: &Person,
        partner: BotKind,
        seed: Seed,
    ) -> Result<Founded, Refused> {
        let (setup, by) = (self.setup, learner.id);
        let mut seating = seated(&setup, std::slice::from_ref(learner), partner);
        seating.host = Some(by);
        begun(code, self.entry(), setup, by, seating, seed)
    }

    /// A table where people who found each other by a search play, which begins at once. Bots have
    /// the seats that are left. Fails without people.
    pub fn found_for_strangers(
        code: Code,
        setup: Setup,
        people: &[Person],
        bot: BotKind,
        seed: Seed,
    ) -> Result<Founded, Refused> {
        let first = people.first().ok_or_else(|| Refused::not_kept("no person has searched"))?;
        let (public, by) = (false, first.id);
        let opened = Entry::Opened { setup, public, by, deal: None, strangers: true, study: None };
        let mut seating = seated(&setup, people, bot);
        seating.host = Some(by);
        begun(code, opened, setup, by, seating, seed)
    }

    /// A table where participants of a study play, which begins at once with a fixed deal. Bots
    /// have the seats that are left. It has no host and no spectators. Fails without people.
    pub fn found_for_study(
        code: Code,
        setup: Setup,
        study: StudyTable,
        people: &[Person],
        bots: &[BotKind],
        seed: Seed,
    ) -> Result<Founded, Refused> {
        let first = people.first().ok_or_else(|| Refused::not_kept("no participant is here"))?;
        let (by, deal) = (first.id, Some(Deal::fixed(seed)));
        let opened =
            Entry::Opened { setup, public: false, by, deal, strangers: false, study: Some(study) };
        let bots = bots.iter().map(|bot| Occupant::Bot(*bot));
        let chairs = people.iter().map(person_chair).chain(bots).collect::<Vec<_>>();
        if chairs.len() != usize::from(setup.players()) {
            return Err(Refused::not_kept("the study has another number of players"));
        }
        let seating = Seating { host: None, chairs };
        begun(code, opened, setup, by, seating, seed)
    }

    /// The entry that opens the table.
    fn entry(self) -> Entry {
        let Self { setup, public, by, deal } = self;
        Entry::Opened { setup, public, by, deal, strangers: false, study: None }
    }
}

/// People in the first seats and bots in all others.
fn seated(setup: &Setup, people: &[Person], bot: BotKind) -> Seating {
    let mut seating = Seating::empty(setup.players());
    seating.chairs.fill(Occupant::Bot(bot));
    for (chair, person) in seating.chairs.iter_mut().zip(people) {
        *chair = person_chair(person);
    }
    seating
}

fn person_chair(person: &Person) -> Occupant {
    let Person { id, name, mark, .. } = person.clone();
    Occupant::Person { id, name, mark, held: false }
}

/// A table where a game has begun.
fn begun(
    code: Code,
    opened: Entry,
    setup: Setup,
    by: PersonId,
    seating: Seating,
    seed: Seed,
) -> Result<Founded, Refused> {
    let shares_deal = matches!(&opened, Entry::Opened { deal: Some(_), .. });
    let knows = shares_deal.then_some(Seats::NONE);
    let started = Entry::Started { setup, seed: hex(seed.bytes()), by: None, knows };
    let mut lines =
        vec![opened.line()?, Entry::Seated { seating, by: None }.line()?, started.line()?];
    lines.extend(first_lines(&setup, seed)?);
    founded(code, lines, by)
}

/// The state comes from the fold, as it does when the table wakes.
fn founded(code: Code, lines: Vec<Box<str>>, by: PersonId) -> Result<Founded, Refused> {
    let state = TableState::read(&lines).map_err(Refused::not_kept)?;
    let state = state.ok_or_else(|| Refused::not_kept("a table has no lines"))?;
    let note = Some(state.note(code)?);
    Ok(Founded { append: Append { expected: 0, lines, note, by: Some(by) }, state })
}
