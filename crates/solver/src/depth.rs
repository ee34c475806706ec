//! The least worst case: whether a number of rows suffices for every code. This is far quicker to
//! decide than the least total: the search stops at the first row that suffices, and the first
//! answer that needs more rules a row out.

use super::board::State;
use super::bound::fits;
use super::candidate::Candidate;
use super::geometry::{ANSWERS, geometry};
use super::search::{IMPOSSIBLE, Node, STATE_STEPS, Search, UNLIMITED, after};
use super::table::Bounds;

impl Search<'_, '_> {
    /// The least number of rows that suffices for every code; `None` if `stop` ended the search.
    pub fn least_worst(&mut self, state: State) -> Option<u32> {
        for left in 2..UNLIMITED {
            let node = self.met(state, left);
            let suffices = self.suffices(&node);
            if suffices || self.stop.stopped() {
                return suffices.then_some(left);
            }
        }
        None
    }

    /// Whether the rows that are left suffice for every code of the state. The answer is
    /// meaningless if `stop` ended the search.
    fn suffices(&mut self, node: &Node) -> bool {
        if node.least >= IMPOSSIBLE || node.most != u32::MAX {
            return node.least < IMPOSSIBLE;
        }
        if self.stop.step(STATE_STEPS) {
            return false;
        }
        let rows = self.rows(node);
        let suffices = rows.iter().any(|row| self.row_suffices(node, row));
        if !self.stop.stopped() {
            let most = node.state.codes * node.left;
            let known = if suffices {
                Bounds { least: node.least, most }
            } else {
                Bounds { least: IMPOSSIBLE, most: u32::MAX }
            };
            self.keep(node, known);
        }
        suffices && !self.stop.stopped()
    }

    fn row_suffices(&mut self, node: &Node, row: &Candidate) -> bool {
        let (state, left) = (&node.state, after(node.left));
        let (zone, triple) = (usize::from(row.zone), usize::from(row.row));
        if state.sets[zone] >> triple & 1 == 1 {
            let rest = self.board.with[zone][triple] & state.sets[1 - zone];
            if self.alone(rest, left) >= IMPOSSIBLE {
                return false;
            }
        }
        let parts = geometry().class[triple][1..].iter().map(|class| state.sets[zone] & class);
        let mut kids = Vec::with_capacity(ANSWERS);
        for part in parts.filter(|part| *part != 0) {
            let mut sets = state.sets;
            sets[zone] = part;
            let kid = self.board.state(sets);
            if !fits(self.extent(&kid, |_, _| ()), left) {
                return false;
            }
            kids.push(kid);
        }
        // What is known already costs nothing, and the large ones are the first to fail.
        let mut open = Vec::with_capacity(kids.len());
        for kid in kids {
            let kid = self.met(kid, left);
            if kid.least >= IMPOSSIBLE {
                return false;
            }
            if kid.most == u32::MAX {
                open.push(kid);
            }
        }
        open.sort_unstable_by_key(|kid| std::cmp::Reverse(kid.state.codes));
        open.iter().all(|kid| self.suffices(kid))
    }
}
