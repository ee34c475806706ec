//! Machines with the recorded tempo of somebody who lends it.

mod lenders;

use bots::Kind;
use serde::{Deserialize, Serialize};
use tempo::Pace;
use wire::Name;

use crate::person::{Person, PersonId};

pub(crate) use lenders::{Lenders, list};

/// A machine that waits as somebody did. All that it plays by stands here, so that a game can be
/// woken and watched again whatever becomes of that person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ghost {
    /// Who lends it.
    pub(crate) of: PersonId,
    /// What they were called when it sat down.
    pub(crate) name: Name,
    pace_us: u32,
    power_milli: u32,
    spread_milli: u32,
}

impl Ghost {
    fn new(person: Person, pace: Pace) -> Self {
        let Pace { pace_us, power_milli, spread_milli } = pace;
        Self { of: person.id, name: person.name, pace_us, power_milli, spread_milli }
    }

    /// The machine that plays so.
    pub(crate) fn kind(&self) -> Kind {
        let Self { pace_us, power_milli, spread_milli, .. } = *self;
        Kind::Ghost(bots::Ghost { pace_us, power_milli, spread_milli })
    }
}
