//! What the simulation may look at. Nothing in production calls it.

use crate::state::TableState;
use crate::table::Table;

/// The inside of a table, for checks of what its viewers were sent and of what waits in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The table as it would be sent now.
    pub table: wire::Table,
    /// Whether all options of the game are open, or only those that need not wait for a player.
    pub is_on: bool,
    /// How many inputs wait for the journal.
    pub backlog: usize,
    /// How many presses wait for their turn.
    pub presses: usize,
}

impl Table {
    /// How things stand inside.
    pub fn probe(&self) -> Probe {
        Probe {
            table: self.table(),
            is_on: self.is_on(),
            backlog: self.queue.backlog_len(),
            presses: self.presses.len(),
        }
    }
}

impl TableState {
    /// Replaces the state of the game that is on by one in the game's notation.
    pub fn replace_game(&mut self, state: &str) -> Result<(), String> {
        self.playing_mut().map_or(Ok(()), |live| live.replace(state))
    }
}
