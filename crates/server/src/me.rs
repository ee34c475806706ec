//! Who somebody is to the server: their name, what they consent to, and that they may be forgotten.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use wire::{Consent, Me, Name};

use crate::App;
use crate::http::{COOKIE, Known, Problem, Sent, secret_of};
use crate::person::Secret;
use table::Person;

/// Who the cookie belongs to.
pub(crate) async fn who(Known(person): Known) -> Json<Me> {
    Json(Me { name: person.name })
}

/// What somebody would like to be called.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Naming {
    name: String,
}

/// Gives somebody a name: a new person, or another name for the one they are.
pub(crate) async fn name(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Sent(Naming { name }): Sent<Naming>,
) -> Result<Response, Problem> {
    let wrong = |e| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "name", e);
    let name = name.parse::<Name>().map_err(wrong)?;
    let known = match secret_of(&headers) {
        Some(secret) => app.people.rename(&secret, &name).await.map_err(Problem::not_kept)?,
        None => None,
    };
    let (person, cookie) = if let Some(person) = known {
        (person, None)
    } else {
        // A secret that the server did not issue is never adopted.
        let secret = Secret::fresh().map_err(Problem::not_kept)?;
        let cookie = cookie(&secret.to_cookie(), 31_536_000, app.secure);
        let person = app.people.name(secret.person(), name).await.map_err(Problem::not_kept)?;
        (person, Some(cookie))
    };
    let mut response = Json(Me { name: person.name }).into_response();
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// What somebody consents to.
pub(crate) async fn consent(Known(person): Known) -> Json<Consent> {
    Json(Consent { lends_tempo: person.lends_tempo })
}

/// Takes what somebody consents to from now on.
pub(crate) async fn give_consent(
    State(app): State<Arc<App>>,
    Known(person): Known,
    Sent(consent): Sent<Consent>,
) -> Result<Json<Consent>, Problem> {
    let kept = app.people.consent(person.id, consent).await.map_err(Problem::not_kept)?;
    let Person { lends_tempo, .. } = kept.ok_or_else(Problem::stranger)?;
    Ok(Json(Consent { lends_tempo }))
}

/// Forgets somebody.
pub(crate) async fn forget(
    State(app): State<Arc<App>>,
    Known(person): Known,
) -> Result<Response, Problem> {
    app.people.forget(person.id).await.map_err(Problem::not_kept)?;
    app.directory.forget(person.id).await;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie("", 0, app.secure)) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn cookie(value: &str, seconds: u32, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}
