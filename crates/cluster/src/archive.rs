//! A cluster for tools: everything that it stores, without an index and without the right to serve.

use std::sync::{Arc, Mutex, PoisonError};

use async_nats::Client;
use futures_util::{StreamExt, TryStreamExt, stream};
use journal::{
    Administration, AppendError, AuditLine, BoxFuture, Entry, Fault, Filter, Hash, Inventory,
    Invitation, Journal, Key, ListedTable, Note, Page, PresentPerson, WholePerson, WholeTable,
};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::bucket::Bucket;
use crate::cluster::{DEALS, HEAD_BYTES, LINE_HEAD_BYTES, Shared, deal_secret, open};
use crate::copy_mark::{self, CopyMark};
use crate::hex::{HexHash, hex, unhex};
use crate::joining::{self, Missing};
use crate::line_stream::LineStream;
use crate::members::{BEAT_EVERY, SILENT_AFTER};
use crate::nodes::beats_of;
use crate::people::{PERSONS, device_key, person_key, phrase_key};
use crate::person_record::{DeviceRecord, Invited, PersonRecord, PersonValue, Received};
use crate::stream::Silent;
use crate::wait::Wait;
use crate::{OpenError, Options, TransferError, administration, operations};

/// How many questions about tables are asked at once.
const AT_ONCE: usize = 64;

/// Everything that a cluster stores, for tools. It has no index. Nodes can serve the cluster meanwhile.
pub struct Archive {
    shared: Arc<Shared>,
    bucket: Arc<Bucket>,
    client: Client,
    /// Listens to nodes that begin to serve.
    listening: Mutex<Option<JoinHandle<()>>>,
}

/// How a copy into a cluster is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyState {
    /// It has begun, now or before.
    Begun,
    /// It was finished before.
    Done,
}

impl Archive {
    /// Opens a cluster that is there. The index of the options is not used.
    pub async fn find(options: &Options) -> Result<Self, OpenError> {
        Self::join(options, Missing::Refuse).await
    }

    /// The same, and makes the cluster if there is none.
    pub async fn find_or_make(options: &Options) -> Result<Self, OpenError> {
        Self::join(options, Missing::Make).await
    }

    async fn join(options: &Options, missing: Missing) -> Result<Self, OpenError> {
        let joined = joining::join(options, missing).await?;
        let client = joined.context.client();
        let (shared, bucket) = open(options, joined).await?;
        Ok(Self { shared: Arc::new(shared), bucket, client, listening: Mutex::default() })
    }

    /// Listens until it is known that no node serves the cluster; fails if one does. The answer
    /// becomes true when a node begins to serve it later.
    pub async fn unserved(&self) -> Result<watch::Receiver<bool>, OpenError> {
        let subject = beats_of(&self.shared.name);
        let failed = |error: &dyn std::fmt::Display| {
            OpenError::Brokers(format!("{subject} cannot be heard: {error}"))
        };
        let subscribed = self.client.subscribe(subject.clone()).await;
        let mut beats = subscribed.map_err(|error| failed(&error))?;
        self.client.flush().await.map_err(|error| failed(&error))?;
        // Longer than a node may be silent.
        if timeout(SILENT_AFTER + BEAT_EVERY, beats.next()).await.is_ok() {
            return Err(OpenError::Served { name: self.shared.name.to_string() });
        }
        let (tell, is_served) = watch::channel(false);
        let listening = tokio::spawn(async move {
            if beats.next().await.is_some() {
                tell.send_replace(true);
            }
            tell.closed().await;
        });
        *self.listening.lock().unwrap_or_else(PoisonError::into_inner) = Some(listening);
        Ok(is_served)
    }

    /// Adds a line to the audit log.
    pub async fn audit(&self, line: AuditLine) -> Result<(), Fault> {
        operations::audit(Arc::clone(&self.bucket), line).await
    }

