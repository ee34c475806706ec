//! One stream of the brokers, whatever its messages are.

use std::time::Duration;

use async_nats::client::Request;
use async_nats::header::NATS_SEQUENCE;
use async_nats::jetstream::context::{Context, GetStreamError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{
    DirectGetErrorKind, InfoError, LastRawMessageErrorKind, RawMessageErrorKind, Stream as Raw,
};
use bytes::Bytes;
use futures_util::StreamExt;
use serde::Serialize;
use tokio::time::timeout;
use tracing::debug;

/// How many messages are asked for at once.
pub(crate) const BATCH: u32 = 512;

/// One stream.
pub(crate) struct Stream {
    context: Context,
    stream: Raw<()>,
    name: String,
    answer: Duration,
}

/// A message as it lies in the stream.
pub(crate) struct Stored {
    pub(crate) sequence: u64,
    pub(crate) message: Bytes,
}

/// The result of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is stored at this place.
    Stored(u64),
    /// It is not: it does not follow the last message of its subject.
    Refused,
    /// No answer, or one that leaves open what happened.
    Nothing,
}

/// Why a question got no answer that can be used. It may get one in a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Silent(pub(crate) String);

/// A request for some messages of one subject, from one place on.
#[derive(Serialize)]
struct BatchRequest<'a> {
    next_by_subj: &'a str,
    seq: u64,
    batch: u32,
}

impl Stream {
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

    /// Sends a message. With `follows` it is stored only if the last message of its subject is the
    /// one at that place, 0 for none. With `lasts` the brokers delete it after that time, which they
    /// count in seconds.
    pub(crate) async fn send(
        &self,
        subject: String,
        message: Bytes,
        follows: Option<u64>,
        lasts: Option<Duration>,
    ) -> Sent {
        let mut sending = PublishMessage::build().payload(message).expected_stream(&self.name);
        if let Some(place) = follows {
            sending = sending.expected_last_subject_sequence(place);
        }
        if let Some(time) = lasts {
            sending = sending.ttl(time);
        }
        let sent = self.context.send_publish(subject, sending).await;
        let answer = match sent {
            Ok(answer) => answer.await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(stored) => Sent::Stored(stored.sequence),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Sent::Refused,
            Err(error) => {
                debug!(stream = self.name, %error, "a message got no answer");
                Sent::Nothing
            }
        }
    }

    /// The last message of a subject, as the stream's leader knows it.
    pub(crate) async fn last(&self, subject: &str) -> Result<Option<Stored>, Silent> {
        match self.stream.get_last_raw_message_by_subject(subject).await {
            Ok(found) => Ok(Some(Stored { sequence: found.sequence, message: found.payload })),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(Silent(error.to_string())),
        }
    }

    /// The first message of these subjects from a place on, as the stream's leader knows it.
    pub(crate) async fn first_from(
        &self,
        subjects: &str,
        from: u64,
    ) -> Result<Option<Stored>, Silent> {
        let next = self.stream.raw_message_builder().sequence(from).next_by_subject(subjects);
        match next.send().await {
            Ok(found) => Ok(Some(Stored { sequence: found.sequence, message: found.payload })),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(Silent(error.to_string())),
        }
    }

    /// The message at a place, as the stream's leader knows it.
    pub(crate) async fn at(&self, place: u64) -> Result<Stored, Silent> {
        match self.stream.get_raw_message(place).await {
            Ok(found) => Ok(Stored { sequence: found.sequence, message: found.payload }),
            Err(error) => Err(Silent(error.to_string())),
        }
    }

    /// The messages of some subjects from a place of the stream on, up to [`BATCH`], as any replica
    /// knows them: one that lags behind has fewer.
    pub(crate) async fn batch(&self, subjects: &str, from: u64) -> Result<Vec<Stored>, Silent> {
        let silent = |error: &dyn std::fmt::Display| Silent(error.to_string());
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

    /// The subjects of all messages that this filter passes, as the stream's leader knows them.
    pub(crate) async fn subjects(&self, filter: impl AsRef<str>) -> Result<Vec<String>, Silent> {
        let silent = |error: InfoError| Silent(error.to_string());
        let mut found = self.stream.info_with_subjects(filter).await.map_err(silent)?;
        let mut subjects = Vec::new();
        while let Some(subject) = found.next().await {
            subjects.push(subject.map_err(silent)?.0);
        }
        Ok(subjects)
    }

    /// When the last message of a subject was stored, in nanoseconds since 1970; `None` if there is
    /// none.
    pub(crate) async fn last_moment(&self, subject: &str) -> Result<Option<u64>, Silent> {
        let last = self.stream.direct_get_last_for_subject(subject).await;
        match last {
            Ok(found) => {
                let nanoseconds = found.time.unix_timestamp_nanos();
                Ok(Some(u64::try_from(nanoseconds).unwrap_or_default()))
            }
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(Silent(error.to_string())),
        }
    }

    /// Whether the stream's leader has nothing of these subjects from this place on.
    pub(crate) async fn ends_before(&self, subjects: &str, from: u64) -> Result<bool, Silent> {
        Ok(self.first_from(subjects, from).await?.is_none())
    }
}
