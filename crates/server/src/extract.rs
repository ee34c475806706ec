//! What the handlers take out of a request: who asks, from where, and the body.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use journal::Hash;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use table::{Person, PersonId};
use wire::Refusal;

use crate::App;
use crate::address::Subnet;
use crate::blocks::blocked;
use crate::cookie::secret_of;
use crate::problem::Problem;
use crate::status::unread_body;

/// The subnet of the client.
#[derive(Clone, Copy)]
pub(crate) struct Client(pub(crate) Subnet);

/// The person whose cookie came with a request. One who is blocked is refused.
pub(crate) struct KnownPerson(pub(crate) Person);

impl FromRequestParts<Arc<App>> for KnownPerson {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let CookiePerson(person) = CookiePerson::from_request_parts(parts, app).await?;
        if app.admission.blocks.has_person(person.id) {
            Err(blocked().into())
        } else {
            Ok(Self(person))
        }
    }
}

/// The same, also for a person who is blocked.
pub(crate) struct CookiePerson(pub(crate) Person);

impl FromRequestParts<Arc<App>> for CookiePerson {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let secret =
            secret_of(&parts.headers, &app.site.cookie_scope).ok_or_else(Problem::stranger)?;
        let person = app.people.find(&secret).await.map_err(Problem::not_kept)?;
        person.map(Self).ok_or_else(Problem::stranger)
    }
}

/// The person who asks; `None` without a cookie, where strangers may ask as well.
pub(crate) fn asker(known: Result<KnownPerson, Problem>) -> Result<Option<PersonId>, Problem> {
    match known {
        Ok(KnownPerson(person)) => Ok(Some(person.id)),
        Err(problem) if problem.why == Refusal::NoName => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// The hash of the secret of the device that a request came from.
pub(crate) struct Device(pub(crate) Hash);

impl FromRequestParts<Arc<App>> for Device {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let secret =
            secret_of(&parts.headers, &app.site.cookie_scope).ok_or_else(Problem::stranger)?;
        Ok(Self(secret.hash()))
    }
}

/// A request's body: a JSON object. Like a message, it is never an array of fields in order.
pub(crate) struct JsonObject<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonObject<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let wrong = |e: JsonRejection| Problem::new(unread_body(&e), e.body_text());
        let Json(body) =
            Json::<Box<RawValue>>::from_request(request, state).await.map_err(wrong)?;
        let unread = |text: String| Problem::new(Refusal::Malformed, text);
        if !body.get().starts_with('{') {
            return Err(unread("send a JSON object".to_owned()));
        }
        let read = serde_json::from_str(body.get());
        read.map(Self).map_err(|e| unread(format!("the request cannot be read: {e}")))
    }
}
