//! The 25 code cards (Y1), and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kit::card_set::card_set;
use crate::kit::text::words;

/// What a card is coloured; `A` to `E` in the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// `A`
    Red,
    /// `B`
    Yellow,
    /// `C`
    Green,
    /// `D`
    Brown,
    /// `E`
    Blue,
}

words!(Colour {
    Red = "red",
    Yellow = "yellow",
    Green = "green",
    Brown = "brown",
    Blue = "blue"
});

/// What is drawn on a card; `1` to `5` in the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// `1`
    Circle,
    /// `2`
    Rectangle,
    /// `3`
    Triangle,
    /// `4`
    Square,
    /// `5`
    Hexagon,
}

words!(Shape {
    Circle = "circle",
    Rectangle = "rectangle",
    Triangle = "triangle",
    Square = "square",
    Hexagon = "hexagon",
});

/// A code card, written as its colour and its shape: `B3` is the yellow triangle.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string", rename = "RoyaleCard"))]
pub struct Card(u8);

impl Card {
    /// How many there are: one for each pair of a colour and a shape.
    pub const COUNT: u8 = 25;

    /// The card of that colour and shape.
    pub const fn new(colour: Colour, shape: Shape) -> Self {
        Self(colour as u8 * 5 + shape as u8)
    }

    /// The card of two kinds, which the caller knows to be below five.
    pub(super) const fn of(colour: u8, shape: u8) -> Self {
        Self(colour * 5 + shape)
    }

    /// Its colour, 0 for `A`.
    pub const fn colour(self) -> u8 {
        self.0 / 5
    }

    /// Its shape, 0 for `1`.
    pub const fn shape(self) -> u8 {
        self.0 % 5
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.colour()), char::from(b'1' + self.shape()))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        match text.as_bytes() {
            [colour @ b'A'..=b'E', shape @ b'1'..=b'5'] => {
                Ok(Self::of(colour - b'A', shape - b'1'))
            }
            _ => Err(CardError),
        }
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// What is returned for a text that is no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card is a colour A to E and a shape 1 to 5, as in B3")]
pub struct CardError;

/// A set of cards in one machine word, written `A1,B3`, `-` for none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyalePack"))]
pub struct Pack(#[cfg_attr(feature = "ts", ts(as = "Vec<Card>"))] u32);

impl Pack {
    /// All 25.
    pub const WHOLE: Self = Self((1 << Card::COUNT) - 1);

    /// The first cards of the grid, as many as that number, or all of them.
    pub const fn first(count: u8) -> Self {
        Self(Self::WHOLE.0 & ((1 << if count < 31 { count } else { 31 }) - 1))
    }

    /// The shapes that a colour still has, one bit for each.
    pub(super) const fn shapes_of(self, colour: u8) -> usize {
        (self.0 >> (colour * 5)) as usize & 31
    }

    /// Those among them whose bit is set.
    #[must_use]
    pub const fn masked(self, bits: u32) -> Self {
        Self(self.0 & bits)
    }

    /// Each of them, in the order of the grid.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let left = |bits: u32| (bits != 0).then_some(bits);
        std::iter::successors(left(self.0), move |bits| left(bits & (bits - 1)))
            .map(|bits| Card(bits.trailing_zeros() as u8))
    }
}

card_set!(Pack of Card);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_of_a_colour_and_a_shape_is_one_card() {
        let pairs = Colour::ALL.iter().flat_map(|c| Shape::ALL.iter().map(|s| Card::new(*c, *s)));
        assert!(pairs.clone().eq(Pack::WHOLE.iter()));
        for card in pairs {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::of(card.colour(), card.shape()), card);
        }
        assert_eq!(Card::new(Colour::Yellow, Shape::Triangle).to_string(), "B3");
        for wrong in ["", "B", "B0", "B6", "F1", "b3", "B33", "3B", "é"] {
            assert_eq!(wrong.parse::<Card>(), Err(CardError), "{wrong:?}");
        }
    }

    #[test]
    fn sets_are_read_as_they_are_written() {
        for text in ["-", "A1", "A1,B3,E5"] {
            assert_eq!(text.parse::<Pack>().unwrap().to_string(), text);
        }
        for wrong in ["", "A1,A1", "A1,,B2", "x"] {
            assert!(wrong.parse::<Pack>().is_err(), "{wrong:?}");
        }
        assert_eq!(Pack::WHOLE.len(), 25);
        assert_eq!(
            (Pack::first(7).to_string(), Pack::first(200)),
            ("A1,A2,A3,A4,A5,B1,B2".into(), Pack::WHOLE)
        );
    }
}