    /// Those of these people who were deleted.
    pub async fn forgotten(&self, of: Vec<Hash>) -> Result<Vec<Hash>, Fault> {
        let mut forgotten = Vec::new();
        for hash in of {
            if matches!(self.person(hash).await?, Some(WholePerson::Deleted)) {
                forgotten.push(hash);
            }
        }
        Ok(forgotten)
    }

    /// Marks that a file is being copied into this cluster, or goes on with such a copy. Fails if
    /// the cluster has something that is not from this file.
    pub(crate) async fn begin_copy(&self, from: Hash) -> Result<CopyState, TransferError> {
        match copy_mark::find(&self.bucket).await.map_err(TransferError::Begin)? {
            Some(mark) if mark.from != HexHash(from) => Err(TransferError::OtherSource),
            Some(mark) if mark.is_done => Ok(CopyState::Done),
            Some(_) => Ok(CopyState::Begun),
            None => {
                let tables = self.tables().await.map_err(TransferError::Begin)?.len();
                let people = self.persons().await.map_err(TransferError::Begin)?.len();
                if tables + people > 0 {
                    return Err(TransferError::Occupied { tables, people });
                }
                let marked = copy_mark::set(&self.bucket, CopyMark::begun(from)).await;
                marked.map_err(TransferError::Begin)?;
                Ok(CopyState::Begun)
            }
        }
    }

    /// Marks that the copy is finished: nodes may serve the cluster now.
    pub(crate) async fn end_copy(&self, from: Hash) -> Result<(), TransferError> {
        copy_mark::set(&self.bucket, CopyMark::done(from)).await.map_err(TransferError::End)
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        let listening = self.listening.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listening) = listening {
            listening.abort();
        }
    }
}

impl Shared {
    /// The tables of all streams, in the order of their last messages.
    async fn listed(&self) -> Result<Vec<ListedTable>, Fault> {
        let mut subjects = Vec::new();
        for (number, lines) in (0..).zip(&self.streams) {
            let stream = lines.stream();
            let of_stream = self.patient(|| stream.subjects(self.name.subjects(number))).await?;
            subjects.extend(of_stream.into_iter().map(|subject| (Arc::clone(lines), subject)));
        }
        let moments = stream::iter(subjects);
        let moments = moments.map(|(lines, subject)| self.last_moment(lines, subject));
        let mut found = moments.buffer_unordered(AT_ONCE).try_collect::<Vec<_>>().await?;
        found.sort_unstable();
        let listed = found.into_iter().map(|(moment, key)| ListedTable {
            key,
            changed_s: moment.map(|nanoseconds| nanoseconds / 1_000_000_000),
        });
        Ok(listed.collect())
    }

    /// When a table last changed, and its key.
    async fn last_moment(
        &self,
        lines: Arc<LineStream>,
        subject: String,
    ) -> Result<(Option<u64>, Key), Fault> {
        let moment = self.patient(|| lines.stream().last_moment(&subject)).await?;
        let key = subject.rsplit('.').next().unwrap_or_default().parse::<Key>();
        let key = key.map_err(|_| Fault::Damaged(format!("a message of {subject}")))?;
        Ok((moment, key))
    }

    /// Asks until there is an answer.
    async fn patient<T, F>(&self, ask: impl Fn() -> F) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Silent>>,
    {
        let mut wait = Wait::new(self.patience);
        loop {
            match ask().await {
                Ok(answer) => return Ok(answer),
                Err(Silent(error)) if wait.is_over() => return Err(Fault::Unreachable(error)),
                Err(_) => wait.pause().await,
            }
        }
    }

