//! The journal in one SQLite file.

mod answers;
mod appender;
mod bars;
mod catalogue;
mod checkpoints;
mod checksum;
mod copy;
mod database;
mod devices;
mod filing;
mod glance;
mod inventory;
mod invitations;
mod lock;
mod operations;
mod options;
mod probe;
mod readers;
mod recent;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::oneshot;

use self::answers::{Answers, Awaited};
use self::appender::Appender;
use self::database::{Database, Place, Role, Trouble};
use self::filing::End;
use self::lock::Lock;
use self::options::RECENT_LINES_MOST;
use self::recent::Recent;
use self::schema::Found;
use self::writer::{Alone, Change, Done, Request, Work};
use crate::{
    AppendError, AuditLine, Bar, Behind, Block, BoxFuture, Card, Catalogue, Collection, Devices,
    Entry, Fault, Filed, Filter, Hash, Invitation, Invitations, Journal, Key, Labels, NewDevice,
    Note, OpenError, Operations, Page, People, Replacement, Search, Side, Span, StoredLine,
    StoredPerson, StoredTable,
};

pub use self::copy::{CopyError, Partial, back_up, integrity, restore};
pub use self::glance::Glance;
pub use self::options::{BATCH_MOST, Content, LINE_BYTES_MOST, Options, QUEUE_MOST};
pub use self::schema::FORMAT;

/// A journal in one SQLite file, with a thread that writes, a few that read and one that
/// checkpoints.
///
/// Dropping it is the same as [`close`](Self::close).
pub struct Sqlite {
    place: Arc<Place>,
    queues: RwLock<Option<Queues>>,
    threads: Mutex<Option<Threads>>,
    shared: Arc<Shared>,
    deal_secret: [u8; 32],
    blocks: Vec<Block>,
}

impl Sqlite {
    /// Opens the file, or makes it if there is none, and brings it up to date. Blocks meanwhile,
    /// for a time that does not depend on how much is stored, unless the lines of an older format
    /// have to be copied.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, OpenError> {
        // Resolve links first: the files beside it belong to its real name.
        let path = resolve(path.as_ref());
        let place = Arc::new(Place::new(path, options));
        let lock = Lock::take(&place)?;
        let failed = |fault| OpenError::Fault { path: place.path.clone(), fault };

        let mut database = Database::new(Arc::clone(&place), Role::Writer);
        let content = options.content;
        match database.run(|connection| schema::migrate(connection, content)).map_err(failed)? {
            Found::Journal(found) if found == content => {}
            Found::Journal(Content::Index) => {
                return Err(OpenError::Index { path: place.path.clone() });
            }
            Found::Journal(Content::Tables) => {
                return Err(OpenError::NoIndex { path: place.path.clone() });
            }
            Found::Foreign => return Err(OpenError::Foreign { path: place.path.clone() }),
            Found::Newer(found) => {
                let (path, known) = (place.path.clone(), schema::FORMAT);
                return Err(OpenError::Newer { path, found, known });
            }
        }
        let deal_secret = database.run(schema::deal_secret).map_err(failed)?;
        let blocks = database.run(|connection| operations::blocks(connection)).map_err(failed)?;
        let shared = Arc::<Shared>::default();
        let mut appender = Appender::new(options.recent_lines_most.clamp(1, RECENT_LINES_MOST));
        database.run(|connection| appender.begin(connection)).map_err(failed)?;
        shared.recent.update(appender.committed());
        let (queues, threads) = start(&place, (database, appender), lock, &shared)
            .map_err(|error| failed(Fault::Disk(error)))?;
        let (queues, threads) = (RwLock::new(Some(queues)), Mutex::new(Some(threads)));
        Ok(Self { place, queues, threads, shared, deal_secret, blocks })
    }

    /// Finishes waiting requests, checkpoints the write-ahead log and releases the file. Blocks
    /// until that is done. Later requests are answered with [`Fault::Closed`].
    pub fn close(&self) {
        // The threads end when the senders of their queues are dropped.
        drop(self.queues.write().unwrap_or_else(PoisonError::into_inner).take());
        // A second caller of `close` waits here until the first has finished.
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(threads) = threads.take() {
            threads.finish();
        }
    }

    /// Whether the file still has its name. After it was deleted or replaced, nothing is written and
    /// nothing acknowledged any more. One system call.
    pub fn check_name(&self) -> Result<(), Fault> {
        self.place.check()
    }

    /// The file's real name. Files that belong to it lie beside it.
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    /// 32 random bytes that were drawn when the file was made, for deals that are the same for all
    /// its tables. They are in the file, so a copy of it has the same.
    pub fn deal_secret(&self) -> [u8; 32] {
        self.deal_secret
    }

    /// What was blocked when the file was opened, without waiting for a thread.
    pub fn blocks_at_open(&self) -> &[Block] {
        &self.blocks
    }

    /// How many commits there were since opening, each with one or more requests in it.
    pub fn commits(&self) -> u64 {
        self.shared.commits()
    }

    /// Puts work in the writer's queue.
    fn write(&self, work: Work) -> Result<Awaited, Fault> {
        let (answer, awaited) = Awaited::new(&self.shared.answers);
        let queues = self.queues.read().unwrap_or_else(PoisonError::into_inner);
        queued(queues.as_ref().map(|to| &to.writer), Request { work, answer })?;
        Ok(awaited)
    }

    /// The same for work that cannot conflict.
    fn written(&self, work: Work) -> BoxFuture<Result<(), Fault>> {
        let queued = self.write(work);
        Box::pin(async { queued?.await.map(|_written| ()) })
    }

    /// The same, with the number of rows that changed.
    fn counted(&self, work: Work) -> BoxFuture<Result<u64, Fault>> {
        let queued = self.write(work);
        Box::pin(async {
            Ok(match queued?.await? {
                Done::Rows(rows) => rows,
                Done::Written | Done::Conflict { .. } => 0,
            })
        })
    }

    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Connection) -> Result<T, Trouble> + Send + 'static,
    ) -> BoxFuture<Result<T, Fault>> {
        let (answer, answered) = oneshot::channel();
        let job: readers::Job = Box::new(move |database| {
            let _dropped = answer.send(database.run(question));
        });
        let queues = self.queues.read().unwrap_or_else(PoisonError::into_inner);
        let queued = queued(queues.as_ref().map(|to| &to.readers), job);
        Box::pin(async {
            queued?;
            answered.await.unwrap_or(Err(Fault::Closed))
        })
    }
}

