//! A person's own data over HTTP: name, consent and deletion.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;
use wire::{Consent, Mark, Me, Name, Refusal};

use crate::App;
use crate::cookie;
use crate::extract::{Client, CookiePerson, JsonObject, KnownPerson};
use crate::limits::lock;
use crate::newcomers::Proof;
use crate::openapi::{refused, schema};
use crate::person::Secret;
use crate::problem::Problem;
use table::Person;

/// The person whose cookie came with the request, or `null`.
///
/// `null` is not an error: the page is new here. A cookie from before the server was behind https
/// gets the name that it has there.
#[utoipa::path(
    get,
    path = "/api/me",
    responses(
        (status = 200, description = "The person, or `null`", body = Option<schema::Me>),
    ),
    security((), ("cookie" = []))
)]
pub(crate) async fn who(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    known: Result<CookiePerson, Problem>,
) -> Result<Response, Problem> {
    let person = match known {
        Ok(CookiePerson(person)) => person,
        Err(Problem { why: Refusal::NoName, .. }) => return Ok(Json(None::<Me>).into_response()),
        Err(problem) => return Err(problem),
    };
    let mut response = Json(Some(me(person))).into_response();
    if cookie::is_outdated(&headers, &app.site.cookie_scope)
        && let Some(secret) = cookie::secret_of(&headers, &app.site.cookie_scope)
    {
        cookie::keep(response.headers_mut(), &secret, &app.site.cookie_scope);
    }
    Ok(response)
}

/// What the server tells a person about themselves.
pub(crate) fn me(person: Person) -> Me {
    Me { mark: person.mark(), name: person.name }
}

/// The name and the mark that a person chooses.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChooseName {
    name: String,
    /// Left out by a person who keeps the mark they have.
    #[serde(default)]
    #[schema(value_type = Option<schema::Mark>)]
    mark: Option<Mark>,
    proof: Option<Proof>,
}

/// Choose a name and a mark, or other ones.
///
/// Without a cookie that the server knows, this makes a new person and sets the cookie. Tables
/// show a new name from the next connection on.
#[utoipa::path(
    post,
    path = "/api/me",
    request_body = ChooseName,
    responses(
        (status = 200, description = "The person", body = schema::Me),
        refused::BadJson, refused::Forbidden, refused::NotAllowed, refused::TooMany,
    )
)]
pub(crate) async fn name(
    State(app): State<Arc<App>>,
    Extension(Client(from)): Extension<Client>,
    headers: HeaderMap,
    JsonObject(ChooseName { name, mark, proof }): JsonObject<ChooseName>,
) -> Result<Response, Problem> {
    let wrong = |e| Problem::new(Refusal::Name, e);
    let name = Name::chosen(&name).map_err(wrong)?;
    let known = match cookie::secret_of(&headers, &app.site.cookie_scope) {
        Some(secret) => app.people.rename(&secret, &name, mark).await.map_err(Problem::not_kept)?,
        None => None,
    };
    if let Some(person) = known {
        return Ok(Json(me(person)).into_response());
    }
    app.admission.newcomers.permit(from, proof).map_err(|why| {
        Problem::new(why, "many new people came from your address, send a proof of work")
    })?;
    // A secret that the server did not issue is never adopted.
    let secret = Secret::fresh().map_err(Problem::not_kept)?;
    let person = app.people.name(&secret, name, mark).await.map_err(Problem::not_kept)?;
    let mut response = Json(me(person)).into_response();
    cookie::keep(response.headers_mut(), &secret, &app.site.cookie_scope);
    Ok(response)
}

/// What the person allows others to do with their stored data.
#[utoipa::path(
    get,
    path = "/api/me/consent",
    responses(
        (status = 200, description = "The consent", body = schema::Consent),
        refused::NoPerson,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn consent(KnownPerson(person): KnownPerson) -> Json<Consent> {
    Json(Consent { lends_tempo: person.lends_tempo })
}

/// Give or withdraw consent.
#[utoipa::path(
    put,
    path = "/api/me/consent",
    request_body = schema::Consent,
    responses(
        (status = 200, description = "The consent", body = schema::Consent),
        refused::BadJson, refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn give_consent(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    JsonObject(consent): JsonObject<Consent>,
) -> Result<Json<Consent>, Problem> {
    let kept = app.people.consent(person.id, consent).await.map_err(Problem::not_kept)?;
    let Person { lends_tempo, .. } = kept.ok_or_else(Problem::stranger)?;
    Ok(Json(Consent { lends_tempo }))
}

/// Delete the person.
///
/// The person's connections close at once, and their seat is free unless a game is on. Their name
/// in finished games is replaced; the games stay for the other players.
#[utoipa::path(
    delete,
    path = "/api/me",
    responses(
        (status = 204, description = "Deleted; the cookie is removed"),
        refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn forget(
    State(app): State<Arc<App>>,
    CookiePerson(person): CookiePerson,
) -> Result<Response, Problem> {
    app.people.forget(person.id).await.map_err(Problem::not_kept)?;
    lock(&app.partners).cancel(person.id);
    app.directory.forget(person.id).await;
    app.tell_turned_out(person.id);
    let mut response = StatusCode::NO_CONTENT.into_response();
    cookie::drop(response.headers_mut(), &app.site.cookie_scope);
    Ok(response)
}
