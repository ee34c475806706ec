//! What a player who went away is told of a table, so that they find back to it.

use wire::{Code, Name, Participant, SeatedChair, SeatedTable};

use crate::person::PersonId;
use crate::seating::Occupant;
use crate::state::TableState;
use crate::table::Table;

impl Table {
    /// The table for a player who has a seat in the game that is on; `None` if there is no such
    /// game, or they have none.
    pub fn seated_table(&self, person: PersonId) -> Option<SeatedTable> {
        self.state().seated_table(self.id(), person, |id| self.is_here(id))
    }
}

impl TableState {
    /// The same for the table with this id, by who is known to be there.
    pub fn seated_table(
        &self,
        id: Code,
        person: PersonId,
        is_here: impl Fn(PersonId) -> bool,
    ) -> Option<SeatedTable> {
        let seating = self.seating();
        seating.seat_of(person)?;
        let chapter = self.playing()?.level();
        let chairs = seating.chairs.iter().map(|occupant| match occupant {
            Occupant::Empty => SeatedChair { who: Participant::Empty, here: false },
            Occupant::Person { id, name, mark, .. } => {
                let who = if *id == person {
                    Participant::You
                } else if *name == Name::someone() {
                    Participant::Someone
                } else {
                    Participant::Named { name: name.clone(), mark: id.mark(*mark) }
                };
                SeatedChair { who, here: is_here(*id) }
            }
            Occupant::Bot(kind) => SeatedChair { who: Participant::Bot(*kind), here: true },
            Occupant::Ghost(_) => SeatedChair { who: Participant::Ghost, here: true },
        });
        let code = self.code(id);
        Some(SeatedTable { code, game: self.setup().game(), chapter, chairs: chairs.collect() })
    }
}
