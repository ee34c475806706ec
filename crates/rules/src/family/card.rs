//! Numbered cards, and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::kit::card_set::card_set;

/// A card with a number from 1 to 100.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(into = "u8", try_from = "u8")]
pub struct Card(u8);

impl Card {
    /// The highest number that any deck has.
    pub const HIGHEST: u8 = 100;

    /// The card of that number, if there is one.
    pub fn new(number: u8) -> Option<Self> {
        (1..=Self::HIGHEST).contains(&number).then_some(Self(number))
    }

    /// The number on it.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Its number counted from the top of a deck with that highest card: 1 for the highest.
    #[must_use]
    pub fn mirrored(self, highest: u8) -> Self {
        Self((highest + 1).saturating_sub(self.0).max(1))
    }
}

/// Fixed lists need something in their unused places.
impl Default for Card {
    fn default() -> Self {
        Self(1)
    }
}

impl From<Card> for u8 {
    fn from(card: Card) -> u8 {
        card.0
    }
}

impl TryFrom<u8> for Card {
    type Error = CardError;

    fn try_from(number: u8) -> Result<Self, CardError> {
        Self::new(number).ok_or(CardError)
    }
}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        text.parse().ok().and_then(Self::new).ok_or(CardError)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is returned for a number that no card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card is a number from 1 to 100")]
pub struct CardError;

/// A set of cards in one machine word, written `3,14,15`, `-` for none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cards(#[cfg_attr(feature = "ts", ts(as = "Vec<Card>"))] u128);

impl Cards {
    /// The deck from 1 to the given number.
    pub const fn deck(highest: u8) -> Self {
        Self((1 << (highest as u32 + 1)) - 2)
    }

    /// Those lower than the card.
    #[must_use]
    pub const fn below(self, card: Card) -> Self {
        Self(self.0 & (Self::one(card).0 - 1))
    }

    /// Those higher than the card.
    #[must_use]
    pub const fn above(self, card: Card) -> Self {
        Self(self.0 & !(Self::one(card).0 - 1) & !Self::one(card).0)
    }

    /// Those higher than the card, all of them if there is no such card.
    #[must_use]
    pub fn above_or_all(self, card: Option<Card>) -> Self {
        card.map_or(self, |card| self.above(card))
    }

    /// The highest of them, as many as that number.
    #[must_use]
    pub fn highest_few(mut self, count: u8) -> Self {
        for _ in count..self.len() {
            self.0 &= self.0 - 1;
        }
        self
    }

    /// The lowest of them.
    pub const fn lowest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(self.0.trailing_zeros() as u8)) }
    }

    /// The highest of them.
    pub const fn highest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(127 - self.0.leading_zeros() as u8)) }
    }

    /// Each of them, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        std::iter::successors(self.lowest(), move |card| self.above(*card).lowest())
    }
}

card_set!(Cards of Card);

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Cards {
        text.parse().unwrap()
    }

    #[test]
    fn sets_are_read_as_they_are_written() {
        for text in ["-", "1", "100", "1,2,3,50,99,100"] {
            assert_eq!(cards(text).to_string(), text);
        }
        for wrong in ["", "0", "101", "1,,2", "1,1", "x"] {
            assert!(wrong.parse::<Cards>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_deck_is_split_by_any_of_its_cards() {
        let deck = Cards::deck(100);
        assert_eq!(deck.len(), 100);
        for card in deck.iter() {
            let (below, above) = (deck.below(card), deck.above(card));
            assert_eq!((below.len(), above.len()), (card.number() - 1, 100 - card.number()));
            assert_eq!(below | above | Cards::one(card), deck);
        }
    }

    #[test]
    fn the_ends_of_a_set() {
        assert_eq!(cards("21,56,93").lowest().map(Card::number), Some(21));
        assert_eq!(cards("21,56,93").highest().map(Card::number), Some(93));
        assert_eq!((Cards::NONE.lowest(), Cards::NONE.highest()), (None, None));
    }
}
