//! A person's devices over HTTP: signing another one in, recovery phrases, and signing out.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;
use wire::{DeviceLink, DeviceLinkState, DeviceRequest, Devices, Phrase as Words, Refusal, SignIn};

use crate::App;
use crate::cookie;
use crate::device_links::{LASTS, Token};
use crate::extract::{Device, JsonObject, KnownPerson};
use crate::me::me;
use crate::openapi::{refused, schema};
use crate::people::DEVICES_MOST;
use crate::person::Secret;
use crate::phrase::Phrase;
use crate::problem::Problem;
use table::{Person, PersonId};

/// How many devices the person has, and whether they have a recovery phrase.
#[utoipa::path(
    get,
    path = "/api/me/devices",
    responses(
        (status = 200, description = "The devices", body = schema::Devices),
        refused::NoPerson,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Devices>, Problem> {
    Ok(Json(app.people.devices(person.id).await?))
}

/// Sign all other devices out.
///
/// Their connections close at once, and their cookies count no longer. The recovery phrase stays.
#[utoipa::path(
    delete,
    path = "/api/me/devices",
    responses(
        (status = 200, description = "The devices", body = schema::Devices),
        refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn sign_out_others(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Device(device): Device,
) -> Result<Json<Devices>, Problem> {
    app.device_links.cancel(person.id);
    app.people.sign_out_others(person.id, device).await?;
    app.tell_turned_out(person.id);
    Ok(Json(app.people.devices(person.id).await?))
}

/// Open a link that signs another device in.
///
/// It can be used once, within two minutes, and has to be confirmed here. An older link ends.
#[utoipa::path(
    post,
    path = "/api/me/device-link",
    responses(
        (status = 201, description = "The link", body = schema::DeviceLink),
        refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn open_link(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Response, Problem> {
    let token = app.device_links.open(person.id, Instant::now())?.to_text();
    let seconds = LASTS.as_secs().try_into().unwrap_or(u32::MAX);
    Ok((StatusCode::CREATED, Json(DeviceLink { token, seconds })).into_response())
}

/// What has become of the link.
#[utoipa::path(
    get,
    path = "/api/me/device-link",
    responses(
        (status = 200, description = "How far it is", body = schema::DeviceLinkState),
        refused::NoPerson,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn link_state(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Json<DeviceLinkState> {
    Json(app.device_links.state(person.id, Instant::now()))
}

/// The number that the other device shows.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfirmDevice {
    number: u8,
}

/// Confirm the device that asks.
#[utoipa::path(
    put,
    path = "/api/me/device-link",
    request_body = ConfirmDevice,
    responses(
        (status = 200, description = "How far it is", body = schema::DeviceLinkState),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotFound,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn confirm(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    JsonObject(ConfirmDevice { number }): JsonObject<ConfirmDevice>,
) -> Result<Json<DeviceLinkState>, Problem> {
    app.device_links.confirm(person.id, number, Instant::now())?;
    Ok(Json(DeviceLinkState::Confirmed))
}

/// End the link.
#[utoipa::path(
    delete,
    path = "/api/me/device-link",
    responses(
        (status = 204, description = "It has ended"),
        refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> StatusCode {
    app.device_links.cancel(person.id);
    StatusCode::NO_CONTENT
}

/// What stands in a link, or what a device got when it asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShownToken {
    token: String,
}

impl ShownToken {
    fn read(&self) -> Result<Token, Problem> {
        let wrong = |_| Problem::new(Refusal::NoDeviceLink, "that is no link for a device");
        self.token.parse().map_err(wrong)
    }
}

/// Ask to be signed in by a link.
///
/// Both devices show the number that is returned. Ask with the ticket until the first device has
/// confirmed it.
#[utoipa::path(
    post,
    path = "/api/devices",
    request_body = ShownToken,
    responses(
        (status = 201, description = "The number and the ticket", body = schema::DeviceRequest),
        refused::BadJson, refused::Forbidden, refused::NotFound,
    )
)]
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    JsonObject(shown): JsonObject<ShownToken>,
) -> Result<Response, Problem> {
    let (ticket, number) = app.device_links.ask(&shown.read()?, Instant::now())?;
    let asked = DeviceRequest { ticket: ticket.to_text(), number };
    Ok((StatusCode::CREATED, Json(asked)).into_response())
}

/// Sign in with the ticket of a device, once it is confirmed.
///
/// Sets the cookie. An identity that the browser had before is replaced in it.
#[utoipa::path(
    post,
    path = "/api/devices/sign-in",
    request_body = ShownToken,
    responses(
        (status = 200, description = "Whether it is signed in", body = schema::SignIn),
        refused::BadJson, refused::Forbidden, refused::NotFound, refused::Conflict,
    )
)]
pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    JsonObject(shown): JsonObject<ShownToken>,
) -> Result<Response, Problem> {
    match app.device_links.finish(&shown.read()?, Instant::now())? {
        None => Ok(Json(SignIn::Waiting).into_response()),
        Some(person) => app.add_device(person).await,
    }
}

