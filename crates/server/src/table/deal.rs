//! A table that was opened for a deal: who of those who sit down has seen it.

use rules::kit::Seats;
use tracing::warn;
use wire::Repeat;

use super::task::Task;
use crate::record::Occupant;
use crate::room::Refused;

impl Task {
    /// The deal that the game has which is on, over or next, as everyone is told of it.
    pub(super) fn repeat(&self) -> Option<Repeat> {
        let of = self.kept.deal.as_ref()?.of;
        let knows = match self.kept.repeats {
            Some(knows) => knows,
            None if self.kept.games == 0 => self.knowing,
            None => return None,
        };
        Some(Repeat { of, knows })
    }

    /// Looks up who of those who sit here has seen the deal, while it is still to be played.
    pub(super) async fn recognise(&mut self) -> Result<Seats, Refused> {
        let Some(deal) = self.kept.offered() else { return Ok(Seats::NONE) };
        let people = self.shared.deals_seen.knowing(deal.of).await.map_err(|fault| {
            warn!(table = %self.code, %fault, "who has seen a deal cannot be read");
            Refused { code: "not-kept", text: fault.to_string() }
        })?;
        let knows = self.kept.seating.iter().filter(|(_, occupant)| match occupant {
            Occupant::Person { id, .. } => people.contains(id),
            Occupant::Nobody | Occupant::Bot(_) | Occupant::Ghost(_) => false,
        });
        self.knowing = knows.map(|(seat, _)| seat).collect();
        Ok(self.knowing)
    }

    /// Everybody who sits here or looks on sees the deal from now on.
    pub(super) fn remember_deal(&self) {
        let Some(deal) = self.kept.deal.as_ref().filter(|_| self.kept.repeats.is_some()) else {
            return;
        };
        let sitting = self.kept.seating.iter().filter_map(|(_, occupant)| match occupant {
            Occupant::Person { id, .. } => Some(*id),
            Occupant::Nobody | Occupant::Bot(_) | Occupant::Ghost(_) => None,
        });
        let here = self.clients.iter().map(|client| client.person.id);
        self.shared.deals_seen.seen(deal.of, sitting.chain(here).collect::<Vec<_>>());
    }
}
