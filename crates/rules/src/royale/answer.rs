//! The answer to a row (Y3).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::row::Triple;

/// The pegs that a row gets against a code, both of the same zone.
pub fn answer(row: Triple, code: Triple) -> Pegs {
    Pegs(ANSWERS[place(row, code)])
}

/// Black and white pegs, written `1b2w`, `-` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Counts", rename = "RoyalePegs"))]
#[serde(into = "Counts", try_from = "Counts")]
pub struct Pegs(u8);

impl Pegs {
    /// What solves a zone (Y4).
    pub const SOLVED: Self = Self(3 << 2);
    /// Every index is below this.
    pub const INDEX_MOST: usize = 16;

    /// This many pegs, if an answer can have them.
    pub fn new(black: u8, white: u8) -> Option<Self> {
        // With two in their place the third token is in its place too, or in none.
        let possible = black <= 3 && white <= 3 - black && (black, white) != (2, 1);
        possible.then_some(Self(black << 2 | white))
    }

    /// How many tokens are right in kind and place.
    pub const fn black(self) -> u8 {
        self.0 >> 2
    }

    /// How many are right in kind but not in place.
    pub const fn white(self) -> u8 {
        self.0 & 3
    }

    /// A number of its own for each answer, for tables by answer.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
struct Counts {
    black: u8,
    white: u8,
}

impl From<Pegs> for Counts {
    fn from(pegs: Pegs) -> Self {
        Self { black: pegs.black(), white: pegs.white() }
    }
}

impl TryFrom<Counts> for Pegs {
    type Error = PegsError;

    fn try_from(counts: Counts) -> Result<Self, PegsError> {
        Self::new(counts.black, counts.white).ok_or(PegsError)
    }
}

impl fmt::Display for Pegs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.black(), self.white()) {
            (0, 0) => f.write_str("-"),
            (black, 0) => write!(f, "{black}b"),
            (0, white) => write!(f, "{white}w"),
            (black, white) => write!(f, "{black}b{white}w"),
        }
    }
}

impl FromStr for Pegs {
    type Err = PegsError;

    fn from_str(text: &str) -> Result<Self, PegsError> {
        let pegs = match text.as_bytes() {
            b"-" => Self::new(0, 0),
            [black @ b'1'..=b'3', b'b'] => Self::new(black - b'0', 0),
            [white @ b'1'..=b'3', b'w'] => Self::new(0, white - b'0'),
            [black @ b'1'..=b'3', b'b', white @ b'1'..=b'3', b'w'] => {
                Self::new(black - b'0', white - b'0')
            }
            _ => None,
        };
        pegs.ok_or(PegsError)
    }
}

/// What is returned for pegs that no answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an answer is some black and white pegs, as in 1b2w, 2b or 1w, or - for none")]
pub struct PegsError;

/// The stripe of each row has 128 places, so that no index is ever out of the table.
const STRIPE: usize = 128;

const fn place(row: Triple, code: Triple) -> usize {
    (row.index() % STRIPE) * STRIPE + code.index() % STRIPE
}

static ANSWERS: [u8; STRIPE * STRIPE] = answers();

const fn answers() -> [u8; STRIPE * STRIPE] {
    let mut table = [0; STRIPE * STRIPE];
    let mut row = 0;
    while row < Triple::COUNT {
        let mut code = 0;
        while code < Triple::COUNT {
            let (row, hidden) = (Triple::at(row), Triple::at(code));
            table[place(row, hidden)] = count(row.kinds(), hidden.kinds());
            code += 1;
        }
        row += 1;
    }
    table
}

/// Blacks are equal tokens in equal places; blacks and whites together are, for each kind, the
/// smaller of its numbers in the row and in the code.
const fn count(row: [u8; 3], code: [u8; 3]) -> u8 {
    let mut black = 0;
    // Two bits for each kind.
    let (mut in_row, mut in_code) = (0u16, 0u16);
    let mut place = 0;
    while place < 3 {
        black += (row[place] == code[place]) as u8;
        in_row += 1 << (2 * row[place]);
        in_code += 1 << (2 * code[place]);
        place += 1;
    }
    let mut both = 0;
    while in_row != 0 {
        let (of_row, of_code) = ((in_row & 3) as u8, (in_code & 3) as u8);
        both += if of_row < of_code { of_row } else { of_code };
        in_row >>= 2;
        in_code >>= 2;
    }
    black << 2 | (both - black)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes tokens off one by one, as people do at a table.
    fn by_hand(row: Triple, code: Triple) -> Pegs {
        let (mut row, mut code) = (row.kinds().map(Some), code.kinds().map(Some));
        let (mut black, mut white) = (0, 0);
        for place in 0..3 {
            if row[place] == code[place] {
                (row[place], code[place]) = (None, None);
                black += 1;
            }
        }
        for token in row.into_iter().flatten() {
            if let Some(place) = code.iter().position(|other| *other == Some(token)) {
                code[place] = None;
                white += 1;
            }
        }
        Pegs::new(black, white).unwrap()
    }

    #[test]
    fn all_15625_answers_are_as_counted_by_hand() {
        for row in Triple::all() {
            for code in Triple::all() {
                assert_eq!(answer(row, code), by_hand(row, code), "{row:?} {code:?}");
                assert_eq!(answer(row, code) == Pegs::SOLVED, row == code);
            }
        }
    }

    #[test]
    fn the_nine_answers_are_read_as_they_are_written() {
        let all =
            (0..=4).flat_map(|black| (0..=4).filter_map(move |white| Pegs::new(black, white)));
        let written = all.map(|pegs| {
            assert_eq!(pegs.to_string().parse(), Ok(pegs));
            assert!(pegs.index() < Pegs::INDEX_MOST);
            pegs.to_string()
        });
        assert_eq!(written.collect::<Vec<_>>().join(" "), "- 1w 2w 3w 1b 1b1w 1b2w 2b 3b");
        for wrong in ["", "0b", "4b", "2b1w", "3b1w", "1w1b", "1b 2w", "b"] {
            assert_eq!(wrong.parse::<Pegs>(), Err(PegsError), "{wrong:?}");
        }
        assert!(serde_json::from_str::<Pegs>(r#"{"black":2,"white":1}"#).is_err());
    }
}
