//! White and red cards, and hands of both.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::family::ritual::CardSet;
use crate::family::{self, Cards, Laid, Pile, seen_hand};
use crate::kit::text::{Misprint, listed, read_list, words};

/// A colour, and with it the way its pile goes (X1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeColour"))]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// Ascending.
    White,
    /// Descending.
    Red,
}

words!(Colour { White = "white", Red = "red" });

impl Colour {
    /// The number on the highest card of each colour.
    pub const HIGHEST: u8 = 50;

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Red,
            Self::Red => Self::White,
        }
    }

    /// Which of the cards has to go first: the lowest white, the highest red (X2).
    pub fn first(self, cards: Cards) -> Option<family::Card> {
        match self {
            Self::White => cards.lowest(),
            Self::Red => cards.highest(),
        }
    }

    /// Which of the cards has to go last.
    pub fn last(self, cards: Cards) -> Option<family::Card> {
        self.other().first(cards)
    }

    /// Which of the cards should have come before this one (X3).
    pub fn before(self, cards: Cards, card: family::Card) -> Cards {
        match self {
            Self::White => cards.below(card),
            Self::Red => cards.above(card),
        }
    }

    /// Which of the cards may come after this one; all, if there is none.
    pub fn after(self, cards: Cards, card: Option<family::Card>) -> Cards {
        card.map_or(cards, |card| self.other().before(cards, card))
    }

    /// Counts the mistakes of this colour's pile (B1).
    pub fn mistakes(self, pile: &Pile) -> u8 {
        let upwards = |laid: Laid| match self {
            Self::White => laid,
            Self::Red => Laid { card: laid.card.mirrored(Self::HIGHEST), ..laid },
        };
        family::mistakes(&pile.iter().map(upwards).collect())
    }

    fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Red => 'r',
        }
    }
}

/// A card of either colour, from 1 to 50, written `w8` or `r33`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeCard"))]
#[serde(try_from = "Draft")]
pub struct Card {
    /// Its colour.
    pub colour: Colour,
    /// Its number.
    pub value: family::Card,
}

/// A card as it comes in: its number may be too high.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Draft {
    colour: Colour,
    value: family::Card,
}

impl Card {
    /// The card of that colour and number, if there is one.
    pub fn new(colour: Colour, value: family::Card) -> Option<Self> {
        (value.number() <= Colour::HIGHEST).then_some(Self { colour, value })
    }

    /// Its place on the one clock of both colours (X6): white 8 and red 43 have place 8.
    pub fn place(self) -> u8 {
        match self.colour {
            Colour::White => self.value.number(),
            Colour::Red => self.value.mirrored(Colour::HIGHEST).number(),
        }
    }

    /// The card of a number through both colours: 1 to 50 are the whites, 51 to 100 the reds.
    pub(super) fn of_both(number: family::Card) -> Option<Self> {
        match number.number().checked_sub(Colour::HIGHEST) {
            None | Some(0) => Self::new(Colour::White, number),
            Some(red) => Self::new(Colour::Red, family::Card::new(red)?),
        }
    }
}

impl TryFrom<Draft> for Card {
    type Error = Misprint;

    fn try_from(Draft { colour, value }: Draft) -> Result<Self, Misprint> {
        Self::new(colour, value).ok_or_else(|| Misprint::new("a card is a number from 1 to 50"))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.colour.letter(), self.value)
    }
}

impl FromStr for Card {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let wrong = || {
            Misprint::new(format_args!("write {text:?} as w or r and a number from 1 to 50: w8"))
        };
        let colour = Colour::ALL.iter().find(|colour| text.starts_with(colour.letter()));
        let value = text.get(1..).and_then(|number| number.parse().ok());
        let card = colour.zip(value).and_then(|(colour, value)| Self::new(*colour, value));
        card.ok_or_else(wrong)
    }
}

/// One value for each colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeByColour"))]
#[serde(deny_unknown_fields)]
pub struct ByColour<T> {
    /// The one for white.
    pub white: T,
    /// The one for red.
    pub red: T,
}

impl<T> ByColour<T> {
    /// A value for each.
    pub fn new(mut value: impl FnMut(Colour) -> T) -> Self {
        Self { white: value(Colour::White), red: value(Colour::Red) }
    }
}

impl<T> Index<Colour> for ByColour<T> {
    type Output = T;

