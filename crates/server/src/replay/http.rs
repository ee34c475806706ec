//! Replays over HTTP: who may watch a game again, and what they are sent.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use journal::{AppendError, Fault, Key};
use serde::{Deserialize, Serialize};
use tracing::warn;
use utoipa::ToSchema;
use wire::{Code, GameId, Refusal};

use super::access::LinkKey;
use super::finished::{FinishedGame, Games, NoReplay, Purpose};
use super::frames;
use super::packed::Coding;
use super::plays;
use super::tempo::{self, NoTempo};
use crate::App;
use crate::extract::{KnownPerson, asker};
use crate::gate::Turn;
use crate::openapi::{refused, schema};
use crate::problem::Problem;
use table::PersonId;

/// The key of a link, if there is one.
#[derive(Default, Deserialize)]
pub(crate) struct Opening {
    key: Option<String>,
}

/// A replay.
///
/// A finished game, frame by frame, as each viewer saw it and with all hands open. For its
/// players and spectators, and for everyone with a link. Compressed with brotli or gzip if the
/// request accepts it.
#[utoipa::path(
    get,
    path = "/api/replays/{game}",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
        ("key" = Option<String>, Query, description = "The key of a link to the replay"),
    ),
    responses(
        (status = 200, description = "The replay", body = schema::Replay),
        refused::Forbidden, refused::NotFound, refused::Unavailable,
    )
)]
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<KnownPerson, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let person = asker(known)?;
    let (past, turn) = app.past(&game, person, opening).await?;
    let (coding, public) = (Coding::of(&headers), app.shared.calendar.public_until());
    let packed = app.beside(turn, move || {
        coding.pack(|mut out| frames::write(&past, person, public, &mut out))
    });
    Ok(packed.await?.answer("application/json"))
}

/// The plays of a finished game as comma-separated values.
///
/// Every card played and every row asked, with its times; `docs/journal.md` describes the
/// columns. For the players, and for everyone who may watch the replay if the set-up allows
/// export.
#[utoipa::path(
    get,
    path = "/api/replays/{game}/plays.csv",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
        ("key" = Option<String>, Query, description = "The key of a link to the replay"),
    ),
    responses(
        (status = 200, description = "The plays", body = String, content_type = "text/csv"),
        refused::Forbidden, refused::NotFound, refused::Unavailable,
    )
)]
pub(crate) async fn plays(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(opening): Query<Opening>,
    known: Result<KnownPerson, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let person = asker(known)?;
    let (past, turn) = app.past(&game, person, opening).await?;
    // One's own times are one's own; others take them away if the table has agreed to it.
    if !past.setup.manners().export && !person.is_some_and(|person| past.played(person)) {
        let text = "only its players export the times of this game";
        return Err(Problem::new(Refusal::NotExported, text));
    }
    let file = format!("attachment; filename=\"{}.csv\"", past.id);
    let coding = Coding::of(&headers);
    let packed = app.beside(turn, move || coding.pack(|mut out| plays::write([&past], &mut out)));
    let mut response = packed.await?.answer("text/csv; charset=utf-8");
    if let Ok(file) = HeaderValue::from_str(&file) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    }
    Ok(response)
}

/// Which game of a table is asked about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The number of a game that is over; the last game if it is not given.
    game: Option<u32>,
}

