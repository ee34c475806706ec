//! What stores everything: one file, or the brokers of a cluster.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use cluster::{Cluster, ClusterName, STREAMS, SyncCheck};
use journal::{Block, Catalogue, Devices, Invitations, Journal, Operations, People, Sqlite};
use tokio::task::spawn_blocking;
use tracing::{error, info};

use crate::Options;
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
    /// The brokers of a cluster, as in nats://a:4222,b:4222,c:4222; --data is then this node's index
    #[arg(
        long = "cluster",
        env = "UNSPOKEN_CLUSTER",
        value_delimiter = ',',
        value_name = "BROKERS"
    )]
    #[arg(id = "cluster", hide_env_values = true)]
    pub brokers: Vec<String>,
    /// The name of the cluster: those with other names share the brokers without meeting
    #[arg(long = "cluster-name", env = "UNSPOKEN_CLUSTER_NAME", default_value = "unspoken")]
    #[arg(id = "cluster_name")]
    pub name: ClusterName,
    /// A file with the credentials of this node at the brokers (.creds)
    #[arg(long = "cluster-credentials", env = "UNSPOKEN_CLUSTER_CREDENTIALS", value_name = "FILE")]
    #[arg(id = "cluster_credentials")]
    pub credentials: Option<PathBuf>,
    /// The addresses at which all brokers are monitored, with commas between them; port 8222 of each if none is given
    #[arg(long = "cluster-monitoring", env = "UNSPOKEN_CLUSTER_MONITORING", value_delimiter = ',')]
    #[arg(id = "cluster_monitoring", value_name = "ADDRESSES")]
    pub monitoring: Vec<String>,
    /// Whether you vouch for it that all brokers sync every append, so that they are not asked
    #[arg(long = "cluster-trust-sync", env = "UNSPOKEN_CLUSTER_TRUST_SYNC")]
    #[arg(id = "cluster_trust_sync", num_args = 0..=1, default_missing_value = "true")]
    #[arg(default_value_t = false, action = clap::ArgAction::Set, require_equals = true)]
    pub trust_sync: bool,
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
        if options.brokers.is_empty() {
            return Self::open_file(data);
        }
        let mut joining =
            cluster::Options::new(options.brokers.clone(), options.name.clone(), data);
        joining.credentials.clone_from(&options.credentials);
        joining.streams = options.streams;
        joining.sync = if options.trust_sync {
            SyncCheck::Trust
        } else {
            SyncCheck::Ask(options.monitoring.clone())
        };
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
