//! The ids of teams and deals.

use std::fmt;

use journal::Collection;
use rules::kit::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use table::PersonId;
use wire::{Setup, hex};

/// A set of people, whatever their seats and whichever bots play with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct TeamId([u8; 16]);

impl TeamId {
    /// The team of these people.
    pub(super) fn of(people: impl IntoIterator<Item = PersonId>) -> Self {
        let mut people = people.into_iter().collect::<Vec<_>>();
        people.sort_unstable();
        people.dedup();
        let mut hash = Sha256::new_with_prefix("team");
        for person in people {
            hash.update(person.hash());
        }
        Self(half(&hash.finalize()))
    }

    /// The collection of its games.
    pub(super) fn collection(self) -> Collection {
        collection(self.0, *b"team")
    }
}

/// A deal: the set-up and the seed, without the options that do not change the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct DealId([u8; 16]);

impl DealId {
    /// The deal of a game.
    pub(super) fn of(setup: &Setup, seed: &Seed) -> Result<Self, serde_json::Error> {
        let mut setup = serde_json::to_value(setup)?;
        for game in setup.as_object_mut().into_iter().flat_map(|games| games.values_mut()) {
            if let Some(game) = game.as_object_mut() {
                game.remove("manners");
            }
        }
        let hash = Sha256::new_with_prefix(setup.to_string()).chain_update(seed.bytes());
        Ok(Self(half(&hash.finalize())))
    }

    /// The collection of its games.
    pub(super) fn collection(self) -> Collection {
        collection(self.0, *b"deal")
    }
}

/// The hash of a collection, different from people's hashes and from other kinds.
fn collection(own: [u8; 16], kind: [u8; 4]) -> Collection {
    let mut collection = [0; 32];
    collection[..16].copy_from_slice(&own);
    collection[16..20].copy_from_slice(&kind);
    collection
}

fn half(hash: &[u8]) -> [u8; 16] {
    std::array::from_fn(|index| hash[index])
}

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

wire::hex_in_json!(TeamId);

wire::hex_in_json!(DealId);

#[cfg(test)]
mod tests {
    use rules::door::GameName;
    use rules::kit::Preset;

    use super::*;
    use crate::person::Secret;

    #[test]
    fn a_team_is_its_people_and_nothing_else() {
        let [ada, ben, cyd] =
            [(); 3].map(|()| PersonId::from_hash(Secret::fresh().unwrap().hash()));
        assert_eq!(TeamId::of([ada, ben]), TeamId::of([ben, ada, ben]));
        assert_ne!(TeamId::of([ada, ben]), TeamId::of([ada, cyd]));
        assert_ne!(TeamId::of([ada, ben]), TeamId::of([ada]));
        let team = TeamId::of([ada]);
        assert_eq!(TeamId::try_from(team.to_string()), Ok(team));
        assert_ne!(team.collection(), ada.hash());
    }

    #[test]
    fn a_deal_is_the_setup_and_the_luck_but_not_the_manners() {
        let setup = |players, preset| Setup::of(GameName::Mind, players, preset).unwrap();
        let deal = |setup: Setup, luck: u64| DealId::of(&setup, &Seed::from(luck)).unwrap();
        let plain = deal(setup(2, Preset::Faithful), 1);
        assert_eq!(plain, deal(setup(2, Preset::Research), 1));
        assert_ne!(plain, deal(setup(2, Preset::Faithful), 2));
        assert_ne!(plain, deal(setup(3, Preset::Faithful), 1));
    }
}
