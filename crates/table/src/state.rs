//! A table as its journal tells it: one fold over its entries, for all that read them.

use rules::kit::{Moment, Outcome, Seats, Seed};
use serde_json::value::RawValue;
use wire::{Code, Listing, Setup};

use crate::answers::Answers;
use crate::deal::Deal;
use crate::effect::Note;
use crate::entry::{Asker, Entry, Happening};
use crate::founding::Founding;
use crate::person::{PersonId, unhex};
use crate::refused::Refused;
use crate::room::{Luck, Room, open_room};
use crate::seating::{Occupant, Seating};

/// A table as its journal tells it. It changes only when a line was written or read.
///
/// `E` is what is made of the events of a game: `Box<dyn Room>` plays them by the rules,
/// [`Unplayed`] only keeps their order, for readers who want the course of the table alone.
pub struct TableState<E = Box<dyn Room>> {
    setup: Setup,
    opening: Opening,
    seating: Seating,
    stage: Stage<E>,
    /// If the game that is on or over has the deal that the table is for: who had seen it before.
    repeated: Option<Seats>,
    games: u32,
    lines: u64,
    answers: Answers,
    /// Where the game's clock stood when the game began or the lines ended.
    clock_at: Moment,
    /// Grows whenever anything but the game itself changes.
    version: u64,
}

/// How the table was opened.
struct Opening {
    /// Whether strangers find it in the list.
    public: bool,
    /// Who opened it, until they have sat down for the first time.
    opener: Option<PersonId>,
    /// The deal of another game that it was opened for.
    deal: Option<Deal>,
}

/// Before, in or after a game.
pub enum Stage<E = Box<dyn Room>> {
    /// No game yet, or none of what is played now.
    Gathering {
        /// Where the first game counts on from.
        seq: u64,
    },
    /// A game is on.
    Playing(E),
    /// A game is over; it stays to be looked at.
    Over(E, Option<Outcome>),
}

impl<E: Events> Stage<E> {
    /// Where the next game counts on from.
    pub fn next_seq(&self) -> u64 {
        match self {
            Self::Gathering { seq } => *seq,
            Self::Playing(game) | Self::Over(game, _) => game.next_seq(),
        }
    }
}

/// What a fold makes of the events of a game.
pub trait Events: Sized {
    /// A game before anything has happened.
    fn begin(setup: &Setup, luck: Luck, seq: u64) -> Self;
    /// Folds one more event.
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), String>;
    /// When the last event was.
    fn at(&self) -> Moment;
    /// Where the next game counts on from.
    fn next_seq(&self) -> u64;
}

impl Events for Box<dyn Room> {
    fn begin(setup: &Setup, luck: Luck, seq: u64) -> Self {
        open_room(setup, luck, seq)
    }

    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), String> {
        Room::fold(self.as_mut(), at, event).map_err(|error| error.to_string())
    }

    fn at(&self) -> Moment {
        Room::at(self.as_ref())
    }

    fn next_seq(&self) -> u64 {
        Room::next_seq(self.as_ref())
    }
}

/// The events of a game are counted and not played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unplayed {
    at: Moment,
    events: u64,
}

impl Events for Unplayed {
    fn begin(_: &Setup, _: Luck, seq: u64) -> Self {
        Self { at: Moment::START, events: seq }
    }

    fn fold(&mut self, at: Moment, _: &RawValue) -> Result<(), String> {
        self.at = at;
        self.events += 1;
        Ok(())
    }

    fn at(&self) -> Moment {
        self.at
    }

    fn next_seq(&self) -> u64 {
        self.events + 1
    }
}

/// A line that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    /// Which, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: String,
}

impl<E: Events> TableState<E> {
    /// The table that these lines tell of; `None` if there are none.
    pub fn read<L: AsRef<str>>(lines: &[L]) -> Result<Option<Self>, BadLine> {
        Self::read_with(lines, |_, _, _| Ok(()))
    }

    /// The same, shown to `each` line by line: the number of the line from 1, the table after it,
    /// and the entry that the line holds.
    pub fn read_with<L: AsRef<str>>(
        lines: &[L],
        mut each: impl FnMut(usize, &Self, Entry) -> Result<(), String>,
    ) -> Result<Option<Self>, BadLine> {
        let mut state = None::<Self>;
        for (index, line) in lines.iter().enumerate() {
            let wrong = |error: String| BadLine { line: index + 1, error };
            let entry = Entry::read(line.as_ref()).map_err(wrong)?;
            let table = match &mut state {
                None => state.insert(Self::founded(&entry).map_err(wrong)?),
                Some(table) => {
                    table.fold(&entry).map_err(wrong)?;
                    table
                }
            };
            each(index + 1, table, entry).map_err(wrong)?;
        }
        Ok(state)
    }

