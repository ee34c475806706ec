//! Which node owns a table: this one, if the server is alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cluster::{BeatState, Cluster, Nodes, TakeoverEnd};
use journal::{Fault, Key};
use table::Entry;
use tracing::info;
use wire::Code;

use crate::gossip::{self, Gossip};
use crate::tables::LoadError;

/// Which node owns a table.
pub(crate) enum Owners {
    /// One server has all tables.
    Alone,
    /// The nodes of a cluster share them.
    Shared(SharedOwners),
}

/// The tables of a cluster, as one node takes them and lets go of them.
pub(crate) struct SharedOwners {
    cluster: Arc<Cluster>,
    nodes: Arc<Nodes>,
    /// Whether this node hands its tables over, and takes none.
    is_leaving: AtomicBool,
}

/// The right to play at a table, if there are other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tenure(Option<Term>);

/// With which epoch this node owns a table, and how many lines it had then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    epoch: u64,
    lines: u64,
}

impl Tenure {
    /// Whether a table that was read just now, and has this number of lines, is still this node's.
    pub(crate) fn holds_with(self, lines: usize) -> bool {
        self.0.is_none_or(|term| term.lines == lines as u64)
    }
}

impl Owners {
    pub(crate) fn shared(cluster: Arc<Cluster>, nodes: Arc<Nodes>) -> Self {
        Self::Shared(SharedOwners { cluster, nodes, is_leaving: AtomicBool::new(false) })
    }

    /// Takes a table that no node has that is there. It may be read then.
    pub(crate) async fn take(&self, code: Code, key: &Key) -> Result<Tenure, LoadError> {
        let Self::Shared(SharedOwners { cluster, nodes, is_leaving }) = self else {
            return Ok(Tenure(None));
        };
        if is_leaving.load(Ordering::Relaxed) || nodes.is_cut_off() {
            return Err(LoadError::Contested);
        }
        let line = |epoch| {
            let node = nodes.me().to_string();
            let line = Entry::Takeover { epoch, node }.line();
            line.map_err(|refused| Fault::Disk(refused.text.into_owned()))
        };
        match cluster.take_over(nodes, key, line).await? {
            TakeoverEnd::Mine { epoch, lines } => {
                info!(table = %code, epoch, lines, "this node owns the table");
                Ok(Tenure(Some(Term { epoch, lines })))
            }
            TakeoverEnd::Elsewhere(node) => Err(LoadError::Elsewhere(node)),
            TakeoverEnd::NoTable => Err(LoadError::Unknown(code)),
            TakeoverEnd::Contested => Err(LoadError::Contested),
        }
    }

    /// Has the other nodes learn that this one owns a table that it has just opened.
    pub(crate) async fn own_new(&self, key: &Key) -> Tenure {
        match self {
            Self::Alone => Tenure(None),
            Self::Shared(SharedOwners { cluster, nodes, .. }) => {
                cluster.own_new(nodes, key).await;
                Tenure(Some(Term { epoch: 1, lines: 1 }))
            }
        }
    }

    /// Lets go of a table that sleeps. A node that leaves names another one to have it.
    pub(crate) async fn release(&self, key: &Key, Tenure(term): Tenure) {
        if let (Self::Shared(owners), Some(Term { epoch, .. })) = (self, term) {
            let SharedOwners { cluster, nodes, is_leaving } = owners;
            let leaves = is_leaving.load(Ordering::Relaxed);
            let to = if leaves { nodes.place_of(key.as_str(), false) } else { None };
            cluster.release(nodes, key, epoch, to).await;
        }
    }

    /// This node takes no more tables, and those that it lets go of belong to others.
    pub(crate) fn leave(&self) {
        if let Self::Shared(owners) = self {
            owners.is_leaving.store(true, Ordering::Relaxed);
            owners.nodes.say(BeatState::Leaving);
        }
    }

    /// Whether this node is cut off from the others and from what is stored.
    pub(crate) fn is_cut_off(&self) -> bool {
        match self {
            Self::Alone => false,
            Self::Shared(owners) => owners.nodes.is_cut_off(),
        }
    }

    /// Tells the other nodes something, if there are any.
    pub(crate) fn tell(&self, gossip: &Gossip) {
        if let Self::Shared(owners) = self {
            gossip::tell(&owners.nodes, gossip);
        }
    }
}
