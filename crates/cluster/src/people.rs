//! People, their devices and their invitations in the bucket of a cluster.
//!
//! Each question about a person is asked of the bucket's leader, so a person who was introduced at
//! one node is known at all others at once. What lists need is in the node's index.

use std::sync::Arc;

use journal::{
    BoxFuture, Devices, Fault, Hash, Invitation, Invitations, NewDevice, People, Side, Sqlite,
    StoredLine,
};

use crate::Cluster;
use crate::bucket::Bucket;
use crate::hex::{HexHash, hex};
use crate::person_record::{self, DeviceRecord, Edit, PersonRecord, PersonValue, edit};

/// The key of a value that is written to learn whether the bucket can be.
const PROBE: &str = "probe";

/// The people of a cluster.
pub(crate) struct PeopleBucket {
    bucket: Arc<Bucket>,
    /// The node's index.
    index: Arc<Sqlite>,
}

/// The key of a person. All of them: [`PERSONS`].
pub(crate) fn person_key(hash: Hash) -> String {
    format!("person.{}", hex(&hash))
}

/// The keys of all people.
pub(crate) const PERSONS: &str = "person.*";

/// The key that leads from a further device to its person.
pub(crate) fn device_key(hash: Hash) -> String {
    format!("device.{}", hex(&hash))
}

/// The key that leads from a recovery phrase to its person.
pub(crate) fn phrase_key(hash: Hash) -> String {
    format!("phrase.{}", hex(&hash))
}

impl PeopleBucket {
    pub(crate) fn new(bucket: Arc<Bucket>, index: Arc<Sqlite>) -> Self {
        Self { bucket, index }
    }

    /// A person who is there.
    async fn person(&self, hash: Hash) -> Result<Option<PersonRecord>, Fault> {
        let value = self.bucket.get(&person_key(hash)).await?;
        Ok(value.map(|value| PersonValue::read(&value)).transpose()?.and_then(|it| it.person))
    }

    /// Changes a person who is there.
    async fn edit<T: Clone>(
        &self,
        hash: Hash,
        otherwise: T,
        change: impl Fn(&mut PersonRecord) -> Edit<T>,
    ) -> Result<T, Fault> {
        let decide = |value: Option<&[u8]>| edit(hash, value, otherwise.clone(), &change);
        self.bucket.change(&person_key(hash), decide).await
    }

    /// The person to whom a key leads.
    async fn lead(&self, key: &str) -> Result<Option<Hash>, Fault> {
        let Some(value) = self.bucket.get(key).await? else { return Ok(None) };
        let hash = String::from_utf8_lossy(&value).into_owned();
        let hash = HexHash::try_from(hash).map_err(|error| Fault::Damaged(error.to_owned()))?;
        Ok(Some(hash.0))
    }

    async fn set_lead(&self, key: &str, person: Hash) -> Result<(), Fault> {
        self.bucket.put(key, hex(&person).into_bytes(), None).await
    }

    async fn put(
        &self,
        hash: Hash,
        line: Box<str>,
        device: Option<DeviceRecord>,
    ) -> Result<(), Fault> {
        let decide = |value: Option<&[u8]>| person_record::put(hash, value, &line, device);
        self.bucket.change(&person_key(hash), decide).await
    }

    async fn forget(&self, hash: Hash) -> Result<(), Fault> {
        // First what lies with others: if the rest fails, the command can be given again.
        if let Some(person) = self.person(hash).await? {
            for invited in &person.invited {
                self.edit(invited.to.0, (), |other| other.drop_received(hash)).await?;
            }
            for received in &person.received {
                self.edit(received.from.0, (), |other| other.drop_invited(hash)).await?;
            }
            for device in &person.devices {
                self.bucket.remove(&device_key(device.hash.0)).await?;
            }
            if let Some(phrase) = person.phrase {
                self.bucket.remove(&phrase_key(phrase.0)).await?;
            }
        }
        let decide = |value: Option<&[u8]>| person_record::forget(hash, value);
        self.bucket.change(&person_key(hash), decide).await?;
        // The index follows by itself, in a moment: here the name is gone when this returns.
        self.index.forget(hash).await
    }

