//! States up to renaming: kinds and places are put into an order that follows from how often they
//! are used, so that most states that differ by names alone become the same key.
//!
//! A key says everything about its state, so equal keys are equivalent states whatever the order
//! was. Where the order is left open by ties, equivalent states may get different keys; that costs
//! time and nothing else.

use super::board::{Board, State};
use super::geometry::{KINDS, Members, Set, geometry};

/// The possible triples of both zones and the cards that possible codes have, renamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Key {
    sets: [Set; 2],
    cards: u32,
    /// How many rows are left.
    left: u32,
}

impl Key {
    /// The key of a state with `left` rows left, renamed or as it is.
    pub fn of(board: &Board, state: &State, left: u32, renaming: bool) -> Self {
        let members = state.sets.map(Members::of);
        let (counts, cards) = count(board, state, &members);
        if !renaming {
            return Self { sets: state.sets, cards, left };
        }
        let sizes = members.each_ref().map(|list| list.as_slice().len());
        let swap = sizes[0] < sizes[1];
        let (first, second) = if swap { (1, 0) } else { (0, 1) };

        // Places by how their kinds are used.
        let mut places = [0usize, 1, 2];
        let weight = |place: usize| {
            let of = |zone: usize, salt: u64| {
                counts[zone][place]
                    .iter()
                    .map(|n| mix(u64::from(*n) ^ salt))
                    .fold(0, u64::wrapping_add)
            };
            of(first, 0x51).wrapping_add(of(second, 0xA3).rotate_left(17))
        };
        let weights = [weight(0), weight(1), weight(2)];
        places.sort_by_key(|place| weights[*place]);

        // Kinds by how they are used in each place, then by the cards that they share.
        let own = [first, second].map(|zone| {
            std::array::from_fn::<u64, 5, _>(|kind| {
                places
                    .iter()
                    .fold(0, |all, place| all << 16 | u64::from(counts[zone][*place][kind]))
            })
        });
        let has = |a: usize, b: usize| {
            let (colour, shape) = if swap { (b, a) } else { (a, b) };
            cards >> (colour * 5 + shape) & 1 == 1
        };
        let shared = |of: &[u64; 5], others: &[u64; 5], is: &dyn Fn(usize, usize) -> bool| {
            std::array::from_fn::<u64, 5, _>(|kind| {
                let with = (0..5).filter(|other| is(kind, *other)).map(|other| mix(others[other]));
                mix(of[kind]).wrapping_add(with.fold(0, u64::wrapping_add))
            })
        };
        let more = [
            shared(&own[0], &own[1], &|a, b| has(a, b)),
            shared(&own[1], &own[0], &|b, a| has(a, b)),
        ];
        let names = [0, 1].map(|zone| {
            let mut order = [0usize, 1, 2, 3, 4];
            order.sort_by_key(|kind| std::cmp::Reverse((own[zone][*kind], more[zone][*kind])));
            let mut names = [0; 5];
            for (name, kind) in order.into_iter().enumerate() {
                names[kind] = name;
            }
            names
        });

        let rename = |zone: usize, names: &[usize; 5]| {
            let mut set = 0;
            for member in members[zone].as_slice() {
                let of = KINDS[usize::from(*member)];
                let [a, b, c] = places.map(|place| names[usize::from(of[place])]);
                set |= 1 << (a * 25 + b * 5 + c);
            }
            set
        };
        let mut renamed = 0;
        for a in 0..5 {
            for b in 0..5 {
                renamed |= u32::from(has(a, b)) << (names[0][a] * 5 + names[1][b]);
            }
        }
        Self { sets: [rename(first, &names[0]), rename(second, &names[1])], cards: renamed, left }
    }

    /// The key as words; the lowest 16 bits of the last one are free.
    pub fn words(&self) -> [u64; 5] {
        let [one, two] = self.sets;
        let rest = u64::from(self.cards) << 16 | u64::from(self.left) << 48;
        [one as u64, (one >> 64) as u64, two as u64, (two >> 64) as u64, rest]
    }
}

type Counts = [[[u32; 5]; 3]; 2];

/// How many codes have each kind in each place, and which cards some code has.
fn count(board: &Board, state: &State, members: &[Members; 2]) -> (Counts, u32) {
    let mut counts = Counts::default();
    let mut cards = 0;
    let colours = members[0].as_slice();
    // Few codes are counted one by one, many by the triples that they share.
    if state.codes < 4 * colours.len() as u32 {
        for colours in colours {
            let with = board.with[0][usize::from(*colours)] & state.sets[1];
            let colours = KINDS[usize::from(*colours)];
            for shapes in Members::of(with).as_slice() {
                let shapes = KINDS[usize::from(*shapes)];
                for place in 0..3 {
                    let (colour, shape) = (usize::from(colours[place]), usize::from(shapes[place]));
                    counts[0][place][colour] += 1;
                    counts[1][place][shape] += 1;
                    cards |= 1 << (colour * 5 + shape);
                }
            }
        }
        return (counts, cards);
    }
    let at = &geometry().at;
    for zone in 0..2 {
        for member in members[zone].as_slice() {
            let with = board.with[zone][usize::from(*member)] & state.sets[1 - zone];
            let number = with.count_ones();
            for (place, kind) in KINDS[usize::from(*member)].into_iter().enumerate() {
                counts[zone][place][usize::from(kind)] += number;
                if zone == 0 {
                    for (shape, there) in at[place].iter().enumerate() {
                        cards |= u32::from(there & with != 0) << (usize::from(kind) * 5 + shape);
                    }
                }
            }
        }
    }
    (counts, cards)
}

fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ x >> 32
}
