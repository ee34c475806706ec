//! Replays over HTTP: who may watch a game again, and what they are sent.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use journal::{AppendError, Key};
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, SemaphorePermit};
use tracing::warn;
use wire::{Code, GameId};

use super::album::LinkKey;
use super::frames;
use super::packed::Coding;
use super::past::{Games, NoReplay, Past};
use super::plays;
use super::tempo::{self, NoTempo};
use crate::App;
use crate::http::{Known, Problem};
use table::PersonId;

/// How many replays are made at the same time.
const AT_ONCE: usize = 2;

/// Keeps replays from taking all of the machine.
pub(crate) struct Gate(Semaphore);

impl Gate {
    pub(crate) fn new() -> Self {
        Self(Semaphore::new(AT_ONCE))
    }

    /// Waits until there is room for one more.
    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Problem> {
        self.0.acquire().await.map_err(Problem::not_kept)
    }
}

/// The key of a link, if there is one.
#[derive(Default, Deserialize)]
pub(crate) struct Opening {
    key: Option<String>,
}

/// The whole game, as every viewer saw it.
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<Known, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let person = person(known)?;
    let past = app.past(&game).await?;
    app.may_watch(&past, person, opening).await?;
    let coding = Coding::of(&headers);
    let packed = app.beside(move || coding.pack(|mut out| frames::write(&past, person, &mut out)));
    Ok(packed.await?.answer("application/json"))
}

/// Every card and every row with its time, as a table for a spreadsheet.
pub(crate) async fn plays(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<Known, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let person = person(known)?;
    let past = app.past(&game).await?;
    app.may_watch(&past, person, opening).await?;
    // One's own times are one's own; others take them away if the table has agreed to it.
    if !past.setup.manners().export && !person.is_some_and(|person| past.played(person)) {
        let text = "only those who played take the times of this game away";
        return Err(Problem::new(StatusCode::FORBIDDEN, "not-exported", text));
    }
    let file = format!("attachment; filename=\"{}.csv\"", past.id);
    let coding = Coding::of(&headers);
    let packed = app.beside(move || coding.pack(|mut out| plays::write([&past], &mut out)));
    let mut response = packed.await?.answer("text/csv; charset=utf-8");
    if let Ok(file) = HeaderValue::from_str(&file) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    }
    Ok(response)
}

/// How the team at a table kept time: in its last game if that is over, for those who were there,
/// and in the one that is on between its levels.
pub(crate) async fn tempo(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    Known(person): Known,
) -> Result<Response, Problem> {
    let Games { mut over, on } = app.games(&table).await?;
    let (is_on, game) = match (on, over.pop()) {
        (Some(on), _) => (true, on),
        (None, Some(last)) => {
            app.may_watch(&last, Some(person.id), Opening::default()).await?;
            (false, last)
        }
        (None, None) => return Err(NoTempo::Untimed.into()),
    };
    let tempo = app.beside(move || {
        Ok::<_, NoReplay>(if is_on {
            tempo::so_far(&game)
        } else {
            tempo::of_past(&game)?.ok_or(NoTempo::Untimed)
        })
    });
    Ok(Json(tempo.await??).into_response())
}

#[derive(Serialize)]
struct Link {
    key: LinkKey,
}

/// The link by which anybody may watch the game again; only those who played make one.
pub(crate) async fn link(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Known(person): Known,
) -> Result<Response, Problem> {
    let past = app.past(&game).await?;
    if !past.played(person.id) {
        let text = "only those who played give a link away, ask one of them";
        return Err(Problem::new(StatusCode::FORBIDDEN, "not-played", text));
    }
    match app.shared.album.link(past.id, person.id).await {
        Ok(key) => Ok((StatusCode::CREATED, Json(Link { key })).into_response()),
        Err(AppendError::Fault(fault)) => Err(Problem::not_kept(fault)),
        Err(conflict @ AppendError::Conflict { .. }) => Err(Problem::not_kept(conflict)),
    }
}

/// Who asks. A link opens a game to strangers too.
pub(super) fn person(known: Result<Known, Problem>) -> Result<Option<PersonId>, Problem> {
    match known {
        Ok(Known(person)) => Ok(Some(person.id)),
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED => Ok(None),
        Err(problem) => Err(problem),
    }
}