    /// The table that a first entry opens.
    pub(crate) fn founded(entry: &Entry) -> Result<Self, String> {
        let Entry::Opened { setup, public, by, deal } = entry else {
            return Err("the first line opens a table".to_owned());
        };
        Ok(Self {
            setup: *setup,
            opening: Opening { public: *public, opener: Some(*by), deal: deal.clone() },
            seating: Seating::empty(setup.players()),
            stage: Stage::Gathering { seq: 0 },
            repeated: None,
            games: 0,
            lines: 1,
            answers: Answers::default(),
            clock_at: Moment::START,
            version: 0,
        })
    }

    /// Folds one more entry. An entry that does not follow changes nothing.
    pub(crate) fn fold(&mut self, entry: &Entry) -> Result<(), String> {
        match entry {
            Entry::Opened { .. } => return Err("a table is opened once".to_owned()),
            Entry::Seated { seating, by } => {
                if seating.chairs.len() != self.seating.chairs.len() {
                    return Err("the table has another number of chairs".to_owned());
                }
                self.seat(seating.clone());
                self.answered(*by);
            }
            Entry::Arranged { setup, seating, by } => {
                if self.is_playing() {
                    return Err("what is played changed while a game was on".to_owned());
                }
                if seating.chairs.len() != usize::from(setup.players()) {
                    return Err("there are not as many chairs as players".to_owned());
                }
                self.arrange(*setup, seating.clone());
                self.answered(Some(*by));
            }
            Entry::Started { setup, seed, by, knows } => {
                if self.is_playing() {
                    return Err("a game began while another was on".to_owned());
                }
                let seed = Seed::new(unhex(seed).map_err(|e| e.to_string())?);
                if knows.is_some() && self.offered().is_none() {
                    return Err("the table has no deal to repeat".to_owned());
                }
                let luck = Luck { seed, deal: knows.and_then(|_| self.opening.deal.clone()) };
                self.begin(E::begin(setup, luck, self.stage.next_seq()), *knows);
                self.answered(*by);
            }
            Entry::Event(happening) => self.happened(happening)?,
            Entry::Ended { outcome, by } => {
                if !self.is_playing() {
                    return Err("a game ended while none was on".to_owned());
                }
                self.finish(*outcome);
                self.answered(*by);
            }
        }
        self.lines += 1;
        Ok(())
    }

    fn happened(&mut self, Happening { at, by, event }: &Happening) -> Result<(), String> {
        let Stage::Playing(game) = &mut self.stage else {
            return Err("an event stands here while no game was on".to_owned());
        };
        if *at < game.at() {
            return Err("this happened before what stands above it".to_owned());
        }
        game.fold(*at, event)?;
        self.clock_at = *at;
        if let Some(cause) = by
            && let Some(ticket) = cause.ticket
            && let Some(Occupant::Person { id, .. }) = self.seating.chairs.get(cause.seat.index())
        {
            self.answers.done(*id, ticket);
        }
        Ok(())
    }

    fn answered(&mut self, by: Option<Asker>) {
        if let Some(Asker { person, ticket }) = by {
            self.answers.done(person, ticket);
        }
    }

    /// Takes a seating. The opener is host by right once only: after that the host is the person
    /// it was passed to.
    pub(crate) fn seat(&mut self, seating: Seating) {
        let opener = self.opening.opener;
        self.opening.opener = opener.filter(|opener| seating.seat_of(*opener).is_none());
        self.version += u64::from(self.seating != seating);
        self.seating = seating;
    }

    /// Puts something else on the table, before its first game or between two.
    pub(crate) fn arrange(&mut self, setup: Setup, seating: Seating) {
        if setup != self.setup {
            self.opening.deal = None;
        }
        self.repeated = None;
        self.setup = setup;
        self.stage = Stage::Gathering { seq: self.stage.next_seq() };
        self.version += 1;
        self.seat(seating);
    }

    /// Puts a game on the table; `knows` has seen its deal, if it is the one the table is for.
    pub(crate) fn begin(&mut self, game: E, knows: Option<Seats>) {
        self.repeated = knows;
        self.stage = Stage::Playing(game);
        self.clock_at = Moment::START;
        self.games += 1;
        self.version += 1;
    }

    /// Puts the game away as over.
    pub(crate) fn finish(&mut self, outcome: Option<Outcome>) {
        let seq = self.stage.next_seq();
        self.stage = match std::mem::replace(&mut self.stage, Stage::Gathering { seq }) {
            Stage::Playing(game) => Stage::Over(game, outcome),
            other => other,
        };
        self.version += 1;
    }

    /// Counts lines that were written.
    pub(crate) fn wrote(&mut self, lines: u64) {
        self.lines += lines;
    }

    /// Which messages were done, to be changed.
    pub(crate) fn answers_mut(&mut self) -> &mut Answers {
        &mut self.answers
    }

    /// Which messages were done.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// What is played.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether strangers find the table in the list.
    pub fn is_public(&self) -> bool {
        self.opening.public
    }

    /// Who opened the table, until they have sat down for the first time.
    pub fn opener(&self) -> Option<PersonId> {
        self.opening.opener
    }

    /// Who sits where.
    pub fn seating(&self) -> &Seating {
        &self.seating
    }

