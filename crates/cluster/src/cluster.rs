//! The journal of a cluster.

use std::sync::Arc;
use std::time::Duration;

use journal::{
    AppendError, Behind, BoxFuture, Card, Catalogue, Collection, Entry, Fault, Filed, Filter, Hash,
    Journal, Key, LINE_BYTES_MOST, Labels, Note, Page, Search, Span, Sqlite, StoredPerson,
};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep};
use tracing::{error, warn};

use crate::attempt::{Attempt, Do, Done, Overdue};
use crate::bucket::{Bucket, Change};
use crate::bundle::BundleId;
use crate::copy_mark;
use crate::index::Index;
use crate::joining::{self, Joined, Missing};
use crate::lanes::{Lanes, Pushed};
use crate::line_stream::{LineStream, Placed, Trouble};
use crate::name::stream_of;
use crate::nodes::{Heard, Nodes};
use crate::options::QUEUE_MOST;
use crate::people::PeopleBucket;
use crate::stream::Stream;
use crate::tail::Tail;
use crate::tails::Tails;
use crate::wait::Wait;
use crate::{ClusterName, OpenError, Options};

/// How many tables' tails are remembered, at least.
const TAILS: usize = 50_000;
/// How often it is looked whether everything is answered, when a node leaves.
const CLOSING: Duration = Duration::from_millis(20);
/// The key of the secret that fixed deals are drawn from.
pub(crate) const DEALS: &str = "secret.deals";
/// How often a table is read again if what a replica has of it is damaged.
const READINGS: u32 = 6;
/// What a message takes beside its lines, and for each line.
pub(crate) const HEAD_BYTES: usize = 1_024;
pub(crate) const LINE_HEAD_BYTES: usize = 8;

/// A journal whose lines are in the streams of a cluster of brokers, with everything else that a
/// server stores.
///
/// Every node of the cluster has one. An append is acknowledged when most replicas of its stream
/// have it on their disks; of two nodes that append to one table, one gets a conflict. People are in
/// a bucket of the brokers. Lists and the catalogue come from the node's own index, which follows
/// the streams.
pub struct Cluster {
    shared: Arc<Shared>,
    bucket: Arc<Bucket>,
    people: Arc<PeopleBucket>,
    index: Index,
    deal_secret: [u8; 32],
    client: async_nats::Client,
    runtime: Handle,
}

/// What the work for all tables has in common.
pub(crate) struct Shared {
    pub(crate) name: ClusterName,
    pub(crate) streams: Vec<Arc<LineStream>>,
    tails: Tails,
    lanes: Lanes<Request>,
    pub(crate) patience: Duration,
    /// How many bytes a message may have.
    pub(crate) message_bytes_most: usize,
}

/// An append that waits.
struct Request {
    after: u64,
    lines: Vec<Box<str>>,
    note: Option<Note>,
    answer: oneshot::Sender<Result<(), AppendError>>,
}

impl Cluster {
    /// Joins a cluster, and makes its streams if there are none yet. Fails if the brokers cannot be
    /// trusted with what they acknowledge. Has to be called in a Tokio runtime, which then does the
    /// work.
    pub async fn join(options: Options) -> Result<Self, OpenError> {
        let joined = joining::join(&options, Missing::Make).await?;
        let (identity, client) = (joined.identity.clone(), joined.context.client());
        let (shared, bucket) = open(&options, joined).await?;
        copy_mark::check(&bucket, &options.name).await?;
        let index = Index::open(&options, &shared.streams, &bucket, &identity).await?;
        let deal_secret = deal_secret(&bucket).await.map_err(OpenError::Bucket)?;
        let people = Arc::new(PeopleBucket::new(Arc::clone(&bucket), index.sqlite()));
        let (shared, runtime) = (Arc::new(shared), Handle::current());
        Ok(Self { shared, bucket, people, index, deal_secret, client, runtime })
    }

    /// Makes this node known to the others, which may take its tables over from then on when it is
    /// silent. What they say to it has to be heard.
    pub async fn nodes(&self) -> Result<(Nodes, Heard), OpenError> {
        Nodes::join(self.client.clone(), &self.shared.name).await
    }

    /// How many lines a table has, as the leader of its stream knows it.
    pub(crate) async fn lines(&self, table: &Key) -> Result<u64, Fault> {
        let mut wait = Wait::new(self.shared.patience);
        loop {
            let (stream, subject) = self.shared.place(table);
            match stream.last(&subject, table).await {
                Ok(last) => return Ok(last.map_or(0, |last| last.tail().lines)),
                Err(trouble) if wait.is_over() || matches!(trouble, Trouble::Damaged(_)) => {
                    return Err(fault(trouble));
                }
                Err(_) => wait.pause().await,
            }
        }
    }

