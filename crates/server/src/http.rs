//! The HTTP side: routes, limits, origins, the headers of every answer and the WebSocket upgrade.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{
    ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, MatchedPath, Request, State,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use journal::{Fault, Hash};
use rules::door::GameName;
use rules::kit::Preset;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wire::{CheckedSetup, CloseReason, Code, Listing, NamedSetup, Refusal, SeatedTable, Setup};

use crate::App;
use crate::address::{Subnet, subnet_of};
use crate::blocks::blocked;
use crate::connection;
use crate::connections::Crowded;
use crate::contact;
use crate::cookie::secret_of;
use crate::devices;
use crate::ghost;
use crate::headers;
use crate::lesson::Lesson;
use crate::me;
use crate::openapi::{self, refused, schema};
use crate::page;
use crate::partners;
use crate::record;
use crate::replay;
use crate::status::{status, unread_body};
use crate::upgrade::Handshake;
use table::{Founding, Person, PersonId, Refused};

/// How many public tables are listed.
const LISTED_MOST: usize = 50;
/// How many tables with a seat a player is shown.
const SEATED_MOST: usize = 8;

/// The router of the HTTP side.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (router, _described) = routes().split_for_parts();
    router
        .fallback(async |State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap| {
            let page =
                app.site.page.at(&uri, &headers).or_else(|| app.site.page.lost(&uri, &headers));
            page.ok_or_else(|| Problem::new(Refusal::NoPage, "there is no such page"))
        })
        .method_not_allowed_fallback(|| async {
            let text = "the path has no such method, see /api/openapi.json";
            Problem::new(Refusal::NoMethod, text)
        })
        .layer(DefaultBodyLimit::max(app.shared.limits.message_bytes_most))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// Every path with its handlers, each described where it is defined.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(page::home))
        .routes(routes!(me::who, me::name, me::forget))
        .routes(routes!(me::consent, me::give_consent))
        .routes(routes!(devices::list, devices::sign_out_others))
        .routes(routes!(devices::open_link, devices::link_state, devices::confirm, devices::cancel))
        .routes(routes!(devices::make_phrase, devices::delete_phrase))
        .routes(routes!(devices::ask))
        .routes(routes!(devices::sign_in))
        .routes(routes!(devices::recover))
        .routes(routes!(partners::search, partners::state, partners::cancel))
        .routes(routes!(seated))
        .routes(routes!(record::http::mine))
        .routes(routes!(record::http::games))
        .routes(routes!(record::http::same_deal))
        .routes(routes!(record::export::export))
        .routes(routes!(record::http::team))
        .routes(routes!(record::companions::list))
        .routes(routes!(record::companions::invitations, record::companions::invite))
        .routes(routes!(record::companions::answer))
        .routes(routes!(record::daily::list, record::daily::play))
        .routes(routes!(record::daily::teams))
        .routes(routes!(list, open))
        .routes(routes!(setups))
        .routes(routes!(contact::operator))
        .routes(routes!(check_setup))
        .routes(routes!(ghost::lenders::list))
        .routes(routes!(learn))
        .routes(routes!(replay::http::tempo))
        .routes(routes!(replay::judgement::of_table))
        .routes(routes!(replay::judgement::of_game))
        .routes(routes!(replay::http::watch))
        .routes(routes!(replay::http::plays))
        .routes(routes!(replay::http::link))
        .routes(routes!(replay::again::play))
        .routes(routes!(replay::again::others))
        .routes(routes!(openapi::describe))
        .routes(routes!(connect))
        .routes(routes!(healthy))
        .routes(routes!(ready))
}

/// A refused request; the answer is a [`wire::Problem`].
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) why: Refusal,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(why: Refusal, text: impl ToString) -> Self {
        Self { why, text: text.to_string() }
    }

    pub(crate) fn not_kept(text: impl ToString) -> Self {
        Self::new(Refusal::NotKept, text)
    }

    /// For a request without the cookie of a known person.
    pub(crate) fn stranger() -> Self {
        let text = "the server does not know you, choose a name first";
        Self::new(Refusal::NoName, text)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self::new(refused.why, refused.text)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::not_kept(fault)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { why, text } = self;
        // The refusal is counted by the guard.
        (status(why), Extension(why), Json(wire::Problem { why, text })).into_response()
    }
}

/// Checks the rate, the origin and the time of every request, and sets the headers of every answer.
async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = app.admission.proxies.client(peer.ip(), request.headers());
    let address = subnet_of(address);
    // Not limited: they cost nothing or next to nothing, and a busy server is not down.
    let probe = matches!(request.uri().path(), "/healthz" | "/readyz");
    let safe = matches!(*request.method(), Method::GET | Method::HEAD);
    let upgrade = request.headers().contains_key(header::UPGRADE);
    request.extensions_mut().insert(Client(address));
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = if !probe && !app.admission.requests.take(address) {
        let text = "too many requests from your address, wait a moment";
        Problem::new(Refusal::AddressRate, text).into_response()
    } else if app.admission.blocks.has_address(address) && !is_for_all(&request) {
        Problem::from(blocked()).into_response()
    } else if (!safe || upgrade) && !app.site.origins.permit(request.headers()) {
        app.site.origins.log_refused(request.headers());
        let text = "this page was opened at an address that the server does not expect; its \
                    operator has to add it with --public-url";
        Problem::new(Refusal::ForeignOrigin, text).into_response()
    } else {
        // Without a limit a body that never arrives would keep the request open for ever.
        let answered = timeout(app.shared.limits.request_within, next.run(request)).await;
        answered.unwrap_or_else(|_| {
            let text = "the request took too long to arrive, try again";
            Problem::new(Refusal::RequestLate, text).into_response()
        })
    };
    let metrics = &app.shared.metrics;
    metrics.answered(route.as_ref().map(MatchedPath::as_str), response.status());
    if let Some(why) = response.extensions().get::<Refusal>() {
        metrics.refused(*why);
    }
    headers::apply(response.headers_mut());
    response
}

