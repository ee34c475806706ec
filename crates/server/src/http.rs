//! The HTTP side: routes, limits, origins, the headers of every answer and the WebSocket upgrade.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Extension;
use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wire::{CloseReason, Refusal};

use crate::App;
use crate::address::subnet_of;
use crate::blocks::blocked;
use crate::connection;
use crate::connections::Crowded;
use crate::contact;
use crate::devices;
use crate::extract::{Client, CookiePerson, Device};
use crate::ghost;
use crate::headers;
use crate::me;
use crate::openapi::{self, refused};
use crate::opening;
use crate::page;
use crate::partners;
use crate::problem::Problem;
use crate::record;
use crate::replay;
use crate::upgrade::Handshake;

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
        .layer(DefaultBodyLimit::max(app.shared.limits.messages.bytes_most))
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
        .routes(routes!(opening::seated))
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
        .routes(routes!(opening::list, opening::open))
        .routes(routes!(opening::setups))
        .routes(routes!(contact::operator))
        .routes(routes!(opening::check_setup))
        .routes(routes!(ghost::lenders::list))
        .routes(routes!(opening::learn))
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
    } else if app.shared.owners.is_cut_off() && request.uri().path().starts_with("/api/") {
        // Every answer would take until the brokers are given up.
        let text = "the server does not reach what it stores, try again in a moment";
        Problem::new(Refusal::NotKept, text).into_response()
    } else {
        // Without a limit a body that never arrives would keep the request open for ever.
        let answered = timeout(app.shared.limits.sockets.request_within.0, next.run(request)).await;
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
    if app.shared.owners.is_cut_off() {
        return Err(Problem::new(Refusal::NotKept, "the brokers do not reach this node"));
    }
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
        if is_blocked {
            connection::turn_away(&app, socket, CloseReason::Blocked).await;
        } else if places.is_one_too_many() {
            connection::turn_away(&app, socket, CloseReason::Crowded).await;
        } else {
            connection::serve(app, socket, person, device, address, conn, None).await;
        }
    });
    Ok(response)
}