    async fn signed_in(&self, device: Hash) -> Result<Option<StoredLine>, Fault> {
        // The hash of a person is that of their first device, and most people have no other.
        if let Some(value) = self.bucket.get(&person_key(device)).await? {
            let person = PersonValue::read(&value)?.person.filter(|person| person.has(device));
            return Ok(person.map(|person| (device, person.line)));
        }
        let Some(hash) = self.lead(&device_key(device)).await? else { return Ok(None) };
        let person = self.person(hash).await?.filter(|person| person.has(device));
        Ok(person.map(|person| (hash, person.line)))
    }

    async fn add_device(&self, device: NewDevice, most: u32) -> Result<bool, Fault> {
        // First the key that leads to the person: it counts from when the person names the device.
        let key = device_key(device.hash);
        self.set_lead(&key, device.person).await?;
        let added = self.edit(device.person, false, |person| person.sign_in(&device, most)).await?;
        if !added {
            self.bucket.remove(&key).await?;
        }
        Ok(added)
    }

    async fn keep_device(&self, person: Hash, device: Hash) -> Result<u64, Fault> {
        let gone = self.edit(person, Vec::new(), |person| person.keep_device(device)).await?;
        for device in &gone {
            self.bucket.remove(&device_key(device.0)).await?;
        }
        Ok(gone.len() as u64)
    }

    async fn devices(&self, person: Hash) -> Result<(Vec<u64>, bool), Fault> {
        let Some(person) = self.person(person).await? else { return Ok((Vec::new(), false)) };
        let times = person.devices.iter().map(|device| device.at_s).collect();
        Ok((times, person.phrase.is_some()))
    }

    async fn set_phrase(&self, person: Hash, phrase: Option<Hash>) -> Result<(), Fault> {
        // As with devices, the key that leads to the person comes first.
        if let Some(phrase) = phrase {
            self.set_lead(&phrase_key(phrase), person).await?;
        }
        let before = self.edit(person, None, |person| person.set_phrase(phrase)).await?;
        if let Some(before) = before {
            self.bucket.remove(&phrase_key(before.0)).await?;
        }
        Ok(())
    }

    async fn person_of_phrase(&self, phrase: Hash) -> Result<Option<Hash>, Fault> {
        let Some(hash) = self.lead(&phrase_key(phrase)).await? else { return Ok(None) };
        let person = self.person(hash).await?;
        let has = person.is_some_and(|person| person.phrase == Some(HexHash(phrase)));
        Ok(has.then_some(hash))
    }

    async fn invite(&self, invitation: Invitation, since_s: u64, most: u32) -> Result<bool, Fault> {
        let Invitation { to, from, at_s, .. } = invitation;
        // First the sender's side, by which the invitation is found when either is deleted.
        self.edit(from, (), |sender| sender.invite(to, at_s, since_s)).await?;
        self.edit(to, false, |person| person.receive(&invitation, since_s, most)).await
    }

    async fn invitations(&self, side: Side, since_s: u64) -> Result<Vec<Invitation>, Fault> {
        let mut found = match side {
            Side::To(to) => {
                let received = self.person(to).await?.map_or(Vec::new(), |it| it.received);
                received.into_iter().map(|it| it.with(to)).collect()
            }
            Side::From(from) => {
                let invited = self.person(from).await?.map_or(Vec::new(), |it| it.invited);
                let mut sent = Vec::new();
                for to in invited.into_iter().filter(|it| it.at_s >= since_s).map(|it| it.to.0) {
                    let received = self.person(to).await?.map_or(Vec::new(), |it| it.received);
                    let mine = received.into_iter().filter(|it| it.from.0 == from);
                    sent.extend(mine.map(|it| it.with(to)));
                }
                sent
            }
        };
        found.retain(|it: &Invitation| it.at_s >= since_s);
        // The newest first, and of one second in the order of the other people.
        found
            .sort_unstable_by(|a, b| b.at_s.cmp(&a.at_s).then((a.from, a.to).cmp(&(b.from, b.to))));
        Ok(found)
    }

