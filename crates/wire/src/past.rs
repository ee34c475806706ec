//! What the server keeps of somebody's past, as they are told of it.

use serde::{Deserialize, Serialize};

/// What somebody lets others do with what is kept of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Whether others may play with a machine that keeps their recorded tempo.
    pub lends_tempo: bool,
}
