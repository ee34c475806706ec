//! One zone when its triples are not equally likely: some go with more codes than others.
//!
//! This is the case when two players break one zone each (Y8): a player uses the answers of the
//! other zone so far, but cannot count on those to come.

use std::collections::HashMap;

use super::candidate::disorder;
use super::geometry::{ANSWERS, Members, Set, TRIPLES, geometry, live};
use super::stop::Stop;

/// How many codes each triple goes with.
pub struct Weighted {
    weights: [u32; TRIPLES],
    memo: HashMap<Set, u32>,
}

/// A row to ask in one zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneAdvice {
    /// The index of its triple.
    pub row: u8,
    /// The total of rows in this zone over all codes lies between these.
    pub least: u32,
    pub most: u32,
}

impl Weighted {
    /// The triples with these weights.
    pub fn new(weights: &[u32; TRIPLES]) -> Self {
        Self { weights: *weights, memo: HashMap::new() }
    }

    /// The best row for a set that is not empty, as far as the search gets.
    pub fn advise(&mut self, set: Set, stop: &mut Stop) -> ZoneAdvice {
        let rows = self.rows(set);
        let least = rows.iter().map(|row| row.least).min().unwrap_or_default();
        let mut best =
            ZoneAdvice { row: set.trailing_zeros() as u8, least, most: self.weight(set) };
        if set.is_power_of_two() {
            return ZoneAdvice { least: best.most, ..best };
        }
        // Some strategy to begin with: always the row that tells most.
        if let Some(first) = rows.iter().min_by_key(|row| row.disorder) {
            best = ZoneAdvice { row: first.row, least, most: self.greedy(set) };
        }
        for row in rows {
            if row.least >= best.most {
                continue;
            }
            let found = self.with_first(set, &row, best.most, stop);
            if stop.stopped() {
                return best;
            }
            if found < best.most {
                best = ZoneAdvice { row: row.row, most: found, ..best };
            }
        }
        ZoneAdvice { least: best.most, ..best }
    }

    /// The least total with that row first lies between these.
    pub fn totals_with(&mut self, set: Set, row: u8, stop: &mut Stop) -> (u32, u32) {
        let parts = geometry().class[usize::from(row)].map(|class| class & set);
        let weight = self.weight(set);
        let mut totals = (weight, weight);
        for part in &parts[1..] {
            let total = self.total(*part, stop);
            totals.0 += total;
            totals.1 += if stop.stopped() { self.greedy(*part) } else { total };
        }
        totals
    }

    fn total(&mut self, set: Set, stop: &mut Stop) -> u32 {
        match set.count_ones() {
            0 => return 0,
            1 => return self.weight(set),
            _ => {}
        }
        if let Some(total) = self.memo.get(&set) {
            return *total;
        }
        if stop.step(WEIGHED_STEPS) {
            return self.least(set);
        }
        let mut best = u32::MAX;
        for row in self.rows(set) {
            if row.least < best {
                best = best.min(self.with_first(set, &row, best, stop));
            }
            if stop.stopped() {
                return self.least(set);
            }
        }
        self.memo.insert(set, best);
        best
    }

    fn with_first(&mut self, set: Set, row: &Weighed, limit: u32, stop: &mut Stop) -> u32 {
        let mut total = row.least;
        for class in &geometry().class[usize::from(row.row)][1..] {
            let part = set & class;
            if total >= limit || stop.stopped() {
                break;
            }
            total = total + self.total(part, stop) - self.least(part);
        }
        total
    }

    /// The row of a set that leaves least unknown.
    pub fn greedy_row(&self, set: Set) -> Option<u8> {
        let members = Members::of(set);
        let one = members.as_slice().first().filter(|_| set.is_power_of_two()).copied();
        one.or_else(|| self.rows(set).iter().min_by_key(|row| row.disorder).map(|row| row.row))
    }

    /// What always asking the row that tells most takes.
    fn greedy(&self, set: Set) -> u32 {
        let weight = self.weight(set);
        if set.count_ones() < 2 {
            return weight;
        }
        let rows = self.rows(set);
        let Some(row) = rows.iter().min_by_key(|row| row.disorder) else { return weight };
        let parts = geometry().class[usize::from(row.row)][1..].iter().map(|class| set & class);
        weight + parts.map(|part| self.greedy(part)).sum::<u32>()
    }

    fn weight(&self, set: Set) -> u32 {
        Members::of(set).as_slice().iter().map(|member| self.weights[usize::from(*member)]).sum()
    }

    /// The heaviest triple is solved by the first row at best, eight more by the second.
    fn least(&self, set: Set) -> u32 {
        let members = Members::of(set);
        let mut weights = [0; TRIPLES];
        let weights = &mut weights[..members.as_slice().len()];
        for (weight, member) in weights.iter_mut().zip(members.as_slice()) {
            *weight = self.weights[usize::from(*member)];
        }
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let beyond = |count: usize| weights.iter().skip(count).sum::<u32>();
        beyond(0) + beyond(1) + beyond(9) + beyond(48)
    }

    fn rows(&self, set: Set) -> Vec<Weighed> {
        let weight = self.weight(set);
        let classes = |row: &u8| geometry().class[usize::from(*row)].map(|class| class & set);
        let rows = geometry().rows[live(set)].iter().filter(|row| {
            let parts = classes(row).iter().filter(|class| **class != 0).count();
            parts > 1 || set >> **row & 1 == 1
        });
        let mut rows = rows
            .map(|row| {
                let classes = classes(row);
                let parts = classes[1..ANSWERS].iter();
                let least = weight + parts.clone().map(|part| self.least(*part)).sum::<u32>();
                let disorder = parts.map(|part| disorder(self.weight(*part))).sum();
                Weighed { row: *row, least, disorder }
            })
            .collect::<Vec<_>>();
        rows.sort_by_key(|row| (row.least, row.disorder));
        rows
    }
}

/// Steps counted for one set.
const WEIGHED_STEPS: u32 = 10;

struct Weighed {
    row: u8,
    least: u32,
    disorder: u64,
}
