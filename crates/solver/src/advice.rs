//! Advice: which row to ask next, with proven bounds.

use rules::royale::{Row, Zone};

use super::board::{Board, State};
use super::candidate::Candidate;
use super::geometry::triple;
use super::position::{Position, Task};
use super::search::{Search, UNLIMITED};
use super::solver::Solver;
use super::stop::Stop;
use super::tablebase::shipped;
use super::weighted::Weighted;

/// What a strategy is to be best at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    /// The expected number of rows.
    #[default]
    Mean,
    /// The greatest number of rows, and among strategies with the least of those, the expected one.
    Worst,
}

/// A row to ask, with what is proven about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The row to ask.
    pub row: Row,
    /// How many codes are possible.
    pub codes: u32,
    /// The total of rows from here over these codes: no strategy needs less.
    pub least: u32,
    /// A strategy that begins with the row needs no more.
    pub most: u32,
    /// The rows from here that suffice for every code, if that was asked for.
    pub worst: Option<u32>,
}

impl Advice {
    /// Whether the row is proven to be best.
    pub const fn is_exact(&self) -> bool {
        self.least == self.most
    }

    /// The expected number of rows from here lies between these.
    pub fn expected(&self) -> (f64, f64) {
        let mean = |total: u32| f64::from(total) / f64::from(self.codes.max(1));
        (mean(self.least), mean(self.most))
    }
}

impl Solver {
    /// The best row in a position, as far as it is found in time; `None` if there is nothing to
    /// ask, or no code fits the answers.
    pub fn advise(&mut self, position: &Position, aim: Aim, stop: &mut Stop) -> Option<Advice> {
        let board = Board::new(position.pack());
        match position.task(&board) {
            Task::Nothing => None,
            Task::One(zone) => self.advise_zone(position, zone, stop),
            Task::Both(state) => match aim {
                Aim::Mean => self
                    .remembers
                    .then(|| remembered(position, &state))
                    .flatten()
                    .or_else(|| self.with_search(&board, stop, |search| search.advise(&state))),
                Aim::Worst => self.with_search(&board, stop, |search| search.advise_worst(&state)),
            },
        }
    }

    /// The best row for a codebreaker who may ask in these zones: in both, or in one while another
    /// player breaks the other.
    pub fn suggest(
        &mut self,
        position: &Position,
        zones: &[Zone],
        stop: &mut Stop,
    ) -> Option<Advice> {
        match zones {
            [] => None,
            [zone] => self.advise_zone(position, *zone, stop),
            _ => self.advise(position, Aim::Mean, stop),
        }
    }

    /// The best row for a codebreaker of that zone alone: the answers in the other zone so far are
    /// taken into account, those to come are not. The totals are those of this zone.
    pub fn advise_zone(
        &mut self,
        position: &Position,
        zone: Zone,
        stop: &mut Stop,
    ) -> Option<Advice> {
        let board = Board::new(position.pack());
        let state = position.state(&board);
        if state.codes == 0 || !position.rows()[zone].are_open() {
            return None;
        }
        let own = usize::from(zone == Zone::Shapes);
        let weights = state.weights(&board, own);
        let found = Weighted::new(&weights).advise(state.sets[own], stop);
        let row = Row::new(zone, triple(usize::from(found.row)));
        let (codes, least, most) = (state.codes, found.least, found.most);
        Some(Advice { row, codes, least, most, worst: None })
    }
}

/// What the tablebase says, if the rows so far are its own.
fn remembered(position: &Position, state: &State) -> Option<Advice> {
    let (solution, renaming) = shipped().find(position.pack())?;
    let (row, total) = solution.tree.follow(solution.class.pack(), &position.renamed(&renaming))?;
    let row = renaming.restore(row);
    Some(Advice { row, codes: state.codes, least: total, most: total, worst: None })
}

impl Search<'_, '_> {
    /// The best row of a state with both zones open.
    fn advise(&mut self, state: &State) -> Option<Advice> {
        if state.codes == 1 {
            return Some(advice(state, only_row(state), 2, 2));
        }
        // First some strategy for each promising row, so that there is always an answer.
        let mut rows = Vec::with_capacity(250);
        self.survey(state).rows(&mut self.cache.choices, |row| {
            rows.push(row);
            true
        });
        rows.sort_by_key(|row| row.disorder);
        let bound = rows.iter().map(|row| row.least).min()?;
        if !self.stop.affords(2 * state.codes) {
            let first = rows.first()?;
            let most = SURELY * state.codes;
            return Some(advice(state, (first.zone, first.row), bound, most));
        }
        let mut best: Option<(Candidate, u32)> = None;
        for row in rows.iter().take(PROMISING) {
            let most = self.greedy_after(state, row);
            if best.as_ref().is_none_or(|best| most < best.1) {
                best = Some((*row, most));
            }
            if self.stop.stopped() {
                break;
            }
        }
        let (mut row, mut most) = best?;
        let node = self.node(*state, UNLIMITED);
        // Then each row exactly, as long as there is time.
        let mut proven = u32::MAX;
        for candidate in &rows {
            let is_best = (candidate.zone, candidate.row) == (row.zone, row.row);
            let limit = most + u32::from(is_best);
            let mut found = candidate.least;
            if found < limit && !self.stop.stopped() {
                found = self.row_value(&node, candidate, limit);
                if self.stop.stopped() {
                    found = candidate.least;
                } else if found < limit {
                    (row, most) = (*candidate, found);
                }
            }
            proven = proven.min(found);
        }
        let least = node.least.max(proven).min(most);
        Some(advice(state, (row.zone, row.row), least, most))
    }

    /// The best row among strategies with the least worst case.
    fn advise_worst(&mut self, state: &State) -> Option<Advice> {
        if state.codes == 1 {
            let advice = advice(state, only_row(state), 2, 2);
            return Some(Advice { worst: Some(2), ..advice });
        }
        let Some(left) = self.least_worst(*state) else { return self.advise(state) };
        let node = self.node(*state, left);
        let Some((zone, row, total)) = self.best_row(&node) else { return self.advise(state) };
        Some(Advice { worst: Some(left), ..advice(state, (zone, row), total, total) })
    }
}

fn advice(state: &State, (zone, row): (u8, u8), least: u32, most: u32) -> Advice {
    let row = row_of(zone, row);
    Advice { row, codes: state.codes, least, most, worst: None }
}

/// The row of a zone's number and a triple's index.
pub(crate) fn row_of(zone: u8, row: u8) -> Row {
    let zone = if zone == 0 { Zone::Colours } else { Zone::Shapes };
    Row::new(zone, triple(usize::from(row)))
}

/// Five rows suffice for all 125 triples of a zone, so ten do for both zones one after the other.
const SURELY: u32 = 10;

/// How many rows are tried out greedily before any is searched.
const PROMISING: usize = 12;

/// With one code left its colours are asked first.
fn only_row(state: &State) -> (u8, u8) {
    (0, state.sets[0].trailing_zeros() as u8)
}
