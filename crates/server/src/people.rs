//! Who is known to the server, and which connections they have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use journal::{Fault, People as Store};
use serde::{Deserialize, Serialize};
use wire::{Farewell, Name};

use crate::limits::lock;
use crate::outbox::Outbox;
use crate::person::{Person, PersonId, Secret};
use crate::table::ConnId;

/// The people store and the live connections of everyone.
pub(crate) struct People {
    store: Arc<dyn Store>,
    /// Renaming reads and then writes: nobody is deleted in between and comes back by it.
    renaming: tokio::sync::Mutex<()>,
    online: Mutex<HashMap<PersonId, Vec<(ConnId, Outbox)>>>,
}

/// What is kept of a person.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: Name,
}

impl People {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, renaming: tokio::sync::Mutex::default(), online: Mutex::default() }
    }

    /// Who has this secret, if anybody.
    pub(crate) async fn find(&self, secret: &Secret) -> Result<Option<Person>, Fault> {
        self.get(secret.person()).await
    }

    /// Whether somebody is still known.
    pub(crate) async fn know(&self, id: PersonId) -> Result<bool, Fault> {
        Ok(self.get(id).await?.is_some())
    }

    async fn get(&self, id: PersonId) -> Result<Option<Person>, Fault> {
        let line = self.store.get(id.hash()).await?;
        let kept = line.and_then(|line| serde_json::from_str::<Kept>(&line).ok());
        Ok(kept.map(|Kept { name }| Person { id, name }))
    }

    /// Whether the store answers at all.
    pub(crate) async fn answers(&self) -> Result<(), Fault> {
        self.store.get([0; 32]).await.map(|_nobody| ())
    }

    /// Gives another name to whoever has this secret, if anybody has.
    pub(crate) async fn rename(
        &self,
        secret: &Secret,
        name: &Name,
    ) -> Result<Option<Person>, Fault> {
        let _one_at_a_time = self.renaming.lock().await;
        match self.find(secret).await? {
            Some(person) => self.name(person.id, name.clone()).await.map(Some),
            None => Ok(None),
        }
    }

    /// Gives somebody a name.
    pub(crate) async fn name(&self, id: PersonId, name: Name) -> Result<Person, Fault> {
        let line = serde_json::to_string(&Kept { name: name.clone() }).unwrap_or_default();
        self.store.put(id.hash(), line.into()).await?;
        Ok(Person { id, name })
    }

    /// Forgets somebody; their connections close at once.
    pub(crate) async fn forget(&self, id: PersonId) -> Result<(), Fault> {
        let _not_while_renamed = self.renaming.lock().await;
        self.store.delete(id.hash()).await?;
        for (_, outbox) in lock(&self.online).remove(&id).unwrap_or_default() {
            outbox.close(Farewell::Deleted);
        }
        Ok(())
    }

    pub(crate) fn connected(&self, person: PersonId, conn: ConnId, outbox: Outbox) {
        lock(&self.online).entry(person).or_default().push((conn, outbox));
    }

    pub(crate) fn gone(&self, person: PersonId, conn: ConnId) {
        let mut online = lock(&self.online);
        if let Some(connections) = online.get_mut(&person) {
            connections.retain(|(other, _)| *other != conn);
            if connections.is_empty() {
                online.remove(&person);
            }
        }
    }

    /// Closes every connection with a last word.
    pub(crate) fn close_all(&self, why: Farewell) {
        for (_, outbox) in lock(&self.online).values().flatten() {
            outbox.close(why);
        }
    }
}