impl App {
    /// The games of a table.
    pub(super) async fn games(&self, table: &str) -> Result<Games, Problem> {
        let missing = |text: String| Problem::new(StatusCode::NOT_FOUND, "no-table", text);
        let table = table.parse::<Code>().map_err(|e| missing(e.to_string()))?;
        let key = table.as_str().parse::<Key>().map_err(|e| missing(e.to_string()))?;
        let lines = self.shared.memory.lines(&key).await.map_err(Problem::not_kept)?;
        if lines.is_empty() {
            return Err(missing(format!("there is no table {table}, check the code")));
        }
        let games = tokio::task::spawn_blocking(move || Games::read(&lines, table));
        games.await.map_err(Problem::not_kept)?.map_err(Problem::from)
    }

    /// Whether somebody may look at a game together with others.
    pub(crate) async fn may_attend(
        &self,
        game: GameId,
        person: PersonId,
        key: Option<String>,
    ) -> Result<(), Problem> {
        let past = self.past_of(game).await?;
        self.may_watch(&past, Some(person), Opening { key }).await
    }

    /// A game that is over, by what stands in its address.
    pub(crate) async fn past(&self, game: &str) -> Result<Past, Problem> {
        let missing = |text: String| Problem::new(StatusCode::NOT_FOUND, "no-replay", text);
        let id = game.parse::<GameId>().map_err(|e| missing(e.to_string()))?;
        self.past_of(id).await
    }

    async fn past_of(&self, id: GameId) -> Result<Past, Problem> {
        let missing = |text: String| Problem::new(StatusCode::NOT_FOUND, "no-replay", text);
        let key = id.table.as_str().parse::<Key>().map_err(|e| missing(e.to_string()))?;
        let lines = self.shared.memory.lines(&key).await.map_err(Problem::not_kept)?;
        let found = tokio::task::spawn_blocking(move || Past::find(&lines, id));
        found.await.map_err(Problem::not_kept)?.map_err(Problem::from)
    }

    /// Whoever sat there or looked on may watch, and whoever has the link.
    pub(super) async fn may_watch(
        &self,
        past: &Past,
        person: Option<PersonId>,
        Opening { key }: Opening,
    ) -> Result<(), Problem> {
        let album = &self.shared.album;
        if person.is_some_and(|person| past.played(person)) {
            return Ok(());
        }
        if let Some(key) = key.and_then(|key| LinkKey::try_from(key).ok())
            && album.opens(past.id, key).await.map_err(Problem::not_kept)?
        {
            // From now on they know the deal. Those who were there do anyway.
            self.shared.deals_seen.seen(past.root(), person);
            return Ok(());
        }
        if let Some(person) = person
            && album.did_watch(past.id, person).await.map_err(Problem::not_kept)?
        {
            return Ok(());
        }
        let text = "only those who played or looked on watch this game again; ask one of the \
                    players for a link";
        Err(Problem::new(StatusCode::FORBIDDEN, "not-there", text))
    }

    /// Makes an answer that takes a while, beside everything else.
    pub(super) async fn beside<T, E>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        E: std::error::Error + Send + 'static,
    {
        let _turn = self.replays.turn().await?;
        let made = tokio::task::spawn_blocking(make).await.map_err(Problem::not_kept)?;
        made.map_err(|error| unreadable(&error))
    }
}

impl From<NoReplay> for Problem {
    fn from(none: NoReplay) -> Self {
        match none {
            NoReplay::Unknown(_) => Self::new(StatusCode::NOT_FOUND, "no-replay", none),
            NoReplay::StillOn => Self::new(StatusCode::NOT_FOUND, "still-on", none),
            NoReplay::Line { .. } => unreadable(&none),
        }
    }
}

impl From<NoTempo> for Problem {
    fn from(none: NoTempo) -> Self {
        let code = match none {
            NoTempo::Untimed => "no-tempo",
            NoTempo::AfterGame => "tempo-after-game",
            NoTempo::DuringLevel => "tempo-later",
            NoTempo::Line(none) => return none.into(),
        };
        Self::new(StatusCode::NOT_FOUND, code, none)
    }
}

/// What a journal holds is none of a stranger's business.
fn unreadable(error: &dyn std::error::Error) -> Problem {
    warn!(%error, "a game cannot be read");
    let text = "the game cannot be read at the moment, try again later";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unreadable", text)
}
