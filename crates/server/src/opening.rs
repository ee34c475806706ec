//! Opening tables over HTTP, and finding those that are open.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use rules::door::GameName;
use rules::kit::Preset;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use table::{Founding, PersonId};
use utoipa::ToSchema;
use wire::{CheckedSetup, Code, Listing, NamedSetup, Refusal, SeatedTable, Setup};

use crate::App;
use crate::address::Subnet;
use crate::extract::{Client, JsonObject, KnownPerson};
use crate::lesson::Lesson;
use crate::openapi::{refused, schema};
use crate::problem::Problem;

/// How many public tables are listed.
const LISTED_MOST: usize = 50;
/// How many tables with a seat a player is shown.
const SEATED_MOST: usize = 8;

/// What the table is opened for: a game, its players and a preset, or a whole set-up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenTable {
    #[schema(value_type = Option<schema::GameName>)]
    game: Option<GameName>,
    players: Option<u8>,
    #[schema(value_type = Option<schema::Preset>)]
    preset: Option<Preset>,
    #[schema(value_type = Option<schema::Setup>)]
    setup: Option<Box<RawValue>>,
    #[serde(default)]
    public: bool,
}

impl OpenTable {
    /// The set-up; fails if it cannot be played.
    fn setup(&self) -> Result<Setup, Problem> {
        let wrong = |text: String| Problem::new(Refusal::Setup, text);
        match (&self.setup, self.game, self.players, self.preset) {
            (Some(setup), None, None, None) => read_setup(setup),
            (None, Some(game), Some(players), preset) => {
                let setup = Setup::of(game, players, preset.unwrap_or_default());
                setup.map_err(|e| wrong(e.to_string()))
            }
            _ => Err(wrong("name a game and the players, or a whole setup".to_owned())),
        }
    }
}

/// A whole set-up; fails if it cannot be played.
fn read_setup(setup: &RawValue) -> Result<Setup, Problem> {
    let wrong = |e: serde_json::Error| Problem::new(Refusal::Setup, without_place(&e.to_string()));
    serde_json::from_str(setup.get()).map_err(wrong)
}

/// Removes serde's line and column, which mean nothing to a person who filled in a form.
fn without_place(text: &str) -> String {
    text.split(" at line ").next().unwrap_or(text).to_owned()
}

/// The table that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenedTable {
    #[schema(value_type = schema::Code)]
    pub(crate) table: Code,
}

/// Open a table.
///
/// Send a game, the number of players and perhaps a preset, or a whole set-up. The person is the
/// host as soon as they sit.
#[utoipa::path(
    post,
    path = "/api/tables",
    request_body = OpenTable,
    responses(
        (status = 201, description = "The table", body = OpenedTable),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotAllowed,
        refused::TooMany, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn open(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Extension(Client(from)): Extension<Client>,
    JsonObject(wish): JsonObject<OpenTable>,
) -> Result<Response, Problem> {
    let setup = wish.setup()?;
    app.may_open(person.id, from)?;
    let founding = Founding { setup, public: wish.public, by: person.id, deal: None };
    let table = app.directory.open(founding, from).await?;
    Ok((StatusCode::CREATED, Json(OpenedTable { table })).into_response())
}

impl App {
    /// Counts a table that a person opens; fails beyond the rate.
    pub(crate) fn may_open(&self, person: PersonId, from: Subnet) -> Result<(), Problem> {
        self.shared.writes.permit(person, from)?;
        if self.admission.openings.take(person) {
            return Ok(());
        }
        let text = "you have opened too many tables, use one of them or wait";
        Err(Problem::new(Refusal::TableRate, text))
    }
}

/// Which game the lesson is about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartLesson {
    #[schema(value_type = schema::GameName)]
    game: GameName,
}

/// Open a lesson.
///
/// A table with a game that has begun: the person in seat A, calm bots in the other seats.
#[utoipa::path(
    post,
    path = "/api/lessons",
    request_body = StartLesson,
    responses(
        (status = 201, description = "The table", body = OpenedTable),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::TooMany,
        refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn learn(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Extension(Client(from)): Extension<Client>,
    JsonObject(StartLesson { game }): JsonObject<StartLesson>,
) -> Result<Response, Problem> {
    let wrong = |e| Problem::new(Refusal::Setup, e);
    let lesson = Lesson::of(game).map_err(wrong)?;
    app.may_open(person.id, from)?;
    let table = app.directory.open_lesson(&lesson, &person, from).await?;
    Ok((StatusCode::CREATED, Json(OpenedTable { table })).into_response())
}

/// Every preset of every game for every number of players.
#[utoipa::path(
    get,
    path = "/api/setups",
    responses(
        (status = 200, description = "The set-ups", body = Vec<schema::NamedSetup>),
    )
)]
pub(crate) async fn setups() -> Json<Vec<NamedSetup>> {
    Json(NamedSetup::all().collect())
}

/// What a form asks about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckSetup {
    #[schema(value_type = schema::Setup)]
    setup: Box<RawValue>,
    /// The level table in the game's notation, in place of that of the set-up.
    table: Option<String>,
}

impl CheckSetup {
    /// The set-up; fails if it cannot be played.
    fn setup(&self) -> Result<Setup, Problem> {
        let setup = read_setup(&self.setup)?;
        let Some(table) = &self.table else { return Ok(setup) };
        setup.with_level_table(table).map_err(|e| Problem::new(Refusal::Setup, e))
    }
}

/// Check a set-up before a table is opened.
///
/// Answers with the set-up as it would be played and its level table in the game's notation, or
/// with the sentence that opening a table would be refused with. Both are a success, so that a
/// form can ask while a person types. Nothing is stored.
#[utoipa::path(
    post,
    path = "/api/setups/check",
    request_body = CheckSetup,
    responses(
        (status = 200, description = "Whether it can be played", body = schema::CheckedSetup),
        refused::BadJson, refused::Forbidden,
    )
)]
pub(crate) async fn check_setup(JsonObject(wish): JsonObject<CheckSetup>) -> Json<CheckedSetup> {
    Json(match wish.setup() {
        Ok(setup) => CheckedSetup::Playable { setup, table: setup.level_table() },
        Err(Problem { text, .. }) => CheckedSetup::Impossible { text },
    })
}

/// The tables where the person has a seat in a game that is on.
///
/// Running and sleeping tables, the one that changed last first, at most 8. Lessons are left out.
#[utoipa::path(
    get,
    path = "/api/me/tables",
    responses(
        (status = 200, description = "The tables", body = Vec<schema::SeatedTable>),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn seated(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Vec<SeatedTable>>, Problem> {
    Ok(Json(app.directory.seated_tables(person.id, SEATED_MOST).await?))
}

/// Public tables with people at them.
///
/// At most 50, tables with free seats first.
#[utoipa::path(
    get,
    path = "/api/tables",
    responses(
        (status = 200, description = "The tables", body = Vec<schema::Listing>),
    )
)]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Vec<Listing>> {
    let mut listings = app.directory.listings(LISTED_MOST);
    listings.extend(app.other_listings.all());
    listings.sort_by_key(|listing| (listing.playing, listing.taken == listing.chairs));
    listings.truncate(LISTED_MOST);
    Json(listings)
}
