//! Finished rounds of Royale, judged against the best play.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use rules::kit::{Game as _, Viewer};
use rules::royale::{Event, Notice, Royale};
use solver::Breakers;
use wire::{Judgement, Refusal, Setup};

use super::finished::{FinishedGame, Games, NoReplay};
use super::http::Opening;
use crate::App;
use crate::extract::{KnownPerson, asker};
use crate::gate::Turn;
use crate::judge::{AskedRows, Round};
use crate::openapi::{refused, schema};
use crate::problem::Problem;

/// How good the rows of a finished game of Royale were.
///
/// For everyone who may watch the replay; other games have no rows (404, `no-judgement`).
#[utoipa::path(
    get,
    path = "/api/replays/{game}/judgement",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
        ("key" = Option<String>, Query, description = "The key of a link to the replay"),
    ),
    responses(
        (status = 200, description = "The rounds", body = schema::Judgement),
        refused::Forbidden, refused::NotFound, refused::Unavailable,
    )
)]
pub(crate) async fn of_game(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<KnownPerson, Problem>,
) -> Result<Json<Judgement>, Problem> {
    let person = asker(known)?;
    let (past, turn) = app.past(&game, person, opening).await?;
    app.judged(past, turn).await
}

/// How good the rows of Royale at a table were.
///
/// Of the last game if it is over, for its players and spectators; of the finished rounds of the
/// game that is on, if the set-up lets the solver help. `docs/royale-solved.md` explains the
/// figures.
#[utoipa::path(
    get,
    path = "/api/tables/{table}/judgement",
    params(
        ("table" = String, Path, description = "The table's code"),
    ),
    responses(
        (status = 200, description = "The rounds", body = schema::Judgement),
        refused::NoPerson, refused::Forbidden, refused::NotFound, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn of_table(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    KnownPerson(asks): KnownPerson,
) -> Result<Json<Judgement>, Problem> {
    let (Games { mut over, on }, presence, turn) = app.games(&table, asks.id).await?;
    if let Some(on) = &on {
        presence.may_see(on, asks.id)?;
    }
    let game = match (on, over.pop()) {
        (Some(on), _) => match on.setup {
            Setup::Royale(setup) if setup.aids.suggest => on,
            Setup::Royale(_) => return Err(NoJudgement::AfterGame.into()),
            _ => return Err(NoJudgement::NoRows.into()),
        },
        (None, Some(last)) => {
            if !presence.is_here {
                app.may_watch(&last, Some(asks.id), Opening::default()).await?;
            }
            last
        }
        (None, None) => return Err(NoJudgement::NoRows.into()),
    };
    app.judged(game, turn).await
}

/// Why rows are not judged.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum NoJudgement {
    /// It is another game, or none was begun.
    #[error("there are no rows to judge at this table")]
    NoRows,
    /// The solver does not help here.
    #[error("rows are judged when the game is over")]
    AfterGame,
}

impl From<NoJudgement> for Problem {
    fn from(none: NoJudgement) -> Self {
        let why = match none {
            NoJudgement::NoRows => Refusal::NoJudgement,
            NoJudgement::AfterGame => Refusal::JudgementAfterGame,
        };
        Self::new(why, none)
    }
}

impl App {
    async fn judged(&self, game: FinishedGame, turn: Turn) -> Result<Json<Judgement>, Problem> {
        let judge = self.judge.clone();
        let judged = self
            .beside(turn, move || Ok::<_, NoReplay>(rounds(&game)?.map(|all| judge.judge(&all))));
        Ok(Json(judged.await?.ok_or(NoJudgement::NoRows)?))
    }
}

/// The rounds that are over; `None` in other games.
fn rounds(game: &FinishedGame) -> Result<Option<Vec<Round>>, NoReplay> {
    let Setup::Royale(setup) = game.setup else { return Ok(None) };
    let breakers = if setup.players == 2 { Breakers::One } else { Breakers::Two };
    let mut state = Royale::new(&setup);
    let (mut rounds, mut asked, mut seats) = (Vec::new(), Vec::new(), Vec::new());
    for (at, event) in game.events::<Royale>()? {
        let public = state.view(Viewer::Spectator).public;
        match event {
            Event::Notice(Notice::Asked { seat, row, pegs }) => {
                seats.push(seat);
                asked.push((row, pegs));
            }
            Event::Notice(Notice::Scored(entry)) => {
                let asked = std::mem::take(&mut asked);
                let asked = AskedRows { pack: public.pack, breakers, rows: asked };
                rounds.push(Round {
                    number: public.round,
                    maker: entry.maker,
                    code: entry.code,
                    asked,
                    seats: std::mem::take(&mut seats),
                });
            }
            _ => {}
        }
        state.apply(at, &event);
    }
    Ok(Some(rounds))
}
