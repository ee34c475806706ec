//! Tables out of nothing, and out of their journals.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use cluster::NodeId;
use journal::{AppendError, Fault, Key, KeyError};
use rules::kit::Seed;
use table::{BadLine, Founded, Founding, Input, Person, Refused, Table, TableState};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::warn;
use wire::{BotKind, Code, Refusal, Setup};

use super::bars;
use super::clients::Clients;
use super::lines::Lines;
use super::task::Task;
use super::{Handle, Shared};
use crate::address::Subnet;
use crate::calendar::now_s;
use crate::lesson::Lesson;
use crate::owners::Tenure;
use crate::studies::StudyGame;

/// Why a table cannot be woken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// There is none.
    #[error("there is no table {0}")]
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
    /// Too many tables are being woken.
    #[error("{}", .0.text)]
    Busy(Refused),
    /// Another node of the cluster has it.
    #[error("the table is at another node, connect again")]
    Elsewhere(NodeId),
    /// Whether this node may have it is not known yet.
    #[error("the table changes its node, connect again")]
    Contested,
    /// The system has no randomness.
    #[error("the server has no randomness, try again")]
    NoRandomness(#[from] getrandom::Error),
}

impl From<Refused> for LoadError {
    fn from(busy: Refused) -> Self {
        Self::Busy(busy)
    }
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

/// What clients are told of it: nothing of what a journal holds.
impl From<LoadError> for Refused {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unknown(code) => Self::no_table(code),
            LoadError::Busy(refused) => refused,
            LoadError::NoRandomness(_) => Self::new(Refusal::NoRandomness, error.to_string()),
            LoadError::Elsewhere(_) | LoadError::Contested => {
                Self::new(Refusal::Unreadable, error.to_string())
            }
            LoadError::Read(_) | LoadError::Key(_) | LoadError::Line { .. } => {
                warn!(%error, "a table cannot be woken");
                let text = "the table cannot be read at the moment, try again later";
                Self::new(Refusal::Unreadable, text)
            }
        }
    }
}

/// Opens a new table and makes it durable.
pub(crate) async fn open(
    shared: Arc<Shared>,
    code: Code,
    founding: Founding,
    from: Subnet,
) -> Result<Handle, OpenError> {
    found(shared, code, founding.found(code)?, from).await
}

/// Opens a table where a person learns a game, which begins at once.
pub(crate) async fn open_lesson(
    shared: Arc<Shared>,
    code: Code,
    lesson: &Lesson,
    person: &Person,
    from: Subnet,
) -> Result<Handle, OpenError> {
    let setup = lesson.setup;
    let founding = Founding { setup, public: false, by: person.id, deal: None };
    let founded = founding.found_lesson(code, person, lesson.partner, lesson.seed)?;
    found(shared, code, founded, from).await
}

/// Opens a table for people who found each other by a search, which begins at once.
pub(crate) async fn open_for_strangers(
    shared: Arc<Shared>,
    code: Code,
    setup: Setup,
    people: &[Person],
    from: Subnet,
) -> Result<Handle, OpenError> {
    let seed = fresh_seed().map_err(Refused::not_kept)?;
    let bot = BotKind::of(setup.game()).first().copied();
    let bot = bot.ok_or_else(|| Refused::new(Refusal::NoBot, "no bot plays this game"))?;
    let founded = Founding::found_for_strangers(code, setup, people, bot, seed)?;
    found(shared, code, founded, from).await
}

/// Opens a table for participants of a study, which begins at once with the study's deal.
pub(crate) async fn open_for_study(
    shared: Arc<Shared>,
    code: Code,
    game: StudyGame,
    from: Subnet,
) -> Result<Handle, OpenError> {
    let StudyGame { setup, study, people, bots, seed } = game;
    let founded = Founding::found_for_study(code, setup, study, &people, &bots, seed)?;
    found(shared, code, founded, from).await
}

