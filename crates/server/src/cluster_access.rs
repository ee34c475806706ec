//! Where a cluster is, and how it lets a program in.

use std::path::PathBuf;

use clap::Args;
use cluster::{ClusterName, SyncCheck};

/// Where a cluster is, as options of a node and of the operator's tools.
#[derive(Clone, Debug, Args)]
pub struct ClusterAccess {
    /// The brokers of a cluster that stores everything, as in nats://a:4222,b:4222,c:4222; a node's --data is then its index
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
}

impl ClusterAccess {
    /// How a node with this index joins.
    pub(crate) fn options(&self, index: PathBuf) -> cluster::Options {
        let mut options = cluster::Options::new(self.brokers.clone(), self.name.clone(), index);
        options.credentials.clone_from(&self.credentials);
        options.sync = if self.trust_sync {
            SyncCheck::Trust
        } else {
            SyncCheck::Ask(self.monitoring.clone())
        };
        options
    }

    /// How a tool that stores nothing opens the cluster: it need not know whether brokers sync.
    pub(crate) fn reading(&self) -> cluster::Options {
        cluster::Options { sync: SyncCheck::Trust, ..self.options(PathBuf::new()) }
    }

    /// The same for a tool that stores something.
    pub(crate) fn writing(&self) -> cluster::Options {
        self.options(PathBuf::new())
    }
}