impl Journal for Sqlite {
    fn append(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>> {
        let texts = lines.iter().chain(note.as_ref().map(|note| &note.text));
        if let Err(fault) = short(texts) {
            return Box::pin(async { Err(fault.into()) });
        }
        let change = Change::Append { key: key.clone(), after, lines, note };
        let queued = self.write(Work::Change(change));
        Box::pin(async {
            match queued?.await? {
                Done::Written | Done::Rows(_) => Ok(()),
                Done::Conflict { found } => Err(AppendError::Conflict { found }),
            }
        })
    }

    fn read(&self, key: &Key, after: u64) -> BoxFuture<Result<Vec<Box<str>>, Fault>> {
        let (key, shared) = (key.clone(), Arc::clone(&self.shared));
        self.ask(move |connection| {
            // Before the database is looked into: see `Recent`.
            let recent = shared.recent.after(&key, after);
            readers::lines(connection, &key, after, recent)
        })
    }

    fn mentions(&self, key: &Key, text: Box<str>) -> BoxFuture<Result<bool, Fault>> {
        let (key, shared) = (key.clone(), Arc::clone(&self.shared));
        self.ask(move |connection| {
            Ok(shared.recent.mentions(&key, &text) || readers::mentions(connection, &key, &text)?)
        })
    }

    fn note(&self, key: &Key) -> BoxFuture<Result<Option<Note>, Fault>> {
        let key = key.clone();
        self.ask(move |connection| readers::note(connection, &key))
    }

    fn list(&self, filter: Filter, page: Page) -> BoxFuture<Result<Vec<Entry>, Fault>> {
        self.ask(move |connection| readers::list(connection, filter, page))
    }
}

impl People for Sqlite {
    fn put(&self, hash: Hash, line: Box<str>) -> BoxFuture<Result<(), Fault>> {
        if let Err(fault) = short([&line]) {
            return Box::pin(async { Err(fault) });
        }
        self.written(Work::Change(Change::Put { hash, line }))
    }

    fn get(&self, hash: Hash) -> BoxFuture<Result<Option<Box<str>>, Fault>> {
        self.ask(move |connection| readers::person(connection, &hash))
    }

    fn forget(&self, hash: Hash) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Forget { hash }))
    }

    fn forgotten(&self, of: Vec<Hash>) -> BoxFuture<Result<Vec<Hash>, Fault>> {
        self.ask(move |connection| readers::forgotten(connection, of))
    }

    fn answers(&self) -> BoxFuture<Result<(), Fault>> {
        let written = self.written(Work::Change(Change::Probe));
        let path = self.place.path.clone();
        let fits = self.ask(move |_| probe::write(&path));
        Box::pin(async {
            written.await?;
            fits.await
        })
    }
}

impl Devices for Sqlite {
    fn introduce(&self, hash: Hash, line: Box<str>, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        if let Err(fault) = short([&line]) {
            return Box::pin(async { Err(fault) });
        }
        self.written(Work::Change(Change::Introduce { hash, line, at_s }))
    }

