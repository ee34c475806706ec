//! Rows that may be asked next, each with a bound on the total that it leads to.

use std::sync::LazyLock;

use super::board::{Board, State};
use super::bound::{Extent, capacity};
use super::choice::Choices;
use super::geometry::{ANSWERS, Members, SOLVED, TRIPLES, geometry};
use super::one::LEAST;
use super::search::Method;

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

/// Hands every row worth trying to `each`, until it returns false.
pub fn candidates(
    board: &Board,
    choices: &mut Choices,
    state: &State,
    method: Method,
    mut each: impl FnMut(Candidate) -> bool,
) {
    let triples = state.sets.map(u128::count_ones);
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
    for zone in 0..2 {
        let other = 1 - zone;
        let list = members[zone].as_slice();
        // What is known in a zone is asked at the end, or whenever the other one is known too.
        if list.len() == 1 {
            continue;
        }
        let span = choices.of(state.sets[zone]);
        for row in choices.rows(span) {
            let answers = &geometry().answer[usize::from(*row)];
            // The number of codes below, that of triples above.
            let mut parts = [0u32; 16];
            for (member, degree) in list.iter().zip(&degree[zone]) {
                let answer = usize::from(answers[usize::from(*member)] & 15);
                parts[answer] += 1 << 16 | u32::from(*degree);
            }
            let mut candidate = Candidate {
                least: state.codes,
                disorder: 0,
                zone: zone as u8,
                row: *row,
                parts: [0; ANSWERS],
            };
            for (part, after) in parts[1..ANSWERS].iter().zip(&mut candidate.parts[1..]) {
                let (codes, own) = (part & 0xFFFF, part >> 16);
                if codes == 0 {
                    continue;
                }
                candidate.disorder += DISORDER[codes as usize];
                if method.bounds {
                    // Capacity is the same whichever zone is called first.
                    let least = capacity(Extent {
                        codes,
                        triples: [own, triples[other].min(codes)],
                        degrees: [most[zone].min(codes), most[other].min(own)],
                    });
                    // At most 6,840 codes have none of a kind, at seven rows each.
                    *after = least as u16;
                    candidate.least += u32::from(*after);
                }
            }
            if method.bounds {
                candidate.least += LEAST[(parts[SOLVED] & 0xFFFF) as usize];
            }
            if !each(candidate) {
                return;
            }
        }
    }
}

/// By a number of codes, how much is unknown among so many, in sixteenths of a nat for each.
static DISORDER: LazyLock<Vec<u32>> = LazyLock::new(|| {
    (0..=13_800u32).map(|n| (f64::from(n) * f64::from(n.max(1)).ln() * 16.0) as u32).collect()
});
