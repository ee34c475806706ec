//! Why a node cannot join a cluster. Each text says what to do.

use journal::{Fault, OpenError as IndexError};

/// The oldest brokers that are accepted: older ones check an append's expected sequence before it is
/// agreed on, so that two owners can both succeed.
pub(crate) const VERSION_LEAST: (u64, u64) = (2, 14);

/// Why a node cannot join a cluster.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// An address is not written as one.
    #[error("{0} is no address of a broker: write it as nats://host:4222")]
    Address(String),
    /// The file with credentials cannot be used.
    #[error("the credentials in {path} cannot be used ({error}): give the file that nsc made")]
    CredentialsFile {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: String,
    },
    /// The brokers do not let this node in.
    #[error(
        "the brokers refuse this node's credentials: name a user and password in the address, as in \
         nats://user:password@host:4222, or the right file with credentials (--cluster-credentials)"
    )]
    Credentials,
    /// No broker can be reached.
    #[error("no broker of {brokers} answers ({error}): start them, or correct the addresses")]
    Unreachable {
        /// Their addresses.
        brokers: String,
        /// What the last one said.
        error: String,
    },
    /// A broker is too old.
    #[error(
        "broker {broker} has version {found}, and this program needs {}.{} or newer: update all \
         brokers first", VERSION_LEAST.0, VERSION_LEAST.1
    )]
    Old {
        /// The broker's name.
        broker: String,
        /// Its version.
        found: String,
    },
    /// The brokers store nothing.
    #[error(
        "the brokers have JetStream turned off for this node ({0}): turn it on in their \
         configuration and for this account"
    )]
    NoStorage(String),
    /// There are fewer than three brokers.
    #[error(
        "the streams of this cluster cannot have three replicas ({0}): connect at least three \
         brokers to one cluster"
    )]
    TooFewBrokers(String),
    /// A broker that acknowledges before it has synced.
    #[error(
        "broker {broker} does not sync every append: set `sync_interval: always` in its jetstream \
         block, or lines that were acknowledged can be lost"
    )]
    LazySync {
        /// The broker's name.
        broker: String,
    },
    /// It is not known whether a broker syncs.
    #[error(
        "whether broker {broker} syncs every append is not known ({error}): name the monitoring \
         addresses of all brokers (--cluster-monitoring), or vouch for them (--cluster-trust-sync)"
    )]
    UnknownSync {
        /// The broker's name, or its monitoring address.
        broker: String,
        /// Why it is not known.
        error: String,
    },
    /// The streams of this name are not those that this program makes.
    #[error(
        "stream {stream} exists and is no stream of this cluster ({difference}): choose another \
         name for the cluster, or put the stream's settings right"
    )]
    OtherStream {
        /// The stream.
        stream: String,
        /// What differs.
        difference: String,
    },
    /// There is no cluster to look into.
    #[error(
        "there is no cluster with the name {name} at these brokers: correct its name or the \
         addresses, or start a node, which makes it"
    )]
    NoCluster {
        /// The name.
        name: String,
    },
    /// A copy into the cluster was begun and not finished.
    #[error(
        "a copy into the cluster {name} was begun and not finished: give `unspoken journal copy \
         into-cluster` again, which goes on with it, or choose another name for the cluster"
    )]
    HalfCopied {
        /// The name.
        name: String,
    },
    /// The node's index was made from another cluster that has the same name.
    #[error(
        "{index} was made from another cluster with the name {name}: two clusters cannot have one \
         name on the same brokers. Give this node its own cluster's brokers or name, or another \
         index file"
    )]
    OtherCluster {
        /// The node's index.
        index: String,
        /// The name.
        name: String,
    },
    /// Nodes serve the cluster while something needs it alone.
    #[error("nodes serve the cluster {name}: stop them all, and give the command again")]
    Served {
        /// The name.
        name: String,
    },
    /// The bucket does not answer.
    #[error("the people of the cluster: {0}")]
    Bucket(Fault),
    /// A number that cannot be.
    #[error("a cluster has 1 to {} streams, not {number}", crate::options::STREAMS_MOST)]
    Streams {
        /// What was asked for.
        number: u16,
    },
    /// The index cannot be opened.
    #[error("the node's index of the cluster cannot be opened")]
    Index(#[from] IndexError),
    /// The index cannot be read or written.
    #[error("the node's index of the cluster cannot be used")]
    IndexFault(#[from] Fault),
    /// The brokers answered something else.
    #[error("the brokers do not do what they are asked ({0}): look at their logs")]
    Brokers(String),
}
