//! Tables over HTTP and WebSocket: identities, lobby, one task per table.

pub mod archive;

mod accept;
mod address;
mod advisor;
mod background;
mod chat;
mod connection;
mod headers;
mod http;
mod judge;
mod limits;
mod lingering;
mod me;
mod options;
mod page;
mod session;
mod upgrade;

mod directory;
mod ghost;
mod history;
mod lesson;
mod people;
mod tables;

mod line;
mod memory;
mod metrics;
mod outbox;
mod person;
mod replay;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::header;
use axum::routing::get;
use journal::{Catalogue, Sqlite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};
use wire::Farewell;

pub use address::PublicUrl;
pub use limits::{Limits, Rate, Seconds};
pub use options::{FairOptions, LimitOptions, Options};

use address::{Neighbourhood, Origins};
use advisor::Advisor;
use background::Background;
use directory::Directory;
use ghost::Lenders;
use history::{Bell, Clerk};
use judge::Judge;
use limits::{Buckets, Counts};
use memory::Memory;
use metrics::Metrics;
use people::People;
use replay::{Album, Audiences, Deals, Gate};
use table::fair::Tuning;
use table::{ConnId, PersonId};
use tables::Shared;

/// How long connections have to take their leave when the server goes down.
const DRAIN_WITHIN: Duration = Duration::from_secs(4);

/// Everything that requests share.
struct App {
    shared: Arc<Shared>,
    directory: Directory,
    people: Arc<People>,
    /// What was played, to be found again.
    catalogue: Arc<dyn Catalogue>,
    /// Few replays are made at once: each takes a while.
    replays: Gate,
    judge: Judge,
    /// Those who look at games that are over, together.
    audiences: Audiences,
    origins: Origins,
    trusted_proxies: Vec<IpAddr>,
    /// Whether cookies may only travel encrypted.
    secure: bool,
    addresses: Buckets<Neighbourhood>,
    openings: Buckets<PersonId>,
    connections: Counts<()>,
    connections_of: Counts<PersonId>,
    connections_from: Counts<Neighbourhood>,
    sockets: Counts<()>,
    sockets_from: Counts<Neighbourhood>,
    conns: AtomicU64,
    /// The tasks of all WebSocket connections, for the shutdown to wait for.
    connection_tasks: TaskTracker,
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
    open(options, listener, metrics)?.serve(shutdown).await
}

/// A server whose tables are open and whose sockets are bound.
pub struct Server {
    app: Arc<App>,
    journal: Arc<Sqlite>,
    listener: TcpListener,
    metrics: Option<TcpListener>,
}

/// Opens the tables' file; requests wait at the listener until they are served.
pub fn open(
    options: Options,
    listener: TcpListener,
    metrics: Option<TcpListener>,
) -> Result<Server> {
    let journal = Arc::new(Sqlite::open(&options.data, journal::Options::default())?);
    let listen = listener.local_addr().context("the listener has no address")?;
    let limits = Limits::from(options.limits);
    let (metrics_kept, album) = (Metrics::new(), Album::new(journal.clone()));
    let memory = Memory::new(journal.clone(), journal.clone());
    let people = Arc::new(People::new(journal.clone(), metrics_kept.people.clone()));
    let lenders = Lenders {
        memory: memory.clone(),
        album: album.clone(),
        catalogue: journal.clone(),
        people: people.clone(),
    };
    let shared = Arc::new(Shared {
        journal: journal.clone(),
        lenders,
        deals_seen: Deals::new(journal.clone(), album.clone()),
        memory,
        bell: Bell::default(),
        album,
        limits,
        tuning: Tuning::from(options.fair),
        deals: options.deals,
        chats: Buckets::new(limits.chat),
        metrics: metrics_kept,
        advisor: Advisor::default(),
        tasks: TaskTracker::new(),
        started: Instant::now(),
    });
    let app = Arc::new(App {
        directory: Directory::new(shared.clone()),
        people,
        catalogue: journal.clone(),
        replays: Gate::new(),
        judge: Judge::default(),
        audiences: Audiences::new(shared.clone()),
        origins: Origins::new(options.public_url.as_ref(), listen),
        trusted_proxies: options.trusted_proxy,
        secure: options.public_url.as_ref().is_some_and(PublicUrl::is_https),
        addresses: Buckets::new(limits.address),
        openings: Buckets::new(limits.tables_per_person),
        connections: Counts::new(limits.connections_most),
        connections_of: Counts::new(limits.connections_per_person_most),
        connections_from: Counts::new(limits.connections_per_address_most),
        sockets: Counts::new(limits.sockets_most),
        sockets_from: Counts::new(limits.sockets_per_address_most),
        conns: AtomicU64::new(1),
        connection_tasks: TaskTracker::new(),
        shared,
    });
    info!(%listen, data = %options.data.display(), "listening");
    Ok(Server { app, journal, listener, metrics })
}

impl Server {
    /// Serves until `shutdown` is done, then drains: everyone is told, everything is kept.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let Self { app, journal, listener, metrics } = self;
        let watched = metrics.map(|listener| {
            let router = metrics_router(app.shared.clone());
            tokio::spawn(async move { axum::serve(listener, router).await })
        });
        let clerk = Clerk {
            memory: app.shared.memory.clone(),
            catalogue: app.catalogue.clone(),
            bell: app.shared.bell.clone(),
            background: Background::start().context("there is no thread for the record")?,
        };
        let clerk = tokio::spawn(clerk.run());
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(accept::serve(app.clone(), listener, http::router(app.clone()), stopped));
        shutdown.await;
        info!("going down");
        stop.send_replace(true);
        app.people.close_all(Farewell::Restarting);
        if timeout(DRAIN_WITHIN, drain(&app, &stop)).await.is_err() {
            warn!("some connections did not take their leave");
        }
        // What is not on a card yet is after the next start.
        clerk.abort();
        if let Some(watched) = watched {
            watched.abort();
        }
        // Everything that was acknowledged is durable already; this tidies the file up.
        let closed = tokio::task::spawn_blocking(move || journal.close());
        closed.await.context("the journal panicked")?;
        info!("down");
        Ok(())
    }
}

/// Done when the last connection has taken its leave and every table has heard of it.
async fn drain(app: &App, stop: &watch::Sender<bool>) {
    // Requests that are still being answered.
    stop.closed().await;
    app.connection_tasks.close();
    app.connection_tasks.wait().await;
    app.directory.sleep().await;
}

fn metrics_router(shared: Arc<Shared>) -> Router {
    let written =
        async move || ([(header::CONTENT_TYPE, Metrics::CONTENT_TYPE)], shared.metrics.written());
    Router::new().route("/metrics", get(written))
}
