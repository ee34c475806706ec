//! What nodes of a cluster tell each other so that their memories agree: seats, the public list,
//! people who were turned out, blocks, and what was taken from rates. None of it is stored, and a
//! node that misses some of it is corrected by the journal or by the next one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cluster::{NodeId, Nodes};
use serde::{Deserialize, Serialize};
use table::PersonId;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{debug, warn};
use wire::{Code, Listing};

use crate::App;
use crate::blocks::Subject;
use crate::limits::lock;

/// How often a node tells what was taken from rates.
const SPENT_EVERY: Duration = Duration::from_millis(200);
/// How often it tells which of its tables are in the public list.
const LISTED_EVERY: u32 = 5;
/// How many tables it names there.
const LISTED_MOST: usize = 100;
/// After this time a node's part of the public list is left out.
const LISTED_FOR: Duration = Duration::from_secs(5);
/// How many rates are told at once.
const SPENT_MOST: usize = 2_000;

/// What one node tells all others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Gossip {
    /// Who has a seat in the game at a table.
    Seats { table: Code, people: Vec<PersonId> },
    /// Its tables in the public list.
    Listed(Vec<Listing>),
    /// A person was deleted, or devices of theirs were signed out.
    TurnedOut { person: PersonId },
    /// An address or a person is blocked from now on, or no longer.
    Blocked { subject: String, is_blocked: bool },
    /// What was taken from rates since the last time.
    Spent(Vec<(Rated, String, f64)>),
}

/// A rate that holds for the whole cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rated {
    Requests,
    Openings,
    Guesses,
    Newcomers,
    Chats,
    Reactions,
    BytesOfPerson,
    BytesOfAddress,
}

/// The public lists of the other nodes.
#[derive(Default)]
pub(crate) struct OtherListings(Mutex<HashMap<NodeId, (Instant, Vec<Listing>)>>);

impl OtherListings {
    fn set(&self, node: NodeId, listings: Vec<Listing>) {
        let mut all = lock(&self.0);
        all.retain(|_, (at, _)| at.elapsed() < LISTED_FOR);
        all.insert(node, (Instant::now(), listings));
    }

    /// The public tables of all other nodes that are there.
    pub(crate) fn all(&self) -> Vec<Listing> {
        let all = lock(&self.0);
        let fresh = all.values().filter(|(at, _)| at.elapsed() < LISTED_FOR);
        fresh.flat_map(|(_, listings)| listings).cloned().collect()
    }
}

/// Tells all other nodes something.
pub(crate) fn tell(nodes: &Nodes, gossip: &Gossip) {
    match serde_json::to_vec(gossip) {
        Ok(message) => {
            if !nodes.send_all(&message) {
                debug!("too many messages wait for the brokers: the other nodes miss one");
            }
        }
        Err(error) => warn!(%error, "what the other nodes are told cannot be written"),
    }
}

/// Takes in what another node tells.
pub(crate) fn take(app: &Arc<App>, from: NodeId, message: &[u8]) {
    let gossip = match serde_json::from_slice(message) {
        Ok(gossip) => gossip,
        Err(error) => {
            warn!(%error, "another node cannot be understood: all nodes need the same version");
            return;
        }
    };
    match gossip {
        Gossip::Seats { table, people } => app.shared.seats.set(table, people),
        Gossip::Listed(listings) => app.other_listings.set(from, listings),
        Gossip::TurnedOut { person } => {
            let app = app.clone();
            tokio::spawn(async move {
                if let Err(fault) = app.people.look_again(person).await {
                    warn!(%fault, "a person who was turned out elsewhere stays connected here");
                }
                if matches!(app.people.get(person).await, Ok(None)) {
                    app.directory.forget(person).await;
                }
            });
        }
        Gossip::Blocked { subject, is_blocked } => match subject.parse::<Subject>() {
            Ok(subject) if is_blocked => {
                app.admission.blocks.add(subject);
                app.people.close_blocked(subject);
            }
            Ok(subject) => app.admission.blocks.remove(subject),
            Err(error) => warn!(%error, "a block of another node cannot be read"),
        },
        Gossip::Spent(all) => {
            for (rated, key, tokens) in all {
                app.charge_elsewhere(rated, &key, tokens);
            }
        }
    }
}

