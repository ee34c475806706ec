//! Tables over HTTP and WebSocket: identities, lobby, one task per table.

pub mod control;
pub mod journal_file;

mod accept;
mod address;
mod admission;
mod advisor;
mod background;
mod base_path;
mod blocks;
mod calendar;
mod chat;
mod cluster_access;
mod cluster_copy;
mod codes;
mod connection;
mod connections;
mod contact;
mod cookie;
mod damage;
mod device_links;
mod devices;
mod exposition;
mod extract;
mod figures;
mod file_check;
mod frames;
mod gate;
mod gossip;
mod guesses;
mod headers;
mod http;
mod judge;
mod kernel_trip;
mod limits;
mod lingering_close;
mod me;
mod newcomers;
mod node;
mod openapi;
mod opening;
mod options;
mod owners;
mod page;
mod partner_queue;
mod partners;
mod problem;
mod receive;
mod relay;
mod session;
mod site;
mod status;
mod store;
mod studies;
mod tls;
mod upgrade;
mod writes;

mod directory;
mod ghost;
mod lesson;
mod people;
mod record;
mod tables;

mod metrics;
mod outbox;
mod person;
mod phrase;
mod redaction;
mod replay;
mod seats;
mod shared_link;

use std::hash::RandomState;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderMap, header};
use axum::routing::get;
use journal::{Catalogue, Invitations};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};
use wire::CloseReason;

pub use address::{ProxyHeader, PublicUrl};
pub use base_path::BasePath;
pub use calendar::WallClock;
pub use cluster::{Copied, Progress, Step};
pub use cluster_access::ClusterAccess;
pub use cluster_copy::{back_up_cluster, copy_into_cluster, copy_out_of_cluster};
pub use contact::Contact;
pub use file_check::{DamagedTable, FileCheck};
pub use journal::{back_up, restore};
pub use limits::{Limits, Rate, Seconds};
pub use options::{FairOptions, Options};
pub use store::{ClusterOptions, Store};
pub use tls::Certificate;

use accept::Door;
use address::Proxies;
use admission::Admission;
use advisor::Advisor;
use background::Background;
use blocks::Blocks;
use calendar::Calendar;
use codes::Codes;
use connections::Connections;
use control::ControlSocket;
use damage::DamagedTables;
use device_links::DeviceLinks;
use directory::Directory;
use exposition::Format;
use gate::Gate;
use ghost::Lenders;
use gossip::OtherListings;
use judge::Judge;
use limits::{Buckets, Counts};
use metrics::Metrics;
use partner_queue::PartnerQueue;
use people::People;
use record::{CatalogueWriter, GameOverSignal};
use redaction::RedactedJournal;
use relay::Relays;
use replay::{Audiences, Deals, ReplayAccess};
use seats::SeatIndex;
use site::Site;
use store::Engine;
use studies::Studies;
use table::fair::Tuning;
use tables::Shared;
use tls::{Peers, Relay};
use writes::Writes;

/// How many signs a person may send: some at once, and then one every two seconds.
const REACTIONS: Rate = Rate { burst: 5.0, per_second: 0.5 };

/// How many characters a secret of --deals should have, so that it cannot be guessed.
const DEALS_CHARS_LEAST: usize = 16;
/// How long connections may take to close when the server goes down.
const DRAIN_WITHIN: Duration = Duration::from_secs(4);

/// The state that requests share.
struct App {
    shared: Arc<Shared>,
    directory: Directory,
    people: Arc<People>,
    /// The cards of finished games.
    catalogue: Arc<dyn Catalogue>,
    /// Who is invited by whom.
    invitations: Arc<dyn Invitations>,
    judge: Judge,
    /// The audiences of replays.
    audiences: Audiences,
    /// The links that sign other devices in.
    device_links: DeviceLinks,
    /// The people who search for partners.
    partners: Mutex<PartnerQueue>,
    studies: Studies,
    site: Site,
    admission: Admission,
    connections: Connections,
    /// The data file, or the node's index of a cluster.
    data: PathBuf,
    /// Whether everything is stored in a cluster.
    is_clustered: bool,
    /// The sockets that are relayed between its nodes.
    relays: Option<Arc<Relays>>,
    /// The public tables of the other nodes.
    other_listings: OtherListings,
}

/// Serves until `shutdown` is done, then closes all connections with a message and puts all tables
/// to sleep.
pub async fn run(
    options: Options,
    listener: TcpListener,
    metrics: Option<TcpListener>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let store = Store::open(&options).await?;
    open(options, store, listener, metrics).await?.serve(shutdown).await
}

