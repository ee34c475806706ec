//! The search for partners over HTTP.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use rules::door::GameName;
use rules::kit::Preset;
use serde::Deserialize;
use tracing::warn;
use utoipa::ToSchema;
use wire::{Language, PartnerSearch, Refusal, Setup};

use crate::App;
use crate::address::Subnet;
use crate::extract::{Client, JsonObject, KnownPerson};
use crate::limits::lock;
use crate::openapi::{refused, schema};
use crate::partner_queue::{Group, Wish};
use crate::problem::Problem;

/// How many tables with bots are asked whether they have a seat for a newcomer.
const TABLES_ASKED_MOST: usize = 8;

/// What the person wants to play, and in which language.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchPartners {
    #[schema(value_type = schema::GameName)]
    game: GameName,
    players: u8,
    #[schema(value_type = schema::Language)]
    language: Language,
}

/// Search for partners.
///
/// People who want the same play together; after 15 seconds bots take the seats that are free. If a
/// game is on in which a bot has a seat, and the person was not led to it before, the answer is that
/// table: the person may take the seat between two levels. A page that waits asks again every second
/// or two.
#[utoipa::path(
    post,
    path = "/api/partners",
    request_body = SearchPartners,
    responses(
        (status = 200, description = "How far the search is", body = schema::PartnerSearch),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotAllowed,
        refused::TooMany, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn search(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Extension(Client(from)): Extension<Client>,
    JsonObject(wanted): JsonObject<SearchPartners>,
) -> Result<Json<PartnerSearch>, Problem> {
    let SearchPartners { game, players, language } = wanted;
    let wish = Wish { game, players, language };
    wish.setup()?;
    app.may_open(person.id, from)?;
    let tables = lock(&app.partners).tables(wish, person.id);
    for table in tables.into_iter().take(TABLES_ASKED_MOST) {
        if app.directory.has_seat_for_strangers(table).await {
            lock(&app.partners).lead(table, person.id);
            return Ok(Json(PartnerSearch::Joining { table }));
        }
        lock(&app.partners).close(table, Instant::now());
    }
    let id = person.id;
    lock(&app.partners).search(person, wish, Instant::now())?;
    app.open_for_groups(from).await;
    Ok(Json(lock(&app.partners).ask(id, Instant::now())))
}

/// How far the person's search is.
#[utoipa::path(
    get,
    path = "/api/partners",
    responses(
        (status = 200, description = "How far the search is", body = schema::PartnerSearch),
        refused::NoPerson,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn state(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Extension(Client(from)): Extension<Client>,
) -> Json<PartnerSearch> {
    // Before the groups are made: a person who asks is still there.
    let _before = lock(&app.partners).ask(person.id, Instant::now());
    app.open_for_groups(from).await;
    Json(lock(&app.partners).ask(person.id, Instant::now()))
}

/// End the person's search.
#[utoipa::path(
    delete,
    path = "/api/partners",
    responses(
        (status = 204, description = "The person searches no longer"),
        refused::NoPerson,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> StatusCode {
    lock(&app.partners).cancel(person.id);
    StatusCode::NO_CONTENT
}

impl Wish {
    /// What is played at the table.
    fn setup(self) -> Result<Setup, Problem> {
        let setup = Setup::of(self.game, self.players, Preset::Friendly);
        setup.map_err(|e| Problem::new(Refusal::Setup, e))
    }
}

impl App {
    /// Opens a table for each group that is ready. `from` is where the request came from that found
    /// it ready.
    async fn open_for_groups(&self, from: Subnet) {
        loop {
            let group = lock(&self.partners).next_group(Instant::now());
            let Some(group) = group else { return };
            match self.open_for_group(&group, from).await {
                Ok(table) => lock(&self.partners).found(&group, table, Instant::now()),
                Err(problem) => {
                    warn!(why = problem.why.code(), "a group of searchers got no table");
                    lock(&self.partners).failed(&group);
                }
            }
        }
    }

    async fn open_for_group(&self, group: &Group, from: Subnet) -> Result<wire::Code, Problem> {
        let setup = group.wish.setup()?;
        Ok(self.directory.open_for_strangers(setup, &group.people, from).await?)
    }
}