    pub(crate) fn bucket(&self) -> &Bucket {
        &self.bucket
    }

    pub(crate) fn patience(&self) -> Duration {
        self.shared.patience
    }

    /// The node's own index, a file with everything that lists need.
    pub fn index(&self) -> Arc<Sqlite> {
        self.index.sqlite()
    }

    /// Counts the tables at which a game is over, each time that the index hears of one: then their
    /// cards can be written.
    pub fn games_over(&self) -> watch::Receiver<u64> {
        self.index.games_over()
    }

    /// 32 random bytes that were drawn when the cluster was made, for deals that are the same for
    /// all its tables.
    pub fn deal_secret(&self) -> [u8; 32] {
        self.deal_secret
    }

    /// Waits until lists have everything that was in the streams when this node joined.
    pub async fn caught_up(&self) {
        self.index.caught_up().await;
    }

    /// Answers what waits, and stores how far the index is. Later requests are answered with
    /// [`Fault::Closed`].
    pub async fn close(&self) {
        let deadline = Instant::now() + self.shared.patience;
        while self.shared.lanes.close() > 0 && Instant::now() < deadline {
            sleep(CLOSING).await;
        }
        self.index.close().await;
    }

    /// Begins a request about people. It goes on when the answer is dropped.
    pub(crate) fn with_people<T, F>(
        &self,
        request: impl FnOnce(Arc<PeopleBucket>) -> F,
    ) -> BoxFuture<Result<T, Fault>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send + 'static,
    {
        self.begun(request(Arc::clone(&self.people)))
    }

    /// The same for a request about other values.
    pub(crate) fn with_bucket<T, F>(
        &self,
        request: impl FnOnce(Arc<Bucket>) -> F,
    ) -> BoxFuture<Result<T, Fault>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send + 'static,
    {
        self.begun(request(Arc::clone(&self.bucket)))
    }

    fn begun<T: Send + 'static>(
        &self,
        request: impl Future<Output = Result<T, Fault>> + Send + 'static,
    ) -> BoxFuture<Result<T, Fault>> {
        let begun = self.runtime.spawn(request);
        Box::pin(async { begun.await.unwrap_or(Err(Fault::Closed)) })
    }

    /// People for the operator's list.
    pub(crate) fn indexed_people(
        &self,
        span: Span,
    ) -> BoxFuture<Result<(Vec<StoredPerson>, u64), Fault>> {
        self.index.people(span)
    }
}

/// The streams and the bucket of a cluster that was joined.
pub(crate) async fn open(
    options: &Options,
    joined: Joined,
) -> Result<(Shared, Arc<Bucket>), OpenError> {
    let Joined { context, streams, identity: _, message_bytes_most } = joined;
    let stream = async |name: String| {
        let stream = Stream::new(context.clone(), name.clone(), options.answer).await;
        stream.map_err(|error| OpenError::Brokers(format!("{name}: {error}")))
    };
    let mut found = Vec::new();
    for number in 0..streams {
        found.push(Arc::new(LineStream::new(stream(options.name.stream(number)).await?)));
    }
    let (bucket, prefix) = (stream(options.name.bucket()).await?, options.name.bucket_prefix());
    let bucket = Arc::new(Bucket::new(bucket, prefix, options.patience));
    let shared = Shared {
        name: options.name.clone(),
        streams: found,
        tails: Tails::new(TAILS),
        lanes: Lanes::new(QUEUE_MOST),
        patience: options.patience,
        message_bytes_most,
    };
    Ok((shared, bucket))
}

/// The secret that fixed deals are drawn from. The first node of a cluster draws it.
pub(crate) async fn deal_secret(bucket: &Bucket) -> Result<[u8; 32], Fault> {
    let mut drawn = [0; 32];
    getrandom::fill(&mut drawn).map_err(|error| Fault::Disk(error.to_string()))?;
    let damaged = |_| Fault::Damaged(format!("the value of {DEALS} has not 32 bytes"));
    let decide = |value: Option<&[u8]>| match value {
        Some(value) => Ok(Change::Keep(Hash::try_from(value).map_err(damaged)?)),
        None => Ok(Change::Set(drawn.to_vec(), drawn)),
    };
    bucket.change(DEALS, decide).await
}