/// A server whose tables are open and whose sockets are bound.
pub struct Server {
    app: Arc<App>,
    engine: Engine,
    listener: TcpListener,
    metrics: Option<TcpListener>,
    /// `None` if it could not be made: the server runs all the same.
    control: Option<ControlSocket>,
    certificate: Option<Arc<Certificate>>,
}

/// A server that stores there. Requests wait at the listener until [`Server::serve`] runs.
pub async fn open(
    options: Options,
    store: Store,
    listener: TcpListener,
    metrics: Option<TcpListener>,
) -> Result<Server> {
    let listen = listener.local_addr().context("the listener has no address")?;
    let has_public_url = !options.public_url.is_empty();
    let is_short =
        options.deals.as_ref().is_some_and(|secret| secret.chars().count() < DEALS_CHARS_LEAST);
    let certificate = match (&options.tls_cert, &options.tls_key) {
        (Some(chain), Some(key)) => Some(Arc::new(Certificate::read(chain, key)?)),
        _ => None,
    };
    let engine = store.engine.clone();
    let relays = match &engine {
        Engine::File(_) => None,
        Engine::Cluster(node) => {
            let relays = Relays::new(node.nodes.clone()).await;
            Some(Arc::new(relays.context("there is no loopback port for relayed sockets")?))
        }
    };
    let app = assemble(options, listen, store, relays);
    let control = ControlSocket::open(&app.data)
        .inspect_err(|error| warn!("operators cannot reach this server by its socket: {error:#}"))
        .ok();
    if !has_public_url && !listen.ip().is_loopback() {
        warn!(
            %listen,
            "pages on other machines will be refused: give the address in people's browsers with \
             --public-url, as in --public-url http://192.168.1.5:{}", listen.port()
        );
    }
    if is_short {
        warn!(
            "the secret of --deals is short: it can be found from the hashes of deals that players \
             are shown, and with it all cards. Use {DEALS_CHARS_LEAST} random characters or more"
        );
    }
    info!(%listen, data = %app.data.display(), "listening");
    Ok(Server { app, engine, listener, metrics, control, certificate })
}

/// Puts together everything that requests share. `listen` is where the server is reached; a port
/// of 0 stands for a server that is not reached at all.
fn assemble(
    options: Options,
    listen: SocketAddr,
    store: Store,
    relays: Option<Arc<Relays>>,
) -> Arc<App> {
    let Store { journal, catalogue, operations, engine, .. } = store;
    let file = engine.file();
    let site = Site::new(&options, listen);
    let limits = options.limits;
    let proxies = Proxies::new(options.trusted_proxy, options.proxy_header);
    let (metrics_kept, replay_access) =
        (Metrics::new(&file, &options.data), ReplayAccess::new(journal.clone()));
    let damaged = Arc::new(DamagedTables::new(metrics_kept.damaged_tables.clone()));
    let redacted = RedactedJournal::new(journal.clone(), store.people.clone(), damaged.clone());
    let people = People::new(store.people, store.devices, metrics_kept.people.clone());
    let people = Arc::new(people);
    let reads = Gate::for_reads();
    let lenders = Lenders {
        redacted: redacted.clone(),
        replay_access: replay_access.clone(),
        catalogue: catalogue.clone(),
        people: people.clone(),
        damaged: damaged.clone(),
        reads: reads.clone(),
    };
    let studies = Studies::new(journal.clone());
    let shared = Arc::new(Shared {
        journal: journal.clone(),
        operations,
        codes: Codes::new(journal.clone()),
        lenders,
        deals_seen: Deals::new(journal, replay_access.clone()),
        redacted,
        damaged,
        reads,
        wakes: Gate::for_wakes(limits.connections.most),
        owners: engine.owners(),
        seats: SeatIndex::default(),
        game_over: GameOverSignal::default(),
        replay_access,
        limits,
        tuning: Tuning::from(options.fair),
        deals: options.deals.unwrap_or_else(|| wire::hex(&store.deal_secret)),
        calendar: Calendar::new(options.wall_clock),
        chats: Buckets::new(limits.messages.chat),
        reactions: Buckets::new(REACTIONS),
        writes: Writes::new(&limits),
        metrics: metrics_kept,
        advisor: Advisor::default(),
        tasks: TaskTracker::new(),
        started: Instant::now(),
        address_hash: RandomState::new(),
    });
    Arc::new(App {
        directory: Directory::new(shared.clone()),
        people,
        catalogue,
        invitations: store.invitations,
        judge: Judge::default(),
        audiences: Audiences::new(shared.clone()),
        site,
        admission: Admission::new(&limits, proxies, Blocks::new(&store.blocks)),
        connections: Connections::new(&limits),
        data: file.path().to_owned(),
        is_clustered: engine.is_cluster(),
        relays,
        other_listings: OtherListings::default(),
        device_links: DeviceLinks::default(),
        partners: Mutex::new(PartnerQueue::new(options.bots_after)),
        studies,
        shared,
    })
}

