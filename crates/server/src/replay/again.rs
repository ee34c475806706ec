//! Deals over HTTP: another group plays one, and the results are laid beside each other.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use journal::Key;
use serde::Deserialize;
use wire::{GameId, Rerun};

use super::http::{Opening, person};
use super::past::{NoReplay, Past};
use super::{frames, tempo};
use crate::App;
use crate::http::{Known, Opened, Problem, Sent};
use table::{Founding, PersonId};

/// So many other games are laid beside one, the newest.
const RERUNS_MOST: usize = 24;

/// How a table for a deal is opened.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    #[serde(default)]
    public: bool,
}

/// Opens a table with the set-up and the deal of a game that is over. Whoever may watch it again
/// may do so, and is known to have seen it.
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    Known(by): Known,
    Sent(Wish { public }): Sent<Wish>,
) -> Result<Response, Problem> {
    let past = app.past(&game).await?;
    app.may_watch(&past, Some(by.id), opening).await?;
    app.may_open(by.id)?;
    let (setup, players) = (past.setup, past.people().collect::<Vec<_>>());
    let deal = app.beside(move || past.dealt()).await?;
    let of = deal.of;
    let founding = Founding { setup, public, by: by.id, deal: Some(deal) };
    let table = app.directory.open(founding).await?;
    let deals = &app.shared.deals_seen;
    deals.repeated(of, table, players).await.map_err(Problem::not_kept)?;
    Ok((StatusCode::CREATED, Json(Opened { table })).into_response())
}

/// Every other game with the same deal that is over.
pub(crate) async fn others(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<Known, Problem>,
) -> Result<Response, Problem> {
    let person = person(known)?;
    let past = app.past(&game).await?;
    app.may_watch(&past, person, opening).await?;
    let of = past.root();
    let tables = app.shared.deals_seen.tables(of).await.map_err(Problem::not_kept)?;
    // The deal is that of the first game at a table that was opened for it.
    let again = tables.into_iter().map(|table| GameId { table, game: 1 });
    let games = again.chain([of]).filter(|id| *id != past.id).take(RERUNS_MOST);
    let mut reruns = Vec::new();
    for id in games.collect::<Vec<_>>() {
        reruns.extend(app.rerun(id, person).await?);
    }
    Ok(Json(reruns).into_response())
}

impl App {
    /// A game as it is laid beside another, if it has come to its end.
    async fn rerun(&self, id: GameId, person: Option<PersonId>) -> Result<Option<Rerun>, Problem> {
        let key = id.table.as_str().parse::<Key>().map_err(Problem::not_kept)?;
        let lines = self.shared.memory.lines(&key).await.map_err(Problem::not_kept)?;
        let _turn = self.replays.turn().await?;
        let made = tokio::task::spawn_blocking(move || {
            let past = Past::find(&lines, id)?;
            let (end, tempo) = (frames::end(&past)?, tempo::of_past(&past)?);
            Ok((past, end, tempo))
        });
        let (past, end, tempo) = match made.await.map_err(Problem::not_kept)? {
            Ok(made) => made,
            // Of what is still on nobody sees anything, and a table may never have begun it.
            Err(NoReplay::StillOn | NoReplay::Unknown(_)) => return Ok(None),
            Err(unread @ NoReplay::Line { .. }) => return Err(unread.into()),
        };
        let open = self.may_watch(&past, person, Opening::default()).await.is_ok();
        Ok(Some(Rerun { game: id, open, table: past.table(), you: past.seat(person), end, tempo }))
    }
}
