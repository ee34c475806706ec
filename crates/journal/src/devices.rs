//! The trait for devices: which browsers are signed in as which person.

use crate::{BoxFuture, Fault, Hash};

/// A device as it is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewDevice {
    /// The hash of the device's secret.
    pub hash: Hash,
    /// Whose it is.
    pub person: Hash,
    /// When it was added, in seconds since 1970.
    pub at_s: u64,
}

/// A person's hash and line.
pub type StoredLine = (Hash, Box<str>);

/// The devices of people, and the hashes of their recovery phrases. A person's hash is that of
/// their first device's secret, and stays theirs when that device is signed out.
pub trait Devices: Send + Sync + 'static {
    /// Stores a new person's line and their first device, which has the same hash.
    fn introduce(&self, hash: Hash, line: Box<str>, at_s: u64) -> BoxFuture<Result<(), Fault>>;

    /// The person whose device has this hash, and their line.
    fn signed_in(&self, device: Hash) -> BoxFuture<Result<Option<StoredLine>, Fault>>;

    /// Adds a device, unless its person has `most` already or is not known. Returns whether it was
    /// added.
    fn add_device(&self, device: NewDevice, most: u32) -> BoxFuture<Result<bool, Fault>>;

    /// Removes all devices of a person but this one. Returns how many.
    fn keep_device(&self, person: Hash, device: Hash) -> BoxFuture<Result<u64, Fault>>;

    /// When each device of a person was signed in, in seconds since 1970, the earliest first, and
    /// whether the person has a recovery phrase.
    fn devices(&self, person: Hash) -> BoxFuture<Result<(Vec<u64>, bool), Fault>>;

    /// Stores the hash of a person's recovery phrase in place of the one before, or removes it.
    /// Does nothing for a person who is not known.
    fn set_phrase(&self, person: Hash, phrase: Option<Hash>) -> BoxFuture<Result<(), Fault>>;

    /// The person with this recovery phrase.
    fn person_of_phrase(&self, phrase: Hash) -> BoxFuture<Result<Option<Hash>, Fault>>;
}
