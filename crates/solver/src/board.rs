//! A pack as a relation: which triples of colours and of shapes make a code together.

use rules::royale::{Code, Pack};

use super::bound::Extent;
use super::geometry::{ALL, Members, Set, TRIPLES};

/// The codes of a pack, by their colours and by their shapes.
pub struct Board {
    /// By zone and triple there, the triples of the other zone that go with it.
    pub with: [[Set; TRIPLES]; 2],
}

/// The codes that are still possible: those of the board whose colours and shapes are in these
/// sets. Every member of either set is in some code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The possible triples of each zone.
    pub sets: [Set; 2],
    /// How many codes they make.
    pub codes: u32,
}

impl Board {
    /// The board of a pack.
    pub fn new(pack: Pack) -> Self {
        let mut with = [[0; TRIPLES]; 2];
        for code in Code::all(pack) {
            let (colours, shapes) = (code.colours().index(), code.shapes().index());
            with[0][colours] |= 1 << shapes;
            with[1][shapes] |= 1 << colours;
        }
        Self { with }
    }

    /// Every code of the pack.
    pub fn start(&self) -> State {
        self.state([ALL, ALL])
    }

    /// The codes with colours and shapes in these sets.
    pub fn state(&self, sets: [Set; 2]) -> State {
        let mut state = State::default();
        for colours in Members::of(sets[0]).as_slice() {
            let shapes = self.with[0][usize::from(*colours)] & sets[1];
            if shapes != 0 {
                state.sets[0] |= 1 << colours;
                state.sets[1] |= shapes;
                state.codes += shapes.count_ones();
            }
        }
        state
    }
}

impl State {
    /// By triple of a zone, how many of the codes have it.
    pub fn weights(&self, board: &Board, zone: usize) -> [u32; TRIPLES] {
        std::array::from_fn(|index| {
            let possible = self.sets[zone] >> index & 1 == 1;
            if possible { (board.with[zone][index] & self.sets[1 - zone]).count_ones() } else { 0 }
        })
    }

    /// What the capacity bound looks at.
    pub fn extent(&self, degrees: [u32; 2]) -> Extent {
        Extent { codes: self.codes, triples: self.sets.map(u128::count_ones), degrees }
    }
}
