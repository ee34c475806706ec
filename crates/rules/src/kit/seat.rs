//! Who sits where, and values kept for each of them.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A place at the table, written `A` to `F` clockwise.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = r#""A" | "B" | "C" | "D" | "E" | "F""#))]
#[serde(into = "char", try_from = "char")]
pub struct Seat(u8);

impl Seat {
    /// The most seats that any game has.
    pub const MOST: usize = 6;
    /// The seat that is named first.
    pub const A: Self = Self(0);

    /// The seat of that index, if a table can have it.
    pub fn new(index: usize) -> Option<Self> {
        (index < Self::MOST).then_some(Self(index as u8))
    }

    /// The seats of a table with that number of players, in order.
    pub fn all(players: u8) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..players.min(Self::MOST as u8)).map(Self)
    }

    /// Zero for `A`.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The neighbour on the left, who comes next clockwise.
    #[must_use]
    pub fn left(self, players: u8) -> Self {
        Self((self.0 + 1) % players.clamp(1, Self::MOST as u8))
    }
}

impl From<Seat> for char {
    fn from(seat: Seat) -> char {
        char::from(b'A' + seat.0)
    }
}

impl TryFrom<char> for Seat {
    type Error = SeatError;

    fn try_from(letter: char) -> Result<Self, SeatError> {
        match letter {
            'A'..='F' => Ok(Self(letter as u8 - b'A')),
            _ => Err(SeatError),
        }
    }
}

impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Self::try_from(letter),
            _ => Err(SeatError),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", char::from(*self))
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What is returned for a seat that no table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seat is one of the letters A to F")]
pub struct SeatError;

/// Whose eyes look at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Viewer {
    /// Someone who plays.
    Seat(Seat),
    /// A spectator.
    Spectator,
}

impl Viewer {
    /// Every viewer of a table with that number of players: its seats and the spectator.
    pub fn all(players: u8) -> impl Iterator<Item = Self> {
        Seat::all(players).map(Self::Seat).chain([Self::Spectator])
    }

    /// The same viewer at a table with that number of players. A seat that the table does not have
    /// sees what a spectator sees.
    #[must_use]
    pub fn at_table_of(self, players: u8) -> Self {
        self.seat()
            .filter(|seat| seat.index() < usize::from(players))
            .map_or(Self::Spectator, Self::Seat)
    }

    /// The viewer's chair; `None` for a spectator.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectator => None,
        }
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "{seat}"),
            Self::Spectator => write!(f, "spectator"),
        }
    }
}

impl FromStr for Viewer {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        match text {
            "spectator" => Ok(Self::Spectator),
            seat => seat.parse().map(Self::Seat),
        }
    }
}

/// One value for each seat of a table, indexed by [`Seat`] only.
///
/// There is room for every seat that any table can have, so indexing never fails; a seat beyond
/// the table's players holds the default value.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "Array<T>", bound = "T: ts_rs::TS"))]
pub struct BySeat<T> {
    players: u8,
    values: [T; Seat::MOST],
}

impl<T: Copy + Default> BySeat<T> {
    /// A value for each of that number of players.
    pub fn new(players: u8, mut value: impl FnMut(Seat) -> T) -> Self {
        let mut all = Self { players: players.min(Seat::MOST as u8), ..Self::default() };
        for seat in Seat::all(players) {
            all[seat] = value(seat);
        }
        all
    }

    /// How many seats the table has.
    pub fn players(&self) -> u8 {
        self.players
    }

    /// Every seat with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, T)> + '_ {
        Seat::all(self.players).zip(self.values)
    }

    /// The values alone, in the order of the seats.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.values[..usize::from(self.players)].iter().copied()
    }

    /// Whether there is nothing but the default value at every seat.
    pub fn are_default(&self) -> bool
    where
        T: PartialEq,
    {
        self.values().all(|value| value == T::default())
    }

    /// The same seats with other values.
    pub fn map<U: Copy + Default>(&self, mut other: impl FnMut(Seat, T) -> U) -> BySeat<U> {
        BySeat::new(self.players, |seat| other(seat, self[seat]))
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.values[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.values[seat.index()]
    }
}

impl<T: Copy + Default + fmt::Debug> fmt::Debug for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T: Copy + Default + Serialize> Serialize for BySeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.values())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>> Deserialize<'de> for BySeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = tinyvec::ArrayVec::<[T; Seat::MOST]>::deserialize(deserializer)?;
        Ok(Self::new(values.len() as u8, |seat| values[seat.index()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_read_as_they_are_written() {
        for seat in Seat::all(Seat::MOST as u8) {
            assert_eq!(seat.to_string().parse(), Ok(seat));
        }
        for wrong in ["", "G", "a", "AB", "1"] {
            assert_eq!(wrong.parse::<Seat>(), Err(SeatError), "{wrong:?}");
        }
    }

    #[test]
    fn the_left_neighbour_goes_round_the_table() {
        let round: String = (0..4)
            .scan(Seat::A, |seat, _| Some(std::mem::replace(seat, seat.left(3))))
            .map(char::from)
            .collect();
        assert_eq!(round, "ABCA");
    }

    #[test]
    fn a_list_longer_than_any_table_is_refused() {
        assert!(serde_json::from_str::<BySeat<u8>>("[1,2,3,4,5,6,7]").is_err());
        assert_eq!(serde_json::from_str::<BySeat<u8>>("[1,2]").unwrap().players(), 2);
    }
}
