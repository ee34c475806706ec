//! Judging a round: how many rows each choice cost, compared with the best row.

use rules::royale::{Pack, Pegs, Row, Zone};

use super::advice::{Advice, Aim};
use super::board::{Board, State};
use super::position::{Position, Task};
use super::search::{IMPOSSIBLE, Search, UNLIMITED};
use super::solver::Solver;
use super::stop::Stop;
use super::weighted::Weighted;

/// How many players break a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breakers {
    /// One player asks in both zones.
    One,
    /// Each zone has its own codebreaker (Y8), who is judged by the rows of that zone.
    Two,
}

/// A row that was asked, compared with the best one. Expected rows are those of the player who
/// asked; each lies between the two numbers given for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The row.
    pub row: Row,
    /// The answer.
    pub pegs: Pegs,
    /// How many codes were possible before.
    pub codes_before: u32,
    /// How many codes were possible after.
    pub codes_after: u32,
    /// The best row, and the expected rows from there on.
    pub best: Advice,
    /// The rows to expect from there on with the row that was asked, itself included.
    pub expected: (f64, f64),
    /// The rows to expect once the answer is known.
    pub after: (f64, f64),
}

impl Judged {
    /// How many rows the choice costs on average, at least and at most; zero for a best row.
    pub fn cost(&self) -> (f64, f64) {
        let (best_least, best_most) = self.best.expected();
        let (least, most) = self.expected;
        ((least - best_most).max(0.0), (most - best_least).max(0.0))
    }

    /// Whether no row is better.
    pub fn is_best(&self) -> bool {
        self.cost().1 <= 0.0
    }
}

impl Solver {
    /// Judges the rows of a round in the order in which they were asked. `stop` gives each search
    /// its limit; there are up to three for a row.
    pub fn judge<'s>(
        &mut self,
        pack: Pack,
        breakers: Breakers,
        asked: &[(Row, Pegs)],
        mut stop: impl FnMut() -> Stop<'s>,
    ) -> Vec<Judged> {
        let mut position = Position::of(pack);
        let mut judged = Vec::with_capacity(asked.len());
        let mut ahead = None;
        for (row, pegs) in asked {
            let before = position;
            position = before.and_after(*row, *pegs);
            let known = ahead.take().filter(|_| breakers == Breakers::One);
            let advised = |this: &mut Self, position: &Position, stop: &mut Stop| match breakers {
                Breakers::One => this.advise(position, Aim::Mean, stop),
                Breakers::Two => this.advise_zone(position, row.zone(), stop),
            };
            let Some(best) = known.or_else(|| advised(self, &before, &mut stop())) else {
                continue;
            };
            let totals = self.totals_with(&before, breakers, *row, &best, &mut stop());
            let mean = |total: u32| f64::from(total) / f64::from(best.codes);
            ahead = advised(self, &position, &mut stop());
            judged.push(Judged {
                row: *row,
                pegs: *pegs,
                codes_before: best.codes,
                codes_after: position.possible().count(),
                best,
                expected: (mean(totals.0), mean(totals.1)),
                after: ahead.map_or((0.0, 0.0), |ahead: Advice| ahead.expected()),
            });
        }
        judged
    }

    /// The least total with that row first lies between these.
    fn totals_with(
        &mut self,
        position: &Position,
        breakers: Breakers,
        row: Row,
        best: &Advice,
        stop: &mut Stop,
    ) -> (u32, u32) {
        if row == best.row {
            return (best.least, best.most);
        }
        let board = Board::new(position.pack());
        let task = match breakers {
            Breakers::One => position.task(&board),
            Breakers::Two => Task::One(row.zone()),
        };
        let found = match task {
            Task::Both(state) => {
                self.with_search(&board, stop, |search| search.totals_with(&state, row))
            }
            Task::One(zone) => {
                let state = position.state(&board);
                let own = usize::from(zone == Zone::Shapes);
                let weights = state.weights(&board, own);
                Weighted::new(&weights).totals_with(
                    state.sets[own],
                    row.triple().index() as u8,
                    stop,
                )
            }
            Task::Nothing => (best.least, best.most),
        };
        // No row is better than the best one.
        (found.0.max(best.least), found.1.max(best.least))
    }
}

impl Search<'_, '_> {
    fn totals_with(&mut self, state: &State, row: Row) -> (u32, u32) {
        let node = self.node(*state, UNLIMITED);
        let zone = usize::from(row.zone() == Zone::Shapes);
        let candidate = self.survey(state).row(zone, row.triple().index() as u8);
        // A row that tells nothing costs one row and leaves the state as it was.
        if candidate.parts.iter().filter(|part| **part > 0).count() == 1
            && state.sets[zone] >> row.triple().index() & 1 == 0
        {
            let total = self.value(&node, IMPOSSIBLE);
            let most = if self.stop.stopped() { self.greedy(state) } else { total };
            return (state.codes + total, state.codes + most);
        }
        let most = self.greedy_after(state, &candidate);
        let found = self.row_value(&node, &candidate, most);
        if self.stop.stopped() {
            (candidate.least, most)
        } else {
            (found.min(most), found.min(most))
        }
    }
}
