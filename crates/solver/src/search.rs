//! Depth-first branch and bound for the least total of rows over all codes of a state.

use super::board::{Board, State};
use super::bound::{Extent, capacity, fits};
use super::candidate::{Candidate, Survey};
use super::choice::Choices;
use super::geometry::{ANSWERS, Members, geometry};
use super::key::Key;
use super::one::{LEAST, One};
use super::stop::Stop;
use super::table::{Bounds, Table};

/// How many rows are left when there is no limit.
pub const UNLIMITED: u32 = 31;
/// A total that no strategy has: the rows that are left do not suffice. Sums of a few stay below
/// what a word holds.
pub const IMPOSSIBLE: u32 = 1 << 24;

/// Options of a search. The results are the same; the options change the time it takes and how much
/// of the search has to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// States that differ by names alone are searched once.
    pub renaming: bool,
    /// Rows that provably cannot be better are left out.
    pub bounds: bool,
}

impl Default for Method {
    fn default() -> Self {
        Self { renaming: true, bounds: true }
    }
}

/// What is cached from one search to the next, for all packs.
pub struct SearchCache {
    pub(crate) one: One,
    pub(crate) choices: Choices,
    pub(crate) table: Table,
}

impl SearchCache {
    /// A cache for two to the power of `bits` states.
    pub fn new(bits: u32) -> Self {
        Self { one: One::default(), choices: Choices::default(), table: Table::new(bits) }
    }
}

/// A search on one board.
pub struct Search<'a, 's> {
    pub cache: &'a mut SearchCache,
    pub board: &'a Board,
    pub method: Method,
    /// Once it has stopped the search, results prove nothing.
    pub stop: &'a mut Stop<'s>,
}

/// A state with what is known of it.
#[derive(Clone, Copy, Default)]
pub struct Node {
    pub state: State,
    /// Rows left.
    pub left: u32,
    key: Key,
    pub least: u32,
    pub most: u32,
    /// No bound on its rows is known yet.
    fresh: bool,
}

/// A row with the states after its answers, as far as they are not known exactly.
pub struct Expanded {
    /// The least total that is known of the row.
    pub least: u32,
    open: Vec<Node>,
}

impl Search<'_, '_> {
    /// The least total of the state if it is below `limit`; otherwise some proven bound that is
    /// not.
    pub fn value(&mut self, node: &Node, limit: u32) -> u32 {
        if node.least == node.most || node.least >= limit {
            return node.least;
        }
        if self.stop.step(STATE_STEPS) {
            return node.least;
        }
        let rows = self.rows(node);
        let mut best = limit;
        let mut least_of_others = u32::MAX;
        for row in &rows {
            let found = if row.least < best { self.row_value(node, row, best) } else { row.least };
            if self.stop.stopped() {
                return node.least;
            }
            if found < best {
                best = found;
            } else {
                least_of_others = least_of_others.min(found);
            }
        }
        debug_assert!(best >= node.least, "a bound was above a value: {:?}", node.state);
        let known = if best < limit {
            Bounds { least: best, most: best }
        } else {
            Bounds {
                least: least_of_others.clamp(limit.max(node.least), IMPOSSIBLE),
                most: u32::MAX,
            }
        };
        self.keep(node, known);
        known.least
    }

    /// Keeps what is known of a state.
    pub fn keep(&mut self, node: &Node, known: Bounds) {
        self.cache.table.insert(&node.key, node.state.codes, known);
    }

    /// The rows worth trying, the most promising first.
    pub fn rows(&mut self, node: &Node) -> Vec<Candidate> {
        let mut rows = Vec::with_capacity(250);
        self.survey(&node.state).rows(&mut self.cache.choices, |row| {
            rows.push(row);
            true
        });
        // Where little is left the bounds tell more than the disorder does.
        if node.state.codes < 64 {
            rows.sort_unstable_by_key(|row| (row.least, row.disorder));
        } else {
            rows.sort_unstable_by_key(|row| (row.disorder, row.least));
        }
        rows
    }

    /// What is needed to weigh rows.
    pub fn survey(&self, state: &State) -> Survey {
        Survey::new(self.board, state, self.method.bounds)
    }

    /// The least total with that row first if it is below `limit`; otherwise some proven bound
    /// that is not.
    pub fn row_value(&mut self, node: &Node, row: &Candidate, limit: u32) -> u32 {
        let mut expanded = self.expand(node, row, limit);
        if expanded.least < limit && self.method.bounds {
            self.look(&mut expanded, limit);
        }
        let Expanded { mut least, mut open } = expanded;
        // Small groups are cheap, and their rows narrow the limit for the large ones.
        open.sort_unstable_by_key(|kid| kid.state.codes);
        for kid in &open {
            if least >= limit {
                break;
            }
            least = least - kid.least + self.value(kid, limit - (least - kid.least));
        }
        least
    }

    /// What is known of the states after a row. Stops early when the row cannot be below `limit`.
    pub fn expand(&mut self, node: &Node, row: &Candidate, limit: u32) -> Expanded {
        let Node { state, left, .. } = node;
        let left = after(*left);
        let (zone, triple) = (usize::from(row.zone), usize::from(row.row));
        let mut expanded = Expanded { least: row.least, open: Vec::with_capacity(ANSWERS) };
        if state.sets[zone] >> triple & 1 == 1 {
            let rest = self.board.with[zone][triple] & state.sets[1 - zone];
            expanded.least += self.alone(rest, left);
            expanded.least -=
                if self.method.bounds { LEAST[rest.count_ones() as usize] } else { 0 };
        }
        // The largest parts have most to add to what is known of them.
        let mut order = [1, 2, 3, 4, 5, 6, 7, 8];
        order.sort_unstable_by_key(|answer| std::cmp::Reverse(row.parts[*answer]));
        for answer in order {
            let part = state.sets[zone] & geometry().class[triple][answer];
            if part == 0 || expanded.least >= limit {
                continue;
            }
            let mut sets = state.sets;
            sets[zone] = part;
            let least = u32::from(row.parts[answer]);
            let mut kid = self.node(self.board.state(sets), left);
            kid.least = kid.least.max(least);
            expanded.least += kid.least - least;
            if kid.least != kid.most {
                expanded.open.push(kid);
            }
        }
        expanded
    }