/// Tells the other nodes what was taken from rates and which tables are public, while the server
/// runs.
pub(crate) async fn tell_regularly(app: Arc<App>, nodes: Arc<Nodes>) {
    let mut ticks = interval(SPENT_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut count = 0_u32;
    loop {
        ticks.tick().await;
        let spent = app.spent();
        for some in spent.chunks(SPENT_MOST) {
            tell(&nodes, &Gossip::Spent(some.to_vec()));
        }
        count = count.wrapping_add(1);
        if count.is_multiple_of(LISTED_EVERY) {
            tell(&nodes, &Gossip::Listed(app.directory.listings(LISTED_MOST)));
        }
    }
}

impl App {
    /// Sets between how many nodes each rate is shared.
    pub(crate) fn share_rates(&self, nodes: usize) {
        let (admission, shared) = (&self.admission, &self.shared);
        admission.requests.share(nodes);
        admission.openings.share(nodes);
        admission.guesses.addresses().share(nodes);
        admission.newcomers.addresses().share(nodes);
        shared.chats.share(nodes);
        shared.reactions.share(nodes);
        shared.writes.people().share(nodes);
        shared.writes.addresses().share(nodes);
    }

    /// What was taken from rates since the last call.
    fn spent(&self) -> Vec<(Rated, String, f64)> {
        let (admission, shared) = (&self.admission, &self.shared);
        let mut all = Vec::new();
        for (rated, buckets) in [
            (Rated::Requests, &admission.requests),
            (Rated::Guesses, admission.guesses.addresses()),
            (Rated::Newcomers, admission.newcomers.addresses()),
            (Rated::BytesOfAddress, shared.writes.addresses()),
        ] {
            let spent = buckets.spent().into_iter();
            all.extend(
                spent.map(|(from, tokens)| (rated, Subject::Address(from).to_string(), tokens)),
            );
        }
        for (rated, buckets) in [
            (Rated::Openings, &admission.openings),
            (Rated::Chats, &shared.chats),
            (Rated::Reactions, &shared.reactions),
            (Rated::BytesOfPerson, shared.writes.people()),
        ] {
            let spent = buckets.spent().into_iter();
            all.extend(spent.map(|(id, tokens)| (rated, Subject::Person(id).to_string(), tokens)));
        }
        all
    }

    fn charge_elsewhere(&self, rated: Rated, key: &str, tokens: f64) {
        let (admission, shared) = (&self.admission, &self.shared);
        let (addresses, people) = match rated {
            Rated::Requests => (Some(&admission.requests), None),
            Rated::Guesses => (Some(admission.guesses.addresses()), None),
            Rated::Newcomers => (Some(admission.newcomers.addresses()), None),
            Rated::BytesOfAddress => (Some(shared.writes.addresses()), None),
            Rated::Openings => (None, Some(&admission.openings)),
            Rated::Chats => (None, Some(&shared.chats)),
            Rated::Reactions => (None, Some(&shared.reactions)),
            Rated::BytesOfPerson => (None, Some(shared.writes.people())),
        };
        match (key.parse(), addresses, people) {
            (Ok(Subject::Address(from)), Some(buckets), _) => {
                buckets.charge_elsewhere(from, tokens);
            }
            (Ok(Subject::Person(id)), _, Some(buckets)) => buckets.charge_elsewhere(id, tokens),
            _ => debug!(?rated, "a rate of another node cannot be read"),
        }
    }

    /// Has the other nodes look again whether a person may stay connected.
    pub(crate) fn tell_turned_out(&self, person: PersonId) {
        self.shared.owners.tell(&Gossip::TurnedOut { person });
    }
}