/// Make a recovery phrase.
///
/// It is shown this once; an older one counts no longer.
#[utoipa::path(
    post,
    path = "/api/me/phrase",
    responses(
        (status = 201, description = "Twelve words", body = schema::Phrase),
        refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn make_phrase(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Response, Problem> {
    let phrase = Phrase::fresh().map_err(Problem::not_kept)?;
    let words = phrase.words().map_err(Problem::not_kept)?;
    app.people.set_phrase(person.id, Some(phrase.hash())).await?;
    Ok((StatusCode::CREATED, Json(Words { words })).into_response())
}

/// Delete the recovery phrase.
#[utoipa::path(
    delete,
    path = "/api/me/phrase",
    responses(
        (status = 204, description = "It counts no longer"),
        refused::NoPerson, refused::Forbidden,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn delete_phrase(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<StatusCode, Problem> {
    app.people.set_phrase(person.id, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A recovery phrase as a person types it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TypedPhrase {
    words: String,
}

/// Sign in with a recovery phrase.
///
/// Sets the cookie. An identity that the browser had before is replaced in it.
#[utoipa::path(
    post,
    path = "/api/devices/recover",
    request_body = TypedPhrase,
    responses(
        (status = 200, description = "The person", body = schema::SignIn),
        refused::BadJson, refused::Forbidden, refused::NotFound, refused::Conflict,
    )
)]
pub(crate) async fn recover(
    State(app): State<Arc<App>>,
    JsonObject(TypedPhrase { words }): JsonObject<TypedPhrase>,
) -> Result<Response, Problem> {
    let wrong = |text: String| Problem::new(Refusal::WrongPhrase, text);
    let phrase = words.parse::<Phrase>().map_err(|error| wrong(error.to_string()))?;
    match app.people.of_phrase(phrase.hash()).await? {
        Some(person) => app.add_device(person).await,
        None => Err(wrong("no person here has this recovery phrase".to_owned())),
    }
}

impl App {
    /// Gives the browser that asks a secret of its own for this person.
    async fn add_device(&self, id: PersonId) -> Result<Response, Problem> {
        let secret = Secret::fresh().map_err(Problem::not_kept)?;
        let person = self.people.get(id).await?.ok_or_else(Problem::stranger)?;
        if !self.people.add_device(id, &secret).await? {
            let text = "the person has as many devices as they may, sign the others out first";
            return Err(Problem::new(Refusal::TooManyDevices { most: DEVICES_MOST }, text));
        }
        Ok(self.signed_in(person, &secret))
    }

    fn signed_in(&self, person: Person, secret: &Secret) -> Response {
        let mut response = Json(SignIn::Done(me(person))).into_response();
        cookie::keep(response.headers_mut(), secret, &self.site.cookie_scope);
        response
    }
}
