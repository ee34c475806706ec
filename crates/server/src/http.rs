//! The HTTP side: names, tables, the way into a socket, and the headers of every answer.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use journal::Fault;
use rules::door::GameName;
use rules::kit::Preset;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::timeout;
use wire::{Code, Farewell, Listing, Offered, Setup};

use crate::App;
use crate::address::{Neighbourhood, client_address, neighbourhood};
use crate::connection;
use crate::ghost;
use crate::headers;
use crate::history;
use crate::lesson::Lesson;
use crate::me;
use crate::page;
use crate::person::Secret;
use crate::replay;
use crate::upgrade::Handshake;
use table::{Founding, Person, PersonId, Refused};

/// The cookie that holds somebody's secret.
pub(crate) const COOKIE: &str = "unspoken";
/// How many public tables are listed.
const LISTED_MOST: usize = 50;

/// Everything that is answered.
pub(crate) fn router(app: Arc<App>) -> Router {
    let router = routes()
        .into_iter()
        .fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    router
        .fallback(async |uri: Uri, headers: HeaderMap| {
            page::at(&uri, &headers).or_else(|| page::lost(&uri, &headers)).ok_or_else(|| {
                Problem::new(StatusCode::NOT_FOUND, "no-page", "there is no such page")
            })
        })
        .method_not_allowed_fallback(|| async {
            let text = "that is not done here, see /api/openapi.json";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "no-method", text)
        })
        .layer(DefaultBodyLimit::max(app.shared.limits.message_bytes_most))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// Every path and what is done there; `openapi.json` describes them all.
fn routes() -> Vec<(&'static str, MethodRouter<Arc<App>>)> {
    vec![
        ("/", get(page::home)),
        ("/api/me", get(me::who).post(me::name).delete(me::forget)),
        ("/api/me/consent", get(me::consent).put(me::give_consent)),
        ("/api/me/record", get(history::http::mine)),
        ("/api/me/games", get(history::http::games)),
        ("/api/me/games/{game}/deal", get(history::http::same_deal)),
        ("/api/me/export", get(history::http::export)),
        ("/api/teams/{team}", get(history::http::team)),
        ("/api/tables", get(list).post(open)),
        ("/api/setups", get(setups)),
        ("/api/ghosts", get(ghost::list)),
        ("/api/lessons", post(learn)),
        ("/api/tables/{table}/tempo", get(replay::http::tempo)),
        ("/api/tables/{table}/judgement", get(replay::judgement::of_table)),
        ("/api/replays/{game}/judgement", get(replay::judgement::of_game)),
        ("/api/replays/{game}", get(replay::http::watch)),
        ("/api/replays/{game}/plays.csv", get(replay::http::plays)),
        ("/api/replays/{game}/link", post(replay::http::link)),
        ("/api/replays/{game}/deal", post(replay::play)),
        ("/api/replays/{game}/others", get(replay::others)),
        ("/api/openapi.json", get(openapi)),
        ("/ws", get(connect)),
        ("/healthz", get(|| async { "ok" })),
        ("/readyz", get(ready)),
    ]
}

/// What goes wrong, as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    pub(crate) code: String,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, text: impl ToString) -> Self {
        Self { status, code: code.to_owned(), text: text.to_string() }
    }

    pub(crate) fn not_kept(text: impl ToString) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "not-kept", text)
    }

    /// For somebody without a name.
    pub(crate) fn stranger() -> Self {
        let text = "the server does not know you, choose a name first";
        Self::new(StatusCode::UNAUTHORIZED, "no-name", text)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, refused.code, refused.text)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::not_kept(fault)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}

/// Checks every request before anything else, and puts the headers on every answer.
async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = client_address(peer.ip(), request.headers(), &app.trusted_proxies);
    let address = neighbourhood(address);
    // It costs nothing, and a server that is asked much is not down.
    let probe = request.uri().path() == "/healthz";
    let safe = matches!(*request.method(), Method::GET | Method::HEAD);
    let upgrade = request.headers().contains_key(header::UPGRADE);
    request.extensions_mut().insert(Client(address));
    let mut response = if !probe && !app.addresses.take(address) {
        let text = "that was much at once from your address, wait a moment";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "address-rate", text).into_response()
    } else if (!safe || upgrade) && !app.origins.permit(request.headers()) {
        let text = "this page does not belong to the server, open the server's own";
        Problem::new(StatusCode::FORBIDDEN, "foreign-origin", text).into_response()
    } else {
        // Whoever announces a body and does not send it would keep the request open for ever.
        let answered = timeout(app.shared.limits.request_within, next.run(request)).await;
        answered.unwrap_or_else(|_| {
            let text = "the request took too long to arrive, try again";
            Problem::new(StatusCode::REQUEST_TIMEOUT, "request-late", text).into_response()
        })
    };
    headers::dress(response.headers_mut());
    response
}

/// Where a request comes from.
#[derive(Clone, Copy)]
struct Client(Neighbourhood);

/// The person whose cookie came with a request.
pub(crate) struct Known(pub(crate) Person);

impl FromRequestParts<Arc<App>> for Known {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let secret = secret_of(&parts.headers).ok_or_else(Problem::stranger)?;
        let person = app.people.find(&secret).await.map_err(Problem::not_kept)?;
        person.map(Self).ok_or_else(Problem::stranger)
    }
}

