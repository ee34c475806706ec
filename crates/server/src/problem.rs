//! A request that is refused.

use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use journal::Fault;
use table::Refused;
use wire::Refusal;

use crate::status::status;

/// A refused request; the answer is a [`wire::Problem`].
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) why: Refusal,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(why: Refusal, text: impl ToString) -> Self {
        Self { why, text: text.to_string() }
    }

    pub(crate) fn not_kept(text: impl ToString) -> Self {
        Self::new(Refusal::NotKept, text)
    }

    /// For a request without the cookie of a known person.
    pub(crate) fn stranger() -> Self {
        let text = "the server does not know you, choose a name first";
        Self::new(Refusal::NoName, text)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self::new(refused.why, refused.text)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::not_kept(fault)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { why, text } = self;
        // The refusal is counted by the guard.
        (status(why), Extension(why), Json(wire::Problem { why, text })).into_response()
    }
}
