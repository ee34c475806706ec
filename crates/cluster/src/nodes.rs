//! What nodes say to each other over the brokers, beside what is stored: beats, and messages of one
//! node to another or to all. Nothing of it is stored, and each message arrives once or not at all.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{info, warn};

use crate::members::{BEAT_EVERY, BeatState, Members, NodeId, Standing};
use crate::{ClusterName, OpenError};

/// How many messages wait for the connection to the brokers.
const SENDING_MOST: usize = 8_192;
/// How often it is looked whether a node has gone.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A beat as it is sent.
#[derive(Serialize, Deserialize)]
struct Beat {
    node: NodeId,
    state: BeatState,
}

/// This node among the others of its cluster.
pub struct Nodes {
    shared: Arc<Shared>,
    sending: mpsc::Sender<(String, Bytes)>,
    tasks: Vec<JoinHandle<()>>,
}

struct Shared {
    me: NodeId,
    started: Instant,
    /// What the subjects of all nodes begin with. Only nodes may use it: what comes by it is
    /// believed.
    prefix: String,
    members: Mutex<Members>,
    state: watch::Sender<BeatState>,
    situation: watch::Sender<Situation>,
}

/// Which nodes there are, as far as others have to act on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Whether the brokers do not reach this node.
    pub is_cut_off: bool,
    /// How often this node was cut off and came back, also if it was frozen.
    pub breaks: u64,
    /// The nodes that serve, this one among them.
    pub serving: Vec<NodeId>,
}

/// What other nodes say to this one.
pub struct Heard {
    to_me: Subscriber,
    to_all: Subscriber,
    me: NodeId,
}

/// The subject of the beats of a cluster's nodes.
pub(crate) fn beats_of(name: &ClusterName) -> String {
    format!("{name}.nodes.beat")
}

impl Nodes {
    /// Begins to send beats, and to listen to those of the others.
    pub(crate) async fn join(
        client: Client,
        name: &ClusterName,
    ) -> Result<(Self, Heard), OpenError> {
        let me = NodeId::draw().map_err(|error| OpenError::Brokers(error.to_string()))?;
        let prefix = format!("{name}.nodes");
        let failed =
            |error: &dyn std::fmt::Display| OpenError::Brokers(format!("{prefix}: {error}"));
        let subscribe =
            async |subject: String| client.subscribe(subject).await.map_err(|error| failed(&error));
        let beats = subscribe(beats_of(name)).await?;
        let to_me = subscribe(format!("{prefix}.to.{me}")).await?;
        let to_all = subscribe(format!("{prefix}.all")).await?;
        let shared = Arc::new(Shared {
            me,
            started: Instant::now(),
            prefix,
            members: Mutex::new(Members::new(me, Duration::ZERO)),
            state: watch::channel(BeatState::Serving).0,
            situation: watch::channel(Situation::default()).0,
        });
        let (sending, waiting) = mpsc::channel(SENDING_MOST);
        let tasks = vec![
            tokio::spawn(send(client.clone(), waiting)),
            tokio::spawn(beat(shared.clone(), client)),
            tokio::spawn(listen(shared.clone(), beats)),
            tokio::spawn(look(shared.clone())),
        ];
        info!(node = %me, "this node of the cluster");
        Ok((Self { shared, sending, tasks }, Heard { to_me, to_all, me }))
    }

    /// This node.
    pub fn me(&self) -> NodeId {
        self.shared.me
    }

    /// How it stands with a node.
    pub fn standing(&self, node: NodeId) -> Standing {
        self.shared.members().standing(node, self.shared.now())
    }

    /// The nodes that serve, this one among them.
    pub fn serving(&self) -> Vec<NodeId> {
        self.shared.members().serving(self.shared.now())
    }

    /// Where something with this name belongs that has no owner; without `with_me` another node
    /// than this one.
    pub fn place_of(&self, name: &str, with_me: bool) -> Option<NodeId> {
        self.shared.members().place_of(name, with_me, self.shared.now())
    }

