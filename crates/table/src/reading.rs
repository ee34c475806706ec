//! Reading a table from the lines of its journal.

use crate::entry::Entry;
use crate::events::Events;
use crate::stage::Stage;
use crate::state::TableState;

/// A line that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    /// Which, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: String,
}

impl<E: Events> TableState<E> {
    /// The table that these lines tell of; `None` if there are none.
    pub fn read<L: AsRef<str>>(lines: &[L]) -> Result<Option<Self>, BadLine> {
        Self::read_with(lines, |_, _, _| Ok(()))
    }

    /// The same, shown to `each` line by line: the number of the line from 1, the table after it,
    /// and the entry that the line holds.
    pub fn read_with<L: AsRef<str>>(
        lines: &[L],
        mut each: impl FnMut(usize, &Self, Entry) -> Result<(), String>,
    ) -> Result<Option<Self>, BadLine> {
        let mut state = None::<Self>;
        for (index, line) in lines.iter().enumerate() {
            let wrong = |error: String| BadLine { line: index + 1, error };
            let entry = Entry::read(line.as_ref()).map_err(wrong)?;
            let table = match &mut state {
                None => state.insert(Self::founded(&entry).map_err(wrong)?),
                Some(table) => {
                    table.fold(&entry).map_err(wrong)?;
                    table
                }
            };
            each(index + 1, table, entry).map_err(wrong)?;
        }
        Ok(state)
    }
}

impl TableState {
    /// Reads lines as [`read`](Self::read) does, and checks the state of the game whenever all
    /// events of a command were folded.
    pub fn read_checked<L: AsRef<str>>(lines: &[L]) -> Result<Option<Self>, BadLine> {
        let mut pending = None::<usize>;
        let check = |table: &Self, line: usize| match table.stage() {
            Stage::Gathering { .. } => Ok(()),
            Stage::Playing(live) | Stage::Over(live, _) => {
                live.check().map_err(|error| BadLine { line, error })
            }
        };
        let mut state = None::<Self>;
        for (index, line) in lines.iter().enumerate() {
            let wrong = |error: String| BadLine { line: index + 1, error };
            let entry = Entry::read(line.as_ref()).map_err(wrong)?;
            match &mut state {
                None => state = Some(Self::founded(&entry).map_err(wrong)?),
                Some(table) => {
                    if let Some(line) = pending.filter(|_| entry.is_command()) {
                        check(table, line)?;
                    }
                    table.fold(&entry).map_err(wrong)?;
                    pending = Some(index + 1);
                }
            }
        }
        if let Some(table) = &state {
            check(table, lines.len())?;
        }
        Ok(state)
    }
}
