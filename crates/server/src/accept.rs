//! Accepts TCP connections: each is counted, has a time limit, and closes so that its last answer
//! arrives.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::routing::future::RouteFuture;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tower_service::Service;
use tracing::{debug, warn};

use crate::App;
use crate::limits::Limits;
use crate::lingering_close::LingeringStream;
use crate::tls::Peers;

/// How long a running answer may still take when its connection has to end.
const LAST_ANSWER_WITHIN: Duration = Duration::from_secs(2);
/// How long to wait before accepting again after the system refused, as it does without free file
/// descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Where connections come in.
pub(crate) struct Door {
    pub(crate) listener: TcpListener,
    /// Who is behind them, if the relay that decrypts them opens them.
    pub(crate) peers: Option<Arc<Peers>>,
}

impl Door {
    /// The client behind a connection; `None` if it goes past the relay.
    fn client(&self, peer: SocketAddr) -> Option<SocketAddr> {
        self.peers.as_ref().map_or(Some(peer), |peers| peers.take(peer))
    }
}

/// Accepts and answers connections until `stop` is true, then waits at most [`LAST_ANSWER_WITHIN`]
/// for running requests. It does not wait for open sockets. The sender of `stop` sees by `closed` that
/// the last connection has ended.
pub(crate) async fn serve(
    app: Arc<App>,
    door: Door,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let http = http(&app.shared.limits);
    loop {
        let accepted = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = door.listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                match door.client(peer).map(|peer| (peer, admit(&app, stream, peer))) {
                    Some((peer, Some(stream))) => {
                        let within = app.shared.limits.sockets.keep_alive.0;
                        let answers = Answers { peer, app: app.clone(), router: router.clone() };
                        tokio::spawn(answer(http.clone(), stream, answers, within, stop.clone()));
                    }
                    Some((_, None)) | None => app.shared.metrics.dropped("sockets"),
                }
            }
            Err(error) if of_the_peer(&error) => {}
            Err(error) => {
                warn!(%error, "connections cannot be accepted at the moment");
                sleep(PAUSE).await;
            }
        }
    }
}

fn http(limits: &Limits) -> Builder {
    let mut http = Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.sockets.request_within.0)
        .max_headers(limits.sockets.headers_most)
        // Hyper panics below 8 KiB.
        .max_buf_size(limits.sockets.head_bytes_most);
    http
}

/// Counts a connection until it is closed. Returns `None` beyond the limits; the connection is then
/// closed without an answer, which would cost more.
fn admit(app: &App, stream: TcpStream, peer: SocketAddr) -> Option<LingeringStream> {
    let address = peer.ip().to_canonical();
    let is_proxy = app.admission.proxies.trusts(address);
    let places = app.connections.take_socket(address, is_proxy)?;
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "a connection closed at once");
    }
    Some(LingeringStream::new(stream, places))
}

/// What answers the requests of one connection.
struct Answers {
    peer: SocketAddr,
    app: Arc<App>,
    router: Router,
}

impl Answers {
    /// The router knows neither the peer nor the base path.
    fn answer(&self, mut request: Request<Incoming>) -> RouteFuture<Infallible> {
        request.extensions_mut().insert(ConnectInfo(self.peer));
        if let Some(uri) = self.app.site.base_path.strip(request.uri()) {
            *request.uri_mut() = uri;
        }
        self.router.clone().call(request)
    }
}

/// Answers the requests of one connection until it closes or becomes a WebSocket.
async fn answer(
    http: Builder,
    stream: LingeringStream,
    answers: Answers,
    within: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| answers.answer(request));
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = sleep(within) => None,
        _ = stop.wait_for(|stop| *stop) => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        None => {
            connection.as_mut().graceful_shutdown();
            match timeout(LAST_ANSWER_WITHIN, connection).await {
                Ok(ended) => ended,
                Err(_too_late) => return,
            }
        }
    };
    if let Err(error) = ended {
        debug!(%error, "a connection broke");
    }
}

/// Whether the error concerns only the one connection that was to be accepted.
fn of_the_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
