//! Rows that may be asked next, each with a bound on the total that it leads to.

use std::sync::LazyLock;

use super::board::{Board, State};
use super::bound::{Extent, capacity};
use super::choice::Choices;
use super::geometry::{ANSWERS, Members, SOLVED, TRIPLES, geometry};
use super::one::LEAST;

/// A row that may be asked next.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// No strategy that begins with it needs less in total.
    pub least: u32,
    /// How much is unknown after it; less is mostly better.
    pub disorder: u32,
    /// 0 for colours, 1 for shapes.
    pub zone: u8,
    /// The index of its triple.
    pub row: u8,
    /// By answer, the least total after it.
    pub parts: [u16; ANSWERS],
}

/// A state with what is needed to weigh its rows.
pub struct Survey {
    codes: u32,
    sets: [u128; 2],
    members: [Members; 2],
    triples: [u32; 2],
    /// By zone and place in the list of members, how many codes a triple has.
    degree: [[u16; TRIPLES]; 2],
    most: [u32; 2],
    /// Without, every bound is zero.
    bounds: bool,
}

impl Survey {
    /// Surveys a state.
    pub fn new(board: &Board, state: &State, bounds: bool) -> Self {
        let members = state.sets.map(Members::of);
        let mut degree = [[0u16; TRIPLES]; 2];
        let mut most = [0u32; 2];
        for zone in 0..2 {
            for (member, degree) in members[zone].as_slice().iter().zip(&mut degree[zone]) {
                let with = board.with[zone][usize::from(*member)] & state.sets[1 - zone];
                *degree = with.count_ones() as u16;
                most[zone] = most[zone].max(u32::from(*degree));
            }
        }
        let triples = state.sets.map(u128::count_ones);
        Self { codes: state.codes, sets: state.sets, members, triples, degree, most, bounds }
    }

    /// Hands every row worth trying to `each`, until it returns false.
    pub fn rows(&self, choices: &mut Choices, mut each: impl FnMut(Candidate) -> bool) {
        for zone in 0..2 {
            // What is known in a zone can as well be asked at the end.
            if self.triples[zone] == 1 {
                continue;
            }
            let span = choices.of(self.sets[zone]);
            for row in choices.rows(span) {
                if !each(self.row(zone, *row)) {
                    return;
                }
            }
        }
    }

    /// Weighs one row.
    #[inline]
    pub fn row(&self, zone: usize, row: u8) -> Candidate {
        let answers = &geometry().answer[usize::from(row)];
        // The number of codes below, that of triples above.
        let mut parts = [0u32; 16];
        for (member, degree) in self.members[zone].as_slice().iter().zip(&self.degree[zone]) {
            let answer = usize::from(answers[usize::from(*member)] & 15);
            parts[answer] += 1 << 16 | u32::from(*degree);
        }
        let other = 1 - zone;
        let mut candidate = Candidate {
            least: self.codes,
            disorder: 0,
            zone: zone as u8,
            row,
            parts: [0; ANSWERS],
        };
        for (part, after) in parts[1..ANSWERS].iter().zip(&mut candidate.parts[1..]) {
            let (codes, own) = (part & 0xFFFF, part >> 16);
            if codes == 0 {
                continue;
            }
            candidate.disorder += DISORDER[codes as usize];
            if self.bounds {
                // Capacity is the same whichever zone is called first. At most 6,840 codes have
                // none of a kind, at seven rows each: the total fits.
                let least = capacity(Extent {
                    codes,
                    triples: [own, self.triples[other].min(codes)],
                    degrees: [self.most[zone].min(codes), self.most[other].min(own)],
                });
                *after = least as u16;
                candidate.least += least;
            }
        }
        if self.bounds {
            candidate.least += LEAST[(parts[SOLVED] & 0xFFFF) as usize];
        }
        candidate
    }
}

/// The uncertainty of `codes` codes, in sixteenths of a nat for each.
#[expect(clippy::cast_sign_loss, reason = "the logarithm of a number from 1 on has no sign")]
pub fn disorder(codes: u32) -> u64 {
    (f64::from(codes) * f64::from(codes.max(1)).ln() * 16.0) as u64
}

/// The same by the number of codes, for all that there can be.
static DISORDER: LazyLock<Vec<u32>> =
    LazyLock::new(|| (0..=13_800).map(|codes| disorder(codes) as u32).collect());
