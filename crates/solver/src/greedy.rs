//! The greedy strategy: always asks the row that tells most. It is quick and never far from the
//! best.

use rules::royale::{Code, Pack, Row, Zone};

use super::advice::row_of;
use super::board::{Board, State};
use super::candidate::{Candidate, Survey};
use super::geometry::{Members, SOLVED, Set, TRIPLES, geometry};
use super::position::Position;
use super::search::{Search, UNLIMITED};
use super::solver::Solver;
use super::stop::Stop;
use super::tablebase::shipped;
use super::weighted::Weighted;

impl Solver {
    /// The row that leaves least unknown among those of the zones that may be asked.
    pub fn greedy_row(&mut self, position: &Position, zones: &[Zone]) -> Option<Row> {
        let board = Board::new(position.pack());
        let state = position.state(&board);
        let open = zones.iter().filter(|zone| position.rows()[**zone].are_open());
        let open = open.copied().collect::<Vec<_>>();
        match open[..] {
            _ if state.codes == 0 => None,
            [] => None,
            [zone] => {
                let own = usize::from(zone == Zone::Shapes);
                let weights = state.weights(&board, own);
                let row = Weighted::new(&weights).greedy_row(state.sets[own])?;
                Some(row_of(own as u8, row))
            }
            _ if state.codes == 1 => Some(row_of(0, state.sets[0].trailing_zeros() as u8)),
            _ => {
                let stop = &mut Stop::never();
                let row = self.with_search(&board, stop, |search| search.greedy_row(&state))?;
                Some(row_of(row.zone, row.row))
            }
        }
    }

    /// For each code of a pack the rows that good play takes: the tablebase's where it knows the
    /// pack, otherwise those of the greedy strategy.
    pub fn costs(&mut self, pack: Pack) -> Vec<(Code, u32)> {
        if let Some((solution, renaming)) = shipped().find(pack).filter(|_| self.remembers) {
            return solution.tree.costs(pack, &renaming);
        }
        let board = Board::new(pack);
        let mut rows = vec![0u8; TRIPLES * TRIPLES];
        let state = board.start();
        self.with_search(&board, &mut Stop::never(), |search| {
            search.greedy_costs(&state, 0, &mut rows);
        });
        let cost = |code: Code| rows[code.colours().index() * TRIPLES + code.shapes().index()];
        Code::all(pack).map(|code| (code, u32::from(cost(code)))).collect()
    }
}

/// Steps counted for one greedy row.
const GREEDY_STEPS: u32 = 5;

impl Search<'_, '_> {
    /// The row that leaves least unknown; one that may solve a zone goes before one that cannot.
    pub(crate) fn greedy_row(&mut self, state: &State) -> Option<Candidate> {
        let survey = Survey::new(self.board, state, false);
        let mut best: Option<Candidate> = None;
        survey.rows(&mut self.cache.choices, |row| {
            if best.as_ref().is_none_or(|best| row.disorder < best.disorder) {
                best = Some(row);
            }
            true
        });
        best
    }

    /// The total of the greedy strategy.
    pub(crate) fn greedy(&mut self, state: &State) -> u32 {
        if let Some(total) = self.closed(state, UNLIMITED) {
            return total;
        }
        self.stop.step(GREEDY_STEPS);
        self.greedy_row(state).map_or(0, |row| self.greedy_after(state, &row))
    }

    /// The total of a strategy that begins with a row and goes on greedily.
    pub(crate) fn greedy_after(&mut self, state: &State, row: &Candidate) -> u32 {
        let (zone, index) = (usize::from(row.zone), usize::from(row.row));
        let mut total = state.codes;
        for (answer, class) in geometry().class[index].iter().enumerate() {
            let mut sets = state.sets;
            sets[zone] &= class;
            if sets[zone] == 0 {
                continue;
            }
            total += if answer == SOLVED {
                self.cache.one.good(self.board.with[zone][index] & sets[1 - zone])
            } else {
                let next = self.board.state(sets);
                self.greedy(&next)
            };
        }
        total
    }

    /// Notes for each code the number of rows of the greedy strategy.
    fn greedy_costs(&mut self, state: &State, asked: u8, rows: &mut [u8]) {
        if state.codes == 1 {
            let [colours, shapes] = state.sets.map(|set| set.trailing_zeros() as usize);
            rows[colours * TRIPLES + shapes] = asked + 2;
            return;
        }
        let Some(row) = self.greedy_row(state) else { return };
        let (zone, index) = (usize::from(row.zone), usize::from(row.row));
        for (answer, class) in geometry().class[index].iter().enumerate() {
            let mut sets = state.sets;
            sets[zone] &= class;
            if sets[zone] == 0 {
                continue;
            }
            if answer == SOLVED {
                let rest = self.board.with[zone][index] & sets[1 - zone];
                self.alone_costs(zone, index, rest, asked + 1, rows);
            } else {
                let next = self.board.state(sets);
                self.greedy_costs(&next, asked + 1, rows);
            }
        }
    }

    fn alone_costs(&mut self, solved: usize, index: usize, set: Set, asked: u8, rows: &mut [u8]) {
        let note = |rows: &mut [u8], other: usize, asked: u8| {
            let (colours, shapes) = if solved == 0 { (index, other) } else { (other, index) };
            rows[colours * TRIPLES + shapes] = asked;
        };
        if set.count_ones() < 2 {
            for member in Members::of(set).as_slice() {
                note(rows, usize::from(*member), asked + 1);
            }
            return;
        }
        let Some(row) = self.cache.one.best_row(set, UNLIMITED) else { return };
        if set >> row & 1 == 1 {
            note(rows, usize::from(row), asked + 1);
        }
        for class in &geometry().class[usize::from(row)][1..] {
            self.alone_costs(solved, index, set & class, asked + 1, rows);
        }
    }
}
