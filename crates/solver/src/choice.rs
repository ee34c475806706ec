//! Which rows are worth trying in one zone: those that no other row makes superfluous.

use super::geometry::{ANSWERS, Members, Set, geometry, live};
use super::memo::Memo;

/// The rows worth trying for each set that was met.
#[derive(Default)]
pub struct Choices {
    memo: Memo<Span>,
    rows: Vec<u8>,
}

/// The place of a set's rows in the list.
#[derive(Clone, Copy, Default)]
pub struct Span {
    start: u32,
    len: u8,
}

impl Choices {
    /// The rows worth trying when the zone's triple is one of the set.
    ///
    /// A row that cannot solve the zone only informs. It is left out if another row tells at
    /// least as much: knowing more never costs rows.
    pub fn of(&mut self, set: Set) -> Span {
        if let Some(span) = self.memo.get(set) {
            return span;
        }
        if self.memo.len() == Memo::<Span>::FULL {
            *self = Self::default();
        }
        let span = self.choose(set);
        self.memo.insert(set, span);
        span
    }

    /// The rows at that place.
    pub fn rows(&self, span: Span) -> &[u8] {
        &self.rows[span.start as usize..][..usize::from(span.len)]
    }

    fn choose(&mut self, set: Set) -> Span {
        let start = self.rows.len();
        let members = Members::of(set);
        let members = members.as_slice();
        self.rows.extend_from_slice(members);
        let tells_all = |row: &u8| sign(members, *row).1 == members.len();
        // With more members than answers no row tells all.
        if members.len() > ANSWERS || !members.iter().any(tells_all) {
            let others = geometry().rows[live(set)].iter().filter(|row| set >> **row & 1 == 0);
            let mut seen = [0; 256];
            for row in others {
                let (sign, parts) = sign(members, *row);
                if parts == members.len() {
                    self.rows.truncate(start + members.len());
                    self.rows.push(*row);
                    break;
                }
                if parts > 1 && is_new(&mut seen, sign) {
                    self.rows.push(*row);
                }
            }
        }
        Span { start: start as u32, len: (self.rows.len() - start) as u8 }
    }
}

/// A print of how a row splits a set, the same for every row that splits it so, and into how many
/// parts it does.
fn sign(members: &[u8], row: u8) -> (u64, usize) {
    let answers = &geometry().answer[usize::from(row)];
    let mut names = [0u8; 16];
    let (mut sign, mut parts) = (0u64, 0);
    for member in members {
        let name = &mut names[usize::from(answers[usize::from(*member)] & 15)];
        if *name == 0 {
            parts += 1;
            *name = parts;
        }
        sign = (sign.rotate_left(7) ^ u64::from(*name)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (sign, usize::from(parts))
}

/// Puts a print among those that were seen, of which there are fewer than 256.
fn is_new(seen: &mut [u64; 256], sign: u64) -> bool {
    let mut slot = (sign >> 56) as usize;
    while seen[slot] != 0 && seen[slot] != sign {
        slot = (slot + 1) % 256;
    }
    let new = seen[slot] == 0;
    seen[slot] = sign;
    new
}
