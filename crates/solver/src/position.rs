//! A position: what a codebreaker knows, that is the pack and the rows so far.

use rules::royale::{ByZone, Pack, Pegs, Possible, Public, Row, Rows, Zone};

use super::board::{Board, State};
use super::class::Renaming;
use super::geometry::{ALL, Set, answer_number, geometry};

/// A pack, and what was asked and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pack: Pack,
    rows: ByZone<Rows>,
}

/// What is left to do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Nothing, or no code fits the answers.
    Nothing,
    /// Both zones are open.
    Both(State),
    /// One zone is open.
    One(Zone),
}

impl Position {
    /// Before anything was asked.
    pub fn of(pack: Pack) -> Self {
        Self { pack, rows: ByZone::default() }
    }

    /// The position that all players at a table see.
    pub fn seen(public: &Public) -> Self {
        Self { pack: public.pack, rows: public.rows }
    }

    /// After one more row and its answer; a zone that is solved or spent takes no more.
    #[must_use]
    pub fn and_after(mut self, row: Row, pegs: Pegs) -> Self {
        if self.rows[row.zone()].are_open() {
            self.rows[row.zone()].ask(row.triple(), pegs);
        }
        self
    }

    /// The pack.
    pub const fn pack(&self) -> Pack {
        self.pack
    }

    /// The rows so far.
    pub const fn rows(&self) -> &ByZone<Rows> {
        &self.rows
    }

    /// The codes that are possible.
    pub fn possible(&self) -> Possible {
        Possible::after(self.pack, &self.rows)
    }

    /// The codes that are possible, on the board of the pack.
    pub(crate) fn state(&self, board: &Board) -> State {
        board.state([Zone::Colours, Zone::Shapes].map(|zone| self.set(zone)))
    }

    /// The rows so far as the class of the pack calls them.
    pub(crate) fn renamed(&self, renaming: &Renaming) -> Vec<(Row, Pegs)> {
        let rows = [Zone::Colours, Zone::Shapes].into_iter().flat_map(|zone| {
            self.rows[zone].iter().map(move |asked| (Row::new(zone, asked.row), asked.pegs))
        });
        rows.map(|(row, pegs)| (renaming.rename(row), pegs)).collect()
    }

    pub(crate) fn task(&self, board: &Board) -> Task {
        let open = [Zone::Colours, Zone::Shapes].map(|zone| self.rows[zone].are_open());
        let state = self.state(board);
        match open {
            _ if state.codes == 0 => Task::Nothing,
            [true, true] => Task::Both(state),
            [true, false] => Task::One(Zone::Colours),
            [false, true] => Task::One(Zone::Shapes),
            [false, false] => Task::Nothing,
        }
    }

    /// The triples of a zone that its own answers leave.
    fn set(&self, zone: Zone) -> Set {
        let answered = self.rows[zone]
            .iter()
            .map(|asked| geometry().class[asked.row.index()][answer_number(asked.pegs)]);
        answered.fold(ALL, |all, class| all & class)
    }
}