    /// Appends as many lines at once as a message can have, and the note with the last ones.
    async fn extend(
        &self,
        table: &Key,
        mut after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> Result<(), AppendError> {
        let room = self.message_bytes_most.saturating_sub(HEAD_BYTES);
        let bytes_of = |text: &str| text.len() + LINE_HEAD_BYTES;
        let (mut some, mut bytes) = (Vec::new(), 0);
        for line in lines {
            if !some.is_empty() && bytes + bytes_of(&line) > room {
                let count = some.len() as u64;
                self.store(table, after, std::mem::take(&mut some), None).await?;
                (after, bytes) = (after + count, 0);
            }
            bytes += bytes_of(&line);
            some.push(line);
        }
        let with_note = bytes + note.as_ref().map_or(0, |note| bytes_of(&note.text));
        if with_note > room && !some.is_empty() && note.is_some() {
            let count = some.len() as u64;
            self.store(table, after, std::mem::take(&mut some), None).await?;
            after += count;
        }
        self.store(table, after, some, note).await
    }

    async fn store(
        &self,
        table: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> Result<(), AppendError> {
        self.check_length(&lines, note.as_ref())?;
        self.append(table, after, lines, note).await
    }
}

/// Appends of a tool begin when their answers are awaited.
impl Journal for Archive {
    fn append(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move { shared.store(&key, after, lines, note).await })
    }

    fn read(&self, key: &Key, after: u64) -> BoxFuture<Result<Vec<Box<str>>, Fault>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move {
            let lines =
                shared.bundles(&key).await?.into_iter().flat_map(|placed| placed.bundle.lines);
            Ok(lines.skip(usize::try_from(after).unwrap_or(usize::MAX)).collect())
        })
    }

    fn mentions(&self, key: &Key, text: Box<str>) -> BoxFuture<Result<bool, Fault>> {
        let lines = self.read(key, 0);
        Box::pin(async move { Ok(lines.await?.iter().any(|line| line.contains(&*text))) })
    }

    fn note(&self, key: &Key) -> BoxFuture<Result<Option<Note>, Fault>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move { shared.note(&key).await })
    }

    /// Asks for the note of every table: nodes have an index for that.
    fn list(&self, filter: Filter, page: Page) -> BoxFuture<Result<Vec<Entry>, Fault>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let mut entries = Vec::new();
            for (turn, listed) in (1..).zip(shared.listed().await?) {
                let note = shared.note(&listed.key).await?;
                let note = note.filter(|note| filter.permits(note));
                entries.extend(note.map(|note| Entry { turn, key: listed.key, note }));
            }
            entries.retain(|entry| page.before.is_none_or(|before| entry.turn < before));
            entries.reverse();
            entries.truncate(page.most);
            Ok(entries)
        })
    }
}

