//! One zone alone: the least total of rows that finds every triple of a set, the row that solves
//! it included.

use super::geometry::{ANSWERS, Members, Set, TRIPLES, geometry, live};
use super::memo::Memo;

/// By a number of rows, the most triples that can be solved within them, for any set: 1, 9 answers,
/// and 48 of all 125; a test counts the last.
pub const WITHIN: [u32; 5] = [0, 1, 9, 48, 125];

/// By a number of triples, the least total that [`WITHIN`] allows.
pub const LEAST: [u32; TRIPLES + 1] = least();

const fn least() -> [u32; TRIPLES + 1] {
    let mut table = [0; TRIPLES + 1];
    let mut count = 1;
    while count <= TRIPLES {
        let mut rows = 0;
        while rows < 4 {
            let left = (count as u32).saturating_sub(WITHIN[rows]);
            table[count] += left;
            rows += 1;
        }
        count += 1;
    }
    table
}

/// A strategy of least total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The rows over all triples together.
    pub total: u32,
    /// The most rows for any one of them.
    pub rows: u32,
}

/// Least totals of sets, each computed once.
#[derive(Default)]
pub struct One {
    /// The total, and in the last four bits the rows of the strategy that was found.
    memo: Memo<u16>,
    /// The same for a number of rows that binds, which is seldom met.
    bound: std::collections::HashMap<(Set, u32), Option<u32>>,
}

impl One {
    /// A strategy of least total for the set.
    pub fn best(&mut self, set: Set) -> Best {
        let count = set.count_ones();
        if count <= 2 {
            return Best { total: [0, 1, 3][count as usize], rows: count };
        }
        if let Some(packed) = self.memo.get(set) {
            return Best { total: u32::from(packed >> 4), rows: u32::from(packed & 15) };
        }
        let best = self.search(set, count);
        self.memo.insert(set, (best.total << 4 | best.rows) as u16);
        best
    }

    /// The number of steps to find the best strategy: zero if it is known or quickly found.
    pub fn price(&self, set: Set) -> u32 {
        let count = set.count_ones();
        let soon = count <= SOON_FOUND || self.memo.get(set).is_some();
        if soon { 0 } else { count * count / 8 }
    }

    /// The total of a good strategy, without a search: of the best one if it is known or quickly
    /// found.
    pub fn good(&mut self, set: Set) -> u32 {
        if set.count_ones() <= SOON_FOUND || self.memo.get(set).is_some() {
            return self.best(set).total;
        }
        let squares = |row: &u8| {
            let parts = geometry().class[usize::from(*row)][1..].iter().map(|class| class & set);
            parts.map(|part| part.count_ones().pow(2)).sum::<u32>()
        };
        let Some(row) = choices(set).min_by_key(squares) else { return 0 };
        let parts = geometry().class[usize::from(row)][1..].iter().map(|class| class & set);
        set.count_ones() + parts.map(|part| self.good(part)).sum::<u32>()
    }

    /// The least total if no triple may take more than `rows` rows; `None` if that is impossible.
    pub fn within(&mut self, set: Set, rows: u32) -> Option<u32> {
        let best = self.best(set);
        if best.rows <= rows {
            return Some(best.total);
        }
        if rows < 4 && set.count_ones() > WITHIN[rows as usize] {
            return None;
        }
        if let Some(total) = self.bound.get(&(set, rows)) {
            return *total;
        }
        let total = choices(set).filter_map(|row| self.with_first(set, row, rows)).min();
        if self.bound.len() == Memo::<u16>::FULL {
            self.bound.clear();
        }
        self.bound.insert((set, rows), total);
        total
    }

    /// A first row of a strategy that has the total of [`within`](Self::within).
    pub fn best_row(&mut self, set: Set, rows: u32) -> Option<u8> {
        let total = self.within(set, rows)?;
        choices(set).find(|row| self.with_first(set, *row, rows) == Some(total))
    }

    /// The least total with that row first, if it tells anything.
    fn with_first(&mut self, set: Set, row: u8, rows: u32) -> Option<u32> {
        let parts = geometry().class[usize::from(row)][1..].iter().map(|class| set & class);
        let mut parts = parts.filter(|part| *part != 0);
        if parts.clone().any(|part| part == set) {
            return None;
        }
        let after = parts.try_fold(0, |sum, part| Some(sum + self.within(part, rows - 1)?))?;
        Some(set.count_ones() + after)
    }

    fn search(&mut self, set: Set, count: u32) -> Best {
        let geometry = geometry();
        let members = Members::of(set);
        let mut rows = Vec::with_capacity(TRIPLES);
        for row in choices(set) {
            let answers = &geometry.answer[usize::from(row)];
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
                return Best { total: least, rows: 2 };
            }
            if solves == 1 || parts > 1 {
                rows.push((least, squares * 2 - solves, row));
            }
        }
        rows.sort_unstable();
        let mut best = Best { total: u32::MAX, rows: 0 };
        for (least, _, row) in rows {
            let mut found = Best { total: least, rows: 0 };
            for class in &geometry.class[usize::from(row)][1..] {
                if found.total >= best.total {
                    break;
                }
                let part = set & class;
                let after = self.best(part);
                found.total = found.total + after.total - LEAST[part.count_ones() as usize];
                found.rows = found.rows.max(after.rows);
            }
            if found.total < best.total {
                best = Best { rows: found.rows + 1, ..found };
            }
        }
        best
    }
}

/// Sets with at most this number of triples are solved within microseconds.
const SOON_FOUND: u32 = 20;

/// The rows that can differ for a set.
fn choices(set: Set) -> impl Iterator<Item = u8> {
    geometry().rows[live(set)].iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ALL;

    #[test]
    fn one_zone_takes_451_rows_over_125_triples_and_never_more_than_five() {
        let mut one = One::default();
        assert_eq!(one.best(ALL), Best { total: 451, rows: 5 });
        assert_eq!(one.within(ALL, 4), None);
        assert_eq!(one.within(ALL, 5), Some(451));
    }

    /// The most triples of a set that `rows` rows can solve.
    fn within(set: Set, rows: u32) -> u32 {
        match rows {
            _ if set == 0 => 0,
            1 => 1,
            _ => {
                let solved = |row: u8| {
                    let parts = geometry().class[usize::from(row)].iter().map(|class| set & class);
                    let parts = parts.enumerate().map(|(answer, part)| match answer {
                        0 => u32::from(part != 0),
                        _ => within(part, rows - 1),
                    });
                    parts.sum()
                };
                choices(set).map(solved).max().unwrap_or_default()
            }
        }
    }

    #[test]
    fn no_more_triples_are_solved_within_three_rows_than_the_bounds_say() {
        assert_eq!([1, 2, 3].map(|rows| within(ALL, rows)), [WITHIN[1], WITHIN[2], WITHIN[3]]);
    }
}
