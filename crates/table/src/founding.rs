//! New tables: their first lines, and the state that these make.

use rules::kit::Seed;
use wire::{BotKind, Code, Setup, hex};

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
        let (setup, learners) = (self.setup, std::slice::from_ref(learner));
        begun(code, self.entry(), setup, learners, partner, seed)
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
        let opened = Entry::Opened { setup, public, by, deal: None, strangers: true };
        begun(code, opened, setup, people, bot, seed)
    }

    /// The entry that opens the table.
    fn entry(self) -> Entry {
        let Self { setup, public, by, deal } = self;
        Entry::Opened { setup, public, by, deal, strangers: false }
    }
}

/// A table with people in its first seats and bots in all others, where a game has begun.
fn begun(
    code: Code,
    opened: Entry,
    setup: Setup,
    people: &[Person],
    bot: BotKind,
    seed: Seed,
) -> Result<Founded, Refused> {
    let by = people.first().ok_or_else(|| Refused::not_kept("no person sits here"))?.id;
    let mut seating = Seating::empty(setup.players());
    seating.chairs.fill(Occupant::Bot(bot));
    for (chair, person) in seating.chairs.iter_mut().zip(people) {
        let Person { id, name, mark, .. } = person.clone();
        *chair = Occupant::Person { id, name, mark, held: false };
    }
    seating.host = Some(by);
    let started = Entry::Started { setup, seed: hex(seed.bytes()), by: None, knows: None };
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
