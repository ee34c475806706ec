//! Which nodes of a cluster are there, as one node hears of them. A pure machine: it is handed the
//! beats that arrive and the time.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::hex::{hex, unhex};

/// How often a node says that it is there.
pub const BEAT_EVERY: Duration = Duration::from_millis(500);
/// After this time without a beat a node counts as gone, and its tables may be taken over.
pub const SILENT_AFTER: Duration = Duration::from_secs(2);

/// A node of a cluster: drawn each time that a program joins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct NodeId([u8; 16]);

impl NodeId {
    /// A new node.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// A node by its bytes.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "NodeId({self})")
    }
}

impl FromStr for NodeId {
    type Err = NodeIdError;

    fn from_str(text: &str) -> Result<Self, NodeIdError> {
        unhex(text).map(Self).ok_or(NodeIdError)
    }
}

impl From<NodeId> for String {
    fn from(id: NodeId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for NodeId {
    type Error = NodeIdError;

    fn try_from(text: String) -> Result<Self, NodeIdError> {
        text.parse()
    }
}

/// What is returned for a text that names no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a node's id has 32 hexadecimal digits")]
pub struct NodeIdError;

/// What a node says with each beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeatState {
    /// It serves.
    Serving,
    /// It hands its tables over, and takes none.
    Leaving,
    /// It has ended in good order.
    Gone,
}

/// How it stands with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It serves its tables.
    Serving,
    /// It hands its tables over: each is free in a moment.
    Leaving,
    /// Its tables may be taken over.
    Gone,
}

/// The nodes that one node has heard of. Times are those of one monotonic clock.
#[derive(Clone, Debug)]
pub struct Members {
    me: NodeId,
    /// Since when this node hears of the others without a break.
    since: Duration,
    /// How often it was cut off.
    breaks: u64,
    heard: BTreeMap<NodeId, (Duration, BeatState)>,
}

impl Members {
    /// A node that begins to listen.
    pub fn new(me: NodeId, now: Duration) -> Self {
        let heard = BTreeMap::from([(me, (now, BeatState::Serving))]);
        Self { me, since: now, breaks: 0, heard }
    }

    /// This node.
    pub fn me(&self) -> NodeId {
        self.me
    }

    /// Takes a beat in; this node hears its own ones, too.
    pub fn hear(&mut self, node: NodeId, state: BeatState, now: Duration) {
        if node == self.me && self.is_cut_off(now) {
            // The silence was this node's own: it says nothing about the others.
            self.since = now;
            self.breaks += 1;
        }
        self.heard.insert(node, (now, state));
        self.heard.retain(|_, (at, _)| now.saturating_sub(*at) < SILENT_AFTER * 30);
    }

    /// Whether this node does not hear itself, so the brokers do not reach it.
    pub fn is_cut_off(&self, now: Duration) -> bool {
        self.heard.get(&self.me).is_none_or(|(at, _)| now.saturating_sub(*at) >= SILENT_AFTER)
    }

    /// How often this node was cut off and came back. It may have lost its tables each time.
    pub fn breaks(&self) -> u64 {
        self.breaks
    }

    /// How it stands with a node. One that was not heard of counts as there until it would have
    /// been heard.
    pub fn standing(&self, node: NodeId, now: Duration) -> Standing {
        let (at, state) = match self.heard.get(&node) {
            Some((at, state)) => ((*at).max(self.since), *state),
            None => (self.since, BeatState::Serving),
        };
        match state {
            BeatState::Gone => Standing::Gone,
            _ if now.saturating_sub(at) >= SILENT_AFTER => Standing::Gone,
            BeatState::Leaving => Standing::Leaving,
            BeatState::Serving => Standing::Serving,
        }
    }

    /// The nodes that serve, this one among them.
    pub fn serving(&self, now: Duration) -> Vec<NodeId> {
        let all = self.heard.keys().copied();
        all.filter(|node| self.standing(*node, now) == Standing::Serving).collect()
    }

    /// The node that something with this name belongs to if it has no other owner: all nodes that
    /// hear of each other name the same one. Without `me`, another node than this one, if there is
    /// one.
    pub fn place_of(&self, name: &str, with_me: bool, now: Duration) -> Option<NodeId> {
        let weight = |node: &NodeId| {
            <[u8; 32]>::from(Sha256::new_with_prefix(node.0).chain_update(name).finalize())
        };
        let nodes = self.serving(now).into_iter();
        nodes.filter(|node| with_me || *node != self.me).max_by_key(weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: NodeId = NodeId([1; 16]);
    const OTHER: NodeId = NodeId([2; 16]);

    const fn at(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn ids_read_back_as_they_were_written() {
        let id = NodeId::draw().unwrap();
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("xy".parse::<NodeId>(), Err(NodeIdError));
    }

    #[test]
    fn a_silent_node_is_gone_after_two_seconds() {
        let mut members = Members::new(ME, at(0));
        members.hear(OTHER, BeatState::Serving, at(100));
        for ms in [500, 1_000, 1_500, 2_000] {
            members.hear(ME, BeatState::Serving, at(ms));
        }
        assert_eq!(members.standing(OTHER, at(2_099)), Standing::Serving);
        assert_eq!(members.standing(OTHER, at(2_100)), Standing::Gone);
        assert_eq!(members.serving(at(2_100)), [ME]);
        members.hear(OTHER, BeatState::Leaving, at(2_200));
        assert_eq!(members.standing(OTHER, at(2_300)), Standing::Leaving);
        members.hear(OTHER, BeatState::Gone, at(2_400));
        assert_eq!(members.standing(OTHER, at(2_400)), Standing::Gone);
    }

    #[test]
    fn a_node_that_was_not_heard_of_is_waited_for() {
        let members = Members::new(ME, at(5_000));
        assert_eq!(members.standing(OTHER, at(6_999)), Standing::Serving);
        assert_eq!(members.standing(OTHER, at(7_000)), Standing::Gone);
    }

    #[test]
    fn a_node_that_was_cut_off_takes_nothing_from_the_others() {
        let mut members = Members::new(ME, at(0));
        members.hear(OTHER, BeatState::Serving, at(500));
        assert!(members.is_cut_off(at(2_000)));
        members.hear(ME, BeatState::Serving, at(9_000));
        assert!(!members.is_cut_off(at(9_000)) && members.breaks() == 1);
        assert_eq!(members.standing(OTHER, at(10_900)), Standing::Serving);
        assert_eq!(members.standing(OTHER, at(11_000)), Standing::Gone);
    }

    #[test]
    fn all_nodes_name_the_same_place() {
        let mut one = Members::new(ME, at(0));
        let mut other = Members::new(OTHER, at(0));
        one.hear(OTHER, BeatState::Serving, at(0));
        other.hear(ME, BeatState::Serving, at(0));
        let mut mine = 0;
        for name in ["partners", "links", "k3f9pa", "a", "b", "c", "d", "e"] {
            let place = one.place_of(name, true, at(1));
            assert_eq!(place, other.place_of(name, true, at(1)));
            assert_eq!(one.place_of(name, false, at(1)), Some(OTHER));
            mine += usize::from(place == Some(ME));
        }
        assert!((1..8).contains(&mine));
        assert_eq!(one.place_of("a", false, at(2_000)), None);
    }
}
