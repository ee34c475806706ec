//! Deals over HTTP: another group plays one, and the results are laid beside each other.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use journal::{Fault, Key};
use serde::Deserialize;
use utoipa::ToSchema;
use wire::{GameId, Refusal, SameDealGame};

use super::finished::{FinishedGame, NoReplay};
use super::http::Opening;
use super::{frames, tempo};
use crate::App;
use crate::extract::{Client, JsonObject, KnownPerson, asker};
use crate::openapi::{refused, schema};
use crate::opening::OpenedTable;
use crate::problem::Problem;
use table::{DealOrigin, Founding, PersonId};

/// How many other games are compared with one, the newest.
const RERUNS_MOST: usize = 24;

/// How a table for a deal is opened.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayDeal {
    #[serde(default)]
    public: bool,
}

/// Open a table with the deal of a finished game.
///
/// The first game at the table has the same set-up and cards. Players who have seen the deal are
/// marked. For everyone who may watch the replay.
#[utoipa::path(
    post,
    path = "/api/replays/{game}/deal",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
        ("key" = Option<String>, Query, description = "The key of a link to the replay"),
    ),
    request_body = PlayDeal,
    responses(
        (status = 201, description = "The table", body = OpenedTable),
        refused::BadRequest, refused::NoPerson, refused::Forbidden, refused::NotFound,
        refused::TooMany, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    KnownPerson(by): KnownPerson,
    Extension(Client(from)): Extension<Client>,
    JsonObject(PlayDeal { public }): JsonObject<PlayDeal>,
) -> Result<Response, Problem> {
    let (past, turn) = app.past(&game, Some(by.id), opening).await?;
    app.may_tell(&past)?;
    app.may_open(by.id, from)?;
    let (setup, mut players) = (past.setup, past.people().collect::<Vec<_>>());
    let daily = past.deal_origin().daily();
    let deal = app.beside(turn, move || past.dealt()).await?;
    let of = deal.of;
    let founding = Founding { setup, public, by: by.id, deal: Some(deal) };
    let table = app.directory.open(founding, from).await?;
    if let Some(daily) = daily {
        // All teams of that day know it.
        let others = app.shared.deals_seen.knowing(DealOrigin::Daily(daily)).await;
        players.extend(others.map_err(Problem::not_kept)?);
    }
    app.shared.deals_seen.played(of, players).await.map_err(Problem::not_kept)?;
    Ok((StatusCode::CREATED, Json(OpenedTable { table })).into_response())
}

/// Other finished games with the same deal.
///
/// How they ended and how their teams kept time, at most 24, the newest first, each a moment after
/// its end. Of a fixed deal or a deal of the day, only games that the reader may watch: their groups were not told that
/// they are compared. For everyone who may watch the replay.
#[utoipa::path(
    get,
    path = "/api/replays/{game}/others",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
        ("key" = Option<String>, Query, description = "The key of a link to the replay"),
    ),
    responses(
        (status = 200, description = "The games", body = Vec<schema::SameDealGame>),
        refused::Forbidden, refused::NotFound, refused::Unavailable,
    )
)]
pub(crate) async fn others(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<KnownPerson, Problem>,
) -> Result<Response, Problem> {
    let person = asker(known)?;
    let (past, turn) = app.past(&game, person, opening).await?;
    // Each of the others takes a turn of its own.
    drop(turn);
    let mut reruns = Vec::new();
    for id in app.same_deal_games(&past).await?.into_iter().take(RERUNS_MOST) {
        reruns.extend(app.rerun(id, person).await?);
    }
    Ok(Json(reruns).into_response())
}

impl App {
    /// Whether the cards of a game may be told to people who have not seen them: those of a day are
    /// secret as long as teams may play them.
    pub(super) fn may_tell(&self, past: &FinishedGame) -> Result<(), Problem> {
        let daily = past.deal_origin().daily();
        if daily.is_some_and(|deal| !self.shared.calendar.is_public(deal.day)) {
            let text = "other teams may still play the deal of the day, wait until it is over";
            return Err(Problem::new(Refusal::DayOn, text));
        }
        Ok(())
    }

    /// A game as it is laid beside another, if it has come to its end and the reader may see it.
    async fn rerun(
        &self,
        id: GameId,
        person: Option<PersonId>,
    ) -> Result<Option<SameDealGame>, Problem> {
        let key = id.table.as_str().parse::<Key>().map_err(Problem::not_kept)?;
        let _turn = self.shared.reads.turn().await?;
        let lines = match self.shared.redacted.lines(&key).await {
            Ok(lines) => lines,
            Err(Fault::Damaged(_)) => return Ok(None),
            Err(fault) => return Err(Problem::not_kept(fault)),
        };
        let made = tokio::task::spawn_blocking(move || {
            let past = FinishedGame::find(&lines, id)?;
            let (end, tempo) = (frames::end(&past)?, tempo::of_past(&past)?);
            Ok((past, end, tempo))
        });
        let (past, end, tempo) = match made.await.map_err(Problem::not_kept)? {
            Ok(made) => made,
            // A game that is still on is not shown, and a table may never have begun it.
            Err(NoReplay::StillOn | NoReplay::Unknown(_)) => return Ok(None),
            Err(unread @ NoReplay::Line { .. }) => {
                self.shared.damaged.add(id.table, unread);
                return Ok(None);
            }
        };
        let open = self.may_watch(&past, person, Opening::default()).await.is_ok();
        let is_compared = matches!(past.deal_origin(), DealOrigin::Game(_));
        if !open && !is_compared {
            return Ok(None);
        }
        Ok(Some(SameDealGame {
            game: id,
            open,
            table: past.table(),
            you: past.seat(person),
            end,
            tempo,
        }))
    }
}
