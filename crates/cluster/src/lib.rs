//! What a server stores when it has outgrown one machine: NATS JetStream behind the interfaces of
//! the crate `journal`.
//!
//! ```no_run
//! use cluster::{Cluster, Options};
//! use journal::{Journal, Key};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let brokers = ["nats://a:4222", "nats://b:4222", "nats://c:4222"].map(String::from).to_vec();
//! let options = Options::new(brokers, "unspoken".parse()?, "index.db".into());
//! let cluster = Cluster::join(options).await?;
//!
//! let table: Key = "k3f9pa".parse()?;
//! cluster.append(&table, 0, vec!["opened".into(), "dealt".into()], None).await?;
//! assert_eq!(cluster.read(&table, 1).await?, ["dealt".into()]);
//! cluster.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! The lines of one append are one message, a bundle, in one of a few streams; a table has
//! a subject of its own there. A message names the hash of the one before it, and an append names the
//! place of the last message that it knows: the brokers store it only behind that one. Three brokers
//! have each message on their disks, and two of them before it is acknowledged. People, their devices
//! and invitations, and what is stored for operators are values of a bucket, changed by
//! compare-and-swap. What lists and the catalogue need is in an index of each node's own.
//!
//! [`Archive`] is the same for tools, without an index and without a right to serve: with it,
//! [`copy_into`] copies everything from a file into a cluster, and [`transfer()`] back.
//!
//! What decides is pure and tested without brokers: an append from its request to its end
//! (`attempt.rs`), the chain of messages (`tail.rs`, `bundle.rs`), the changes of a person
//! (`person_record.rs`), which nodes are there (`members.rs`), how a table is taken over
//! (`takeover.rs`), and which settings are accepted (`joining.rs`, `monitoring.rs`). `docs/cluster.md` is the page for operators.

mod administration;
mod archive;
mod attempt;
mod bucket;
mod bundle;
mod cluster;
mod copied;
mod copy_mark;
mod digest;
mod error;
mod hex;
mod index;
mod joining;
mod lanes;
mod line_stream;
mod members;
mod monitoring;
mod name;
mod nodes;
mod operations;
mod options;
mod owners;
mod people;
mod person_record;
mod stream;
mod tail;
mod tails;
mod takeover;
mod transfer;
mod wait;

pub use archive::Archive;
pub use cluster::Cluster;
pub use copied::{AdministrationCount, Copied, PeopleCount, Progress, Step, TableCount};
pub use error::OpenError;
pub use members::{BEAT_EVERY, BeatState, Members, NodeId, NodeIdError, SILENT_AFTER, Standing};
pub use name::{ClusterName, ClusterNameError};
pub use nodes::{Heard, Nodes, Said, Situation};
pub use options::{Options, QUEUE_MOST, STREAMS, STREAMS_MOST, SyncCheck};
pub use takeover::{Hint, Takeover, TakeoverEnd, TakeoverNews, TakeoverStep};
pub use transfer::{TransferError, copy_into, transfer};
