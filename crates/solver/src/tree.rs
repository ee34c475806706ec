//! A strategy as a tree: which row to ask, and after each answer the next.

use rules::royale::{Code, Pack, Pegs, Row, Triple, Zone};

use super::board::{Board, State};
use super::class::{Class, Renaming};
use super::geometry::{SOLVED, Set, TRIPLES, answer_number, geometry, triple};
use super::search::{IMPOSSIBLE, Node, Search, after};

/// A whole strategy. One byte for every row that is not forced, a state before what follows its
/// answers; answers stand in the order of their numbers, the solving one first.
///
/// Where one code is left its rows are forced, and have no byte.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tree {
    bytes: Vec<u8>,
}

impl Tree {
    /// The tree that these bytes are.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec() }
    }

    /// Follows the tree along rows that were asked and answered, whatever their order between the
    /// zones: the next row, and the total of rows from there. `None` where the rows are not those
    /// of the tree, or nothing is left.
    pub fn follow(&self, pack: Pack, asked: &[(Row, Pegs)]) -> Option<(Row, u32)> {
        let board = Board::new(pack);
        let mut walk = Walk { board: &board, bytes: &self.bytes };
        let mut left = asked.to_vec();
        let mut at = At { state: board.start(), solved: [false; 2] };
        loop {
            if left.is_empty() {
                let row = walk.next(&at)?;
                return Some((row, walk.total(&at)?));
            }
            let row = walk.next(&at)?;
            let found = left.iter().position(|(asked, _)| *asked == row)?;
            let (_, pegs) = left.remove(found);
            at = walk.descend(&at, answer_number(pegs))?;
        }
    }

    /// For each code of a pack the rows that the tree of its class takes.
    pub fn costs(&self, pack: Pack, renaming: &Renaming) -> Vec<(Code, u32)> {
        let (class, _) = Class::of(pack);
        let board = Board::new(class.pack());
        let mut walk = Walk { board: &board, bytes: &self.bytes };
        let mut rows = vec![0; TRIPLES * TRIPLES];
        let at = At { state: board.start(), solved: [false; 2] };
        walk.costs(&at, 0, &mut rows);
        let cost = |code: Code| {
            let zones = [Row::Colours(code.colours()), Row::Shapes(code.shapes())];
            let mut index = 0;
            for row in zones.map(|row| renaming.rename(row)) {
                let one = row.triple().index();
                index += if row.zone() == Zone::Colours { one * TRIPLES } else { one };
            }
            rows[index]
        };
        Code::all(pack).map(|code| (code, cost(code))).collect()
    }

    /// The tree as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The row of a byte, if it is one: the zone is in the highest bit.
pub fn byte_row(byte: u8) -> Option<Row> {
    let zone = if byte >> 7 == 0 { Zone::Colours } else { Zone::Shapes };
    let index = usize::from(byte & 127);
    (index < usize::from(Triple::COUNT)).then(|| Row::new(zone, triple(index)))
}

/// A place in a tree.
#[derive(Clone, Copy)]
struct At {
    state: State,
    solved: [bool; 2],
}

/// Reads a tree from the front.
struct Walk<'a> {
    board: &'a Board,
    bytes: &'a [u8],
}