    fn signed_in(&self, device: Hash) -> BoxFuture<Result<Option<StoredLine>, Fault>> {
        self.ask(move |connection| devices::signed_in(connection, &device))
    }

    fn add_device(&self, device: NewDevice, most: u32) -> BoxFuture<Result<bool, Fault>> {
        let added = self.counted(Work::Change(Change::AddDevice { device, most }));
        Box::pin(async { Ok(added.await? > 0) })
    }

    fn keep_device(&self, person: Hash, device: Hash) -> BoxFuture<Result<u64, Fault>> {
        self.counted(Work::Change(Change::KeepDevice { person, device }))
    }

    fn devices(&self, person: Hash) -> BoxFuture<Result<(Vec<u64>, bool), Fault>> {
        self.ask(move |connection| devices::of_person(connection, &person))
    }

    fn set_phrase(&self, person: Hash, phrase: Option<Hash>) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::SetPhrase { person, phrase }))
    }

    fn person_of_phrase(&self, phrase: Hash) -> BoxFuture<Result<Option<Hash>, Fault>> {
        self.ask(move |connection| devices::of_phrase(connection, &phrase))
    }
}

impl Invitations for Sqlite {
    fn invite(
        &self,
        invitation: Invitation,
        since_s: u64,
        most: u32,
    ) -> BoxFuture<Result<bool, Fault>> {
        if let Err(fault) = short([&invitation.line]) {
            return Box::pin(async { Err(fault) });
        }
        let added = self.counted(Work::Change(Change::Invite { invitation, since_s, most }));
        Box::pin(async { Ok(added.await? > 0) })
    }

    fn invitations(&self, side: Side, since_s: u64) -> BoxFuture<Result<Vec<Invitation>, Fault>> {
        self.ask(move |connection| invitations::of(connection, side, since_s))
    }

    fn uninvite(&self, to: Hash, from: Hash) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Uninvite { to, from }))
    }
}

impl Catalogue for Sqlite {
    fn edition(&self, edition: u32) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Catalogue { cards: Vec::new(), end: End::Edition(edition) })
    }

    fn behind(&self, most: usize) -> BoxFuture<Result<Vec<Behind>, Fault>> {
        self.ask(move |connection| catalogue::behind(connection, most))
    }

    fn file(&self, cards: Vec<Card>, turn: u64) -> BoxFuture<Result<(), Fault>> {
        let texts = cards.iter().map(|card| &card.text);
        if let Err(fault) = short(texts) {
            return Box::pin(async { Err(fault) });
        }
        self.written(Work::Catalogue { cards, end: End::Turn(turn) })
    }

    fn find(&self, search: Search) -> BoxFuture<Result<Vec<Filed>, Fault>> {
        self.ask(move |connection| catalogue::find(connection, search))
    }

    fn labels(&self, collection: Collection) -> BoxFuture<Result<Labels, Fault>> {
        self.ask(move |connection| catalogue::labels(connection, &collection))
    }
}

impl Operations for Sqlite {
    fn touch(&self, key: &Key, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Touch { key: key.clone(), at_s }))
    }

    fn tables(&self, span: Span) -> BoxFuture<Result<(Vec<StoredTable>, u64), Fault>> {
        self.ask(move |connection| operations::tables(connection, span))
    }

    fn seen(&self, hash: Hash, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Seen { hash, at_s }))
    }

    fn people(&self, span: Span) -> BoxFuture<Result<(Vec<StoredPerson>, u64), Fault>> {
        self.ask(move |connection| operations::people(connection, span))
    }

    fn deleted(&self) -> BoxFuture<Result<Vec<Hash>, Fault>> {
        self.ask(|connection| operations::deleted(connection))
    }

    fn rewrite(&self, replacement: Replacement) -> BoxFuture<Result<u64, Fault>> {
        self.counted(Work::Alone(Alone::Rewrite(replacement)))
    }

    fn remove(&self, keys: Vec<Key>) -> BoxFuture<Result<u64, Fault>> {
        self.counted(Work::Alone(Alone::Remove(keys)))
    }

    fn block(&self, subject: Box<str>, at_s: u64) -> BoxFuture<Result<bool, Fault>> {
        let new = self.counted(Work::Change(Change::Block(Block { subject, at_s })));
        Box::pin(async { Ok(new.await? > 0) })
    }

    fn unblock(&self, subject: Box<str>) -> BoxFuture<Result<bool, Fault>> {
        let ended = self.counted(Work::Change(Change::Unblock { subject }));
        Box::pin(async { Ok(ended.await? > 0) })
    }

    fn blocks(&self) -> BoxFuture<Result<Vec<Block>, Fault>> {
        self.ask(|connection| operations::blocks(connection))
    }

    fn bar(&self, key: &Key, bar: Bar, now_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Bar { key: key.clone(), bar, now_s }))
    }

    fn unbar(&self, key: &Key) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::Unbar { key: key.clone() }))
    }

    fn bars(&self, key: &Key) -> BoxFuture<Result<Vec<Bar>, Fault>> {
        let key = key.clone();
        self.ask(move |connection| bars::of_table(connection, &key))
    }

    fn expire_bars(&self, now_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.written(Work::Change(Change::ExpireBars { now_s }))
    }

    fn audit(&self, line: AuditLine) -> BoxFuture<Result<(), Fault>> {
        if let Err(fault) = short([&line.line]) {
            return Box::pin(async { Err(fault) });
        }
        self.written(Work::Change(Change::Audit(line)))
    }

    fn audited(&self, span: Span) -> BoxFuture<Result<(Vec<AuditLine>, u64), Fault>> {
        self.ask(move |connection| operations::audited(connection, span))
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.close();
    }
}

