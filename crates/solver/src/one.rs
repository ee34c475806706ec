//! One zone alone: the least total of rows that finds every triple of a set, the row that solves
//! it included.

use super::geometry::{ANSWERS, Members, Set, TRIPLES, geometry, live};
use super::memo::Memo;

/// The most triples that can be solved within so many rows, whatever the set: 1, 9 answers, and
/// 48 of all 125; a test counts the last.
pub const WITHIN: [u32; 5] = [0, 1, 9, 48, 125];

/// The least total that so few rows allow for so many triples.
pub const LEAST: [u32; TRIPLES + 1] = least();

const fn least() -> [u32; TRIPLES + 1] {
    let mut table = [0; TRIPLES + 1];
    let mut n = 1;
    while n <= TRIPLES {
        let mut rows = 0;
        while rows < 4 {
            let within = if WITHIN[rows] < n as u32 { WITHIN[rows] } else { n as u32 };
            table[n] += n as u32 - within;
            rows += 1;
        }
        n += 1;
    }
    table
}

/// Least totals of sets, each computed once.
#[derive(Default)]
pub struct One {
    memo: Memo<u16>,
}

impl One {
    /// The least total of rows over all triples of the set.
    pub fn total(&mut self, set: Set) -> u32 {
        let count = set.count_ones();
        if count <= 2 {
            return [0, 1, 3][count as usize];
        }
        if let Some(total) = self.memo.get(set) {
            return u32::from(total);
        }
        let total = self.search(set, count);
        self.memo.insert(set, total as u16);
        total
    }

    fn search(&mut self, set: Set, count: u32) -> u32 {
        let geometry = geometry();
        let members = Members::of(set);
        let mut rows = Vec::with_capacity(TRIPLES);
        for row in &geometry.rows[live(set)] {
            let answers = &geometry.answer[usize::from(*row)];
            let mut sizes = [0u8; 16];
            for member in members.as_slice() {
                sizes[usize::from(answers[usize::from(*member)] & 15)] += 1;
            }
            let (mut least, mut squares, mut parts) = (count, 0, 0);
            for size in &sizes[1..ANSWERS] {
                least += LEAST[usize::from(*size)];
                squares += u32::from(*size) * u32::from(*size);
                parts += u32::from(*size > 0);
            }
            let solves = u32::from(sizes[0]);
            if solves == 1 && parts == count - 1 {
                return least;
            }
            if solves == 1 || parts > 1 {
                rows.push((least, squares * 2 - solves, *row));
            }
        }
        rows.sort_unstable();
        let mut best = u32::MAX;
        for (least, _, row) in rows {
            let mut total = least;
            for class in &geometry.class[usize::from(row)][1..] {
                if total >= best {
                    break;
                }
                let part = set & class;
                total = total + self.total(part) - LEAST[part.count_ones() as usize];
            }
            best = best.min(total);
        }
        best
    }
}
