//! One stream with the lines of some tables.

use journal::{Key, Note};
use tracing::debug;

use crate::attempt::{Heard, Seen};
use crate::bundle::{Bundle, Link};
use crate::stream::{Sent, Silent, Stored, Stream};
use crate::tail::Tail;

/// One stream with the lines of some tables.
pub(crate) struct LineStream(Stream);

/// A message of a table with its place.
pub(crate) struct Placed {
    pub(crate) sequence: u64,
    pub(crate) bundle: Bundle,
    pub(crate) link: Link,
}

impl Placed {
    /// The tail after it, if it is the last one.
    pub(crate) fn tail(&self) -> Tail {
        Tail::of(self.sequence, &self.bundle, self.link)
    }

    fn seen(&self) -> Seen {
        Seen { id: self.bundle.id, tail: self.tail() }
    }
}

/// Why a stream does not say what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// No answer, or one that can be another in a moment.
    Silent(String),
    /// It has less of the table than this node has seen. A broker that does not know yet that it no
    /// longer leads says so, too: it is damage only if it stays so.
    Behind(String),
    /// What it has of the table is damaged.
    Damaged(String),
}

impl From<Silent> for Trouble {
    fn from(Silent(error): Silent) -> Self {
        Self::Silent(error)
    }
}

impl LineStream {
    pub(crate) fn new(stream: Stream) -> Self {
        Self(stream)
    }

    /// The stream, of which the index reads all tables.
    pub(crate) fn stream(&self) -> &Stream {
        &self.0
    }

    /// Sends a message that is stored only if the last message of its subject is the one at this
    /// place.
    pub(crate) async fn send(&self, subject: String, message: Vec<u8>, follows: u64) -> Heard {
        match self.0.send(subject, message.into(), Some(follows), None).await {
            Sent::Stored(sequence) => Heard::Stored(sequence),
            Sent::Refused => Heard::Refused,
            Sent::Nothing => Heard::Nothing,
        }
    }

    /// The last message of a table, as the stream's leader knows it.
    pub(crate) async fn last(&self, subject: &str, table: &Key) -> Result<Option<Placed>, Trouble> {
        self.0.last(subject).await?.map(|stored| self.placed(&stored, table)).transpose()
    }

    /// The first message of a table behind a place, as the stream's leader knows it.
    async fn behind(
        &self,
        subject: &str,
        table: &Key,
        place: u64,
    ) -> Result<Option<Placed>, Trouble> {
        let first = self.0.first_from(subject, place + 1).await?;
        first.map(|stored| self.placed(&stored, table)).transpose()
    }

    /// What an append hears of the end of its table.
    pub(crate) async fn look(&self, subject: &str, table: &Key) -> Result<Heard, Trouble> {
        heard(self.last(subject, table).await, Heard::Last)
    }

    /// What an append hears of the message behind a place.
    pub(crate) async fn look_behind(
        &self,
        subject: &str,
        table: &Key,
        place: u64,
    ) -> Result<Heard, Trouble> {
        heard(self.behind(subject, table, place).await, Heard::Behind)
    }

    /// The note in the message at this place.
    pub(crate) async fn note_at(&self, place: u64, table: &Key) -> Result<Option<Note>, Trouble> {
        let stored = self.0.at(place).await?;
        Ok(self.placed(&stored, table)?.bundle.note)
    }

    /// The messages of a table from a place of the stream on, as any replica knows them: one that
    /// lags behind has fewer.
    pub(crate) async fn some(
        &self,
        subject: &str,
        table: &Key,
        from: u64,
    ) -> Result<Vec<Placed>, Trouble> {
        let stored = self.0.batch(subject, from).await?;
        stored.iter().map(|stored| self.placed(stored, table)).collect()
    }

    fn placed(&self, stored: &Stored, table: &Key) -> Result<Placed, Trouble> {
        let sequence = stored.sequence;
        let (bundle, link) = Bundle::read(&stored.message, table)
            .map_err(|error| Trouble::Damaged(self.damage(table, sequence, &error)))?;
        Ok(Placed { sequence, bundle, link })
    }

    /// Says what is wrong with a message.
    pub(crate) fn damage(
        &self,
        table: &Key,
        sequence: u64,
        error: &dyn std::fmt::Display,
    ) -> String {
        let stream = self.0.name();
        format!("table {table}, message {sequence} of stream {stream}: {error}")
    }
}

fn heard(
    found: Result<Option<Placed>, Trouble>,
    as_heard: fn(Option<Seen>) -> Heard,
) -> Result<Heard, Trouble> {
    match found {
        Ok(placed) => Ok(as_heard(placed.as_ref().map(Placed::seen))),
        Err(Trouble::Silent(error)) => {
            debug!(error, "a look got no answer");
            Ok(Heard::Nothing)
        }
        Err(trouble) => Err(trouble),
    }
}
