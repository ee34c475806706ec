//! The people that the server knows, and their connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use journal::{Devices as DeviceStore, Fault, Hash, NewDevice, People as Store};
use prometheus_client::metrics::gauge::Gauge;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use wire::{CloseReason, Consent, Devices, Mark, Name, ServerMessage};

use crate::address::Subnet;
use crate::blocks::Subject;
use crate::calendar::now_s;
use crate::limits::lock;
use crate::outbox::Outbox;
use crate::person::Secret;
use table::{ConnId, Person, PersonId};

/// The store of people, and the open connections of each.
pub(crate) struct People {
    store: Arc<dyn Store>,
    devices: Arc<dyn DeviceStore>,
    /// Held by a change from reading to writing, so that it does not bring back a person who is
    /// deleted in between.
    changing: tokio::sync::Mutex<()>,
    online: Mutex<Online>,
    /// When the store was last asked whether it reads and writes, and what it answered. Held while
    /// it is asked, so that all requests meanwhile get the same answer.
    probed: tokio::sync::Mutex<Option<(Instant, Result<(), Fault>)>>,
    /// How many people are connected.
    count: Gauge,
}

/// The open connections of all people.
#[derive(Default)]
struct Online {
    connections: HashMap<PersonId, Vec<OpenConnection>>,
    /// Set when the server goes down: a new connection is closed with this reason.
    closing: Option<CloseReason>,
}

/// One open connection.
pub(crate) struct OpenConnection {
    pub(crate) conn: ConnId,
    /// The hash of the secret that it is signed in by.
    pub(crate) device: Hash,
    pub(crate) from: Subnet,
    pub(crate) outbox: Outbox,
}

/// How many devices a person may have.
pub(crate) const DEVICES_MOST: u32 = 16;

/// How long the store may take to answer `/readyz`.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// How long its answer counts: asking it writes to the disk, and strangers may ask.
const ANSWER_COUNTS: Duration = Duration::from_secs(1);

/// A person as the store keeps them.
#[derive(Serialize, Deserialize)]
struct StoredPerson {
    name: Name,
    /// Absent for a person who has chosen none, as in the lines of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
    /// Off until the person agrees.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lends_tempo: bool,
}

/// The name in a person's line.
pub(crate) fn name_of(line: &str) -> Result<Name, Fault> {
    Ok(read(line)?.name)
}

/// A person by their line.
fn person(id: PersonId, line: &str) -> Result<Person, Fault> {
    let StoredPerson { name, mark, lends_tempo } = read(line)?;
    Ok(Person { id, name, mark, lends_tempo })
}

fn line_of(person: &Person) -> Result<Box<str>, Fault> {
    let Person { name, mark, lends_tempo, .. } = person.clone();
    let line = serde_json::to_string(&StoredPerson { name, mark, lends_tempo });
    Ok(line.map_err(|e| Fault::Disk(e.to_string()))?.into())
}

fn read(line: &str) -> Result<StoredPerson, Fault> {
    serde_json::from_str(line).map_err(|e| Fault::Damaged(format!("a person's line: {e}")))
}

impl People {
    pub(crate) fn new(store: Arc<dyn Store>, devices: Arc<dyn DeviceStore>, count: Gauge) -> Self {
        let (changing, probed) = (tokio::sync::Mutex::default(), tokio::sync::Mutex::default());
        Self { store, devices, changing, online: Mutex::default(), probed, count }
    }

    /// The person with this secret.
    pub(crate) async fn find(&self, secret: &Secret) -> Result<Option<Person>, Fault> {
        let found = self.devices.signed_in(secret.hash()).await?;
        found.map(|(hash, line)| person(PersonId::from_hash(hash), &line)).transpose()
    }

    /// Why the connection of a device may not stay: its person was deleted, or it was signed out.
    pub(crate) async fn turned_out(
        &self,
        id: PersonId,
        device: Hash,
    ) -> Result<Option<CloseReason>, Fault> {
        Ok(match self.devices.signed_in(device).await? {
            Some((hash, _)) if hash == id.hash() => None,
            Some(_) => Some(CloseReason::SignedOut),
            None if self.get(id).await?.is_some() => Some(CloseReason::SignedOut),
            None => Some(CloseReason::Deleted),
        })
    }

    /// Closes the connections of a person that may not stay.
    pub(crate) async fn look_again(&self, id: PersonId) -> Result<(), Fault> {
        let open = |open: &OpenConnection| (open.device, open.outbox.clone());
        let open = lock(&self.online)
            .connections
            .get(&id)
            .map(|all| all.iter().map(open).collect::<Vec<_>>());
        for (device, outbox) in open.unwrap_or_default() {
            if let Some(why) = self.turned_out(id, device).await? {
                outbox.close(why);
            }
        }
        Ok(())
    }

