//! The game, the players and the options of a world, all drawn from its seed.

use bots::{Ghost, Kind};
use rules::door::GameName;
use rules::kit::{Chance, Seed};
use table::Deal;
use wire::{GameId, Setup};

use crate::faults::{Fault, Faults};
use crate::people::Human;
use crate::world::person;

const NAMES: [&str; 8] = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"];

/// What is played, and by how many.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) setup: Setup,
    /// How many people want to play.
    players: u8,
    spectators: u8,
    /// How many games are played before the faults stop.
    pub(crate) games: u8,
    /// The deal of another game, if the table is opened for that.
    pub(crate) deal: Option<Deal>,
}

impl Scenario {
    pub(crate) fn new(chance: &mut Chance, faults: Faults) -> Self {
        let setup = any_setup(chance);
        let most = setup.players();
        let bots = u8::from(faults.has(Fault::Bots) && chance.once_in(3));
        let players = (most - bots.min(most - 1)).max(1);
        let spectators = if faults.has(Fault::Spectators) { chance.below(3) as u8 } else { 0 };
        let deal = chance.once_in(12).then(|| {
            let of = GameId { table: "k3f9ab".parse().expect("a code"), game: 1 };
            Deal::new(of, Seed::from(u64::from(chance.bits())), vec![(1, 4)])
        });
        Self { setup, players, spectators, games: 1 + u8::from(chance.once_in(4)), deal }
    }

    pub(crate) fn humans(&self, chance: &mut Chance) -> Vec<Human> {
        let pace_us = 15_000 + chance.below(60_000);
        let names = NAMES.iter().take(usize::from(self.players + self.spectators)).enumerate();
        let humans = names.map(|(number, name)| {
            let pace_us = pace_us * (80 + chance.below(40)) / 100;
            let spread_milli = chance.below(500);
            let kind = Kind::Ghost(Ghost { pace_us, power_milli: 1_000, spread_milli });
            Human {
                person: person(number as u8, name),
                plays: number < usize::from(self.players),
                kind,
                is_deleted: false,
                active: 0,
            }
        });
        humans.collect()
    }

    /// Something else that the host may want to play.
    pub(crate) fn other_setup(&self, chance: &mut Chance) -> Setup {
        if chance.once_in(3) { self.setup } else { any_setup(chance) }
    }
}

/// Short games of every kind, and now and then a long one.
pub(crate) fn any_setup(chance: &mut Chance) -> Setup {
    let game = GameName::ALL[chance.below(GameName::ALL.len() as u32) as usize];
    let preset = ["faithful", "friendly", "friendly", "research"][chance.below(4) as usize];
    let levels = if chance.once_in(24) { 12 } else { 1 + chance.below(4) };
    let text = match game {
        GameName::Mind | GameName::Extreme => {
            let players = 2 + chance.below(3);
            format!("players={players} preset={preset} levels={levels}")
        }
        GameName::Soulmates => format!("players={} preset={preset}", 2 + chance.below(2)),
        GameName::Royale => {
            let players = 2 + chance.below(2);
            format!("players={players} preset={preset} rounds={players}")
        }
    };
    Setup::read(game, &text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
