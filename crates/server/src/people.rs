//! Who is known to the server, and which connections they have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use journal::{Fault, People as Store};
use prometheus_client::metrics::gauge::Gauge;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use wire::{Consent, Farewell, Name};

use crate::limits::lock;
use crate::outbox::Outbox;
use crate::person::Secret;
use table::{ConnId, Person, PersonId};

/// The people store and the live connections of everyone.
pub(crate) struct People {
    store: Arc<dyn Store>,
    /// A change reads and then writes: nobody is deleted in between and comes back by it.
    changing: tokio::sync::Mutex<()>,
    online: Mutex<Online>,
    /// How many people are connected.
    count: Gauge,
}

/// Everyone's connections.
#[derive(Default)]
struct Online {
    connections: HashMap<PersonId, Vec<(ConnId, Outbox)>>,
    /// Set once the server goes down: whoever still gets in hears it at once.
    closing: Option<Farewell>,
}

/// How long the store may take to show that it works.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// What is kept of a person.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: Name,
    /// Nobody has consented who has not said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lends_tempo: bool,
}

impl People {
    pub(crate) fn new(store: Arc<dyn Store>, count: Gauge) -> Self {
        let (changing, online) = (tokio::sync::Mutex::default(), Mutex::default());
        Self { store, changing, online, count }
    }

    /// Who has this secret, if anybody.
    pub(crate) async fn find(&self, secret: &Secret) -> Result<Option<Person>, Fault> {
        self.get(secret.person()).await
    }

    /// Whether somebody is still known.
    pub(crate) async fn know(&self, id: PersonId) -> Result<bool, Fault> {
        Ok(self.get(id).await?.is_some())
    }

    /// Somebody, if they are known.
    pub(crate) async fn get(&self, id: PersonId) -> Result<Option<Person>, Fault> {
        let line = self.store.get(id.hash()).await?;
        let damaged = |e: serde_json::Error| Fault::Damaged(format!("a person's line: {e}"));
        let kept = line.map(|line| serde_json::from_str::<Kept>(&line).map_err(damaged));
        Ok(kept.transpose()?.map(|Kept { name, lends_tempo }| Person { id, name, lends_tempo }))
    }

    /// Whether the store reads and writes.
    pub(crate) async fn answers(&self) -> Result<(), Fault> {
        let asked = async {
            self.store.get([0; 32]).await?;
            self.store.answers().await
        };
        let silent = |_| Fault::Disk("it does not answer".to_owned());
        timeout(ANSWERS_WITHIN, asked).await.map_err(silent)?
    }

    /// Gives another name to whoever has this secret, if anybody has.
    pub(crate) async fn rename(
        &self,
        secret: &Secret,
        name: &Name,
    ) -> Result<Option<Person>, Fault> {
        self.change(secret.person(), |person| person.name = name.clone()).await
    }

    /// Keeps what somebody consents to, if they are still known.
    pub(crate) async fn consent(
        &self,
        id: PersonId,
        consent: Consent,
    ) -> Result<Option<Person>, Fault> {
        self.change(id, |person| person.lends_tempo = consent.lends_tempo).await
    }

    async fn change(
        &self,
        id: PersonId,
        change: impl FnOnce(&mut Person),
    ) -> Result<Option<Person>, Fault> {
        let _one_at_a_time = self.changing.lock().await;
        let Some(mut person) = self.get(id).await? else { return Ok(None) };
        change(&mut person);
        self.put(&person).await?;
        Ok(Some(person))
    }

    /// Gives a name to somebody who is new.
    pub(crate) async fn name(&self, id: PersonId, name: Name) -> Result<Person, Fault> {
        let person = Person { id, name, lends_tempo: false };
        self.put(&person).await?;
        Ok(person)
    }

    async fn put(&self, Person { id, name, lends_tempo }: &Person) -> Result<(), Fault> {
        let kept = Kept { name: name.clone(), lends_tempo: *lends_tempo };
        let line = serde_json::to_string(&kept).map_err(|e| Fault::Disk(e.to_string()))?;
        self.store.put(id.hash(), line.into()).await
    }

    /// Forgets somebody for good: their name is gone from all that they played. Their connections
    /// close at once.
    pub(crate) async fn forget(&self, id: PersonId) -> Result<(), Fault> {
        let _not_while_changed = self.changing.lock().await;
        self.store.forget(id.hash()).await?;
        let mut online = lock(&self.online);
        for (_, outbox) in online.connections.remove(&id).unwrap_or_default() {
            outbox.close(Farewell::Deleted);
        }
        self.recount(&online);
        Ok(())
    }

    pub(crate) fn connected(&self, person: PersonId, conn: ConnId, outbox: Outbox) {
        let mut online = lock(&self.online);
        if let Some(why) = online.closing {
            outbox.close(why);
        }
        online.connections.entry(person).or_default().push((conn, outbox));
        self.recount(&online);
    }

    pub(crate) fn gone(&self, person: PersonId, conn: ConnId) {
        let mut online = lock(&self.online);
        if let Some(connections) = online.connections.get_mut(&person) {
            connections.retain(|(other, _)| *other != conn);
            if connections.is_empty() {
                online.connections.remove(&person);
            }
        }
        self.recount(&online);
    }

    /// Closes every connection with a last word, those to come included.
    pub(crate) fn close_all(&self, why: Farewell) {
        let mut online = lock(&self.online);
        online.closing = Some(why);
        for (_, outbox) in online.connections.values().flatten() {
            outbox.close(why);
        }
    }

    fn recount(&self, online: &Online) {
        self.count.set(online.connections.len().try_into().unwrap_or(i64::MAX));
    }
}
