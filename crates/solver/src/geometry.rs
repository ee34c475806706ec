//! The 125 triples of one zone as a dense space: sets of them in one machine word, what every row
//! is answered, and which rows can differ at all.

use std::sync::LazyLock;

use rules::royale::{Pegs, Triple, answer};

/// How many triples there are.
pub const TRIPLES: usize = Triple::COUNT as usize;
/// How many answers there are; [`SOLVED`] is the first of them.
pub const ANSWERS: usize = 9;
/// The answer of three black pegs.
pub const SOLVED: usize = 0;

/// A set of triples, one bit for each.
pub type Set = u128;

/// Every triple.
pub const ALL: Set = (1 << TRIPLES) - 1;

/// What is looked up about rows.
pub struct Geometry {
    /// By row and triple, the answer's number.
    pub answer: Vec<[u8; TRIPLES]>,
    /// By row and answer, the triples that give it.
    pub class: Vec<[Set; ANSWERS]>,
    /// By a set of kinds that are still possible somewhere: the rows that can differ. All kinds
    /// that are impossible everywhere get no peg, so the first of them stands for all.
    pub rows: [Vec<u8>; 32],
    /// By place and kind, the triples that have it there.
    pub at: [[Set; 5]; 3],
}

/// The one geometry.
pub fn geometry() -> &'static Geometry {
    static GEOMETRY: LazyLock<Geometry> = LazyLock::new(Geometry::new);
    &GEOMETRY
}

/// By the index of [`Pegs`], the dense number of an answer.
pub fn answer_number(pegs: Pegs) -> usize {
    const NUMBERS: [(u8, u8); ANSWERS] =
        [(3, 0), (0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0)];
    let found = NUMBERS.iter().position(|pair| *pair == (pegs.black(), pegs.white()));
    found.expect("an answer has one of nine pairs of pegs")
}

/// The triple of that index.
pub fn triple(index: usize) -> Triple {
    Triple::all().nth(index).expect("an index of the dense space is below 125")
}

/// By the index of a triple, its kinds.
pub const KINDS: [[u8; 3]; TRIPLES] = {
    let mut kinds = [[0; 3]; TRIPLES];
    let mut index = 0;
    while index < TRIPLES {
        kinds[index] = [index as u8 / 25, index as u8 / 5 % 5, index as u8 % 5];
        index += 1;
    }
    kinds
};

impl Geometry {
    fn new() -> Self {
        let mut answers = vec![[0; TRIPLES]; TRIPLES];
        let mut class = vec![[0; ANSWERS]; TRIPLES];
        for row in Triple::all() {
            for code in Triple::all() {
                let number = answer_number(answer(row, code));
                answers[row.index()][code.index()] = number as u8;
                class[row.index()][number] |= 1 << code.index();
            }
        }
        let rows = std::array::from_fn(|live: usize| {
            let dead = !live & 31;
            let usable = live | dead & dead.wrapping_neg();
            let fits = |row: &u8| KINDS[usize::from(*row)].iter().all(|k| usable >> k & 1 == 1);
            (0..Triple::COUNT).filter(fits).collect()
        });
        let mut at = [[0; 5]; 3];
        for (index, kinds) in KINDS.iter().enumerate() {
            for (place, kind) in kinds.iter().enumerate() {
                at[place][usize::from(*kind)] |= 1 << index;
            }
        }
        Self { answer: answers, class, rows, at }
    }
}

/// The members of a set in order, without a heap.
pub struct Members {
    list: [u8; TRIPLES],
    len: usize,
}

impl Members {
    /// Lists a set.
    pub fn of(set: Set) -> Self {
        let mut members = Self { list: [0; TRIPLES], len: 0 };
        for (mut word, base) in [(set as u64, 0), ((set >> 64) as u64, 64)] {
            while word != 0 {
                members.list[members.len] = base + word.trailing_zeros() as u8;
                members.len += 1;
                word &= word - 1;
            }
        }
        members
    }

    /// The members as a slice.
    pub fn as_slice(&self) -> &[u8] {
        &self.list[..self.len]
    }
}

/// Which kinds a set has anywhere, one bit for each.
pub fn live(set: Set) -> usize {
    let at = &geometry().at;
    (0..5).filter(|k| (at[0][*k] | at[1][*k] | at[2][*k]) & set != 0).fold(0, |all, k| all | 1 << k)
}
