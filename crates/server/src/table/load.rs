//! Tables out of nothing, and out of their journals.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use journal::{Fault, Key, KeyError};
use rules::kit::Seats;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::warn;
use wire::{Code, Setup};

use super::Handle;
use super::ask::fresh_seed;
use super::kept::{BadLine, Kept};
use super::task::{Shared, Task};
use super::watched::Watched;
use crate::deal::Deal;
use crate::fair::{Order, Stamp};
use crate::lesson::Lesson;
use crate::person::{Person, PersonId};
use crate::record::Record;
use crate::room::Refused;

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
    #[error("the journal of table {code} cannot be understood: {bad}")]
    Line {
        /// The table.
        code: Code,
        /// What is wrong with it.
        bad: BadLine,
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
    deal: Option<Deal>,
) -> Result<Handle, OpenError> {
    opened(shared, code, setup, public, by, deal).await.map(spawn)
}

async fn opened(
    shared: Arc<Shared>,
    code: Code,
    setup: Setup,
    public: bool,
    by: PersonId,
    deal: Option<Deal>,
) -> Result<Task, OpenError> {
    let kept = |e: KeyError| Refused { code: "not-kept", text: e.to_string() };
    let key = key(code).map_err(kept)?;
    let mut task = awake(shared, code, key, Kept::opened(setup, public, by, deal.clone()))?;
    match task.keep(&[Record::Opened { setup, public, by, deal }]).await {
        Ok(()) => Ok(task),
        Err(_) if task.astray => Err(OpenError::Taken),
        Err(refused) => Err(refused.into()),
    }
}

/// Opens a table where somebody learns a game, and begins it.
pub(crate) async fn open_lesson(
    shared: Arc<Shared>,
    code: Code,
    lesson: &Lesson,
    person: &Person,
) -> Result<Handle, OpenError> {
    let mut task = opened(shared, code, lesson.setup, false, person.id, None).await?;
    task.teach(person, lesson.seed).await?;
    Ok(spawn(task))
}

/// Wakes a table from its journal.
pub(crate) async fn load(shared: Arc<Shared>, code: Code) -> Result<Handle, LoadError> {
    let key = key(code)?;
    let remembered = shared.memory.read(&key).await?;
    let wrong = |bad: BadLine| LoadError::Line { code, bad };
    let kept = Kept::read(&remembered.lines).map_err(wrong)?.ok_or(LoadError::Unknown(code))?;
    let strangers = remembered.strangers(&kept.seating);
    let task = awake(shared, code, key, kept);
    let mut task = task.map_err(|e| wrong(BadLine { line: 1, error: e.text }))?;
    // Who was deleted while the table slept leaves it now.
    for person in strangers {
        task.forget(person).await;
    }
    Ok(spawn(task))
}

fn key(code: Code) -> Result<Key, KeyError> {
    code.as_str().parse()
}

fn awake(shared: Arc<Shared>, code: Code, key: Key, kept: Kept) -> Result<Task, Refused> {
    Ok(Task {
        code,
        key,
        shared,
        kept,
        clients: Vec::new(),
        watched: Watched::default(),
        knowing: Seats::NONE,
        ready: Seats::NONE,
        owed: Seats::NONE,
        order: Order::default(),
        troubled: Seats::NONE,
        paused: Vec::new(),
        photo_finish: None,
        show_at: Stamp::default(),
        hold: Seats::NONE,
        end: Seats::NONE,
        clock: Instant::now(),
        luck: fresh_seed()?,
        plans: Vec::new(),
        planned: None,
        told: None,
        advised: Vec::new(),
        thoughts: JoinSet::new(),
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