    /// A person; `None` if they are not known or deleted.
    pub(crate) async fn get(&self, id: PersonId) -> Result<Option<Person>, Fault> {
        let line = self.store.get(id.hash()).await?;
        line.map(|line| person(id, &line)).transpose()
    }

    /// Whether the store reads and writes. It is asked at most once a second.
    pub(crate) async fn answers(&self) -> Result<(), Fault> {
        let mut probed = self.probed.lock().await;
        if let Some((at, answer)) = &*probed
            && at.elapsed() < ANSWER_COUNTS
        {
            return answer.clone();
        }
        let answer = self.probe().await;
        *probed = Some((Instant::now(), answer.clone()));
        answer
    }

    async fn probe(&self) -> Result<(), Fault> {
        let asked = async {
            self.store.get([0; 32]).await?;
            self.store.answers().await
        };
        let silent = |_| Fault::Disk("it does not answer".to_owned());
        timeout(ANSWERS_WITHIN, asked).await.map_err(silent)?
    }

    /// Gives the person with this secret another name, and another mark if there is one; `None`
    /// if no person has the secret.
    pub(crate) async fn rename(
        &self,
        secret: &Secret,
        name: &Name,
        mark: Option<Mark>,
    ) -> Result<Option<Person>, Fault> {
        let renamed = |person: &mut Person| {
            person.name = name.clone();
            person.mark = mark.or(person.mark);
        };
        match self.find(secret).await? {
            Some(person) => self.change(person.id, renamed).await,
            None => Ok(None),
        }
    }

    /// Stores a person's consent; `None` if they are not known.
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

    /// Keeps a new person with their name and mark, signed in by this secret.
    pub(crate) async fn name(
        &self,
        secret: &Secret,
        name: Name,
        mark: Option<Mark>,
    ) -> Result<Person, Fault> {
        let id = PersonId::from_hash(secret.hash());
        let person = Person { id, name, mark, lends_tempo: false };
        self.devices.introduce(secret.hash(), line_of(&person)?, now_s()).await?;
        Ok(person)
    }

    async fn put(&self, person: &Person) -> Result<(), Fault> {
        self.store.put(person.id.hash(), line_of(person)?).await
    }

    /// How many devices a person has, and whether they have a recovery phrase.
    pub(crate) async fn devices(&self, id: PersonId) -> Result<Devices, Fault> {
        let (times, phrase) = self.device_times(id).await?;
        Ok(Devices { devices: times.len().try_into().unwrap_or(u32::MAX), phrase })
    }

    /// When each device of a person was signed in, in seconds since 1970, and whether they have a
    /// recovery phrase.
    pub(crate) async fn device_times(&self, id: PersonId) -> Result<(Vec<u64>, bool), Fault> {
        self.devices.devices(id.hash()).await
    }

    /// Signs a device in by this secret; false if the person has too many or is not known.
    pub(crate) async fn add_device(&self, id: PersonId, secret: &Secret) -> Result<bool, Fault> {
        let device = NewDevice { hash: secret.hash(), person: id.hash(), at_s: now_s() };
        self.devices.add_device(device, DEVICES_MOST).await
    }

    /// Signs all devices of a person out but this one, and closes their connections.
    pub(crate) async fn sign_out_others(&self, id: PersonId, device: Hash) -> Result<(), Fault> {
        self.devices.keep_device(id.hash(), device).await?;
        let online = lock(&self.online);
        let others = online.connections.get(&id).into_iter().flatten();
        for open in others.filter(|open| open.device != device) {
            open.outbox.close(CloseReason::SignedOut);
        }
        Ok(())
    }

    /// Stores the hash of a person's recovery phrase, or deletes it.
    pub(crate) async fn set_phrase(&self, id: PersonId, phrase: Option<Hash>) -> Result<(), Fault> {
        self.devices.set_phrase(id.hash(), phrase).await
    }

    /// The person with this recovery phrase.
    pub(crate) async fn of_phrase(&self, phrase: Hash) -> Result<Option<PersonId>, Fault> {
        Ok(self.devices.person_of_phrase(phrase).await?.map(PersonId::from_hash))
    }

    /// Deletes a person: their name is replaced in all their games, and their connections close.
    pub(crate) async fn forget(&self, id: PersonId) -> Result<(), Fault> {
        let _not_while_changed = self.changing.lock().await;
        self.store.forget(id.hash()).await?;
        let mut online = lock(&self.online);
        for open in online.connections.remove(&id).unwrap_or_default() {
            open.outbox.close(CloseReason::Deleted);
        }
        self.recount(&online);
        Ok(())
    }

    pub(crate) fn connected(&self, person: PersonId, open: OpenConnection) {
        let mut online = lock(&self.online);
        if let Some(why) = online.closing {
            open.outbox.close(why);
        }
        // Nearly all people have one connection.
        let connections = online.connections.entry(person);
        connections.or_insert_with(|| Vec::with_capacity(1)).push(open);
        self.recount(&online);
    }