/// Whether a request is answered although its address is blocked: the page is shown, so that it can
/// say why, and people may look at their identity and delete it. The socket tells it by itself.
fn is_for_all(request: &Request) -> bool {
    let path = request.uri().path();
    let own = path == "/api/me" && matches!(*request.method(), Method::GET | Method::DELETE);
    own || !path.starts_with("/api/")
}

/// The subnet of the client.
#[derive(Clone, Copy)]
pub(crate) struct Client(pub(crate) Subnet);

/// The person whose cookie came with a request. One who is blocked is refused.
pub(crate) struct KnownPerson(pub(crate) Person);

impl FromRequestParts<Arc<App>> for KnownPerson {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let CookiePerson(person) = CookiePerson::from_request_parts(parts, app).await?;
        if app.admission.blocks.has_person(person.id) {
            Err(blocked().into())
        } else {
            Ok(Self(person))
        }
    }
}

/// The same, also for a person who is blocked.
pub(crate) struct CookiePerson(pub(crate) Person);

impl FromRequestParts<Arc<App>> for CookiePerson {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let secret =
            secret_of(&parts.headers, &app.site.cookie_scope).ok_or_else(Problem::stranger)?;
        let person = app.people.find(&secret).await.map_err(Problem::not_kept)?;
        person.map(Self).ok_or_else(Problem::stranger)
    }
}

/// The person who asks; `None` without a cookie, where strangers may ask as well.
pub(crate) fn asker(known: Result<KnownPerson, Problem>) -> Result<Option<PersonId>, Problem> {
    match known {
        Ok(KnownPerson(person)) => Ok(Some(person.id)),
        Err(problem) if problem.why == Refusal::NoName => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// The hash of the secret of the device that a request came from.
pub(crate) struct Device(pub(crate) Hash);

impl FromRequestParts<Arc<App>> for Device {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let secret =
            secret_of(&parts.headers, &app.site.cookie_scope).ok_or_else(Problem::stranger)?;
        Ok(Self(secret.hash()))
    }
}

/// Whether the server can store a move.
///
/// It is tried at most once a second; until then the answer is the last one.
#[utoipa::path(
    get,
    path = "/readyz",
    responses(
        (status = 200, description = "It can: `ready`", body = String, content_type = "text/plain"),
        refused::Unavailable,
    )
)]
async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    app.people.answers().await.map_err(Problem::not_kept)?;
    Ok("ready")
}

/// Whether the process runs.
#[utoipa::path(
    get,
    path = "/healthz",
    responses(
        (status = 200, description = "It runs: `ok`", body = String, content_type = "text/plain"),
    )
)]
async fn healthy() -> &'static str {
    "ok"
}

/// What the table is opened for: a game, its players and a preset, or a whole set-up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OpenTable {
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
async fn open(
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
struct StartLesson {
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
async fn learn(
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
async fn setups() -> Json<Vec<NamedSetup>> {
    Json(NamedSetup::all().collect())
}

/// What a form asks about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CheckSetup {
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
async fn check_setup(JsonObject(wish): JsonObject<CheckSetup>) -> Json<CheckedSetup> {
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
async fn seated(
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
async fn list(State(app): State<Arc<App>>) -> Json<Vec<Listing>> {
    Json(app.directory.listings(LISTED_MOST))
}

/// A request's body: a JSON object. Like a message, it is never an array of fields in order.
pub(crate) struct JsonObject<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonObject<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let wrong = |e: JsonRejection| Problem::new(unread_body(&e), e.body_text());
        let Json(body) =
            Json::<Box<RawValue>>::from_request(request, state).await.map_err(wrong)?;
        let unread = |text: String| Problem::new(Refusal::Malformed, text);
        if !body.get().starts_with('{') {
            return Err(unread("send a JSON object".to_owned()));
        }
        let read = serde_json::from_str(body.get());
        read.map(Self).map_err(|e| unread(format!("the request cannot be read: {e}")))
    }
}

/// The WebSocket.
///
/// `docs/protocol.md` describes its messages.
#[utoipa::path(
    get,
    path = "/ws",
    responses(
        (status = 101, description = "The connection is a WebSocket from here on"),
        refused::BadRequest, refused::NoPerson, refused::Forbidden, refused::TooMany,
    ),
    security(("cookie" = []))
)]
async fn connect(
    State(app): State<Arc<App>>,
    CookiePerson(person): CookiePerson,
    Device(device): Device,
    Extension(Client(address)): Extension<Client>,
    handshake: Handshake,
) -> Result<Response, Problem> {
    let places = app.connections.take(person.id, address).map_err(|crowded| {
        let text = match crowded {
            Crowded::Server => "the server is full, try again in a while",
            Crowded::Address => "too many connections come from your address",
        };
        Problem::new(Refusal::TooManyConnections, text)
    })?;
    let conn = app.connections.next_id();
    let is_blocked = app.admission.blocks.permit(person.id, address).is_err();
    let (response, socket) = handshake.accept();
    app.clone().connections.tasks.spawn(async move {
        let Some(socket) = socket.await else { return };
        // A page cannot read the status of an upgrade, but it reads its last message.
        match &places.of_person {
            _ if is_blocked => connection::turn_away(&app, socket, CloseReason::Blocked).await,
            Some(_) => connection::serve(app, socket, person, device, address, conn).await,
            None => connection::turn_away(&app, socket, CloseReason::Crowded).await,
        }
    });
    Ok(response)
}
