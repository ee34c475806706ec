//! Rounds of Royale that are over, for those who would like to know how they did.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use rules::kit::{Game as _, Viewer};
use rules::royale::{Event, Notice, Royale};
use solver::Breakers;
use wire::{Judgement, Setup};

use super::http::{Opening, person};
use super::past::{Games, NoReplay, Past};
use crate::App;
use crate::http::{Known, Problem};
use crate::judge::{Line, Round};

/// How each row of a game that is over did.
pub(crate) async fn of_game(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<Known, Problem>,
) -> Result<Json<Judgement>, Problem> {
    let person = person(known)?;
    let past = app.past(&game).await?;
    app.may_watch(&past, person, opening).await?;
    app.judged(past).await
}

/// How each row did at a table: in its last game if that is over, for those who were there, and in
/// the rounds that are over of the one that is on, where the solver helps (Y10).
pub(crate) async fn of_table(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    Known(asks): Known,
) -> Result<Json<Judgement>, Problem> {
    let Games { mut over, on } = app.games(&table).await?;
    let game = match (on, over.pop()) {
        (Some(on), _) => match on.setup {
            Setup::Royale(setup) if setup.aids.suggest => on,
            Setup::Royale(_) => return Err(NoJudgement::AfterGame.into()),
            _ => return Err(NoJudgement::NoRows.into()),
        },
        (None, Some(last)) => {
            app.may_watch(&last, Some(asks.id), Opening::default()).await?;
            last
        }
        (None, None) => return Err(NoJudgement::NoRows.into()),
    };
    app.judged(game).await
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
        let code = match none {
            NoJudgement::NoRows => "no-judgement",
            NoJudgement::AfterGame => "judgement-after-game",
        };
        Self::new(StatusCode::NOT_FOUND, code, none)
    }
}

impl App {
    async fn judged(&self, game: Past) -> Result<Json<Judgement>, Problem> {
        let judge = self.judge.clone();
        let judged =
            self.beside(move || Ok::<_, NoReplay>(rounds(&game)?.map(|all| judge.judge(&all))));
        Ok(Json(judged.await?.ok_or(NoJudgement::NoRows)?))
    }
}

/// The rounds that are over; `None` in other games.
fn rounds(game: &Past) -> Result<Option<Vec<Round>>, NoReplay> {
    let Setup::Royale(setup) = game.setup else { return Ok(None) };
    let breakers = if setup.players == 2 { Breakers::One } else { Breakers::Two };
    let mut state = Royale::new(&setup);
    let (mut rounds, mut asked, mut seats) = (Vec::new(), Vec::new(), Vec::new());
    for (at, event) in game.events::<Royale>()? {
        let public = state.view(Viewer::Watcher).public;
        match event {
            Event::Notice(Notice::Asked { seat, row, pegs }) => {
                seats.push(seat);
                asked.push((row, pegs));
            }
            Event::Notice(Notice::Scored(entry)) => {
                let asked = std::mem::take(&mut asked);
                let line = Line { pack: public.pack, breakers, asked };
                rounds.push(Round {
                    number: public.round,
                    maker: entry.maker,
                    code: entry.code,
                    line,
                    seats: std::mem::take(&mut seats),
                });
            }
            _ => {}
        }
        state.apply(at, &event);
    }
    Ok(Some(rounds))
}