    /// A state with what is known of it without a search.
    pub fn node(&mut self, state: State, left: u32) -> Node {
        let mut node = self.met(state, left);
        if node.fresh && self.method.bounds {
            node.least = self.least(&state, left);
            node.most = if node.least >= IMPOSSIBLE { node.least } else { node.most };
        }
        node
    }

    /// A state with what follows at once, or was found when it was met before.
    pub fn met(&mut self, state: State, left: u32) -> Node {
        if let Some(total) = self.closed(&state, left) {
            let key = Key::default();
            return Node { state, left, key, least: total, most: total, fresh: false };
        }
        let key = Key::of(self.board, &state, left, self.method.renaming);
        let known = self.cache.table.get(&key).unwrap_or(Bounds { least: 0, most: u32::MAX });
        Node { state, left, key, least: known.least, most: known.most, fresh: known.least == 0 }
    }

    /// The least total where it follows at once: few codes, or zones that say nothing about each
    /// other.
    pub(crate) fn closed(&mut self, state: &State, left: u32) -> Option<u32> {
        let [m, k] = state.sets.map(u128::count_ones);
        let within = |rows: u32, total: u32| if left < rows { IMPOSSIBLE } else { total };
        match state.codes {
            0 => return Some(0),
            1 => return Some(within(2, 2)),
            2 => return Some(within(3, 5)),
            3 if m * k > 3 && (m < 3 || k < 3 || three(state)) => return Some(within(3, 8)),
            3 if m * k > 3 => return Some(within(4, 9)),
            _ => {}
        }
        if m * k != state.codes {
            return None;
        }
        let [one, two] = state.sets.map(|set| self.cache.one.best(set));
        // With rows to spare each zone is solved as if it were alone.
        (left >= one.rows + two.rows).then(|| k * one.total + m * two.total)
    }

    pub fn alone(&mut self, set: u128, left: u32) -> u32 {
        self.cache.one.within(set, left).unwrap_or(IMPOSSIBLE)
    }

    /// A lower bound: by the capacity of the tree of answers, and by taking one zone as known from
    /// the start, so that each of its triples leaves a task in the other zone alone.
    fn least(&mut self, state: &State, left: u32) -> u32 {
        let mut price = 0;
        let extent = self.extent(state, |one, with| price += one.price(with));
        if !fits(extent, left) {
            return IMPOSSIBLE;
        }
        let room = capacity(extent);
        if !self.stop.affords(price) {
            return room;
        }
        let mut total = 0;
        for zone in 0..2 {
            for member in Members::of(state.sets[zone]).as_slice() {
                let with = self.board.with[zone][usize::from(*member)] & state.sets[1 - zone];
                let price = self.cache.one.price(with);
                if price > 0 && self.stop.step(price) {
                    return room;
                }
                total += self.cache.one.best(with).total;
            }
        }
        total.max(room)
    }

    /// What the capacity bound looks at; `each` meets what goes with each triple on the way.
    pub fn extent(&self, state: &State, mut each: impl FnMut(&One, u128)) -> Extent {
        let mut degrees = [0; 2];
        for (zone, degree) in degrees.iter_mut().enumerate() {
            for member in Members::of(state.sets[zone]).as_slice() {
                let with = self.board.with[zone][usize::from(*member)] & state.sets[1 - zone];
                *degree = with.count_ones().max(*degree);
                each(&self.cache.one, with);
            }
        }
        state.extent(degrees)
    }

    /// Raises what is known of states that were never met by looking one row ahead.
    fn look(&mut self, expanded: &mut Expanded, limit: u32) {
        for kid in expanded.open.iter_mut().filter(|kid| kid.fresh) {
            let mut least = u32::MAX;
            let survey = Survey::new(self.board, &kid.state, self.method.bounds);
            survey.rows(&mut self.cache.choices, |row| {
                least = least.min(row.least);
                least > kid.least
            });
            let least = least.max(kid.least);
            expanded.least += least - kid.least;
            kid.least = least;
            self.cache.table.insert(&kid.key, kid.state.codes, Bounds { least, most: kid.most });
            if expanded.least >= limit {
                return;
            }
        }
    }
}

/// Steps counted for one state.
pub const STATE_STEPS: u32 = 5;
/// The rows left after one more.
pub const fn after(left: u32) -> u32 {
    if left == UNLIMITED { UNLIMITED } else { left.saturating_sub(1) }
}

/// Whether three codes that differ in both zones are told apart by one of their own rows.
fn three(state: &State) -> bool {
    state.sets.iter().any(|set| {
        let members = Members::of(*set);
        members.as_slice().iter().any(|row| {
            let answers = &geometry().answer[usize::from(*row)];
            let got = members.as_slice().iter().map(|member| answers[usize::from(*member)]);
            got.fold(0u16, |all, answer| all | 1 << answer).count_ones() == 3
        })
    })
}