impl Server {
    /// The certificate of the server's own TLS, to be read again while it runs.
    pub fn certificate(&self) -> Option<Arc<Certificate>> {
        self.certificate.clone()
    }

    /// Serves until `shutdown` is done. Then it closes all connections with a message and puts all
    /// tables to sleep; a node of a cluster hands them over.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let Self { app, engine, listener, metrics, control, certificate } = self;
        let watched = metrics.map(|listener| {
            let router = metrics_router(app.shared.clone());
            tokio::spawn(async move { axum::serve(listener, router).await })
        });
        let catalogue_writer = CatalogueWriter {
            redacted: app.shared.redacted.clone(),
            catalogue: app.catalogue.clone(),
            game_over: app.shared.game_over.clone(),
            damaged: app.shared.damaged.clone(),
            background: Background::start().context("there is no thread for the record")?,
        };
        let catalogue_writer = tokio::spawn(catalogue_writer.run());
        tables::expire_bars(&*app.shared.operations).await;
        let seats = tokio::spawn(seats::read_sleeping(app.shared.clone()));
        let watching = tokio::spawn(engine.clone().watch(app.shared.game_over.clone()));
        let days = tokio::spawn(calendar::end_days(app.clone()));
        let studies = tokio::spawn(studies::run(app.clone()));
        let control = control.map(|control| tokio::spawn(control.serve(app.clone())));
        let (stop, stopped) = watch::channel(false);
        let door = match certificate {
            Some(certificate) => relayed(&app, certificate, listener, stopped.clone()).await?,
            None => Door { listener, peers: None },
        };
        tokio::spawn(accept::serve(app.clone(), door, http::router(app.clone()), stopped));
        let listening = match &engine {
            Engine::File(_) => None,
            Engine::Cluster(node) => {
                let listening = node.clone().listen(app.clone());
                Some(tokio::spawn(async move {
                    if let Err(error) = listening.await {
                        warn!("the other nodes are not heard any more: {error:#}");
                    }
                }))
            }
        };
        shutdown.await;
        info!("shutting down");
        app.shared.owners.leave();
        stop.send_replace(true);
        // The socket file is removed while the data file is still locked.
        if let Some(control) = control {
            control.abort();
            let _stopped = control.await;
        }
        app.people.close_all(CloseReason::Restarting);
        if timeout(DRAIN_WITHIN, drain(&app, &stop)).await.is_err() {
            warn!("some connections did not close in time");
        }
        // Games without a card get one after the next start.
        catalogue_writer.abort();
        seats.abort();
        watching.abort();
        days.abort();
        studies.abort();
        if let Some(watched) = watched {
            watched.abort();
        }
        if let Some(listening) = listening {
            listening.abort();
        }
        engine.close().await?;
        info!("down");
        Ok(())
    }
}

/// Starts the relay that decrypts connections, and returns the listener that it connects them to.
async fn relayed(
    app: &App,
    certificate: Arc<Certificate>,
    outside: TcpListener,
    stopped: watch::Receiver<bool>,
) -> Result<Door> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.context("there is no loopback port for decrypted connections")?;
    let limits = &app.shared.limits;
    let (peers, places) = (Arc::<Peers>::default(), Counts::new(limits.sockets.most));
    let relay = Relay {
        certificate,
        within: limits.sockets.request_within.0,
        places,
        peers: peers.clone(),
    };
    tokio::spawn(relay.serve(outside, listener.local_addr()?, stopped));
    Ok(Door { listener, peers: Some(peers) })
}

/// Waits until all connections are closed and all tables sleep.
async fn drain(app: &App, stop: &watch::Sender<bool>) {
    // Requests that are still being answered.
    stop.closed().await;
    app.connections.tasks.close();
    app.connections.tasks.wait().await;
    app.directory.sleep().await;
}

fn metrics_router(shared: Arc<Shared>) -> Router {
    let written = async move |headers: HeaderMap| {
        let format = Format::accepted(&headers);
        ([(header::CONTENT_TYPE, format.content_type())], shared.metrics.written(format))
    };
    Router::new().route("/metrics", get(written))
}