    /// Whether the brokers do not reach this node.
    pub fn is_cut_off(&self) -> bool {
        self.shared.members().is_cut_off(self.shared.now())
    }

    /// Which nodes there are, each time that it changes.
    pub fn situation(&self) -> watch::Receiver<Situation> {
        self.shared.situation.subscribe()
    }

    /// Sends a message to a node. False if too many wait already; then it is dropped.
    pub fn send(&self, to: NodeId, message: Bytes) -> bool {
        let subject = format!("{}.to.{to}", self.shared.prefix);
        self.sending.try_send((subject, message)).is_ok()
    }

    /// Sends a message to all other nodes, in the same way.
    pub fn send_all(&self, message: &[u8]) -> bool {
        let subject = format!("{}.all", self.shared.prefix);
        let message = [self.shared.me.bytes(), message].concat();
        self.sending.try_send((subject, message.into())).is_ok()
    }

    /// Says from now on that this node hands its tables over, or that it has gone.
    pub fn say(&self, state: BeatState) {
        self.shared.state.send_replace(state);
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// What another node says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// To this node alone.
    ToMe(Bytes),
    /// To all nodes.
    ToAll {
        /// Which node says it.
        from: NodeId,
        /// What it says.
        message: Bytes,
    },
}

impl Heard {
    /// The next message; `None` once the connection is closed.
    pub async fn next(&mut self) -> Option<Said> {
        loop {
            tokio::select! {
                biased;
                message = self.to_me.next() => return Some(Said::ToMe(message?.payload)),
                message = self.to_all.next() => {
                    let payload = message?.payload;
                    // One's own messages come back.
                    if let Some((from, _)) = payload.split_first_chunk::<16>()
                        && from != self.me.bytes()
                    {
                        let from = NodeId::new(*from);
                        return Some(Said::ToAll { from, message: payload.slice(16..) });
                    }
                }
            }
        }
    }
}

impl Shared {
    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn send(client: Client, mut waiting: mpsc::Receiver<(String, Bytes)>) {
    while let Some((subject, message)) = waiting.recv().await {
        if let Err(error) = client.publish(subject, message).await {
            warn!(%error, "a message to another node could not be sent");
        }
    }
}

async fn beat(shared: Arc<Shared>, client: Client) {
    let subject = format!("{}.beat", shared.prefix);
    let mut ticks = interval(BEAT_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut state = shared.state.subscribe();
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            changed = state.changed() => if changed.is_err() { return },
        }
        let beat = Beat { node: shared.me, state: *state.borrow_and_update() };
        if let Ok(message) = serde_json::to_vec(&beat) {
            // Beats that wait while the connection is cut would say nothing about now.
            let sent = client.publish(subject.clone(), message.into());
            let _late = tokio::time::timeout(BEAT_EVERY, sent).await;
        }
    }
}

async fn listen(shared: Arc<Shared>, mut beats: Subscriber) {
    while let Some(message) = beats.next().await {
        match serde_json::from_slice::<Beat>(&message.payload) {
            Ok(Beat { node, state }) => shared.members().hear(node, state, shared.now()),
            Err(error) => warn!(%error, "a beat cannot be read: all nodes need the same version"),
        }
    }
}

/// Tells the rest of the program which nodes there are, each time that it changes.
async fn look(shared: Arc<Shared>) {
    let mut ticks = interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = shared.now();
        let members = shared.members();
        let is_cut_off = members.is_cut_off(now);
        let (breaks, serving) = (members.breaks(), members.serving(now));
        drop(members);
        let news = Situation { is_cut_off, breaks, serving };
        shared.situation.send_if_modified(|situation| {
            let is_news = *situation != news;
            if is_news {
                if situation.is_cut_off != is_cut_off {
                    warn!(is_cut_off, "the brokers and this node");
                }
                *situation = news;
            }
            is_news
        });
    }
}
