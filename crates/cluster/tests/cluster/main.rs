//! The journal of a cluster over real brokers, and with real faults.

mod brokers;
mod copies;
mod cut;
mod damage;
mod dist;
mod faults;
mod full_disk;
mod log;
mod owners;
mod people;
mod refusals;
mod replicas;

use std::path::Path;
use std::time::Duration;

use cluster::{Cluster, Options};
use journal::{AppendError, Journal, Key};

use crate::brokers::{Brokers, SYNCING};

/// How many streams the tests have: more only take longer to make.
const STREAMS: u16 = 2;

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

/// The options of a node of this cluster with its index in this folder.
fn options(brokers: &Brokers, name: &str, folder: &Path) -> Options {
    let mut options =
        Options::new(brokers.addresses(), name.parse().unwrap(), folder.join("index.db"));
    options.sync = cluster::SyncCheck::Ask(brokers.monitors());
    options.streams = STREAMS;
    // Three brokers on a busy machine sync slowly.
    options.patience = Duration::from_secs(30);
    options
}

/// A node of the cluster.
async fn join(brokers: &Brokers, name: &str, folder: &Path) -> Cluster {
    Cluster::join(options(brokers, name, folder)).await.unwrap()
}

/// Appends one line.
async fn append(node: &Cluster, table: &str, after: u64, line: &str) -> Result<(), AppendError> {
    node.append(&key(table), after, vec![line.into()], None).await
}

/// Everything that a table has.
async fn lines(node: &Cluster, table: &str) -> Vec<String> {
    node.read(&key(table), 0).await.unwrap().into_iter().map(String::from).collect()
}

/// Three brokers need some seconds until they are a cluster, so several checks share them. Each has
/// a cluster of its own name, which also shows that those do not meet.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_is_a_journal() {
    let mut brokers = Brokers::start(SYNCING);
    log::check(&brokers).await;
    people::check(&brokers).await;
    copies::check(&brokers).await;
    owners::check(&brokers).await;
    damage::check(&brokers).await;
    refusals::check(&brokers).await;
    faults::check_without_majority(&mut brokers).await;
    damage::check_flipped_bits(&mut brokers).await;
}