impl Journal for Cluster {
    fn append(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>> {
        if let Err(fault) = self.shared.check_length(&lines, note.as_ref()) {
            return Box::pin(async { Err(fault.into()) });
        }
        let (answer, answered) = oneshot::channel();
        match self.shared.lanes.push(key, Request { after, lines, note, answer }) {
            Err(fault) => return Box::pin(async { Err(fault.into()) }),
            Ok(Pushed::Behind) => {}
            Ok(Pushed::First) => {
                let (shared, key) = (Arc::clone(&self.shared), key.clone());
                self.runtime.spawn(async move { shared.work(&key).await });
            }
        }
        Box::pin(async { answered.await.unwrap_or(Err(Fault::Closed.into())) })
    }

    fn read(&self, key: &Key, after: u64) -> BoxFuture<Result<Vec<Box<str>>, Fault>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move {
            let lines =
                shared.bundles(&key).await?.into_iter().flat_map(|placed| placed.bundle.lines);
            let after = usize::try_from(after).unwrap_or(usize::MAX);
            Ok(lines.skip(after).collect())
        })
    }

    fn mentions(&self, key: &Key, text: Box<str>) -> BoxFuture<Result<bool, Fault>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move {
            let bundles = shared.bundles(&key).await?;
            let mut lines = bundles.iter().flat_map(|placed| &placed.bundle.lines);
            Ok(lines.any(|line| line.contains(&*text)))
        })
    }

    fn note(&self, key: &Key) -> BoxFuture<Result<Option<Note>, Fault>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move { shared.note(&key).await })
    }

    fn list(&self, filter: Filter, page: Page) -> BoxFuture<Result<Vec<Entry>, Fault>> {
        self.index().list(filter, page)
    }
}

/// All of it is in the node's own index, and can be made again from the streams.
impl Catalogue for Cluster {
    fn edition(&self, edition: u32) -> BoxFuture<Result<(), Fault>> {
        self.index().edition(edition)
    }

    fn behind(&self, most: usize) -> BoxFuture<Result<Vec<Behind>, Fault>> {
        self.index().behind(most)
    }

    fn file(&self, cards: Vec<Card>, turn: u64) -> BoxFuture<Result<(), Fault>> {
        self.index().file(cards, turn)
    }

    fn find(&self, search: Search) -> BoxFuture<Result<Vec<Filed>, Fault>> {
        self.index().find(search)
    }

    fn labels(&self, collection: Collection) -> BoxFuture<Result<Labels, Fault>> {
        self.index().labels(collection)
    }
}

impl Shared {
    /// Works for a table until nothing more waits.
    async fn work(&self, table: &Key) {
        while let Some(Request { after, lines, note, answer }) = self.lanes.next(table) {
            let done = self.append(table, after, lines, note).await;
            let _caller_is_gone = answer.send(done);
            self.lanes.done();
        }
    }

