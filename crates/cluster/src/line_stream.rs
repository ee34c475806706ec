//! One stream of the brokers, with the lines of some tables.

use std::time::Duration;

use async_nats::client::Request;
use async_nats::header::NATS_SEQUENCE;
use async_nats::jetstream::context::{Context, GetStreamError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, RawMessageErrorKind, Stream};
use bytes::Bytes;
use futures_util::StreamExt;
use journal::{Key, Note};
use serde::Serialize;
use tokio::time::timeout;
use tracing::debug;

use crate::attempt::{Heard, Seen};
use crate::bundle::{Bundle, Link};
use crate::tail::Tail;

/// How many messages are asked for at once.
pub(crate) const BATCH: u32 = 512;

/// One stream.
pub(crate) struct LineStream {
    context: Context,
    stream: Stream<()>,
    name: String,
    answer: Duration,
}

/// A message as it lies in the stream.
pub(crate) struct Stored {
    pub(crate) sequence: u64,
    pub(crate) message: Bytes,
}

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

/// A request for some messages of one subject, from one place on.
#[derive(Serialize)]
struct BatchRequest<'a> {
    next_by_subj: &'a str,
    seq: u64,
    batch: u32,
}

impl LineStream {
    /// A stream that is there.
    pub(crate) async fn new(
        context: Context,
        name: String,
        answer: Duration,
    ) -> Result<Self, GetStreamError> {
        let stream = context.get_stream_no_info(&name).await?;
        Ok(Self { context, stream, name, answer })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Sends a message that is stored only if the last message of its subject is the one at this
    /// place.
    pub(crate) async fn send(&self, subject: String, message: Vec<u8>, follows: u64) -> Heard {
        let message = PublishMessage::build()
            .payload(message.into())
            .expected_stream(&self.name)
            .expected_last_subject_sequence(follows);
        let sent = self.context.send_publish(subject, message).await;
        let answer = match sent {
            Ok(answer) => answer.await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(stored) => Heard::Stored(stored.sequence),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Heard::Refused,
            Err(error) => {
                debug!(stream = self.name, %error, "an append got no answer");
                Heard::Nothing
            }
        }
    }

    /// The last message of a table, as the stream's leader knows it.
    pub(crate) async fn last(&self, subject: &str, table: &Key) -> Result<Option<Placed>, Trouble> {
        match self.stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => self.placed(message.sequence, &message.payload, table).map(Some),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(Trouble::Silent(error.to_string())),
        }
    }

    /// The first message of a table behind a place, as the stream's leader knows it.
    async fn behind(
        &self,
        subject: &str,
        table: &Key,
        place: u64,
    ) -> Result<Option<Placed>, Trouble> {
        let next = self.stream.raw_message_builder().sequence(place + 1).next_by_subject(subject);
        match next.send().await {
            Ok(message) => self.placed(message.sequence, &message.payload, table).map(Some),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(Trouble::Silent(error.to_string())),
        }
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
        match self.stream.get_raw_message(place).await {
            Ok(message) => {
                let placed = self.placed(message.sequence, &message.payload, table)?;
                Ok(placed.bundle.note)
            }
            Err(error) => Err(Trouble::Silent(error.to_string())),
        }
    }

    /// The messages of a table from a place of the stream on, up to [`BATCH`], as any replica knows
    /// them: one that lags behind has fewer.
    pub(crate) async fn some(
        &self,
        subject: &str,
        table: &Key,
        from: u64,
    ) -> Result<Vec<Placed>, Trouble> {
        let stored = self.batch(subject, from).await?;
        let placed = stored.iter().map(|it| self.placed(it.sequence, &it.message, table));
        placed.collect()
    }

    /// The same for any subjects.
    pub(crate) async fn batch(&self, subjects: &str, from: u64) -> Result<Vec<Stored>, Trouble> {
        let silent = |error: &dyn std::fmt::Display| Trouble::Silent(error.to_string());
        let client = self.context.client();
        let inbox = client.new_inbox();
        let mut answers = client.subscribe(inbox.clone()).await.map_err(|error| silent(&error))?;
        let request = BatchRequest { next_by_subj: subjects, seq: from, batch: BATCH };
        let request = serde_json::to_vec(&request).map_err(|error| silent(&error))?;
        let request = Request::new().payload(request.into()).inbox(inbox);
        let place = format!("DIRECT.GET.{}", self.name);
        let sent = self.context.send_request(place, request).await;
        sent.map_err(|error| silent(&error))?;
        let mut found = Vec::new();
        loop {
            let answer = timeout(self.answer, answers.next()).await;
            let answer = answer.map_err(|_| silent(&"no answer in time"))?;
            let answer = answer.ok_or_else(|| silent(&"the connection ended"))?;
            match answer.status.map(|status| status.as_u16()) {
                None => {
                    let headers = answer.headers.as_ref();
                    let number = headers.and_then(|headers| headers.get(NATS_SEQUENCE));
                    let number = number.map(|number| number.as_str().parse());
                    let Some(Ok(sequence)) = number else {
                        return Err(silent(&"a message without a place"));
                    };
                    found.push(Stored { sequence, message: answer.payload });
                }
                // The end of the batch, or nothing there.
                Some(204 | 404) => return Ok(found),
                Some(status) => {
                    let said = answer.description.as_deref().unwrap_or("");
                    return Err(silent(&format!("{status} {said}")));
                }
            }
        }
    }

    /// Whether the stream's leader has nothing from this place on.
    pub(crate) async fn ends_before(&self, subjects: &str, from: u64) -> Result<bool, Trouble> {
        let next = self.stream.raw_message_builder().sequence(from).next_by_subject(subjects);
        match next.send().await {
            Ok(_) => Ok(false),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(true),
            Err(error) => Err(Trouble::Silent(error.to_string())),
        }
    }

    fn placed(&self, sequence: u64, message: &Bytes, table: &Key) -> Result<Placed, Trouble> {
        let (bundle, link) = Bundle::read(message, table)
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
        format!("table {table}, message {sequence} of stream {}: {error}", self.name)
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
