//! What is kept of a table: all that follows from its lines, and nothing else.

use journal::Note;
use rules::kit::{Moment, Outcome, Seats, Seed};
use wire::{Code, Listing, Setup};

use crate::answers::Answers;
use crate::deal::Deal;
use crate::person::{PersonId, unhex};
use crate::record::{Asker, Happening, Occupant, Record, Seating};
use crate::room::{self, Luck, Room};

/// A table as its journal tells it. It changes only when a line was written or read.
pub(crate) struct Kept {
    pub(super) setup: Setup,
    pub(super) public: bool,
    /// Who opened the table, until they have sat down for the first time.
    pub(super) opener: Option<PersonId>,
    pub(super) seating: Seating,
    /// The deal that the table was opened for.
    pub(super) deal: Option<Deal>,
    /// If the game that is on or over has it: who had seen it before.
    pub(super) repeats: Option<Seats>,
    pub(super) course: Course,
    pub(super) games: u32,
    /// How many lines there are.
    pub(super) lines: u64,
    pub(super) answers: Answers,
    /// Where the game's clock stood when the game began or the lines ended.
    pub(super) clock_at: Moment,
}

/// Where a table is in its life.
pub(super) enum Course {
    /// No game yet, or none of what is played now.
    Gathering {
        /// Where the first game counts on from.
        seq: u64,
    },
    /// A game is on.
    Playing(Box<dyn Room>),
    /// A game is over; its room stays to be looked at.
    Over(Box<dyn Room>, Option<Outcome>),
}

impl Course {
    /// Where the next game counts on from.
    pub(super) fn next_seq(&self) -> u64 {
        match self {
            Self::Gathering { seq } => *seq,
            Self::Playing(room) | Self::Over(room, _) => room.next_seq(),
        }
    }
}

/// A line that does not follow from those before it.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub(crate) struct BadLine {
    /// Which, from 1.
    pub(crate) line: usize,
    /// What is wrong with it.
    pub(crate) error: String,
}

impl Kept {
    /// A table that was just opened.
    pub(super) fn opened(setup: Setup, public: bool, by: PersonId, deal: Option<Deal>) -> Self {
        Self {
            setup,
            public,
            opener: Some(by),
            seating: Seating::empty(setup.players()),
            deal,
            repeats: None,
            course: Course::Gathering { seq: 0 },
            games: 0,
            lines: 0,
            answers: Answers::default(),
            clock_at: Moment::START,
        }
    }

    /// The table that these lines tell of; `None` if there are none.
    pub(crate) fn read<L: AsRef<str>>(lines: &[L]) -> Result<Option<Self>, BadLine> {
        Self::read_with(lines, |_| Ok(()))
    }

    /// The same, looking at the game whenever everything that a command led to has happened.
    pub(crate) fn read_with<L: AsRef<str>>(
        lines: &[L],
        check: impl Fn(&dyn Room) -> Result<(), String>,
    ) -> Result<Option<Self>, BadLine> {
        let mut kept = None::<Self>;
        let checked = |table: &Self, line: usize| match &table.course {
            Course::Gathering { .. } => Ok(()),
            Course::Playing(room) | Course::Over(room, _) => {
                check(room.as_ref()).map_err(|error| BadLine { line, error })
            }
        };
        for (index, line) in lines.iter().enumerate() {
            let wrong = |error: String| BadLine { line: index + 1, error };
            let record = serde_json::from_str(line.as_ref()).map_err(|e| wrong(e.to_string()))?;
            let table = match (&mut kept, record) {
                (None, Record::Opened { setup, public, by, deal }) => {
                    kept.insert(Self::opened(setup, public, by, deal))
                }
                (None, _) => return Err(wrong("the first line opens a table".to_owned())),
                (Some(table), record) => {
                    if record.is_command() {
                        checked(table, index)?;
                    }
                    table.fold(record).map_err(wrong)?;
                    table
                }
            };
            table.lines += 1;
        }
        if let Some(table) = &kept {
            checked(table, lines.len())?;
        }
        Ok(kept)
    }

