//! The pile: who laid what, open or face down, and what was wrong with it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use super::card::{Card, Cards};
use crate::kit::text::{Misprint, read_list, serde_as_text, write_list};
use crate::kit::{Seat, Viewer};

/// The most cards that one pile can get: a whole deck of The Mind (H4).
const MOST: usize = 100;

/// A card on the pile and who laid it, written `B34`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Laid {
    /// Who laid it.
    pub seat: Seat,
    /// What it is.
    pub card: Card,
}

impl fmt::Display for Laid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.seat, self.card)
    }
}

impl FromStr for Laid {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let wrong =
            || Misprint::new(format_args!("write {text:?} as a seat and a card, as in B34"));
        let (seat, card) = text.split_at_checked(1).ok_or_else(wrong)?;
        let (seat, card) = (seat.parse().ok(), card.parse().ok());
        seat.zip(card).map(|(seat, card)| Self { seat, card }).ok_or_else(wrong)
    }
}

/// Cards in the order in which they were laid, written `A7,B34`, `-` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Pile(#[cfg_attr(feature = "ts", ts(as = "Vec<Laid>"))] ArrayVec<[Laid; MOST]>);

impl Pile {
    /// Lays a card on top. No game lays more than fit, so a card too many is no card at all.
    pub fn lay(&mut self, seat: Seat, card: Card) {
        let _full = self.0.try_push(Laid { seat, card });
    }

    /// The card on top.
    pub fn top(&self) -> Option<Card> {
        self.0.last().map(|laid| laid.card)
    }

    /// Each card and who laid it, the first one first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Laid> + '_ {
        self.0.iter().copied()
    }

    /// All its cards as a set.
    pub fn cards(&self) -> Cards {
        self.iter().map(|laid| laid.card).collect()
    }

    /// How many cards it has.
    pub fn len(&self) -> u8 {
        self.0.len() as u8
    }

    /// Whether nothing has been laid.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pile as a viewer knows it.
    pub fn seen(&self, face: Face, viewer: Viewer) -> SeenPile {
        SeenPile(self.0.iter().map(|laid| Seen::of(*laid, face, viewer)).collect())
    }
}

impl FromIterator<Laid> for Pile {
    fn from_iter<I: IntoIterator<Item = Laid>>(cards: I) -> Self {
        Self(cards.into_iter().take(MOST).collect())
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_list(f, self.iter())
    }
}

impl FromStr for Pile {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let cards = read_list(text, str::parse::<Laid>)?;
        let pile = cards.iter().copied().collect::<Self>();
        if usize::from(pile.cards().len()) == cards.len() {
            Ok(pile)
        } else {
            Err(Misprint::new("a card lies there twice, leave one out"))
        }
    }
}

/// How cards are laid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Face {
    /// For all to see, and a mistake is noticed at once.
    #[default]
    Open,
    /// Face down, and checked when the level ends.
    Blind,
}

crate::kit::text::words!(Face { Open = "open", Blind = "blind" });

/// A card on the pile as a viewer knows it, written `B34`, or `B*` for a back. So it is in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub enum Seen {
    /// A card that the viewer knows: it lies open, or the viewer laid it.
    Known(Laid),
    /// The back of a card that another player laid.
    Back(Seat),
}

impl Seen {
    /// A laid card as the viewer knows it.
    pub fn of(laid: Laid, face: Face, viewer: Viewer) -> Self {
        match face {
            Face::Blind if viewer != Viewer::Seat(laid.seat) => Self::Back(laid.seat),
            Face::Open | Face::Blind => Self::Known(laid),
        }
    }

    /// Who laid it.
    pub fn seat(self) -> Seat {
        match self {
            Self::Known(laid) => laid.seat,
            Self::Back(seat) => seat,
        }
    }

    /// The card, if the viewer knows it.
    pub fn card(self) -> Option<Card> {
        match self {
            Self::Known(laid) => Some(laid.card),
            Self::Back(_) => None,
        }
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self::Back(Seat::A)
    }
}

/// The seat and the card, `*` for a back.
impl Seen {
    /// The same as `Display`, without its cost: piles are written for every viewer of every card.
    fn push_to(self, text: &mut String) {
        let (seat, card) = match self {
            Self::Known(laid) => (laid.seat, Some(laid.card)),
            Self::Back(seat) => (seat, None),
        };
        text.push(char::from(seat));
        match card {
            Some(card) => push_number(text, card.number()),
            None => text.push('*'),
        }
    }
}

/// Writes a number below 256 without leading zeros.
fn push_number(text: &mut String, number: u8) {
    for (unit, least) in [(100, 100), (10, 10), (1, 0)] {
        if number >= least {
            text.push(char::from(b'0' + number / unit % 10));
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Known(laid) => laid.fmt(f),
            Self::Back(seat) => write!(f, "{seat}*"),
        }
    }
}