    /// Takes the name of a person who was deleted from the chairs.
    pub(crate) fn forget(&mut self, person: PersonId) {
        self.answers.forget(person);
        self.version += u64::from(self.seating.forget(|id| id == person));
    }

    /// The deal that the table was opened for.
    pub fn deal(&self) -> Option<&Deal> {
        self.opening.deal.as_ref()
    }

    /// The deal that comes next: that of another game is for the first one alone.
    pub fn offered(&self) -> Option<&Deal> {
        self.deal().filter(|_| self.games == 0)
    }

    /// If the game that is on or over has the deal that the table was opened for: who knew it.
    pub fn repeated(&self) -> Option<Seats> {
        self.repeated
    }

    /// Before, in or after a game.
    pub fn stage(&self) -> &Stage<E> {
        &self.stage
    }

    /// Whether a game is on.
    pub fn is_playing(&self) -> bool {
        matches!(self.stage, Stage::Playing(_))
    }

    /// How many games were begun here.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Grows whenever anything but the game itself changes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// How many lines there are.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Where the game's clock stood when the game began or the lines ended.
    pub fn clock_at(&self) -> Moment {
        self.clock_at
    }

    /// The table's line in the public list.
    pub fn listing(&self, code: Code) -> Listing {
        Listing {
            code,
            game: self.setup.game(),
            taken: self.seating.taken(),
            chairs: self.seating.chairs.len() as u8,
            playing: self.is_playing(),
        }
    }

    /// The note of the table as it stands.
    pub fn note(&self, code: Code) -> Result<Note, Refused> {
        Note::new(&self.listing(code), self.opening.public, matches!(self.stage, Stage::Over(..)))
    }

    /// The note of the table once these entries are written. Events leave it as it is, so they
    /// need not be among them.
    pub(crate) fn note_after(
        &self,
        code: Code,
        entries: &[Entry],
    ) -> Result<Option<Note>, Refused> {
        let mut listing = self.listing(code);
        let mut ended = matches!(self.stage, Stage::Over(..));
        let mut changed = false;
        for entry in entries {
            match entry {
                Entry::Opened { .. } => {}
                Entry::Seated { seating, .. } => listing.taken = seating.taken(),
                Entry::Arranged { setup, seating, .. } => {
                    listing.game = setup.game();
                    listing.taken = seating.taken();
                    listing.chairs = setup.players();
                    ended = false;
                }
                Entry::Started { .. } => (listing.playing, ended) = (true, false),
                Entry::Event(_) => continue,
                Entry::Ended { .. } => (listing.playing, ended) = (false, true),
            }
            changed = true;
        }
        changed.then(|| Note::new(&listing, self.opening.public, ended)).transpose()
    }
}

impl TableState {
    /// Reads lines as [`read`](Self::read) does, and checks the state of the game whenever all
    /// events of a command were folded.
    pub fn read_checked<L: AsRef<str>>(lines: &[L]) -> Result<Option<Self>, BadLine> {
        let mut pending = None::<usize>;
        let check = |table: &Self, line: usize| match table.stage() {
            Stage::Gathering { .. } => Ok(()),
            Stage::Playing(room) | Stage::Over(room, _) => {
                room.check().map_err(|error| BadLine { line, error })
            }
        };
        let mut state = None::<Self>;
        for (index, line) in lines.iter().enumerate() {
            let wrong = |error: String| BadLine { line: index + 1, error };
            let entry = Entry::read(line.as_ref()).map_err(wrong)?;
            match &mut state {
                None => state = Some(Self::founded(&entry).map_err(wrong)?),
                Some(table) => {
                    if let Some(line) = pending.filter(|_| entry.is_command()) {
                        check(table, line)?;
                    }
                    table.fold(&entry).map_err(wrong)?;
                    pending = Some(index + 1);
                }
            }
        }
        if let Some(table) = &state {
            check(table, lines.len())?;
        }
        Ok(state)
    }

    /// The game that is on or over.
    pub fn room(&self) -> Option<&dyn Room> {
        match &self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(room) | Stage::Over(room, _) => Some(room.as_ref()),
        }
    }

    /// The game that is on.
    pub fn playing(&self) -> Option<&dyn Room> {
        match &self.stage {
            Stage::Playing(room) => Some(room.as_ref()),
            Stage::Gathering { .. } | Stage::Over(..) => None,
        }
    }

    /// The game that is on, to be changed.
    pub(crate) fn playing_mut(&mut self) -> Option<&mut dyn Room> {
        match &mut self.stage {
            Stage::Playing(room) => Some(room.as_mut()),
            Stage::Gathering { .. } | Stage::Over(..) => None,
        }
    }

    /// The game that is on or over, to be changed.
    pub(crate) fn room_mut(&mut self) -> Option<&mut dyn Room> {
        match &mut self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(room) | Stage::Over(room, _) => Some(room.as_mut()),
        }
    }
}

impl Founding {
    /// The entry that opens the table.
    pub(crate) fn entry(self) -> Entry {
        let Self { setup, public, by, deal } = self;
        Entry::Opened { setup, public, by, deal }
    }
}
