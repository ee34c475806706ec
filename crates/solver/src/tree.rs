//! A strategy as a tree: which row to ask, and after each answer the next.

use rules::royale::{Row, Triple, Zone};

use super::board::State;
use super::geometry::{SOLVED, Set, geometry, triple};
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

    /// The tree as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A row in one byte: the zone in the highest bit.
pub const fn row_byte(row: Row) -> u8 {
    let zone = match row.zone() {
        Zone::Colours => 0,
        Zone::Shapes => 1 << 7,
    };
    zone | row.triple().index() as u8
}

/// The row of a byte, if it is one.
pub fn byte_row(byte: u8) -> Option<Row> {
    let zone = if byte >> 7 == 0 { Zone::Colours } else { Zone::Shapes };
    let index = usize::from(byte & 127);
    (index < usize::from(Triple::COUNT)).then(|| Row::new(zone, triple(index)))
}

impl Search<'_> {
    /// A tree of least total for the state, or nothing if it was time to stop.
    pub fn tree(&mut self, state: State, left: u32) -> Option<Tree> {
        let mut tree = Tree::default();
        let node = self.node(state, left);
        self.grow(&node, &mut tree.bytes);
        (!self.stopped).then_some(tree)
    }

    /// A row of least total, and that total; nothing if it was time to stop or cannot be done.
    pub fn best_row(&mut self, node: &Node) -> Option<(u8, u8, u32)> {
        let total = self.value(node, IMPOSSIBLE);
        if self.stopped || total >= IMPOSSIBLE {
            return None;
        }
        let rows = self.rows(node);
        let mut rows = rows.iter().filter(|row| row.least <= total);
        let best = rows.find(|row| self.row_value(node, row, total + 1) == total || self.stopped)?;
        (!self.stopped).then_some((best.zone, best.row, total))
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
            if sets[zone] == 0 || self.stopped {
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
        let Some(row) = self.memory.one.best_row(set, left) else { return };
        bytes.push((zone as u8) << 7 | row);
        for class in &geometry().class[usize::from(row)][1..] {
            self.grow_alone(zone, set & class, after(left), bytes);
        }
    }
}