    /// Whether a person has an open connection.
    pub(crate) fn is_online(&self, person: PersonId) -> bool {
        lock(&self.online).connections.contains_key(&person)
    }

    pub(crate) fn gone(&self, person: PersonId, conn: ConnId) {
        let mut online = lock(&self.online);
        if let Some(connections) = online.connections.get_mut(&person) {
            connections.retain(|open| open.conn != conn);
            if connections.is_empty() {
                online.connections.remove(&person);
            }
        }
        self.recount(&online);
    }

    /// Closes every connection with this reason, also those that open later.
    pub(crate) fn close_all(&self, why: CloseReason) {
        let mut online = lock(&self.online);
        online.closing = Some(why);
        for open in online.connections.values().flatten() {
            open.outbox.close(why);
        }
    }

    /// Closes every connection with this reason. New ones are let in.
    pub(crate) fn close_now(&self, why: CloseReason) {
        for open in lock(&self.online).connections.values().flatten() {
            open.outbox.close(why);
        }
    }

    /// Closes the connections of a person or an address that is blocked; returns how many.
    pub(crate) fn close_blocked(&self, subject: Subject) -> u64 {
        let online = lock(&self.online);
        let mut closed = 0;
        for (person, open) in online
            .connections
            .iter()
            .flat_map(|(person, all)| all.iter().map(move |it| (*person, it)))
        {
            let is_meant = match subject {
                Subject::Address(address) => open.from == address,
                Subject::Person(blocked) => person == blocked,
            };
            if is_meant {
                open.outbox.close(CloseReason::Blocked);
                closed += 1;
            }
        }
        closed
    }

    /// Sends a message to every connection; returns how many there are.
    pub(crate) fn tell_all(&self, message: &ServerMessage) -> u64 {
        let online = lock(&self.online);
        let all = online.connections.values().flatten();
        all.map(|open| open.outbox.say(message)).count() as u64
    }

    fn recount(&self, online: &Online) {
        self.count.set(online.connections.len().try_into().unwrap_or(i64::MAX));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;
    use journal::BoxFuture;

    use super::*;
    use journal::StoredLine;

    /// A store that is only asked whether it writes, and counts how often.
    #[derive(Default)]
    struct Probed(AtomicU32);

    impl Store for Probed {
        fn put(&self, _: Hash, _: Box<str>) -> BoxFuture<Result<(), Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn get(&self, _: Hash) -> BoxFuture<Result<Option<Box<str>>, Fault>> {
            Box::pin(async { Ok(None) })
        }

        fn forget(&self, _: Hash) -> BoxFuture<Result<(), Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn forgotten(&self, _: Vec<Hash>) -> BoxFuture<Result<Vec<Hash>, Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn answers(&self) -> BoxFuture<Result<(), Fault>> {
            let times = self.0.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move {
                tokio::task::yield_now().await;
                if times == 0 { Ok(()) } else { Err(Fault::Full) }
            })
        }
    }

    impl DeviceStore for Probed {
        fn introduce(&self, _: Hash, _: Box<str>, _: u64) -> BoxFuture<Result<(), Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn signed_in(&self, _: Hash) -> BoxFuture<Result<Option<StoredLine>, Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn add_device(&self, _: NewDevice, _: u32) -> BoxFuture<Result<bool, Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn keep_device(&self, _: Hash, _: Hash) -> BoxFuture<Result<u64, Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn devices(&self, _: Hash) -> BoxFuture<Result<(Vec<u64>, bool), Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn set_phrase(&self, _: Hash, _: Option<Hash>) -> BoxFuture<Result<(), Fault>> {
            unimplemented!("nothing is stored here")
        }

        fn person_of_phrase(&self, _: Hash) -> BoxFuture<Result<Option<Hash>, Fault>> {
            unimplemented!("nothing is stored here")
        }
    }

    #[tokio::test]
    async fn one_probe_answers_all_requests_for_a_second() {
        let store = Arc::new(Probed::default());
        let people = People::new(store.clone(), store.clone(), Gauge::default());
        let answers = join_all((0..100).map(|_| people.answers())).await;
        assert!(answers.iter().all(Result::is_ok) && answers.len() == 100);
        assert_eq!((people.answers().await, store.0.load(Ordering::Relaxed)), (Ok(()), 1));
        // A second later.
        if let Some((at, _)) = &mut *people.probed.lock().await {
            *at = at.checked_sub(ANSWER_COUNTS).unwrap();
        }
        let answers = join_all((0..100).map(|_| people.answers())).await;
        assert!(answers.iter().all(|answer| *answer == Err(Fault::Full)), "{answers:?}");
        assert_eq!(store.0.load(Ordering::Relaxed), 2);
    }
}
