//! What a node of a cluster does beside serving: it hears the others, and acts when one has gone or
//! when it is cut off itself.

use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use cluster::{BeatState, Cluster, Heard, Nodes, Said};
use tokio::task::AbortHandle;
use tracing::{error, info};
use wire::CloseReason;

use crate::App;
use crate::gossip;
use crate::limits::lock;
use crate::relay::Relays;

/// A node of a cluster.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) cluster: Arc<Cluster>,
    pub(crate) nodes: Arc<Nodes>,
    /// What the other nodes say, until it is listened to.
    heard: Arc<Mutex<Option<Heard>>>,
}

impl Node {
    pub(crate) fn new(cluster: Arc<Cluster>, nodes: Nodes, heard: Heard) -> Self {
        Self { cluster, nodes: Arc::new(nodes), heard: Arc::new(Mutex::new(Some(heard))) }
    }

    /// Listens to the other nodes until the connection to the brokers is closed.
    pub(crate) async fn listen(self, app: Arc<App>) -> Result<()> {
        let mut heard = lock(&self.heard).take().context("a node is listened to once")?;
        let mut situation = self.nodes.situation();
        let _telling = AbortOnDrop(
            tokio::spawn(gossip::tell_regularly(app.clone(), self.nodes.clone())).abort_handle(),
        );
        let (mut was_cut_off, mut breaks) = (false, 0);
        let relays = app.relays().context("a node relays sockets")?;
        loop {
            tokio::select! {
                biased;
                changed = situation.changed() => {
                    changed.context("the node has ended")?;
                    let now = situation.borrow_and_update().clone();
                    let is_cut_off = now.is_cut_off;
                    app.share_rates(now.serving.len());
                    if !was_cut_off && (is_cut_off || now.breaks > breaks) {
                        cut_off(&app);
                        relays.look(true);
                    }
                    breaks = now.breaks;
                    if was_cut_off && !is_cut_off {
                        info!("the brokers are back: this node serves again");
                    }
                    relays.look(is_cut_off);
                    was_cut_off = is_cut_off;
                }
                message = heard.next() => match message {
                    Some(Said::ToMe(message)) => relays.take(&app, &message),
                    Some(Said::ToAll { from, message }) => gossip::take(&app, from, &message),
                    None => return Ok(()),
                },
            }
        }
    }

    /// Tells the others that this node has gone.
    pub(crate) fn say_gone(&self) {
        self.nodes.say(BeatState::Gone);
    }
}

/// Ends a task when this is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Another node may have this one's tables by now, so nothing more is played here: people are told,
/// and tables are taken again when they come back.
fn cut_off(app: &Arc<App>) {
    error!("this node is cut off from the brokers: its people are sent away until they are back");
    app.people.close_now(CloseReason::Restarting);
    app.directory.abandon();
}

impl App {
    /// The sockets that are relayed, in a cluster.
    pub(crate) fn relays(&self) -> Option<Arc<Relays>> {
        self.relays.clone()
    }
}