/// The queues of requests.
struct Queues {
    writer: SyncSender<Request>,
    readers: SyncSender<readers::Job>,
}

/// The threads, in the order in which they end, and the lock that outlives them.
struct Threads {
    writer: JoinHandle<()>,
    readers: Vec<JoinHandle<()>>,
    checkpoints: JoinHandle<()>,
    stop_checkpoints: SyncSender<()>,
    lock: Lock,
}

impl Threads {
    /// Waits until all have ended. The checkpoints end last: theirs is the last connection, so the
    /// write-ahead log is empty after it.
    fn finish(self) {
        for thread in std::iter::once(self.writer).chain(self.readers) {
            let _panicked = thread.join();
        }
        drop(self.stop_checkpoints);
        let _panicked = self.checkpoints.join();
        drop(self.lock);
    }
}

/// What the threads have in common.
#[derive(Default)]
struct Shared {
    /// Whether the writer is to carry the rest of the write-ahead log.
    log_is_long: AtomicBool,
    recent: Recent,
    answers: Arc<Answers>,
    commits: AtomicU64,
}

impl Shared {
    fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    fn count_commit(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }
}

fn start(
    place: &Arc<Place>,
    (database, appender): (Database, Appender),
    lock: Lock,
    shared: &Arc<Shared>,
) -> Result<(Queues, Threads), String> {
    let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
        let builder = thread::Builder::new().name(format!("journal {name}"));
        builder.spawn(work).map_err(|error| format!("no thread for it: {error}"))
    };
    let (to_writer, requests) = mpsc::sync_channel(QUEUE_MOST);
    let (to_readers, jobs) = mpsc::sync_channel(QUEUE_MOST);
    let (stop_checkpoints, stop) = mpsc::sync_channel(1);

    let (common, here) = (Arc::clone(shared), Arc::clone(place));
    let write = move || writer::run(database, appender, &here, &requests, &common);
    let writer = spawn("writer", Box::new(write))?;
    let jobs = Arc::new(Mutex::new(jobs));
    let readers = (0..place.options.readers.clamp(1, 64)).map(|_| {
        let database = Database::new(Arc::clone(place), Role::Reader);
        let jobs = Arc::clone(&jobs);
        spawn("reader", Box::new(move || readers::run(database, &jobs)))
    });
    let readers = readers.collect::<Result<_, _>>()?;
    let (common, here) = (Arc::clone(shared), Arc::clone(place));
    let database = Database::new(Arc::clone(place), Role::Checkpointer);
    let checkpoints =
        spawn("checkpoints", Box::new(move || checkpoints::run(database, &here, &stop, &common)))?;

    let queues = Queues { writer: to_writer, readers: to_readers };
    Ok((queues, Threads { writer, readers, checkpoints, stop_checkpoints, lock }))
}

/// Puts something in a queue, if there is room.
fn queued<T>(queue: Option<&SyncSender<T>>, item: T) -> Result<(), Fault> {
    match queue.ok_or(Fault::Closed)?.try_send(item) {
        Ok(()) => Ok(()),
        Err(TrySendError::Full(_)) => Err(Fault::Busy),
        Err(TrySendError::Disconnected(_)) => Err(Fault::Closed),
    }
}

/// Refuses texts that are too long, before they take room in a queue.
fn short<'a>(texts: impl IntoIterator<Item = &'a Box<str>>) -> Result<(), Fault> {
    if texts.into_iter().any(|text| text.len() > LINE_BYTES_MOST) {
        return Err(Fault::TooLong { bytes_most: LINE_BYTES_MOST });
    }
    Ok(())
}

/// The file's real name, if it or at least its folder exists.
fn resolve(path: &Path) -> PathBuf {
    path.canonicalize()
        .ok()
        .or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
        .unwrap_or_else(|| path.to_path_buf())
}