/// The secret in a request's cookie. A request with two of them is somebody's attempt at another's.
pub(crate) fn secret_of(headers: &HeaderMap) -> Option<Secret> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = cookies.flat_map(|value| value.split(';'));
    let mut ours = cookies.filter_map(|cookie| match cookie.trim().split_once('=') {
        Some((COOKIE, value)) => Some(value),
        _ => None,
    });
    match (ours.next(), ours.next()) {
        (Some(value), None) => value.parse().ok(),
        _ => None,
    }
}

async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    app.people.answers().await.map_err(Problem::not_kept)?;
    Ok("ready")
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("openapi.json"))
}

/// What somebody would like to play: a preset for so many players, or a whole set-up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    game: Option<GameName>,
    players: Option<u8>,
    preset: Option<Preset>,
    setup: Option<Box<RawValue>>,
    #[serde(default)]
    public: bool,
}

impl Wish {
    /// The set-up that is wished for, if it can be played.
    fn setup(&self) -> Result<Setup, Problem> {
        let wrong = |text: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "setup", text);
        match (&self.setup, self.game, self.players, self.preset) {
            (Some(setup), None, None, None) => {
                serde_json::from_str(setup.get()).map_err(|e| wrong(without_place(&e.to_string())))
            }
            (None, Some(game), Some(players), preset) => {
                let setup = Setup::of(game, players, preset.unwrap_or_default());
                setup.map_err(|e| wrong(e.to_string()))
            }
            _ => Err(wrong("name a game and the players, or a whole setup".to_owned())),
        }
    }
}

/// Where in a text the mistake is means nothing to somebody who filled in a form.
fn without_place(text: &str) -> String {
    text.split(" at line ").next().unwrap_or(text).to_owned()
}

/// The table that was opened.
#[derive(Serialize)]
pub(crate) struct Opened {
    pub(crate) table: Code,
}

async fn open(
    State(app): State<Arc<App>>,
    Known(person): Known,
    Sent(wish): Sent<Wish>,
) -> Result<Response, Problem> {
    let setup = wish.setup()?;
    app.may_open(person.id)?;
    let founding = Founding { setup, public: wish.public, by: person.id, deal: None };
    let table = app.directory.open(founding).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })).into_response())
}

impl App {
    /// Counts the tables that somebody opens.
    pub(crate) fn may_open(&self, person: PersonId) -> Result<(), Problem> {
        if self.openings.take(person) {
            return Ok(());
        }
        let text = "you have opened many tables lately, use one of them or wait";
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "table-rate", text))
    }
}

/// Which game somebody would like to learn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Curiosity {
    game: GameName,
}

async fn learn(
    State(app): State<Arc<App>>,
    Known(person): Known,
    Sent(Curiosity { game }): Sent<Curiosity>,
) -> Result<Response, Problem> {
    let wrong = |e| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "setup", e);
    let lesson = Lesson::of(game).map_err(wrong)?;
    app.may_open(person.id)?;
    let table = app.directory.open_lesson(&lesson, &person).await?;
    Ok((StatusCode::CREATED, Json(Opened { table })).into_response())
}

async fn setups() -> Json<Vec<Offered>> {
    Json(Offered::all().collect())
}

async fn list(State(app): State<Arc<App>>) -> Json<Vec<Listing>> {
    Json(app.directory.listings(LISTED_MOST))
}

/// What came with a request: a JSON object, as with messages.
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let wrong = |e: JsonRejection| Problem::new(e.status(), "malformed", e.body_text());
        let Json(body) =
            Json::<Box<RawValue>>::from_request(request, state).await.map_err(wrong)?;
        let unread =
            |text: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "malformed", text);
        if !body.get().starts_with('{') {
            return Err(unread("send a JSON object".to_owned()));
        }
        let read = serde_json::from_str(body.get());
        read.map(Self).map_err(|e| unread(format!("the request cannot be read: {e}")))
    }
}

/// The way into a socket.
async fn connect(
    State(app): State<Arc<App>>,
    Known(person): Known,
    axum::Extension(Client(address)): axum::Extension<Client>,
    handshake: Handshake,
) -> Result<Response, Problem> {
    let crowded = |text| Problem::new(StatusCode::TOO_MANY_REQUESTS, "crowded", text);
    let by_all = app.connections.take(());
    let all = by_all.ok_or_else(|| crowded("the server is full, try again in a while"))?;
    let own = app.connections_of.take(person.id);
    let by_address = app.connections_from.take(address);
    let near = by_address.ok_or_else(|| crowded("too many connections come from your address"))?;
    let conn = app.next_conn();
    let (response, socket) = handshake.accept();
    app.clone().connection_tasks.spawn(async move {
        let _counted = (all, &own, near);
        let Some(socket) = socket.await else { return };
        match own {
            Some(_) => connection::serve(app, socket, person, conn).await,
            // A page cannot read the status of an upgrade, but it reads its last message.
            None => connection::turn_away(&app, socket, Farewell::Crowded).await,
        }
    });
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described() {
        let api = serde_json::from_str::<serde_json::Value>(include_str!("openapi.json")).unwrap();
        let mut described = api["paths"].as_object().unwrap().keys().collect::<Vec<_>>();
        let mut routes = routes().into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        described.sort();
        routes.sort_unstable();
        assert_eq!(described, routes);
    }
}
