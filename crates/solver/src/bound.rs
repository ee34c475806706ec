//! Admissible bounds on the least total of a state.

use std::sync::LazyLock;

use super::geometry::TRIPLES;
use super::one::WITHIN;

/// What the capacity bound looks at: how many codes there are, how many triples in each zone, and
/// the most that go with one triple of the other zone.
#[derive(Clone, Copy)]
pub struct Extent {
    /// The number of codes.
    pub codes: u32,
    /// How many triples in each zone.
    pub triples: [u32; 2],
    /// For each zone, the most triples of the other one that go with one of its own.
    pub degrees: [u32; 2],
}

/// The least total by the capacity of the tree of answers: within `d` rows only a limited number of
/// codes can be finished, so the others need a row more.
#[inline]
pub fn capacity(extent: Extent) -> u32 {
    let Extent { codes, triples: [m, k], degrees: [dm, dk] } = extent;
    if codes <= 2 {
        return [0, 2, 5][codes as usize];
    }
    // No code is finished by one row, and one at most by two. The first row solves its zone for
    // the codes of one triple, or leads to one of eight other answers.
    let parts = [(m - 1).min(8), (k - 1).min(8)];
    let within = (9.min(dm) + parts[0]).max(9.min(dk) + parts[1]);
    let total = 3 * codes - 1;
    if within >= codes { total } else { deeper(extent, parts, within, total + codes - within) }
}

fn deeper(extent: Extent, parts: [u32; 2], mut within: u32, mut total: u32) -> u32 {
    let Extent { codes, triples: [m, k], degrees: [dm, dk] } = extent;
    let rooms = &ROOMS[(m * SIDE + k) as usize];
    for rows in 4..=MOST_ROWS {
        let left = WITHIN[(rows - 1).min(4)];
        let first = (left.min(dm) + parts[0] * within).max(left.min(dk) + parts[1] * within);
        within = first.min(rooms[rows]);
        if within >= codes {
            break;
        }
        total += codes - within;
    }
    total
}

/// Whether all codes can be finished within `left` rows, by capacity.
pub fn fits(extent: Extent, left: u32) -> bool {
    let Extent { codes, triples: [m, k], degrees: [dm, dk] } = extent;
    let parts = [(m - 1).min(8), (k - 1).min(8)];
    let mut within = u32::from(left >= 2);
    for rows in 3..=(left as usize).min(MOST_ROWS) {
        let informed = WITHIN[(rows - 1).min(4)];
        let first =
            (informed.min(dm) + parts[0] * within).max(informed.min(dk) + parts[1] * within);
        within = first.min(ROOMS[(m * SIDE + k) as usize][rows]);
    }
    left as usize > MOST_ROWS || within >= codes
}

const SIDE: u32 = TRIPLES as u32 + 1;
const MOST_ROWS: usize = 7;

/// By the number of triples in each zone and the number of rows: the most codes that can be
/// finished if every pair were a code.
static ROOMS: LazyLock<Vec<[u32; MOST_ROWS + 1]>> = LazyLock::new(|| {
    let within = |rows: usize, most: u32| WITHIN[rows.min(4)].min(most);
    let pairs = (0..SIDE).flat_map(|m| (0..SIDE).map(move |k| (m, k)));
    let rooms = pairs.map(|(m, k)| {
        std::array::from_fn(|rows| {
            (1..rows).map(|i| within(i, m) * (within(rows - i, k) - within(rows - i - 1, k))).sum()
        })
    });
    rooms.collect()
});
