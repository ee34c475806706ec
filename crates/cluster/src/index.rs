//! A node's own index of the cluster: what the streams say of tables and people, for lists.
//!
//! It is a journal file with the tables' notes and without their lines, with the people and without
//! their devices, and with the catalogue. It follows the streams, so it is behind them by moments,
//! and it is made again from nothing when the file is missing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use journal::{
    BoxFuture, Content, Fault, Hash, Journal, Operations, People, Span, Sqlite, StoredPerson,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{debug, warn};

use crate::bucket::Bucket;
use crate::bundle::Bundle;
use crate::line_stream::LineStream;
use crate::people::PERSONS;
use crate::person_record::{PersonRecord, PersonValue};
use crate::stream::{BATCH, Silent, Stored, Stream};
use crate::{OpenError, Options};

/// How often it is stored how far the index is. What comes after that is read again after a crash.
const STORE_EVERY: Duration = Duration::from_secs(1);
/// How often each stream is asked for what is new.
const PAUSE: Duration = Duration::from_millis(500);

/// The index.
pub(crate) struct Index {
    sqlite: Arc<Sqlite>,
    progress: Arc<Progress>,
    /// Follow the streams, until they are dropped.
    followers: Mutex<JoinSet<()>>,
}

/// How far the index is.
struct Progress {
    position: Mutex<Position>,
    /// How many streams are not read up to what was there when the node joined.
    behind: watch::Sender<usize>,
    /// Counts notes of tables at which a game is over.
    games_over: watch::Sender<u64>,
}

/// The last message of each stream that the index has. It is stored in the index itself, as the line
/// of a person who is seen at the end of time: so it comes first in the list of people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Position {
    /// The identity of the cluster.
    cluster: String,
    /// The streams of lines, and then that of people.
    streams: Vec<u64>,
}

impl Index {
    /// Opens the file, or makes it, and begins to follow the streams.
    pub(crate) async fn open(
        options: &Options,
        lines: &[Arc<LineStream>],
        bucket: &Arc<Bucket>,
        identity: &str,
    ) -> Result<Self, OpenError> {
        let of_lines = (0..).zip(lines).map(|(number, stream)| {
            (Source::Lines(Arc::clone(stream)), options.name.subjects(number))
        });
        let of_people = (Source::People(Arc::clone(bucket)), bucket.subject(PERSONS));
        let sources = of_lines.chain([of_people]).collect::<Vec<_>>();
        let path = options.index.clone();
        let content = journal::Options { content: Content::Index, ..journal::Options::default() };
        let opened = spawn_blocking(move || Sqlite::open(path, content)).await;
        let opened =
            opened.map_err(|error| OpenError::IndexFault(Fault::Disk(error.to_string())))?;
        let sqlite = Arc::new(opened?);
        let position = match sqlite.get(place()).await? {
            None => Position { cluster: identity.to_owned(), streams: vec![0; sources.len()] },
            Some(line) => serde_json::from_str::<Position>(&line)
                .map_err(|error| OpenError::IndexFault(Fault::Damaged(error.to_string())))?,
        };
        if position.cluster != identity || position.streams.len() != sources.len() {
            let (index, name) = (options.index.display().to_string(), options.name.to_string());
            return Err(OpenError::OtherCluster { index, name });
        }
        store(&sqlite, &position).await?;
        sqlite.seen(place(), u64::MAX).await?;

        let ((behind, _), (games_over, _)) = (watch::channel(sources.len()), watch::channel(0));
        let progress = Arc::new(Progress { position: Mutex::new(position), behind, games_over });
        let mut followers = JoinSet::new();
        for (number, (source, subjects)) in sources.into_iter().enumerate() {
            let follower = Follower {
                source,
                subjects,
                number,
                sqlite: Arc::clone(&sqlite),
                progress: Arc::clone(&progress),
                is_behind: true,
            };
            followers.spawn(follower.run());
        }
        followers.spawn(store_regularly(Arc::clone(&sqlite), Arc::clone(&progress)));
        Ok(Self { sqlite, progress, followers: Mutex::new(followers) })
    }

    /// Waits until the index has all that was in the streams when the node joined.
    pub(crate) async fn caught_up(&self) {
        let mut behind = self.progress.behind.subscribe();
        let _senders_outlive_this = behind.wait_for(|streams| *streams == 0).await;
    }

    /// The file.
    pub(crate) fn sqlite(&self) -> Arc<Sqlite> {
        Arc::clone(&self.sqlite)
    }

    /// Counts notes of tables at which a game is over.
    pub(crate) fn games_over(&self) -> watch::Receiver<u64> {
        self.progress.games_over.subscribe()
    }

    /// The people, those seen last first. What the file has in the first place is not a person.
    pub(crate) fn people(
        &self,
        Span { skip, most }: Span,
    ) -> BoxFuture<Result<(Vec<StoredPerson>, u64), Fault>> {
        let found = self.sqlite.people(Span { skip: skip.saturating_add(1), most });
        Box::pin(async {
            let (people, total) = found.await?;
            Ok((people, total.saturating_sub(1)))
        })
    }

    /// Stops following the streams and closes the file.
    pub(crate) async fn close(&self) {
        let mut followers = {
            let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *followers)
        };
        followers.shutdown().await;
        let position = self.progress.position().clone();
        if let Err(fault) = store(&self.sqlite, &position).await {
            warn!(%fault, "how far the index is was not stored: some of it is read again");
        }
        let sqlite = Arc::clone(&self.sqlite);
        if let Err(error) = spawn_blocking(move || sqlite.close()).await {
            warn!(%error, "the index was not closed in order");
        }
    }
}