    /// Folds one more line.
    fn fold(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Opened { .. } => return Err("a table is opened once".to_owned()),
            Record::Seated { seating, by } => {
                if seating.chairs.len() != self.seating.chairs.len() {
                    return Err("the table has another number of chairs".to_owned());
                }
                self.seat(seating);
                self.answered(by);
            }
            Record::Arranged { setup, seating, by } => {
                if matches!(self.course, Course::Playing(_)) {
                    return Err("what is played changed while a game was on".to_owned());
                }
                if seating.chairs.len() != usize::from(setup.players()) {
                    return Err("there are not as many chairs as players".to_owned());
                }
                self.arrange(setup, seating);
                self.answered(Some(by));
            }
            Record::Started { setup, seed, by, knows } => {
                if matches!(self.course, Course::Playing(_)) {
                    return Err("a game began while another was on".to_owned());
                }
                let seed = Seed::new(unhex(&seed).map_err(|e| e.to_string())?);
                if knows.is_some() && self.offered().is_none() {
                    return Err("the table has no deal to repeat".to_owned());
                }
                let luck = Luck { seed, deal: knows.and_then(|_| self.deal.clone()) };
                self.begin(room::open(&setup, luck, self.course.next_seq()), knows);
                self.answered(by);
            }
            Record::Event(happening) => self.happened(&happening)?,
            Record::Ended { outcome, by } => {
                if !matches!(self.course, Course::Playing(_)) {
                    return Err("a game ended while none was on".to_owned());
                }
                self.finish(outcome);
                self.answered(by);
            }
        }
        Ok(())
    }

    fn happened(&mut self, Happening { at, by, event }: &Happening) -> Result<(), String> {
        let Course::Playing(room) = &mut self.course else {
            return Err("something happened while no game was on".to_owned());
        };
        if *at < room.at() {
            return Err("this happened before what stands above it".to_owned());
        }
        room.fold(*at, event).map_err(|e| e.to_string())?;
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

    /// The opener is host by right once only: after that the host is whoever it was passed to.
    pub(super) fn seat(&mut self, seating: Seating) {
        self.opener = self.opener.filter(|opener| seating.seat_of(*opener).is_none());
        self.seating = seating;
    }

    /// Puts something else on the table, before its first game.
    pub(super) fn arrange(&mut self, setup: Setup, seating: Seating) {
        if setup != self.setup {
            self.deal = None;
        }
        self.repeats = None;
        self.setup = setup;
        self.course = Course::Gathering { seq: self.course.next_seq() };
        self.seat(seating);
    }

    /// The deal that comes next: that of another game is for the first one alone.
    pub(super) fn offered(&self) -> Option<&Deal> {
        self.deal.as_ref().filter(|_| self.games == 0)
    }

    /// Puts a game on the table; who knows its deal, if it is the one that the table is for.
    pub(super) fn begin(&mut self, room: Box<dyn Room>, knows: Option<Seats>) {
        self.repeats = knows;
        self.course = Course::Playing(room);
        self.clock_at = Moment::START;
        self.games += 1;
    }

    /// Puts the game away as over.
    pub(super) fn finish(&mut self, outcome: Option<Outcome>) {
        self.course = match std::mem::replace(&mut self.course, Course::Gathering { seq: 0 }) {
            Course::Playing(room) => Course::Over(room, outcome),
            other => other,
        };
    }
    /// The table's line in the public list.
    pub(super) fn listing(&self, code: Code) -> Listing {
        Listing {
            code,
            game: self.setup.game(),
            taken: self.seating.taken(),
            chairs: self.seating.chairs.len() as u8,
            playing: matches!(self.course, Course::Playing(_)),
        }
    }

    /// What the journal keeps of the table beside its lines once these are written; `None` if
    /// they leave it as it is, as moves do.
    pub(crate) fn note(&self, code: Code, records: &[Record]) -> Option<Note> {
        let mut listing = self.listing(code);
        let mut ended = matches!(self.course, Course::Over(..));
        let mut changed = false;
        for record in records {
            match record {
                Record::Opened { .. } => {}
                Record::Seated { seating, .. } => listing.taken = seating.taken(),
                Record::Arranged { setup, seating, .. } => {
                    listing.game = setup.game();
                    listing.taken = seating.taken();
                    listing.chairs = setup.players();
                    ended = false;
                }
                Record::Started { .. } => (listing.playing, ended) = (true, false),
                Record::Event(_) => continue,
                Record::Ended { .. } => (listing.playing, ended) = (false, true),
            }
            changed = true;
        }
        changed.then(|| self.noted(&listing, ended)).flatten()
    }

    /// The note of the table as it stands.
    pub(crate) fn whole_note(&self, code: Code) -> Option<Note> {
        self.noted(&self.listing(code), matches!(self.course, Course::Over(..)))
    }

    fn noted(&self, listing: &Listing, ended: bool) -> Option<Note> {
        let text = serde_json::to_string(listing).ok()?;
        Some(Note { text: text.into(), listed: self.public, ended })
    }
}