impl Inventory for Archive {
    fn tables(&self) -> BoxFuture<Result<Vec<ListedTable>, Fault>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move { shared.listed().await })
    }

    fn table(&self, key: &Key) -> BoxFuture<Result<WholeTable, Fault>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move {
            let mut table = WholeTable::default();
            for placed in shared.bundles(&key).await? {
                table.note = placed.bundle.note.or(table.note);
                table.lines.extend(placed.bundle.lines);
            }
            Ok(table)
        })
    }

    fn extend(
        &self,
        key: &Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    ) -> BoxFuture<Result<(), AppendError>> {
        let (shared, key) = (Arc::clone(&self.shared), key.clone());
        Box::pin(async move { shared.extend(&key, after, lines, note).await })
    }

    /// The brokers know when they stored a message.
    fn set_changed(&self, _: &Key, _: u64) -> BoxFuture<Result<(), Fault>> {
        Box::pin(async { Ok(()) })
    }

    fn persons(&self) -> BoxFuture<Result<Vec<Hash>, Fault>> {
        let bucket = Arc::clone(&self.bucket);
        Box::pin(async move {
            let hash = |key: String| {
                let digits = key.strip_prefix("person.").and_then(unhex);
                digits.ok_or_else(|| Fault::Damaged(format!("the key {key}")))
            };
            let keys = bucket.keys(PERSONS).await?;
            let mut found = keys.into_iter().map(hash).collect::<Result<Vec<_>, _>>()?;
            found.sort_unstable();
            Ok(found)
        })
    }

    fn person(&self, hash: Hash) -> BoxFuture<Result<Option<WholePerson>, Fault>> {
        let bucket = Arc::clone(&self.bucket);
        Box::pin(async move {
            let Some(value) = bucket.get(&person_key(hash)).await? else { return Ok(None) };
            let value = PersonValue::read(&value)?;
            if value.hash.0 != hash {
                let text = "a person's value lies under another key";
                return Err(Fault::Damaged(text.to_owned()));
            }
            Ok(Some(match value.person {
                None => WholePerson::Deleted,
                Some(record) => WholePerson::Present(whole(hash, record)),
            }))
        })
    }

    fn set_person(&self, hash: Hash, person: WholePerson) -> BoxFuture<Result<(), Fault>> {
        let bucket = Arc::clone(&self.bucket);
        Box::pin(async move { set_person(&bucket, hash, person).await })
    }

    fn administration(&self, now_s: u64) -> BoxFuture<Result<Administration, Fault>> {
        Box::pin(administration::all(Arc::clone(&self.bucket), now_s))
    }

    fn set_administration(
        &self,
        administration: Administration,
        now_s: u64,
    ) -> BoxFuture<Result<(), Fault>> {
        Box::pin(administration::set(Arc::clone(&self.bucket), administration, now_s))
    }

    fn secret(&self) -> BoxFuture<Result<[u8; 32], Fault>> {
        let bucket = Arc::clone(&self.bucket);
        Box::pin(async move { deal_secret(&bucket).await })
    }

    fn set_secret(&self, secret: [u8; 32]) -> BoxFuture<Result<(), Fault>> {
        let bucket = Arc::clone(&self.bucket);
        Box::pin(async move { bucket.set(DEALS, secret.to_vec()).await })
    }
}

fn whole(hash: Hash, record: PersonRecord) -> PresentPerson {
    let PersonRecord { line, devices, phrase, seen_s, received, invited } = record;
    let devices = devices.into_iter().map(|device| (device.at_s, device.hash.0)).collect();
    let received = received.into_iter();
    let received = received.map(|Received { from, at_s, line }| Invitation {
        to: hash,
        from: from.0,
        at_s,
        line,
    });
    let mut received = received.collect::<Vec<_>>();
    received.sort_unstable_by_key(|invitation| invitation.from);
    let invited = invited.into_iter().map(|Invited { to, at_s }| (to.0, at_s));
    let mut invited = invited.collect::<Vec<_>>();
    invited.sort_unstable();
    let phrase = phrase.map(|phrase| phrase.0);
    PresentPerson { line, seen_s, devices, phrase, received, invited }
}

/// Stores a person. First the keys that lead to them, as when they sign a device in.
async fn set_person(bucket: &Bucket, hash: Hash, person: WholePerson) -> Result<(), Fault> {
    let record = match person {
        WholePerson::Deleted => None,
        WholePerson::Present(person) => {
            let lead = hex(&hash).into_bytes();
            for (_, device) in person.devices.iter().filter(|(_, device)| *device != hash) {
                bucket.set(&device_key(*device), lead.clone()).await?;
            }
            if let Some(phrase) = person.phrase {
                bucket.set(&phrase_key(phrase), lead).await?;
            }
            let PresentPerson { line, seen_s, devices, phrase, received, invited } = person;
            let device = |(at_s, hash)| DeviceRecord { at_s, hash: HexHash(hash) };
            let received = received.into_iter();
            let received = received.map(|Invitation { to: _, from, at_s, line }| Received {
                from: HexHash(from),
                at_s,
                line,
            });
            let invited = invited.into_iter();
            let invited = invited.map(|(to, at_s)| Invited { to: HexHash(to), at_s });
            Some(PersonRecord {
                line,
                devices: devices.into_iter().map(device).collect(),
                phrase: phrase.map(HexHash),
                seen_s,
                received: received.collect(),
                invited: invited.collect(),
            })
        }
    };
    bucket.set(&person_key(hash), PersonValue::of(hash, record).written()?).await
}
