//! Bots with the recorded tempo of a person who lends it.

use bots::Kind;
use serde::{Deserialize, Serialize};
use tempo::Pace;
use wire::Name;

use crate::person::{Person, PersonId};

/// A bot that waits as a person did. All that it plays by stands here, so that a game can be
/// woken and replayed even after that person was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ghost {
    /// Who lends the tempo.
    pub of: PersonId,
    /// What they were called when the bot sat down.
    pub name: Name,
    pace_us: u32,
    power_milli: u32,
    spread_milli: u32,
}

impl Ghost {
    /// The bot with this person's tempo.
    pub fn new(person: Person, pace: Pace) -> Self {
        let Pace { pace_us, power_milli, spread_milli } = pace;
        Self { of: person.id, name: person.name, pace_us, power_milli, spread_milli }
    }

    /// The bot that plays so.
    pub fn kind(&self) -> Kind {
        let Self { pace_us, power_milli, spread_milli, .. } = *self;
        Kind::Ghost(bots::Ghost { pace_us, power_milli, spread_milli })
    }
}
