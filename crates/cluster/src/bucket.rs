//! A bucket of the brokers: values by key, of which the last one counts.
//!
//! It is a stream that keeps one message of each subject, with the subjects of a NATS key-value
//! bucket, so that `nats kv` reads it. A change names the revision that it was decided on
//! (compare-and-swap), and is decided again if there is another one meanwhile.

use std::time::Duration;

use bytes::Bytes;
use journal::Fault;

use crate::stream::{BATCH, Sent, Silent, Stored, Stream};
use crate::wait::Wait;

/// How long the brokers remember that a key was removed.
const REMOVED_FOR: Duration = Duration::from_hours(1);

/// A bucket.
pub(crate) struct Bucket {
    stream: Stream,
    prefix: String,
    patience: Duration,
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// `None` if the key has no value.
    pub(crate) value: Option<Bytes>,
    /// What the next change has to follow; 0 for a key that never had a value.
    pub(crate) revision: u64,
}

/// What a change decides.
pub(crate) enum Change<T> {
    /// The value stays as it is.
    Keep(T),
    /// This is the value from now on.
    Set(Vec<u8>, T),
    /// The same until the brokers remove it, after that time.
    SetFor(Vec<u8>, Duration, T),
    /// There is no value from now on.
    Remove(T),
}

impl Bucket {
    /// A bucket that is there. `prefix` is what its subjects begin with.
    pub(crate) fn new(stream: Stream, prefix: String, patience: Duration) -> Self {
        Self { stream, prefix, patience }
    }

