//! Tables over HTTP and WebSocket: identities, lobby, one task per table.

mod address;
mod http;
mod limits;
mod options;
mod socket;

mod directory;
mod people;
mod table;

mod metrics;
mod outbox;
mod person;
mod record;
mod room;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::connect_info::IntoMakeServiceWithConnectInfo;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use journal::Sqlite;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::{info, warn};
use wire::Farewell;

pub use address::PublicUrl;
pub use limits::{Limits, Rate};
pub use options::{LimitOptions, Options};

use address::Origins;
use directory::Directory;
use limits::{Buckets, Counts};
use metrics::Metrics;
use people::People;
use person::PersonId;
use table::{ConnId, Shared};

/// How long connections have to take their leave when the server goes down.
const DRAIN_WITHIN: Duration = Duration::from_secs(4);

/// Everything that requests share.
struct App {
    shared: Arc<Shared>,
    directory: Directory,
    people: People,
    origins: Origins,
    trusted_proxies: Vec<IpAddr>,
    /// Whether cookies may only travel encrypted.
    secure: bool,
    addresses: Buckets<IpAddr>,
    openings: Buckets<PersonId>,
    connections: Counts<()>,
    connections_of: Counts<PersonId>,
    connections_from: Counts<IpAddr>,
    conns: AtomicU64,
}

impl App {
    fn next_conn(&self) -> ConnId {
        ConnId(self.conns.fetch_add(1, Ordering::Relaxed))
    }
}

/// Serves until `shutdown` is done, then drains: everyone is told, everything is kept.
pub async fn run(
    options: Options,
    listener: TcpListener,
    metrics: Option<TcpListener>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let journal = Arc::new(Sqlite::open(&options.data, journal::Options::default())?);
    let listen = listener.local_addr().context("the listener has no address")?;
    let limits = Limits::from(options.limits);
    let shared = Arc::new(Shared {
        journal: journal.clone(),
        limits,
        metrics: Metrics::new(),
        started: Instant::now(),
    });
    let app = Arc::new(App {
        directory: Directory::new(shared.clone()),
        people: People::new(journal.clone()),
        origins: Origins::new(options.public_url.as_ref(), listen),
        trusted_proxies: options.trusted_proxy,
        secure: options.public_url.as_ref().is_some_and(PublicUrl::is_https),
        addresses: Buckets::new(limits.address),
        openings: Buckets::new(limits.tables_per_person),
        connections: Counts::new(limits.connections_most),
        connections_of: Counts::new(limits.connections_per_person_most),
        connections_from: Counts::new(limits.connections_per_address_most),
        conns: AtomicU64::new(1),
        shared,
    });
    if let Some(listener) = metrics {
        let shared = app.shared.clone();
        let router =
            Router::new().route("/metrics", get(move || async move { shared.metrics.written() }));
        tokio::spawn(async move { axum::serve(listener, router).await });
    }
    info!(%listen, data = %options.data.display(), "listening");
    let service: IntoMakeServiceWithConnectInfo<Router, SocketAddr> =
        http::router(app.clone()).into_make_service_with_connect_info();
    let (stop, stopped) = oneshot::channel::<()>();
    // An update is small and wanted at once: it does not wait for the next one to fill a packet.
    let listener = listener.tap_io(|stream| {
        let _slower_then = stream.set_nodelay(true);
    });
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        let _either_way = stopped.await;
    });
    let serving = tokio::spawn(serving.into_future());
    shutdown.await;
    info!("going down");
    let _listener_failed = stop.send(());
    app.people.close_all(Farewell::Restarting);
    if timeout(DRAIN_WITHIN, farewells(&app)).await.is_err() {
        warn!("some connections did not take their leave");
    }
    serving.abort();
    // Everything that was acknowledged is durable already; this tidies the file up.
    tokio::task::spawn_blocking(move || journal.close()).await.context("the journal panicked")?;
    Ok(())
}

/// Done when the last connection has taken its leave.
async fn farewells(app: &App) {
    while app.shared.metrics.connections.get() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
