//! The hidden code (Y1): three different cards in order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::card::{Card, Pack};
use super::row::Triple;
use super::zone::Zone;

/// Three different cards in order, written `A1,B2,C3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleCode"))]
#[serde(into = "[Card; 3]", try_from = "[Card; 3]")]
pub struct Code([Card; 3]);

impl Code {
    /// The code of these cards, if no card stands there twice.
    pub fn new([first, second, third]: [Card; 3]) -> Option<Self> {
        (first != second && first != third && second != third)
            .then_some(Self([first, second, third]))
    }

    /// The code of these colours and shapes, which the caller knows to make different cards.
    pub(super) fn of(colours: Triple, shapes: Triple) -> Self {
        let (colours, shapes) = (colours.kinds(), shapes.kinds());
        Self([0, 1, 2].map(|place| Card::of(colours[place], shapes[place])))
    }

    /// Every code that can be made of a pack: 13,800 of the whole one.
    pub fn all(pack: Pack) -> impl Iterator<Item = Self> {
        pack.iter().flat_map(move |first| {
            let pack = pack - Pack::one(first);
            pack.iter().flat_map(move |second| {
                let pack = pack - Pack::one(second);
                pack.iter().map(move |third| Self([first, second, third]))
            })
        })
    }

    /// Its cards in order.
    pub const fn cards(self) -> [Card; 3] {
        self.0
    }

    /// Its cards as a set.
    pub fn pack(self) -> Pack {
        self.0.into_iter().collect()
    }

    /// Its colours in order.
    pub fn colours(self) -> Triple {
        Triple::of(self.0.map(Card::colour))
    }

    /// Its shapes in order.
    pub fn shapes(self) -> Triple {
        Triple::of(self.0.map(Card::shape))
    }

    /// What is to be found in that zone.
    pub fn zone(self, zone: Zone) -> Triple {
        match zone {
            Zone::Colours => self.colours(),
            Zone::Shapes => self.shapes(),
        }
    }
}

/// Fixed lists need something in their unused places.
impl Default for Code {
    fn default() -> Self {
        Self([Card::of(0, 0), Card::of(0, 1), Card::of(0, 2)])
    }
}

impl From<Code> for [Card; 3] {
    fn from(code: Code) -> Self {
        code.0
    }
}

impl TryFrom<[Card; 3]> for Code {
    type Error = CodeError;

    fn try_from(cards: [Card; 3]) -> Result<Self, CodeError> {
        Self::new(cards).ok_or(CodeError)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [first, second, third] = self.0;
        write!(f, "{first},{second},{third}")
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let mut cards = text.split(',').map(str::parse);
        match [cards.next(), cards.next(), cards.next(), cards.next()] {
            [Some(Ok(first)), Some(Ok(second)), Some(Ok(third)), None] => {
                Self::new([first, second, third]).ok_or(CodeError)
            }
            _ => Err(CodeError),
        }
    }
}

/// What is returned for cards that make no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a code is three different cards, as in A1,B2,C3")]
pub struct CodeError;

/// A hidden code as a viewer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleSeenCode"))]
#[serde(rename_all = "kebab-case")]
pub enum SeenCode {
    /// The viewer hid it.
    Known(Code),
    /// Three backs.
    Backs,
}

impl fmt::Display for SeenCode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Known(code) => code.fmt(f),
            Self::Backs => f.write_str("*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_whole_pack_makes_13800_codes() {
        let codes = Code::all(Pack::WHOLE).collect::<HashSet<_>>();
        assert_eq!(codes.len(), 13_800);
        for code in codes {
            assert_eq!(Code::new(code.cards()), Some(code));
            assert_eq!(Code::of(code.colours(), code.shapes()), code);
        }
    }

    #[test]
    fn codes_are_read_as_they_are_written() {
        assert_eq!("A1,B2,C3".parse::<Code>().unwrap().to_string(), "A1,B2,C3");
        for wrong in ["", "A1", "A1,B2", "A1,B2,A1", "A1,B2,C3,D4", "A1,B2,C9", "A1B2C3"] {
            assert_eq!(wrong.parse::<Code>(), Err(CodeError), "{wrong:?}");
        }
        assert!(serde_json::from_str::<Code>(r#"["A1","A1","B1"]"#).is_err());
    }
}
