//! Which codes are still possible (Y10): from the pack and the rows alone, as a breaker reasons.
//!
//! Codes are never enumerated card by card. For each possible triple of colours, one machine word
//! holds the triples of shapes that make three different cards of the pack with it.

use super::answer::{Pegs, answer};
use super::card::{Card, Pack};
use super::code::Code;
use super::row::{Row, Triple};
use super::rows::Rows;
use super::zone::{ByZone, Zone};

/// The codes that a pack and the answers so far leave possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Possible {
    pack: Pack,
    zones: ByZone<Triples>,
}

impl Possible {
    /// What is possible before anything was asked.
    pub fn of(pack: Pack) -> Self {
        Self { pack, zones: ByZone::new(|_| Triples::ALL) }
    }

    /// What these rows leave.
    pub fn after(pack: Pack, rows: &ByZone<Rows>) -> Self {
        let answered = |zone: Zone| {
            let rows = rows[zone].iter().map(|asked| Triples::answering(asked.row, asked.pegs));
            rows.fold(Triples::ALL, Triples::and)
        };
        Self { pack, zones: ByZone::new(answered) }
    }

    /// What one more answer leaves.
    #[must_use]
    pub fn and_after(mut self, row: Row, pegs: Pegs) -> Self {
        let zone = &mut self.zones[row.zone()];
        *zone = zone.and(Triples::answering(row.triple(), pegs));
        self
    }

    /// How many codes there are.
    pub fn count(&self) -> u32 {
        self.by_colours().map(|(_, shapes)| shapes.len()).sum()
    }

    /// Whether the code is among them.
    pub fn contains(&self, code: Code) -> bool {
        self.pack.contain(code.pack())
            && Zone::ALL.iter().all(|zone| self.zones[*zone].contains(code.zone(*zone)))
    }

    /// Each of them.
    pub fn codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.by_colours().flat_map(|(colours, shapes)| {
            shapes.iter().map(move |shapes| Code::of(colours, shapes))
        })
    }

    /// The code of that number among [`codes`](Self::codes), counted from 0.
    pub fn nth(&self, number: u32) -> Option<Code> {
        let mut before = number;
        for (colours, shapes) in self.by_colours() {
            if let Some(left) = before.checked_sub(shapes.len()) {
                before = left;
            } else {
                return shapes.iter().nth(before as usize).map(|shapes| Code::of(colours, shapes));
            }
        }
        None
    }

    /// Every card that some of them have.
    pub fn cards(&self) -> Pack {
        let mut cards = Pack::NONE;
        for (colours, shapes) in self.by_colours() {
            for (place, colour) in colours.kinds().into_iter().enumerate() {
                let here = (0..5u8).filter(|shape| shapes.0 & AT[place][1 << shape] != 0);
                cards |= here.map(|shape| Card::of(colour, shape)).collect();
            }
        }
        cards
    }

    /// The possible triples of colours, each with the shapes that go with it.
    fn by_colours(&self) -> impl Iterator<Item = (Triple, Triples)> + '_ {
        self.zones.colours.iter().map(|colours| (colours, self.shapes_with(colours)))
    }

    fn shapes_with(&self, colours: Triple) -> Triples {
        let kinds @ [first, second, third] = colours.kinds();
        let mut shapes = self.zones.shapes.0;
        for (at, colour) in AT.iter().zip(kinds) {
            shapes &= at[self.pack.shapes_of(colour)];
        }
        // Two cards of one colour differ in shape.
        for (equal, differing) in
            [first == second, first == third, second == third].iter().zip(DIFFERING)
        {
            if *equal {
                shapes &= differing;
            }
        }
        Triples(shapes)
    }
}

/// A set of triples in one machine word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Triples(u128);

impl Triples {
    /// All 125.
    pub const ALL: Self = Self((1 << Triple::COUNT) - 1);

