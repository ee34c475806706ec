//! What is played: the host may change it until a game begins.

use rules::door::GameName;
use rules::kit::Seats;
use wire::{BotKind, Setup};

use super::task::Task;
use crate::record::{Asker, Occupant, Record};
use crate::room::Refused;

impl Task {
    /// Changes what is played. Everyone keeps a seat, machines give way to those who play it; a
    /// game that is over is put away.
    pub(super) async fn arrange(&mut self, by: Asker, setup: Setup) -> Result<(), Refused> {
        let Some(mut seating) = self.kept.seating.for_players(setup.players()) else {
            let text = "more people sit here than that is for, somebody has to stand up first";
            return Err(Refused { code: "too-many-people", text: text.to_owned() });
        };
        let machines = BotKind::of(setup.game());
        for chair in &mut seating.chairs {
            let plays = match chair {
                Occupant::Bot(kind) => machines.contains(kind),
                Occupant::Ghost(_) => setup.game() != GameName::Royale,
                Occupant::Person { .. } | Occupant::Nobody => true,
            };
            if !plays {
                *chair = Occupant::Bot(machines[0]);
            }
        }
        let record = Record::Arranged { setup, seating: seating.clone(), by };
        self.keep(&[record]).await?;
        self.kept.arrange(setup, seating);
        // Who was ready was so for something else.
        self.ready = Seats::NONE;
        Ok(())
    }
}