/// The tempo report of a table.
///
/// Of the last game if it is over, for its players and spectators; of the game that is on between
/// its levels, if the set-up shows it then. `docs/tempo.md` explains the figures.
#[utoipa::path(
    get,
    path = "/api/tables/{table}/tempo",
    params(
        ("table" = String, Path, description = "The table's code"),
        ("game" = Option<u32>, Query, description = "The number of a finished game of the table; the last game without it"),
    ),
    responses(
        (status = 200, description = "The report", body = schema::Tempo),
        refused::BadRequest, refused::NoPerson, refused::Forbidden, refused::NotFound,
        refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn tempo(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    which: Result<Query<Which>, QueryRejection>,
    KnownPerson(person): KnownPerson,
) -> Result<Response, Problem> {
    let unread = |e: QueryRejection| Problem::new(Refusal::Malformed, e.body_text());
    let Query(Which { game }) = which.map_err(unread)?;
    let (Games { mut over, mut on }, presence, turn) = app.games(&table, person.id).await?;
    if let Some(number) = game {
        // The next game may have begun meanwhile.
        on = on.filter(|on| on.id.game == number);
        over.retain(|past| past.id.game == number);
    }
    let (is_on, game) = match (on, over.pop()) {
        (Some(on), _) => {
            presence.may_see(&on, person.id)?;
            (true, on)
        }
        (None, Some(last)) => {
            if !presence.is_here {
                app.may_watch(&last, Some(person.id), Opening::default()).await?;
            }
            (false, last)
        }
        (None, None) => return Err(NoTempo::Untimed.into()),
    };
    let tempo = app.beside(turn, move || {
        Ok::<_, NoReplay>(if is_on {
            tempo::so_far(&game)
        } else {
            tempo::of_past(&game)?.ok_or(NoTempo::Untimed)
        })
    });
    Ok(Json(tempo.await??).into_response())
}

/// The key of a link to a replay.
#[derive(Serialize, ToSchema)]
struct ReplayLink {
    #[schema(value_type = String)]
    key: LinkKey,
}

/// The key of a link to a replay.
///
/// The link is `/replay/{game}?key={key}` and opens the replay to everyone who has it. Only
/// players get it; a game has one key, made at the first request.
#[utoipa::path(
    post,
    path = "/api/replays/{game}/link",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
    ),
    responses(
        (status = 201, description = "The key", body = ReplayLink),
        refused::NoPerson, refused::Forbidden, refused::NotFound, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn link(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    KnownPerson(person): KnownPerson,
) -> Result<Response, Problem> {
    let (past, _turn) = app.past(&game, Some(person.id), Opening::default()).await?;
    if !past.played(person.id) {
        let text = "only its players give a link away, ask one of them";
        return Err(Problem::new(Refusal::NotPlayed, text));
    }
    app.may_tell(&past)?;
    match app.shared.replay_access.link(past.id, person.id).await {
        Ok(key) => Ok((StatusCode::CREATED, Json(ReplayLink { key })).into_response()),
        Err(AppendError::Fault(fault)) => Err(Problem::not_kept(fault)),
        Err(conflict @ AppendError::Conflict { .. }) => Err(Problem::not_kept(conflict)),
    }
}

/// Whether the person who asks is at the table at this moment.
#[derive(Clone, Copy)]
pub(super) struct Presence {
    pub(super) is_here: bool,
}

impl Presence {
    /// Whether they may look into the game that is on.
    pub(super) fn may_see(self, on: &FinishedGame, person: PersonId) -> Result<(), Problem> {
        if self.is_here || on.played(person) { Ok(()) } else { Err(not_there()) }
    }
}

impl App {
    /// The games of a table, for a person who is there or was there.
    pub(super) async fn games(
        &self,
        table: &str,
        person: PersonId,
    ) -> Result<(Games, Presence, Turn), Problem> {
        let missing = |text: String| Problem::new(Refusal::NoTable, text);
        let table = table.parse::<Code>().map_err(|e| missing(e.to_string()))?;
        let key = table.as_str().parse::<Key>().map_err(|e| missing(e.to_string()))?;
        let presence = Presence { is_here: self.directory.is_here(table, person).await };
        let redacted = &self.shared.redacted;
        if !presence.is_here
            && !self
                .shared
                .replay_access
                .did_watch_any(table, person)
                .await
                .map_err(Problem::not_kept)?
            && !redacted.mentions(&key, person).await.map_err(Problem::not_kept)?
        {
            return Err(not_there());
        }
        let turn = self.shared.reads.turn().await?;
        let lines = redacted.lines(&key).await.map_err(Problem::not_kept)?;
        let games = tokio::task::spawn_blocking(move || Games::read(&lines, table));
        let games = games.await.map_err(Problem::not_kept)??;
        Ok((games, presence, turn))
    }

    /// Whether a person may watch a game together with others.
    pub(crate) async fn may_attend(
        &self,
        game: GameId,
        person: PersonId,
        key: Option<String>,
    ) -> Result<(), Problem> {
        self.past_of(game, Some(person), Opening { key }).await.map(|_past| ())
    }

    /// A game that is over, by what stands in its address, for someone who may watch it. Holds a
    /// turn from before it is read until what is made of it is done.
    pub(crate) async fn past(
        &self,
        game: &str,
        person: Option<PersonId>,
        opening: Opening,
    ) -> Result<(FinishedGame, Turn), Problem> {
        let missing = |text: String| Problem::new(Refusal::NoReplay, text);
        let id = game.parse::<GameId>().map_err(|e| missing(e.to_string()))?;
        self.past_of(id, person, opening).await
    }

    async fn past_of(
        &self,
        id: GameId,
        person: Option<PersonId>,
        opening: Opening,
    ) -> Result<(FinishedGame, Turn), Problem> {
        let missing = |text: String| Problem::new(Refusal::NoReplay, text);
        let key = id.table.as_str().parse::<Key>().map_err(|e| missing(e.to_string()))?;
        if !self.may_be_for(id, &key, person, &opening).await.map_err(Problem::not_kept)? {
            return Err(not_there());
        }
        let turn = self.shared.reads.turn().await?;
        let lines = self.shared.redacted.lines(&key).await.map_err(Problem::not_kept)?;
        let found = tokio::task::spawn_blocking(move || FinishedGame::find(&lines, id));
        let past = found.await.map_err(Problem::not_kept)??;
        if past.purpose == Purpose::Study {
            let text = "games of a study are not shown again: other groups get the same cards";
            return Err(Problem::new(Refusal::InStudy, text));
        }
        self.may_watch(&past, person, opening).await?;
        Ok((past, turn))
    }

    /// Whether a person may be allowed to watch a game. It costs little: the table is
    /// searched for the person at most, and neither kept in memory nor parsed.
    async fn may_be_for(
        &self,
        id: GameId,
        key: &Key,
        person: Option<PersonId>,
        opening: &Opening,
    ) -> Result<bool, Fault> {
        let link = opening.key.clone().and_then(|link| LinkKey::try_from(link).ok());
        if let Some(link) = link
            && self.shared.replay_access.opens(id, link).await?
        {
            return Ok(true);
        }
        let Some(person) = person else { return Ok(false) };
        Ok(self.shared.replay_access.did_watch(id, person).await?
            || self.shared.redacted.mentions(key, person).await?)
    }

    /// Players, spectators and people with the link may watch.
    pub(super) async fn may_watch(
        &self,
        past: &FinishedGame,
        person: Option<PersonId>,
        Opening { key }: Opening,
    ) -> Result<(), Problem> {
        let access = &self.shared.replay_access;
        if person.is_some_and(|person| past.played(person)) {
            return Ok(());
        }
        if let Some(key) = key.and_then(|key| LinkKey::try_from(key).ok())
            && access.opens(past.id, key).await.map_err(Problem::not_kept)?
        {
            // From now on they know the deal. People who were there know it anyway.
            self.shared.deals_seen.seen(past.deal_origin(), person);
            return Ok(());
        }
        if let Some(person) = person
            && access.did_watch(past.id, person).await.map_err(Problem::not_kept)?
        {
            return Ok(());
        }
        Err(not_there())
    }

    /// Makes an answer that takes a while, beside everything else.
    pub(super) async fn beside<T, E>(
        &self,
        turn: Turn,
        make: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        E: std::error::Error + Send + 'static,
    {
        // The work goes on when the request is dropped, and holds its turn until then.
        let work = move || {
            let made = make();
            drop(turn);
            made
        };
        let made = tokio::task::spawn_blocking(work).await.map_err(Problem::not_kept)?;
        made.map_err(|error| unreadable(&error))
    }
}

impl From<NoReplay> for Problem {
    fn from(none: NoReplay) -> Self {
        match none {
            NoReplay::Unknown(_) => Self::new(Refusal::NoReplay, none),
            NoReplay::StillOn => Self::new(Refusal::StillOn, none),
            NoReplay::Line { .. } => unreadable(&none),
        }
    }
}

impl From<NoTempo> for Problem {
    fn from(none: NoTempo) -> Self {
        let why = match none {
            NoTempo::Untimed => Refusal::NoTempo,
            NoTempo::AfterGame => Refusal::TempoAfterGame,
            NoTempo::DuringLevel => Refusal::TempoLater,
            NoTempo::Line(none) => return none.into(),
        };
        Self::new(why, none)
    }
}

/// The answer to a stranger, whether there is such a game or not.
fn not_there() -> Problem {
    let text = "there is no such game, or only its players and spectators may see it; ask one of \
                the players for a link";
    Problem::new(Refusal::NotThere, text)
}

/// What a journal holds is none of a stranger's business.
fn unreadable(error: &dyn std::error::Error) -> Problem {
    warn!(%error, "a game cannot be read");
    let text = "the game cannot be read at the moment, try again later";
    Problem::new(Refusal::Unreadable, text)
}