    /// The stream, which the index follows.
    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The subject of a key, or of all keys that a pattern such as `person.*` stands for.
    pub(crate) fn subject(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// The value of a key, as the bucket's leader knows it.
    pub(crate) async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault> {
        let mut wait = Wait::new(self.patience);
        loop {
            match self.look(key).await {
                Ok(held) => return Ok(held.value),
                Err(Silent(error)) if wait.is_over() => return Err(Fault::Unreachable(error)),
                Err(_) => wait.pause().await,
            }
        }
    }

    /// The same with the revision, asked once.
    pub(crate) async fn look(&self, key: &str) -> Result<Held, Silent> {
        let last = self.stream.last(&self.subject(key)).await?;
        Ok(last.map_or(Held { value: None, revision: 0 }, |Stored { sequence, message }| {
            let value = Some(message).filter(|message| !message.is_empty());
            Held { value, revision: sequence }
        }))
    }

    /// Sends a value once. With `lasts` the brokers remove it after that time.
    pub(crate) async fn send(
        &self,
        key: &str,
        value: Bytes,
        follows: Option<u64>,
        lasts: Option<Duration>,
    ) -> Sent {
        self.stream.send(self.subject(key), value, follows, lasts).await
    }

    /// Sets the value of a key, whatever it is. With `lasts` the brokers remove it after that time.
    pub(crate) async fn put(
        &self,
        key: &str,
        value: Vec<u8>,
        lasts: Option<Duration>,
    ) -> Result<(), Fault> {
        let value = Bytes::from(value);
        let mut wait = Wait::new(self.patience);
        loop {
            // To send it again is harmless: it is the value either way.
            match self.send(key, value.clone(), None, lasts).await {
                Sent::Stored(_) => return Ok(()),
                Sent::Refused | Sent::Nothing if wait.is_over() => return Err(Fault::Unanswered),
                Sent::Refused | Sent::Nothing => wait.pause().await,
            }
        }
    }

    /// Makes this the value of a key. Nothing is sent if it is already.
    pub(crate) async fn set(&self, key: &str, value: Vec<u8>) -> Result<(), Fault> {
        let decide = |held: Option<&[u8]>| {
            let is_set = held == Some(value.as_slice());
            Ok(if is_set { Change::Keep(()) } else { Change::Set(value.clone(), ()) })
        };
        self.change(key, decide).await
    }

    /// Removes the value of a key; returns whether there was one.
    pub(crate) async fn remove(&self, key: &str) -> Result<bool, Fault> {
        let decide = |value: Option<&[u8]>| {
            Ok(if value.is_some() { Change::Remove(true) } else { Change::Keep(false) })
        };
        self.change(key, decide).await
    }

    /// Changes the value of a key. `decide` is asked again when the value has changed meanwhile, so
    /// it must not do anything else. After [`Fault::Unanswered`] the change may still come true.
    pub(crate) async fn change<T>(
        &self,
        key: &str,
        mut decide: impl FnMut(Option<&[u8]>) -> Result<Change<T>, Fault>,
    ) -> Result<T, Fault> {
        let mut wait = Wait::new(self.patience);
        let mut unanswered = None::<(Bytes, T)>;
        loop {
            match self.look(key).await {
                Err(Silent(error)) if wait.is_over() => {
                    return Err(match unanswered {
                        Some(_) => Fault::Unanswered,
                        None => Fault::Unreachable(error),
                    });
                }
                Err(_) => wait.pause().await,
                Ok(held) => {
                    // What got no answer has been stored all the same.
                    if let Some((value, done)) = unanswered.take()
                        && held.value.as_deref().unwrap_or_default() == &*value
                    {
                        return Ok(done);
                    }
                    let (value, lasts, done) = match decide(held.value.as_deref())? {
                        Change::Keep(done) => return Ok(done),
                        Change::Set(value, done) => (value.into(), None, done),
                        Change::SetFor(value, lasts, done) => (value.into(), Some(lasts), done),
                        Change::Remove(done) => (Bytes::new(), Some(REMOVED_FOR), done),
                    };
                    match self.send(key, value.clone(), Some(held.revision), lasts).await {
                        Sent::Stored(_) => return Ok(done),
                        _ if wait.is_over() => return Err(Fault::Unanswered),
                        Sent::Refused => {}
                        Sent::Nothing => {
                            unanswered = Some((value, done));
                            wait.pause().await;
                        }
                    }
                }
            }
        }
    }

    /// The keys that a pattern such as `person.*` stands for. Keys that were removed a while ago may
    /// be among them.
    pub(crate) async fn keys(&self, pattern: &str) -> Result<Vec<String>, Fault> {
        let subjects = self.subject(pattern);
        let mut wait = Wait::new(self.patience);
        let found = loop {
            match self.stream.subjects(&subjects).await {
                Ok(found) => break found,
                Err(Silent(error)) if wait.is_over() => return Err(Fault::Unreachable(error)),
                Err(_) => wait.pause().await,
            }
        };
        let key = |subject: String| subject.strip_prefix(&self.prefix).map(str::to_owned);
        Ok(found.into_iter().filter_map(key).collect())
    }

    /// All values of the keys that a pattern such as `audit.*` stands for, in the order in which
    /// they were set.
    pub(crate) async fn all(&self, pattern: &str) -> Result<Vec<Bytes>, Fault> {
        let mut wait = Wait::new(self.patience);
        loop {
            match self.try_all(pattern).await {
                Ok(values) => return Ok(values),
                Err(Silent(error)) if wait.is_over() => return Err(Fault::Unreachable(error)),
                Err(_) => wait.pause().await,
            }
        }
    }

    async fn try_all(&self, pattern: &str) -> Result<Vec<Bytes>, Silent> {
        let subjects = self.subject(pattern);
        let (mut values, mut from) = (Vec::new(), 1);
        loop {
            let batch = self.stream.batch(&subjects, from).await?;
            let is_last = batch.len() < BATCH as usize;
            from = batch.last().map_or(from, |stored| stored.sequence + 1);
            let all = batch.into_iter().map(|stored| stored.message);
            values.extend(all.filter(|value| !value.is_empty()));
            if is_last {
                break;
            }
        }
        // A replica that lags behind has fewer.
        if self.stream.ends_before(&subjects, from).await? {
            Ok(values)
        } else {
            Err(Silent("a replica lags behind".to_owned()))
        }
    }
}
