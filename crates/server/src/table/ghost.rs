//! Machines with somebody's tempo at a table.

use rules::door::GameName;
use rules::kit::Seat;
use wire::GameId;

use super::task::Task;
use crate::record::{Asker, Occupant};
use crate::room::Refused;

impl Task {
    /// Seats a machine with the tempo of somebody, in an empty chair or that of another machine.
    pub(super) async fn add_ghost(
        &mut self,
        by: Asker,
        seat: Seat,
        game: GameId,
        of: Seat,
    ) -> Result<(), Refused> {
        if self.kept.setup.game() == GameName::Royale {
            let text = "there is no tempo in this game, choose another machine".to_owned();
            return Err(Refused { code: "bot-other-game", text });
        }
        let before = match self.kept.seating.chairs.get(seat.index()) {
            Some(Occupant::Person { .. }) | None => Occupant::Nobody,
            Some(machine) => machine.clone(),
        };
        let ghost = self.shared.lenders.ghost(by.person, game, of).await?;
        self.put(by, seat, before, Occupant::Ghost(ghost)).await
    }

    /// Whether everybody whose tempo sits here still lends it: what has begun is played to its
    /// end, but nothing new begins.
    pub(super) async fn still_lent(&mut self) -> Result<(), Refused> {
        for (seat, occupant) in self.kept.seating.clone().iter() {
            let Occupant::Ghost(ghost) = occupant else { continue };
            let kept = self.shared.lenders.lender(ghost.of).await;
            let kept = kept.map_err(|e| Refused { code: "not-kept", text: e.to_string() })?;
            if kept.is_none() {
                let text = format!(
                    "{} no longer lends their tempo, put another machine into seat {seat}",
                    ghost.name
                );
                return Err(Refused { code: "not-lent", text });
            }
        }
        Ok(())
    }
}
