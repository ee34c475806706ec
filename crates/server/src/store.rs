//! What stores everything: one file, or the brokers of a cluster.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use cluster::{Cluster, STREAMS};
use journal::{Block, Catalogue, Devices, Invitations, Journal, Operations, People, Sqlite};
use tokio::task::spawn_blocking;
use tracing::{error, info};

use crate::Options;
use crate::cluster_access::ClusterAccess;
use crate::node::Node;
use crate::owners::Owners;
use crate::record::GameOverSignal;

/// The interfaces of what stores everything.
pub struct Store {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) people: Arc<dyn People>,
    pub(crate) devices: Arc<dyn Devices>,
    pub(crate) invitations: Arc<dyn Invitations>,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) operations: Arc<dyn Operations>,
    /// What was blocked when it was opened.
    pub(crate) blocks: Vec<Block>,
    /// What deals that are the same for all tables are drawn from.
    pub(crate) deal_secret: [u8; 32],
    pub(crate) engine: Engine,
}

/// What is behind the interfaces.
#[derive(Clone)]
pub(crate) enum Engine {
    /// The data file.
    File(Arc<Sqlite>),
    /// The brokers of a cluster, and the node's index.
    Cluster(Node),
}

/// A cluster as options; `docs/cluster.md` is about it.
#[derive(Clone, Debug, Args)]
pub struct ClusterOptions {
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would show it as help")]
    pub access: ClusterAccess,
    /// How many streams a new cluster gets, 1 to 64; one that exists keeps what it has
    #[arg(long = "cluster-streams", env = "UNSPOKEN_CLUSTER_STREAMS", default_value_t = STREAMS)]
    #[arg(id = "cluster_streams")]
    pub streams: u16,
}

impl Store {
    /// Opens the data file, or joins the cluster. Fails if the file cannot be opened, or if another
    /// server uses it. A node is known to the others when its index is up to date.
    pub async fn open(options: &Options) -> Result<Self> {
        let (data, options) = (options.data.clone(), &options.cluster);
        if options.access.brokers.is_empty() {
            return Self::open_file(data);
        }
        let mut joining = options.access.options(data);
        joining.streams = options.streams;
        let cluster = Arc::new(Cluster::join(joining).await?);
        info!("this node has joined the cluster; its index is brought up to date");
        cluster.caught_up().await;
        let (nodes, heard) = cluster.nodes().await?;
        Ok(Self {
            journal: cluster.clone(),
            people: cluster.clone(),
            devices: cluster.clone(),
            invitations: cluster.clone(),
            catalogue: cluster.clone(),
            operations: cluster.clone(),
            blocks: cluster.blocks().await.context("the blocks cannot be read")?,
            deal_secret: cluster.deal_secret(),
            engine: Engine::Cluster(Node::new(cluster, nodes, heard)),
        })
    }

    /// Opens a data file.
    pub(crate) fn open_file(data: PathBuf) -> Result<Self> {
        let file = Arc::new(Sqlite::open(data, journal::Options::default())?);
        Ok(Self {
            journal: file.clone(),
            people: file.clone(),
            devices: file.clone(),
            invitations: file.clone(),
            catalogue: file.clone(),
            operations: file.clone(),
            blocks: file.blocks_at_open().to_vec(),
            deal_secret: file.deal_secret(),
            engine: Engine::File(file),
        })
    }
}

impl Engine {
    /// The data file, or the node's index.
    pub(crate) fn file(&self) -> Arc<Sqlite> {
        match self {
            Self::File(file) => file.clone(),
            Self::Cluster(node) => node.cluster.index(),
        }
    }

    /// Whether everything is stored in a cluster.
    pub(crate) fn is_cluster(&self) -> bool {
        matches!(self, Self::Cluster(_))
    }

    /// Which node owns which table.
    pub(crate) fn owners(&self) -> Owners {
        match self {
            Self::File(_) => Owners::Alone,
            Self::Cluster(node) => Owners::shared(node.cluster.clone(), node.nodes.clone()),
        }
    }

    /// Looks after what is stored while the server runs.
    pub(crate) async fn watch(self, game_over: GameOverSignal) {
        match self {
            Self::File(file) => watch_name(file).await,
            Self::Cluster(node) => {
                let mut games_over = node.cluster.games_over();
                while games_over.changed().await.is_ok() {
                    game_over.give();
                }
            }
        }
    }

    /// Finishes what waits and closes the file. All acknowledged entries are durable already.
    pub(crate) async fn close(self) -> Result<()> {
        match self {
            Self::File(file) => {
                let closed = spawn_blocking(move || file.close());
                closed.await.context("the journal panicked")
            }
            Self::Cluster(node) => {
                node.say_gone();
                node.cluster.close().await;
                Ok(())
            }
        }
    }
}

/// Tells the operator within a second that the file was deleted or replaced. The journal refuses
/// everything by then.
async fn watch_name(file: Arc<Sqlite>) {
    let mut every = tokio::time::interval(std::time::Duration::from_secs(1));
    let mut was_well = true;
    loop {
        every.tick().await;
        let named = file.check_name();
        match &named {
            Err(fault) if was_well => error!(%fault, "the journal stores nothing now"),
            Ok(()) if !was_well => info!("the data file is back under its name"),
            Ok(()) | Err(_) => {}
        }
        was_well = named.is_ok();
    }
}
