//! What can be set when a node joins a cluster.

use std::path::PathBuf;
use std::time::Duration;

use crate::ClusterName;

/// How many streams a new cluster gets.
pub const STREAMS: u16 = 16;

/// The most streams that a cluster can have.
pub const STREAMS_MOST: u16 = 64;

/// How many appends can wait or be on their way.
pub const QUEUE_MOST: usize = 16_384;

/// How a node joins a cluster.
#[derive(Clone, Debug)]
pub struct Options {
    /// The brokers, as in `nats://a:4222`; the others of their cluster are found by themselves. A
    /// user and a password, or a token in place of the user, can stand before the host.
    pub brokers: Vec<String>,
    /// A file with credentials (`.creds`).
    pub credentials: Option<PathBuf>,
    /// The name of the cluster.
    pub name: ClusterName,
    /// How many streams a new cluster gets. One that exists keeps what it has.
    pub streams: u16,
    /// Whether the brokers sync every append before they answer, and how that is known.
    pub sync: SyncCheck,
    /// This node's own file of what the streams say, for lists. It is made again if it is missing.
    pub index: PathBuf,
    /// How long a broker may take for one answer. Then the append is looked for.
    pub answer: Duration,
    /// How long an append or a question may take in all. The brokers need up to ten seconds to
    /// choose another leader.
    pub patience: Duration,
}

impl Options {
    /// The usual options.
    pub fn new(brokers: Vec<String>, name: ClusterName, index: PathBuf) -> Self {
        Self {
            brokers,
            credentials: None,
            name,
            streams: STREAMS,
            sync: SyncCheck::Ask(Vec::new()),
            index,
            answer: Duration::from_secs(2),
            patience: Duration::from_secs(15),
        }
    }
}

/// How a node knows that the brokers sync every append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncCheck {
    /// By asking the monitoring addresses of all brokers, as in `http://a:8222`. An empty list
    /// stands for port 8222 of the hosts in [`Options::brokers`].
    Ask(Vec<String>),
    /// The operator vouches for it. A broker that does not sync loses acknowledged lines when most
    /// brokers lose power together.
    Trust,
}