    pub(crate) async fn append(
        &self,
        table: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> Result<(), AppendError> {
        let id = BundleId::draw()?;
        let (stream, subject) = self.place(table);
        let mut attempt =
            Attempt::new(id, table.clone(), (after, lines, note), self.tails.get(table));
        let mut wait = Wait::new(self.patience);
        let mut next = attempt.begin();
        loop {
            let heard = match next {
                Do::Done(Done::Stored(tail)) => {
                    self.tails.set(table, tail);
                    return Ok(());
                }
                Do::Done(Done::Conflict(tail)) => {
                    self.tails.set(table, tail);
                    return Err(AppendError::Conflict { found: tail.lines });
                }
                _ if wait.is_over() => return Err(overdue(table, attempt.overdue()).into()),
                Do::Send { message, follows } => {
                    stream.send(subject.clone(), message, follows).await
                }
                Do::Look => stream.look(&subject, table).await.map_err(fault)?,
                Do::LookAgain => {
                    wait.pause().await;
                    stream.look(&subject, table).await.map_err(fault)?
                }
                Do::LookBehind(place) => {
                    stream.look_behind(&subject, table, place).await.map_err(fault)?
                }
            };
            next = attempt.hear(heard);
        }
    }

    /// All messages of a table, each checked against the one before it. What a replica has is read
    /// again from others if it is damaged.
    pub(crate) async fn bundles(&self, table: &Key) -> Result<Vec<Placed>, Fault> {
        let mut wait = Wait::new(self.patience);
        let mut readings = 0;
        loop {
            let trouble = match self.try_bundles(table).await {
                Ok(bundles) => return Ok(bundles),
                Err(trouble) => trouble,
            };
            if let Trouble::Damaged(what) = &trouble {
                warn!(%table, what, "a replica has a damaged table");
                readings += 1;
            }
            if wait.is_over() || readings >= READINGS {
                return Err(fault(trouble));
            }
            wait.pause().await;
        }
    }

    async fn try_bundles(&self, table: &Key) -> Result<Vec<Placed>, Trouble> {
        let (stream, subject) = self.place(table);
        let last = stream.last(&subject, table).await?;
        let tail = last.as_ref().map_or(Tail::NONE, Placed::tail);
        if let Some(known) = self.tails.get(table)
            && known.sequence > tail.sequence
        {
            let gone = format!("it was there, and the last one is message {}", tail.sequence);
            return Err(Trouble::Behind(stream.damage(table, known.sequence, &gone)));
        }
        let (mut found, mut reached) = (Vec::new(), Tail::NONE);
        while reached.sequence < tail.sequence {
            let some = stream.some(&subject, table, reached.sequence + 1).await?;
            let before = reached.sequence;
            for placed in some.into_iter().take_while(|placed| placed.sequence <= tail.sequence) {
                let next = reached.follow(placed.sequence, &placed.bundle, placed.link);
                reached = next.map_err(|error| {
                    Trouble::Damaged(stream.damage(table, placed.sequence, &error))
                })?;
                found.push(placed);
            }
            if reached.sequence == before {
                return Err(Trouble::Silent("a replica lags behind".to_owned()));
            }
        }
        if reached != tail {
            let other = "the last message differs between replicas";
            return Err(Trouble::Damaged(stream.damage(table, tail.sequence, &other)));
        }
        self.tails.set(table, tail);
        Ok(found)
    }

    pub(crate) async fn note(&self, table: &Key) -> Result<Option<Note>, Fault> {
        let mut wait = Wait::new(self.patience);
        loop {
            let trouble = match self.try_note(table).await {
                Ok(note) => return Ok(note),
                Err(trouble) => trouble,
            };
            if wait.is_over() || matches!(trouble, Trouble::Damaged(_)) {
                return Err(fault(trouble));
            }
            wait.pause().await;
        }
    }

    async fn try_note(&self, table: &Key) -> Result<Option<Note>, Trouble> {
        let (stream, subject) = self.place(table);
        let Some(last) = stream.last(&subject, table).await? else { return Ok(None) };
        if last.bundle.note.is_some() || last.bundle.noted == 0 {
            return Ok(last.bundle.note);
        }
        stream.note_at(last.bundle.noted, table).await
    }

    /// The stream and the subject of a table.
    fn place(&self, table: &Key) -> (&LineStream, String) {
        let number = stream_of(table, self.streams.len() as u16);
        (&self.streams[usize::from(number)], self.name.subject(number, table))
    }

    /// Refuses what is too long for a line or for a message.
    pub(crate) fn check_length(
        &self,
        lines: &[Box<str>],
        note: Option<&Note>,
    ) -> Result<(), Fault> {
        let texts = lines.iter().chain(note.map(|note| &note.text));
        let lengths = texts.map(|text| text.len());
        let (longest, all) = lengths.fold((0, HEAD_BYTES), |(longest, all), length| {
            (longest.max(length), all + length + LINE_HEAD_BYTES)
        });
        if longest > LINE_BYTES_MOST || all > self.message_bytes_most {
            let bytes_most =
                LINE_BYTES_MOST.min(self.message_bytes_most.saturating_sub(HEAD_BYTES));
            return Err(Fault::TooLong { bytes_most });
        }
        Ok(())
    }
}

fn overdue(table: &Key, overdue: Overdue) -> Fault {
    match overdue {
        Overdue::NotSent => Fault::Unreachable("no answer in time".to_owned()),
        Overdue::Unanswered => Fault::Unanswered,
        Overdue::Behind => {
            fault(Trouble::Behind(format!("table {table}: lines that were stored are gone")))
        }
    }
}

/// What is said of a table that cannot be read or written. The operator is told of damage.
fn fault(trouble: Trouble) -> Fault {
    match trouble {
        Trouble::Silent(error) => Fault::Unreachable(error),
        Trouble::Behind(what) | Trouble::Damaged(what) => {
            error!(what, "a table is damaged in the cluster");
            Fault::Damaged(what)
        }
    }
}
