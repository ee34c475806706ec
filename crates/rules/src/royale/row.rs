//! A row of tokens (Y2).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::zone::Zone;

/// Three kinds of one zone in order: one of 125.
///
/// It does not say which zone, so that one table answers for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleTriple"))]
#[serde(into = "[u8; 3]", try_from = "[u8; 3]")]
pub struct Triple(#[cfg_attr(feature = "ts", ts(as = "[u8; 3]"))] u8);

impl Triple {
    /// How many there are.
    pub const COUNT: u8 = 125;

    /// The triple of these kinds, each from 0 to 4.
    pub fn new(kinds: [u8; 3]) -> Option<Self> {
        kinds.iter().all(|kind| *kind < 5).then(|| Self::of(kinds))
    }

    /// The triple of kinds that the caller knows to be below five.
    pub(super) const fn of([first, second, third]: [u8; 3]) -> Self {
        Self(first * 25 + second * 5 + third)
    }

    /// The triple with that index, which the caller knows to be below 125.
    pub(super) const fn at(index: u8) -> Self {
        Self(index)
    }

    /// Every one there is.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// Its kinds in order, each from 0 to 4.
    pub const fn kinds(self) -> [u8; 3] {
        [self.0 / 25, self.0 / 5 % 5, self.0 % 5]
    }

    /// Its place among all of them, from 0 to 124.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Kinds counted from 1, as the notation counts shapes.
impl From<Triple> for [u8; 3] {
    fn from(triple: Triple) -> Self {
        triple.kinds().map(|kind| kind + 1)
    }
}

impl TryFrom<[u8; 3]> for Triple {
    type Error = TripleError;

    fn try_from(kinds: [u8; 3]) -> Result<Self, TripleError> {
        Self::new(kinds.map(|kind| kind.wrapping_sub(1))).ok_or(TripleError)
    }
}

/// What is returned for numbers that are no three kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row is three numbers from 1 to 5")]
pub struct TripleError;

/// Three tokens of one zone, written `AAB` or `112`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleRow"))]
#[serde(rename_all = "kebab-case")]
pub enum Row {
    /// Three colours.
    Colours(Triple),
    /// Three shapes.
    Shapes(Triple),
}

impl Row {
    /// These kinds in that zone.
    pub const fn new(zone: Zone, triple: Triple) -> Self {
        match zone {
            Zone::Colours => Self::Colours(triple),
            Zone::Shapes => Self::Shapes(triple),
        }
    }

    /// Where it is asked.
    pub const fn zone(self) -> Zone {
        match self {
            Self::Colours(_) => Zone::Colours,
            Self::Shapes(_) => Zone::Shapes,
        }
    }

    /// What is asked.
    pub const fn triple(self) -> Triple {
        match self {
            Self::Colours(triple) | Self::Shapes(triple) => triple,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let first = match self {
            Self::Colours(_) => b'A',
            Self::Shapes(_) => b'1',
        };
        let [one, two, three] = self.triple().kinds().map(|kind| char::from(first + kind));
        write!(f, "{one}{two}{three}")
    }
}

impl FromStr for Row {
    type Err = RowError;

    fn from_str(text: &str) -> Result<Self, RowError> {
        let kinds = <[u8; 3]>::try_from(text.as_bytes()).map_err(|_| RowError)?;
        let triple = |first| Triple::new(kinds.map(|sign| sign.wrapping_sub(first)));
        let row = triple(b'A').map(Self::Colours).or_else(|| triple(b'1').map(Self::Shapes));
        row.ok_or(RowError)
    }
}

/// What is returned for a text that is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row is three colours A to E or three shapes 1 to 5, as in AAB or 112")]
pub struct RowError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        for triple in Triple::all() {
            assert_eq!(Triple::new(triple.kinds()), Some(triple));
            for zone in Zone::ALL {
                let row = Row::new(*zone, triple);
                assert_eq!(row.to_string().parse(), Ok(row));
            }
        }
        assert_eq!(Row::Shapes(Triple::of([0, 0, 1])).to_string(), "112");
        for wrong in ["", "AA", "AAAA", "AA1", "AAF", "116", "110", "aab", "é1"] {
            assert_eq!(wrong.parse::<Row>(), Err(RowError), "{wrong:?}");
        }
        for wrong in ["[1,1]", "[0,1,1]", "[1,6,1]"] {
            assert!(serde_json::from_str::<Triple>(wrong).is_err(), "{wrong}");
        }
    }
}