    fn index(&self, colour: Colour) -> &T {
        match colour {
            Colour::White => &self.white,
            Colour::Red => &self.red,
        }
    }
}

impl<T> IndexMut<Colour> for ByColour<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        match colour {
            Colour::White => &mut self.white,
            Colour::Red => &mut self.red,
        }
    }
}

/// Cards of both colours, written `w3,w8,r45`, `-` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeHolding"))]
#[serde(transparent)]
pub struct Holding(ByColour<Cards>);

impl Holding {
    /// No cards.
    pub const NONE: Self = Self(ByColour { white: Cards::NONE, red: Cards::NONE });

    /// The cards of each colour that the function gives.
    pub fn new(cards: impl FnMut(Colour) -> Cards) -> Self {
        Self(ByColour::new(cards))
    }

    /// All 100 cards.
    pub fn deck() -> Self {
        Self::new(|_| Cards::deck(Colour::HIGHEST))
    }

    /// Just this card.
    pub fn one(card: Card) -> Self {
        let mut one = Self::NONE;
        one[card.colour] = Cards::one(card.value);
        one
    }

    /// Just the cards of one colour.
    pub fn of(colour: Colour, cards: Cards) -> Self {
        let mut all = Self::NONE;
        all[colour] = cards;
        all
    }

    /// Whether the card is among them.
    pub fn contains(&self, card: Card) -> bool {
        self[card.colour].contains(card.value)
    }

    /// How many they are.
    pub fn len(&self) -> u8 {
        self.0.white.len() + self.0.red.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// These and the others.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        Self::new(|colour| self[colour] | others[colour])
    }

    /// These without the others.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        Self::new(|colour| self[colour] - others[colour])
    }

    /// Those that are among the others too.
    #[must_use]
    pub fn common(&self, others: &Self) -> Self {
        Self::new(|colour| self[colour] & others[colour])
    }

    /// Each of them, whites first, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        Colour::ALL
            .iter()
            .flat_map(move |&colour| self[colour].iter().map(move |value| Card { colour, value }))
    }
}

impl CardSet for Holding {
    fn len(&self) -> u8 {
        Self::len(self)
    }

    fn with(&self, others: &Self) -> Self {
        Self::with(self, others)
    }

    fn without(&self, others: &Self) -> Self {
        Self::without(self, others)
    }
}

impl Index<Colour> for Holding {
    type Output = Cards;

    fn index(&self, colour: Colour) -> &Cards {
        &self.0[colour]
    }
}

impl IndexMut<Colour> for Holding {
    fn index_mut(&mut self, colour: Colour) -> &mut Cards {
        &mut self.0[colour]
    }
}

impl FromIterator<Card> for Holding {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::NONE, |all, card| all.with(&Self::one(card)))
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&listed(self.iter(), ","))
    }
}

impl FromStr for Holding {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let cards = read_list(text, str::parse::<Card>)?;
        let holding = cards.iter().copied().collect::<Self>();
        if usize::from(holding.len()) == cards.len() {
            Ok(holding)
        } else {
            Err(Misprint::new("a card stands there twice, leave one out"))
        }
    }
}

seen_hand! {
    /// The viewer's own cards, or how many another player holds: the mix of colours is secret, too
    /// (X7).
    ///
    /// In JSON the cards of each colour, or a number.
    #[cfg_attr(feature = "ts", ts(rename = "ExtremeHand"))]
    pub enum Hand of Holding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_read_as_they_are_written() {
        for card in Holding::deck().iter() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        for wrong in ["", "w", "8", "b8", "w0", "w51", "r100", "é8"] {
            assert!(wrong.parse::<Card>().is_err(), "{wrong:?}");
        }
        assert!(serde_json::from_str::<Card>(r#"{"colour":"red","value":51}"#).is_err());
    }

    #[test]
    fn each_colour_has_its_own_way() {
        let cards = "11,26,43".parse().unwrap();
        let first = |colour: Colour| colour.first(cards).unwrap().number();
        assert_eq!((first(Colour::White), first(Colour::Red)), (11, 43));
        let card = family::Card::new(26).unwrap();
        assert_eq!(Colour::White.before(cards, card).to_string(), "11");
        assert_eq!(Colour::Red.before(cards, card).to_string(), "43");
    }
}