    async fn uninvite(&self, to: Hash, from: Hash) -> Result<(), Fault> {
        self.edit(to, (), |person| person.drop_received(from)).await?;
        self.edit(from, (), |sender| sender.drop_invited(to)).await
    }

    pub(crate) async fn seen(&self, hash: Hash, at_s: u64) -> Result<(), Fault> {
        self.edit(hash, (), |person| person.set_seen(at_s)).await
    }
}

impl person_record::Received {
    fn with(self, to: Hash) -> Invitation {
        Invitation { to, from: self.from.0, at_s: self.at_s, line: self.line }
    }
}

impl People for Cluster {
    fn put(&self, hash: Hash, line: Box<str>) -> BoxFuture<Result<(), Fault>> {
        self.with_people(async move |people| people.put(hash, line, None).await)
    }

    fn get(&self, hash: Hash) -> BoxFuture<Result<Option<Box<str>>, Fault>> {
        self.with_people(async move |people| Ok(people.person(hash).await?.map(|it| it.line)))
    }

    fn forget(&self, hash: Hash) -> BoxFuture<Result<(), Fault>> {
        self.with_people(async move |people| people.forget(hash).await)
    }

    fn forgotten(&self, of: Vec<Hash>) -> BoxFuture<Result<Vec<Hash>, Fault>> {
        self.index().forgotten(of)
    }

    fn answers(&self) -> BoxFuture<Result<(), Fault>> {
        self.with_people(async |people| people.bucket.put(PROBE, b"1".to_vec(), None).await)
    }
}

impl Devices for Cluster {
    fn introduce(&self, hash: Hash, line: Box<str>, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        let device = Some(DeviceRecord { at_s, hash: HexHash(hash) });
        self.with_people(async move |people| people.put(hash, line, device).await)
    }

    fn signed_in(&self, device: Hash) -> BoxFuture<Result<Option<StoredLine>, Fault>> {
        self.with_people(async move |people| people.signed_in(device).await)
    }

    fn add_device(&self, device: NewDevice, most: u32) -> BoxFuture<Result<bool, Fault>> {
        self.with_people(async move |people| people.add_device(device, most).await)
    }

    fn keep_device(&self, person: Hash, device: Hash) -> BoxFuture<Result<u64, Fault>> {
        self.with_people(async move |people| people.keep_device(person, device).await)
    }

    fn devices(&self, person: Hash) -> BoxFuture<Result<(Vec<u64>, bool), Fault>> {
        self.with_people(async move |people| people.devices(person).await)
    }

    fn set_phrase(&self, person: Hash, phrase: Option<Hash>) -> BoxFuture<Result<(), Fault>> {
        self.with_people(async move |people| people.set_phrase(person, phrase).await)
    }

    fn person_of_phrase(&self, phrase: Hash) -> BoxFuture<Result<Option<Hash>, Fault>> {
        self.with_people(async move |people| people.person_of_phrase(phrase).await)
    }
}

impl Invitations for Cluster {
    fn invite(
        &self,
        invitation: Invitation,
        since_s: u64,
        most: u32,
    ) -> BoxFuture<Result<bool, Fault>> {
        self.with_people(async move |people| people.invite(invitation, since_s, most).await)
    }

    fn invitations(&self, side: Side, since_s: u64) -> BoxFuture<Result<Vec<Invitation>, Fault>> {
        self.with_people(async move |people| people.invitations(side, since_s).await)
    }

    fn uninvite(&self, to: Hash, from: Hash) -> BoxFuture<Result<(), Fault>> {
        self.with_people(async move |people| people.uninvite(to, from).await)
    }
}
