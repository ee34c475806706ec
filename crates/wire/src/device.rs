//! A person's devices: the browsers that are signed in as them.

use serde::{Deserialize, Serialize};

use crate::server::Me;

/// The devices of the person who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Devices {
    /// How many there are, this one included.
    pub devices: u32,
    /// Whether a recovery phrase was made.
    pub phrase: bool,
}

/// A link that signs another device in, shown once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DeviceLink {
    /// What the other device opens: `/device#` and this.
    pub token: String,
    /// How long it can be used, in seconds.
    pub seconds: u32,
}

/// What has become of the link, for the device that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DeviceLinkState {
    /// No device has opened it yet.
    Waiting,
    /// A device asks to be signed in, and shows this number.
    Asked {
        /// Between 10 and 99.
        number: u8,
    },
    /// The device may sign in.
    Confirmed,
    /// The device is signed in.
    Done,
    /// There is no link: it was cancelled, or its time is over.
    Ended,
}

/// A device that asks to be signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DeviceRequest {
    /// What it asks with whether it was confirmed.
    pub ticket: String,
    /// What both devices show.
    pub number: u8,
}

/// Whether a device was signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SignIn {
    /// Not yet: the first device has not confirmed it.
    Waiting,
    /// It is signed in as this person.
    Done(Me),
}

/// A recovery phrase, shown once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// Twelve words with spaces between them.
    pub words: String,
}