    /// Those that a row would get these pegs against.
    pub fn answering(row: Triple, pegs: Pegs) -> Self {
        let fitting = Triple::all().filter(|triple| answer(row, *triple) == pegs);
        Self(fitting.fold(0, |set, triple| set | 1 << triple.index()))
    }

    /// Those that are among the others too.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Whether the triple is among them.
    pub const fn contains(self, triple: Triple) -> bool {
        self.0 & (1 << triple.index()) != 0
    }

    /// How many they are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Triple> {
        let left = |bits: u128| (bits != 0).then_some(bits);
        std::iter::successors(left(self.0), move |bits| left(bits & (bits - 1)))
            .map(|bits| Triple::at(bits.trailing_zeros() as u8))
    }
}

/// By place and by a set of kinds, one bit for each: the triples that have one of them there.
static AT: [[u128; 32]; 3] = at();

const fn at() -> [[u128; 32]; 3] {
    let mut table = [[0; 32]; 3];
    let mut index = 0;
    while index < Triple::COUNT {
        let kinds = Triple::at(index).kinds();
        let mut place = 0;
        while place < 3 {
            let mut set = 0;
            while set < 32 {
                if set >> kinds[place] & 1 == 1 {
                    table[place][set] |= 1 << index;
                }
                set += 1;
            }
            place += 1;
        }
        index += 1;
    }
    table
}

/// The triples whose kinds differ in the first two places, the outer two, the last two.
const DIFFERING: [u128; 3] = differing();

const fn differing() -> [u128; 3] {
    let mut sets = [0; 3];
    let mut index = 0;
    while index < Triple::COUNT {
        let [first, second, third] = Triple::at(index).kinds();
        sets[0] |= ((first != second) as u128) << index;
        sets[1] |= ((first != third) as u128) << index;
        sets[2] |= ((second != third) as u128) << index;
        index += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Chance, Seed};

    /// Compares with trying every code of the pack.
    fn check(pack: Pack, asked: &[(Row, Pegs)]) {
        let mut rows = ByZone::<Rows>::default();
        let mut narrowed = Possible::of(pack);
        for (row, pegs) in asked {
            rows[row.zone()].ask(row.triple(), *pegs);
            narrowed = narrowed.and_after(*row, *pegs);
        }
        let fits = |code: &Code| {
            asked.iter().all(|(row, pegs)| answer(row.triple(), code.zone(row.zone())) == *pegs)
        };
        let mut tried = Code::all(pack).filter(fits).collect::<Vec<_>>();
        let possible = Possible::after(pack, &rows);
        assert_eq!(possible, narrowed);
        assert_eq!(possible.count() as usize, tried.len());
        assert_eq!(possible.cards(), tried.iter().map(|code| code.pack()).collect());
        assert!(tried.iter().all(|code| possible.contains(*code)));
        tried.sort_by_key(|code| (code.colours().index(), code.shapes().index()));
        assert!(possible.codes().eq(tried.iter().copied()));
        for (number, code) in (0..).zip(&tried).step_by(7) {
            assert_eq!(possible.nth(number), Some(*code));
        }
        assert_eq!(possible.nth(tried.len() as u32), None);
    }

    #[test]
    fn the_codes_left_are_those_that_trying_all_leaves() {
        check(Pack::WHOLE, &[]);
        check(Pack::NONE, &[]);
        let mut chance = Chance::new(Seed::from(3), 0);
        for _ in 0..60 {
            let pack = Pack::WHOLE.masked(chance.bits() | chance.bits());
            let codes = Code::all(pack).collect::<Vec<_>>();
            let Some(code) = chance.pick(&codes) else { continue };
            let mut asked = Vec::new();
            for _ in 0..chance.below(6) {
                let zone = Zone::ALL[chance.below(2) as usize];
                let row = Row::new(zone, Triple::at(chance.below(125) as u8));
                asked.push((row, answer(row.triple(), code.zone(zone))));
            }
            check(pack, &asked);
        }
    }
}