async fn found(
    shared: Arc<Shared>,
    code: Code,
    founded: Founded,
    from: Subnet,
) -> Result<Handle, OpenError> {
    let Founded { append, state } = founded;
    shared.writes.charge(&append, Some(from));
    let key = key(code).map_err(Refused::not_kept)?;
    let note =
        append.note.map(|n| journal::Note { text: n.text, listed: n.listed, ended: n.ended });
    let started = Instant::now();
    match shared.journal.append(&key, append.expected, append.lines, note).await {
        Ok(()) => {
            shared.metrics.append_seconds.observe(started.elapsed().as_secs_f64());
            // Queued by the call; the time of the first line is for operators alone.
            let _queued = shared.operations.touch(&key, now_s());
        }
        Err(AppendError::Conflict { .. }) => return Err(OpenError::Taken),
        Err(error) => {
            warn!(table = %code, %error, "a table could not be opened");
            return Err(Refused::not_kept(error).into());
        }
    }
    let tenure = shared.owners.own_new(&key).await;
    let seed = fresh_seed().map_err(Refused::not_kept)?;
    let table = Table::new(code, state, shared.settings(), seed, shared.stamp());
    Ok(spawn(shared, code, (key, tenure), table, Vec::new()))
}

/// Wakes a table from its journal, once this node owns it.
pub(crate) async fn load(shared: Arc<Shared>, code: Code) -> Result<Handle, LoadError> {
    let key = key(code)?;
    let _turn = shared.wakes.turn().await?;
    let tenure = shared.owners.take(code, &key).await?;
    match wake(&shared, code, (&key, tenure)).await {
        Ok((table, first)) => Ok(spawn(shared, code, (key, tenure), table, first)),
        Err(error) => {
            shared.owners.release(&key, tenure).await;
            Err(error)
        }
    }
}

/// Reads a table that this node owns, and what it has to take in first.
async fn wake(
    shared: &Shared,
    code: Code,
    (key, tenure): (&Key, Tenure),
) -> Result<(Table, Vec<Input>), LoadError> {
    let remembered = shared.redacted.read(key).await?;
    if !tenure.holds_with(remembered.lines.len()) {
        return Err(LoadError::Contested);
    }
    let wrong = |bad: BadLine| {
        shared.damaged.add(code, &bad);
        LoadError::Line { code, bad }
    };
    let state = TableState::read(&remembered.lines).map_err(wrong)?;
    let state = state.ok_or(LoadError::Unknown(code))?;
    shared.damaged.remove(code);
    // People who were deleted while the table slept leave it now.
    let deleted = remembered.strangers(state.seating()).into_iter().map(Input::Forgotten);
    let day_over = Input::DayOver(shared.calendar.day_over());
    let first = deleted.chain([day_over, Input::Woke]).collect();
    let bars = bars::read(shared, key).await?;
    let mut table = Table::new(code, state, shared.settings(), fresh_seed()?, shared.stamp());
    for (origin, until) in bars {
        table.bar(origin, until);
    }
    Ok((table, first))
}

fn key(code: Code) -> Result<Key, KeyError> {
    code.as_str().parse()
}

fn fresh_seed() -> Result<Seed, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(Seed::new(bytes))
}

fn spawn(
    shared: Arc<Shared>,
    code: Code,
    (key, tenure): (Key, Tenure),
    table: Table,
    first: Vec<Input>,
) -> Handle {
    let (sender, receiver) = mpsc::channel(shared.limits.tables.inbox_most);
    let listing = Arc::new(Mutex::new(None));
    let handle = Handle { code, inbox: sender, listing: listing.clone() };
    let (clients, jobs) = (Clients::default(), JoinSet::new());
    let task = Task {
        code,
        shared: shared.clone(),
        table,
        listing,
        clients,
        jobs,
        lines: Lines::new(key.clone(), shared.clone()),
    };
    // Boxed: a future keeps room for its argument as well as for what becomes of it.
    let task = Box::new(task);
    shared.tasks.clone().spawn(async move {
        shared.metrics.tables.inc();
        task.run(receiver, first).await;
        shared.owners.release(&key, tenure).await;
        shared.metrics.tables.dec();
    });
    handle
}