impl Progress {
    fn position(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, stream: usize) -> u64 {
        self.position().streams[stream]
    }

    fn reached(&self, stream: usize, sequence: u64) {
        let mut position = self.position();
        let reached = &mut position.streams[stream];
        *reached = (*reached).max(sequence);
    }
}

/// Follows one stream. It asks for what is new, of any broker, so that none of them has to keep
/// anything for this node.
struct Follower {
    source: Source,
    subjects: String,
    number: usize,
    sqlite: Arc<Sqlite>,
    progress: Arc<Progress>,
    is_behind: bool,
}

/// What is followed.
enum Source {
    Lines(Arc<LineStream>),
    People(Arc<Bucket>),
}

impl Source {
    fn stream(&self) -> &Stream {
        match self {
            Self::Lines(lines) => lines.stream(),
            Self::People(bucket) => bucket.stream(),
        }
    }
}

impl Follower {
    async fn run(mut self) {
        loop {
            let followed = self.follow().await;
            let stream = self.source.stream().name();
            match followed {
                Ok(()) => {}
                Err(Stop::Silent(error)) => debug!(stream, error, "no news of a stream"),
                Err(Stop::Fault(error)) => warn!(stream, error, "the index cannot be written"),
            }
            sleep(PAUSE).await;
        }
    }

    /// Takes all that is new into the index.
    async fn follow(&mut self) -> Result<(), Stop> {
        loop {
            let from = self.progress.of(self.number) + 1;
            let stored = self.source.stream().batch(&self.subjects, from).await?;
            let count = stored.len();
            let mut games_over = 0;
            // Queued in the order of the stream, and written together.
            let written = stored.into_iter().map(|stored| self.apply(stored)).collect::<Vec<_>>();
            for written in written {
                let Applied { sequence, is_over } = written.await?;
                self.progress.reached(self.number, sequence);
                games_over += u64::from(is_over);
            }
            if games_over > 0 {
                self.progress.games_over.send_modify(|count| *count += games_over);
            }
            if count < BATCH as usize {
                break;
            }
        }
        let next = self.progress.of(self.number) + 1;
        let stream = self.source.stream();
        if self.is_behind && stream.ends_before(&self.subjects, next).await? {
            self.is_behind = false;
            self.progress.behind.send_modify(|streams| *streams -= 1);
        }
        Ok(())
    }

    /// Queues what a message says for the index.
    fn apply(&self, Stored { sequence, message }: Stored) -> BoxFuture<Result<Applied, Stop>> {
        let damaged = |error: &dyn std::fmt::Display| {
            // What it belongs to is refused when it is read. All others go on.
            let stream = self.source.stream().name();
            warn!(stream, sequence, %error, "a message is damaged");
        };
        match &self.source {
            Source::Lines(_) => {
                let note = match Bundle::read_any(&message) {
                    Ok((bundle, _)) => bundle.note.map(|note| (bundle.table, note)),
                    Err(error) => {
                        damaged(&error);
                        None
                    }
                };
                let is_over = note.as_ref().is_some_and(|(_, note)| note.ended);
                let written =
                    note.map(|(table, note)| self.sqlite.append(&table, 0, Vec::new(), Some(note)));
                Box::pin(async move {
                    if let Some(written) = written {
                        written.await.map_err(|error| Stop::Fault(error.to_string()))?;
                    }
                    Ok(Applied { sequence, is_over })
                })
            }
            Source::People(_) => {
                let written = match PersonValue::read(&message) {
                    Ok(PersonValue { hash, person: Some(person), .. }) => self.put(hash.0, person),
                    Ok(PersonValue { hash, person: None, .. }) => {
                        vec![self.sqlite.forget(hash.0)]
                    }
                    Err(fault) => {
                        damaged(&fault);
                        Vec::new()
                    }
                };
                Box::pin(async move {
                    let written = join_all(written).await.into_iter().collect::<Result<(), _>>();
                    written.map_err(|fault| Stop::Fault(fault.to_string()))?;
                    Ok(Applied { sequence, is_over: false })
                })
            }
        }
    }

    /// Queues a person for the index.
    fn put(&self, hash: Hash, person: PersonRecord) -> Vec<BoxFuture<Result<(), Fault>>> {
        let line = self.sqlite.put(hash, person.line);
        let seen = person.seen_s.map(|seen_s| self.sqlite.seen(hash, seen_s));
        std::iter::once(line).chain(seen).collect()
    }
}

/// A message that the index has.
struct Applied {
    sequence: u64,
    /// A game is over at its table.
    is_over: bool,
}

/// Why a stream is not followed for a moment.
enum Stop {
    /// The brokers say nothing.
    Silent(String),
    /// The index takes nothing.
    Fault(String),
}

impl From<Silent> for Stop {
    fn from(Silent(error): Silent) -> Self {
        Self::Silent(error)
    }
}

async fn store_regularly(sqlite: Arc<Sqlite>, progress: Arc<Progress>) {
    let mut ticks = interval(STORE_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stored = None;
    loop {
        ticks.tick().await;
        let position = progress.position().clone();
        if stored.as_ref() == Some(&position) {
            continue;
        }
        match store(&sqlite, &position).await {
            Ok(()) => stored = Some(position),
            Err(fault) => warn!(%fault, "how far the index is cannot be stored"),
        }
    }
}

async fn store(sqlite: &Sqlite, position: &Position) -> Result<(), Fault> {
    let line = serde_json::to_string(position).map_err(|error| Fault::Disk(error.to_string()))?;
    sqlite.put(place(), line.into()).await
}

/// Where the position is stored. No person's secret has this hash.
fn place() -> Hash {
    Sha256::digest("how far the index of a cluster is").into()
}