impl Walk<'_> {
    /// The row at this place: what is forced has no byte.
    fn next(&self, at: &At) -> Option<Row> {
        if at.state.codes > 1 {
            return byte_row(*self.bytes.first()?);
        }
        let zone = at.solved.iter().position(|solved| !solved)?;
        let index = at.state.sets[zone].trailing_zeros() as usize;
        let zone = if zone == 0 { Zone::Colours } else { Zone::Shapes };
        (at.state.codes == 1).then(|| Row::new(zone, triple(index)))
    }

    /// The place after an answer; what lies before it is skipped.
    fn descend(&mut self, at: &At, answer: usize) -> Option<At> {
        let row = self.take(at)?;
        for (number, next) in self.after(at, row) {
            if number == answer {
                return Some(next);
            }
            self.total(&next)?;
        }
        None
    }

    /// The total of rows from a place; the tree is read to the end of it.
    fn total(&mut self, at: &At) -> Option<u32> {
        if at.solved == [true; 2] {
            return Some(0);
        }
        let row = self.take(at)?;
        let after = self.after(at, row);
        after.into_iter().try_fold(at.state.codes, |sum, (_, next)| Some(sum + self.total(&next)?))
    }

    /// Notes the rows that each code takes.
    fn costs(&mut self, at: &At, asked: u32, rows: &mut [u32]) {
        if at.solved == [true; 2] {
            let [colours, shapes] = at.state.sets.map(|set| set.trailing_zeros() as usize);
            rows[colours * TRIPLES + shapes] = asked;
            return;
        }
        let Some(row) = self.take(at) else { return };
        for (_, next) in self.after(at, row) {
            self.costs(&next, asked + 1, rows);
        }
    }

    fn take(&mut self, at: &At) -> Option<Row> {
        let row = self.next(at)?;
        if at.state.codes > 1 {
            self.bytes = &self.bytes[1..];
        }
        Some(row)
    }

    /// The places after a row, in the order of the answers.
    fn after(&self, at: &At, row: Row) -> Vec<(usize, At)> {
        let zone = usize::from(row.zone() == Zone::Shapes);
        let classes = geometry().class[row.triple().index()].iter().enumerate();
        let places = classes.filter(|(_, class)| at.state.sets[zone] & **class != 0);
        let places = places.map(|(answer, class)| {
            let mut sets = at.state.sets;
            sets[zone] &= class;
            let mut solved = at.solved;
            solved[zone] |= answer == SOLVED;
            (answer, At { state: self.board.state(sets), solved })
        });
        places.collect()
    }
}

impl Search<'_, '_> {
    /// A tree of least total for the state, or nothing if it was time to stop.
    pub fn tree(&mut self, state: State, left: u32) -> Option<Tree> {
        let mut tree = Tree::default();
        let node = self.node(state, left);
        self.grow(&node, &mut tree.bytes);
        (!self.stop.stopped()).then_some(tree)
    }

    /// A row of least total, and that total; nothing if it was time to stop or cannot be done.
    pub fn best_row(&mut self, node: &Node) -> Option<(u8, u8, u32)> {
        let total = self.value(node, IMPOSSIBLE);
        if self.stop.stopped() || total >= IMPOSSIBLE {
            return None;
        }
        let rows = self.rows(node);
        let mut rows = rows.iter().filter(|row| row.least <= total);
        let best =
            rows.find(|row| self.row_value(node, row, total + 1) == total || self.stop.stopped())?;
        (!self.stop.stopped()).then_some((best.zone, best.row, total))
    }

    fn grow(&mut self, node: &Node, bytes: &mut Vec<u8>) {
        if node.state.codes < 2 {
            return;
        }
        let Some((zone, row, _)) = self.best_row(node) else { return };
        bytes.push(zone << 7 | row);
        let (zone, left) = (usize::from(zone), after(node.left));
        for (answer, class) in geometry().class[usize::from(row)].iter().enumerate() {
            let mut sets = node.state.sets;
            sets[zone] &= class;
            if sets[zone] == 0 || self.stop.stopped() {
                continue;
            }
            if answer == SOLVED {
                let rest = self.board.with[zone][usize::from(row)] & sets[1 - zone];
                self.grow_alone(1 - zone, rest, left, bytes);
            } else {
                let kid = self.node(self.board.state(sets), left);
                self.grow(&kid, bytes);
            }
        }
    }

    /// The rest of the tree when the other zone is solved.
    fn grow_alone(&mut self, zone: usize, set: Set, left: u32, bytes: &mut Vec<u8>) {
        if set.count_ones() < 2 {
            return;
        }
        let Some(row) = self.cache.one.best_row(set, left) else { return };
        bytes.push((zone as u8) << 7 | row);
        for class in &geometry().class[usize::from(row)][1..] {
            self.grow_alone(zone, set & class, after(left), bytes);
        }
    }
}
