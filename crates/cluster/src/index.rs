//! A node's own index of the cluster: what the streams say of tables, for lists.
//!
//! It is a journal file with the tables' notes and without their lines. It follows the streams, so
//! it is behind them by moments, and it is made again from nothing when the file is missing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use journal::{BoxFuture, Entry, Fault, Filter, Hash, Journal, Page, People, Sqlite};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{debug, warn};

use crate::bundle::Bundle;
use crate::line_stream::{BATCH, LineStream, Stored, Trouble};
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
    behind: watch::Sender<u16>,
}

/// The last message of each stream that the index has. It is stored in the index itself, in place of
/// a person's line: the people of a cluster are not in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Position {
    /// The identity of the cluster.
    cluster: String,
    streams: Vec<u64>,
}

impl Index {
    /// Opens the file, or makes it, and begins to follow the streams.
    pub(crate) async fn open(
        options: &Options,
        streams: &[Arc<LineStream>],
        identity: &str,
    ) -> Result<Self, OpenError> {
        let count = streams.len() as u16;
        let path = options.index.clone();
        let opened = spawn_blocking(|| Sqlite::open(path, journal::Options::default())).await;
        let opened =
            opened.map_err(|error| OpenError::IndexFault(Fault::Disk(error.to_string())))?;
        let sqlite = Arc::new(opened?);
        let position = match sqlite.get(place()).await? {
            None => Position { cluster: identity.to_owned(), streams: vec![0; streams.len()] },
            Some(line) => serde_json::from_str::<Position>(&line)
                .map_err(|error| OpenError::IndexFault(Fault::Damaged(error.to_string())))?,
        };
        if position.cluster != identity || position.streams.len() != streams.len() {
            let (index, name) = (options.index.display().to_string(), options.name.to_string());
            return Err(OpenError::OtherCluster { index, name });
        }
        store(&sqlite, &position).await?;

        let (behind, _) = watch::channel(count);
        let progress = Arc::new(Progress { position: Mutex::new(position), behind });
        let mut followers = JoinSet::new();
        for (number, stream) in (0..count).zip(streams) {
            let follower = Follower {
                stream: Arc::clone(stream),
                subjects: options.name.subjects(number),
                number: usize::from(number),
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

    pub(crate) fn list(&self, filter: Filter, page: Page) -> BoxFuture<Result<Vec<Entry>, Fault>> {
        self.sqlite.list(filter, page)
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
    stream: Arc<LineStream>,
    subjects: String,
    number: usize,
    sqlite: Arc<Sqlite>,
    progress: Arc<Progress>,
    is_behind: bool,
}

impl Follower {
    async fn run(mut self) {
        loop {
            match self.follow().await {
                Ok(()) => {}
                Err(Stop::Silent(error)) => {
                    debug!(stream = self.stream.name(), error, "no news of a stream");
                }
                Err(Stop::Fault(error)) => {
                    warn!(stream = self.stream.name(), error, "the index cannot be written");
                }
            }
            sleep(PAUSE).await;
        }
    }

    /// Takes all that is new into the index.
    async fn follow(&mut self) -> Result<(), Stop> {
        loop {
            let from = self.progress.of(self.number) + 1;
            let stored = self.stream.batch(&self.subjects, from).await?;
            let count = stored.len();
            // Queued in the order of the stream, and written together.
            let written = stored.into_iter().map(|stored| self.apply(stored)).collect::<Vec<_>>();
            for written in written {
                let sequence = written.await?;
                self.progress.reached(self.number, sequence);
            }
            if count < BATCH as usize {
                break;
            }
        }
        let next = self.progress.of(self.number) + 1;
        if self.is_behind && self.stream.ends_before(&self.subjects, next).await? {
            self.is_behind = false;
            self.progress.behind.send_modify(|streams| *streams -= 1);
        }
        Ok(())
    }

    /// Queues a message's note for the index. The answer is the message's place.
    fn apply(&self, stored: Stored) -> BoxFuture<Result<u64, Stop>> {
        let Stored { sequence, message } = stored;
        let note = match Bundle::read_any(&message) {
            Ok((bundle, _)) => bundle.note.map(|note| (bundle.table, note)),
            Err(error) => {
                // Its table is refused when it is read. All others go on.
                warn!(stream = self.stream.name(), sequence, %error, "a message is damaged");
                None
            }
        };
        let written =
            note.map(|(table, note)| self.sqlite.append(&table, 0, Vec::new(), Some(note)));
        Box::pin(async move {
            if let Some(written) = written {
                written.await.map_err(|error| Stop::Fault(error.to_string()))?;
            }
            Ok(sequence)
        })
    }
}

/// Why a stream is not followed for a moment.
enum Stop {
    /// The brokers say nothing.
    Silent(String),
    /// The index takes nothing.
    Fault(String),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Silent(error) | Trouble::Behind(error) | Trouble::Damaged(error) => {
                Self::Silent(error)
            }
        }
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