impl FromStr for Seen {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        match text.strip_suffix('*') {
            Some(seat) => seat.parse().map(Self::Back).map_err(Misprint::new),
            None => text.parse().map(Self::Known),
        }
    }
}

serde_as_text!(Seen, |seen, text| seen.push_to(text));

/// A pile as a viewer knows it, written `A7,B*,B34`, `-` for none. So it is in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct SeenPile(ArrayVec<[Seen; MOST]>);

impl SeenPile {
    /// Each card, the first one first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Seen> + '_ {
        self.0.iter().copied()
    }

    /// The cards that the viewer knows.
    pub fn known(&self) -> Cards {
        self.iter().filter_map(Seen::card).collect()
    }

    /// How many backs of that seat lie there.
    pub fn backs(&self, seat: Seat) -> u8 {
        self.iter().filter(|seen| *seen == Seen::Back(seat)).count() as u8
    }

    /// The card on top, if it lies open or is the viewer's own.
    pub fn top(&self) -> Option<Card> {
        self.0.last().and_then(|seen| seen.card())
    }

    /// How many cards it has.
    pub fn len(&self) -> u8 {
        self.0.len() as u8
    }

    /// Whether nothing has been laid.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pile again, its backs turned into the cards that the function gives for their seats.
    pub fn turned(&self, mut backs: impl FnMut(Seat) -> Option<Card>) -> Pile {
        let card = |seen: Seen| seen.card().or_else(|| backs(seen.seat()));
        self.iter()
            .map(card)
            .zip(self.iter())
            .filter_map(|(card, seen)| card.map(|card| Laid { seat: seen.seat(), card }))
            .collect()
    }
}

impl SeenPile {
    /// The same as `Display`, without its cost.
    fn push_to(&self, text: &mut String) {
        if self.0.is_empty() {
            text.push('-');
        }
        for (place, seen) in self.0.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            seen.push_to(text);
        }
    }
}

impl fmt::Display for SeenPile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_list(f, self.iter())
    }
}

impl FromStr for SeenPile {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let cards = read_list(text, str::parse::<Seen>)?;
        if cards.len() > MOST {
            return Err(Misprint::new(format_args!("no pile gets more than {MOST} cards")));
        }
        Ok(Self(cards.into_iter().collect()))
    }
}

serde_as_text!(SeenPile, |pile, text| pile.push_to(text));

/// Counts the mistakes of an ascending pile (B1).
///
/// A card that comes while lower ones are still to come is one mistake, and those lower ones are
/// out of the count from then on, as if they had been set aside.
pub fn mistakes(pile: &Pile) -> u8 {
    let mut to_come = pile.cards();
    let mut count = 0;
    for Laid { card, .. } in pile.iter() {
        if !to_come.contains(card) {
            continue;
        }
        let lower = to_come.below(card);
        count += u8::from(!lower.is_empty());
        to_come -= lower | Cards::one(card);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pile: &[u8], expected: u8) {
        let cards = pile.iter().map(|number| Card::new(*number).unwrap());
        let pile = cards.map(|card| Laid { seat: Seat::A, card }).collect();
        assert_eq!(mistakes(&pile), expected, "{pile}");
    }

    /// The table of B1 stands in the examples of the games; these are its corners.
    #[test]
    fn mistakes_are_counted_as_if_played_open() {
        check(&[], 0);
        check(&[7], 0);
        check(&[7, 14, 28, 20, 25, 23, 37, 48], 1);
        check(&[2, 1, 4, 3, 6, 5], 3);
    }

    #[test]
    fn piles_are_read_as_they_are_written() {
        for text in ["-", "A7", "B100,A1,E50"] {
            assert_eq!(text.parse::<Pile>().unwrap().to_string(), text);
        }
        for wrong in ["", "7", "A", "G7", "A0", "A7,A7", "é7"] {
            assert!(wrong.parse::<Pile>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn seen_piles_are_strings_in_json() {
        for text in ["-", "A7", "B*", "B100,A*,E50"] {
            let json = format!("\"{text}\"");
            let pile = serde_json::from_str::<SeenPile>(&json).unwrap();
            assert_eq!((pile.to_string().as_str(), text.parse()), (text, Ok(pile)));
            assert_eq!(serde_json::to_string(&pile).unwrap(), json);
        }
        let long = vec!["A*"; MOST + 1].join(",");
        for wrong in ["", "*", "7", "A", "A**", "A7*", "G*", "A101", "A7, B8", "A7,", &long] {
            assert!(wrong.parse::<SeenPile>().is_err(), "{wrong:?}");
        }
    }
}
