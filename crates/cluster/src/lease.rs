//! The lease: one node of a cluster serves its tables at a time.
//!
//! It is a key of the bucket that the brokers remove some seconds after the node that holds it has
//! renewed it for the last time. It only keeps nodes from taking tables from each other without
//! need: should two hold it, each append still names the message that it follows, and of two appends
//! to a table one is refused.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use tracing::{error, info, warn};

use crate::OpenError;
use crate::bucket::{Bucket, Held};
use crate::bundle::BundleId;
use crate::stream::{Sent, Silent};

const KEY: &str = "lease";
/// How long the lease lasts without being renewed. The brokers count whole seconds.
const LASTS: Duration = Duration::from_secs(5);
/// How often it is renewed.
const RENEW: Duration = Duration::from_secs(1);
/// How often a node that waits for it looks.
const LOOK: Duration = Duration::from_millis(200);
/// How long a node waits for a lease that is not renewed: the brokers remove it before.
const WAIT: Duration = Duration::from_secs(15);

/// Who holds the lease, as its key holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaseValue {
    /// Drawn when the node joined.
    id: BundleId,
    /// Its process and machine, for operators.
    node: String,
}

/// The lease, held by this node.
pub(crate) struct Lease {
    bucket: Arc<Bucket>,
    value: Bytes,
    revision: u64,
    lost: watch::Sender<bool>,
}

impl Lease {
    /// Takes the lease. Fails if another node holds it and renews it.
    pub(crate) async fn take(bucket: Arc<Bucket>, node: String) -> Result<Self, OpenError> {
        let id = BundleId::draw()?;
        let value = serde_json::to_vec(&LeaseValue { id, node });
        let value = Bytes::from(value.map_err(|error| OpenError::Brokers(error.to_string()))?);
        let (lost, _) = watch::channel(false);
        let mut lease = Self { bucket, value, revision: 0, lost };
        let (started, mut other) = (Instant::now(), None);
        loop {
            match lease.bucket.look(KEY).await {
                Ok(held) => match vacancy(&held, &lease.value, &mut other) {
                    Vacancy::Free => {
                        if lease.try_hold(held.revision).await {
                            return Ok(lease);
                        }
                    }
                    Vacancy::Mine => {
                        lease.revision = held.revision;
                        return Ok(lease);
                    }
                    Vacancy::Taken => return Err(served(&held)),
                    Vacancy::Unclear if started.elapsed() >= WAIT => return Err(served(&held)),
                    Vacancy::Unclear => {}
                },
                Err(Silent(error)) if started.elapsed() >= WAIT => {
                    return Err(OpenError::Brokers(error));
                }
                Err(_) => {}
            }
            sleep(LOOK).await;
        }
    }

    /// Is true once another node has taken the lease.
    pub(crate) fn lost(&self) -> watch::Receiver<bool> {
        self.lost.subscribe()
    }

    /// Renews the lease until it is lost or this is dropped.
    pub(crate) async fn keep(mut self) {
        let mut ticks = interval(RENEW);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if self.try_hold(self.revision).await {
                continue;
            }
            // Without an answer it may be renewed, or have ended.
            let Ok(held) = self.bucket.look(KEY).await else {
                warn!("the brokers do not answer: the lease of this node is not renewed");
                continue;
            };
            match vacancy(&held, &self.value, &mut None) {
                Vacancy::Free | Vacancy::Mine => self.revision = held.revision,
                Vacancy::Taken | Vacancy::Unclear => {
                    error!(by = node_of(&held), "another node has taken over this cluster");
                    self.lost.send_replace(true);
                    return;
                }
            }
        }
    }

    /// Takes or renews the lease, if nothing has happened since this revision.
    async fn try_hold(&mut self, follows: u64) -> bool {
        let sent = self.bucket.send(KEY, self.value.clone(), Some(follows), Some(LASTS)).await;
        match sent {
            Sent::Stored(revision) => {
                self.revision = revision;
                true
            }
            Sent::Refused | Sent::Nothing => false,
        }
    }
}

/// Ends the lease of this node, so that another one need not wait. Does nothing if another node
/// holds it.
pub(crate) async fn end(bucket: &Bucket, value: &Bytes) {
    let ended = bucket.look(KEY).await;
    let Ok(held) = ended else { return };
    if held.value.as_ref() == Some(value) {
        let sent = bucket.send(KEY, Bytes::new(), Some(held.revision), Some(LASTS)).await;
        info!(ended = matches!(sent, Sent::Stored(_)), "the lease of this node");
    }
}

impl Lease {
    /// What [`end`] needs.
    pub(crate) fn value(&self) -> Bytes {
        self.value.clone()
    }
}

/// Whether the lease can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vacancy {
    Free,
    /// This node holds it already.
    Mine,
    /// Another node holds it, and renews it.
    Taken,
    /// Another node holds it, and may be gone.
    Unclear,
}

/// Reads the lease. `other` is the revision at which another node was seen to hold it.
fn vacancy(held: &Held, mine: &Bytes, other: &mut Option<u64>) -> Vacancy {
    match &held.value {
        None => Vacancy::Free,
        Some(value) if value == mine => Vacancy::Mine,
        Some(_) if other.is_some_and(|before| before != held.revision) => Vacancy::Taken,
        Some(_) => {
            *other = Some(held.revision);
            Vacancy::Unclear
        }
    }
}

fn served(held: &Held) -> OpenError {
    OpenError::Served { node: node_of(held) }
}

/// The node that holds the lease, for operators.
fn node_of(held: &Held) -> String {
    let value = held.value.as_ref();
    let value = value.and_then(|value| serde_json::from_slice::<LeaseValue>(value).ok());
    value.map_or_else(|| "unknown".to_owned(), |value| value.node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_taken_only_from_a_node_that_does_not_renew_it() {
        let held = |value: Option<&'static str>, revision| Held {
            value: value.map(|value| Bytes::from_static(value.as_bytes())),
            revision,
        };
        let mine = Bytes::from_static(b"mine");
        let mut other = None;
        let mut at = |value, revision| vacancy(&held(value, revision), &mine, &mut other);
        assert_eq!(at(Some("other"), 3), Vacancy::Unclear);
        assert_eq!(at(Some("other"), 3), Vacancy::Unclear);
        assert_eq!(at(None, 3), Vacancy::Free);
        assert_eq!(at(Some("mine"), 4), Vacancy::Mine);
        assert_eq!(at(Some("other"), 5), Vacancy::Taken, "it was renewed");
    }
}
