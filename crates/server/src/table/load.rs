//! Tables out of nothing, and out of their journals.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use journal::{Fault, Key, KeyError};
use rules::kit::{Moment, Seats, Seed};
use tokio::sync::mpsc;
use tracing::warn;
use wire::{Code, Setup};

use super::Handle;
use super::answers::Answers;
use super::ask::fresh_seed;
use super::task::{Course, Shared, Task};
use crate::person::{PersonId, unhex};
use crate::record::{Asker, Occupant, Record, Seating};
use crate::room::{self, Refused};

/// Why a table cannot be woken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// There is none.
    #[error("there is no table {0}, check the code")]
    Unknown(Code),
    /// Its journal cannot be read.
    #[error(transparent)]
    Read(#[from] Fault),
    /// Its key is none.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Its journal is not ours.
    #[error("line {line} of the journal of table {code} cannot be understood: {error}")]
    Line {
        /// The table.
        code: Code,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: String,
    },
}

/// Why a table cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// Another table has the code.
    Taken,
    /// It cannot be kept.
    Refused(Refused),
}

impl From<Refused> for OpenError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// What strangers are told of it. What a journal holds is none of their business.
impl From<LoadError> for Refused {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unknown(_) => Self { code: "no-table", text: error.to_string() },
            LoadError::Read(_) | LoadError::Key(_) | LoadError::Line { .. } => {
                warn!(%error, "a table cannot be woken");
                let text = "the table cannot be read at the moment, try again later".to_owned();
                Self { code: "unreadable", text }
            }
        }
    }
}

/// Opens a new table and makes it durable.
pub(crate) async fn open(
    shared: Arc<Shared>,
    code: Code,
    setup: Setup,
    public: bool,
    by: PersonId,
) -> Result<Handle, OpenError> {
    let kept = |e: KeyError| Refused { code: "not-kept", text: e.to_string() };
    let key = key(code).map_err(kept)?;
    let mut task = empty(shared, code, key, setup, public, by)?;
    match task.keep(&[Record::Opened { setup, public, by }]).await {
        Ok(()) => Ok(spawn(task)),
        Err(_) if task.astray => Err(OpenError::Taken),
        Err(refused) => Err(refused.into()),
    }
}

/// Wakes a table from its journal.
pub(crate) async fn load(shared: Arc<Shared>, code: Code) -> Result<Handle, LoadError> {
    let key = key(code)?;
    let lines = shared.journal.read(&key, 0).await?;
    let wrong = |line: usize, error: String| LoadError::Line { code, line: line + 1, error };
    let mut lines = lines.iter().enumerate().map(|(index, line)| {
        serde_json::from_str::<Record>(line)
            .map(|record| (index, record))
            .map_err(|e| wrong(index, e.to_string()))
    });
    let (setup, public, by) = match lines.next().transpose()? {
        None => return Err(LoadError::Unknown(code)),
        Some((_, Record::Opened { setup, public, by })) => (setup, public, by),
        Some((index, _)) => return Err(wrong(index, "the first line opens a table".to_owned())),
    };
    let mut task = empty(shared, code, key, setup, public, by).map_err(|e| wrong(0, e.text))?;
    task.lines = 1;
    for line in lines {
        let (index, record) = line?;
        task.lines += 1;
        task.replay(record).map_err(|e| wrong(index, e))?;
    }
    Ok(spawn(task))
}

fn key(code: Code) -> Result<Key, KeyError> {
    code.as_str().parse()
}

fn empty(
    shared: Arc<Shared>,
    code: Code,
    key: Key,
    setup: Setup,
    public: bool,
    opener: PersonId,
) -> Result<Task, Refused> {
    Ok(Task {
        code,
        key,
        shared,
        setup,
        public,
        opener: Some(opener),
        seating: Seating::empty(setup.players()),
        course: Course::Gathering,
        games: 0,
        lines: 0,
        clients: Vec::new(),
        ready: Seats::NONE,
        owed: Seats::NONE,
        hold: Seats::NONE,
        end: Seats::NONE,
        answers: Answers::default(),
        clock_at: Moment::START,
        clock: Instant::now(),
        luck: fresh_seed()?,
        plans: Vec::new(),
        planned: None,
        listing: Arc::new(Mutex::new(None)),
        astray: false,
    })
}

fn spawn(task: Task) -> Handle {
    let (sender, receiver) = mpsc::channel(task.shared.limits.inbox_most);
    let handle = Handle { code: task.code, inbox: sender, listing: task.listing.clone() };
    tokio::spawn(async move {
        let shared = task.shared.clone();
        shared.metrics.tables.inc();
        task.run(receiver).await;
        shared.metrics.tables.dec();
    });
    handle
}

impl Task {
    /// Folds one line of the journal.
    fn replay(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Opened { .. } => return Err("a table is opened once".to_owned()),
            Record::Seated { seating, by } => {
                self.now_seated(seating);
                self.answered(by);
            }
            Record::Started { setup, seed, by } => {
                self.answered(Some(by));
                let seed = Seed::new(unhex(&seed).map_err(|e| e.to_string())?);
                self.course = Course::Playing(room::open(&setup, seed, self.course.next_seq()));
                self.games += 1;
            }
            Record::Event(happening) => {
                let Course::Playing(room) = &mut self.course else {
                    return Err("something happened while no game was on".to_owned());
                };
                room.fold(happening.at, &happening.event).map_err(|e| e.to_string())?;
                self.clock_at = happening.at;
                if let Some(cause) = happening.by
                    && let Some(ticket) = cause.ticket
                    && let Some(Occupant::Person { id: person, .. }) =
                        self.seating.chairs.get(cause.seat.index())
                {
                    self.answers.done(*person, ticket);
                }
            }
            Record::Ended { outcome, by } => {
                self.answered(by);
                self.finish(outcome);
            }
        }
        Ok(())
    }

    fn answered(&mut self, by: Option<Asker>) {
        if let Some(Asker { person, ticket }) = by {
            self.answers.done(person, ticket);
        }
    }
}
