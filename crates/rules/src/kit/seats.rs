//! A set of seats: whose hands lie on the table, who agrees, who has chosen.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::seat::{Seat, SeatError};

/// Some of the seats of a table, written as their letters, `-` for none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Seats(#[cfg_attr(feature = "ts", ts(as = "Vec<Seat>"))] u8);

impl Seats {
    /// No seats.
    pub const NONE: Self = Self(0);

    /// All seats of a table with that number of players.
    pub fn all(players: u8) -> Self {
        Seat::all(players).collect()
    }

    /// Whether the seat is among them.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.index()) != 0
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, seat: Seat) -> Self {
        Self(self.0 | (1 << seat.index()))
    }

    /// These but one.
    #[must_use]
    pub fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.index()))
    }

    /// Whether these are all seats of a table with that number of players.
    pub fn are_all(self, players: u8) -> bool {
        self == Self::all(players)
    }

    /// Whether a table with that number of players has each of these seats.
    pub fn fit(self, players: u8) -> bool {
        self.0 & !Self::all(players).0 == 0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many they are.
    pub fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Each of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::all(Seat::MOST as u8).filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().try_for_each(|seat| write!(f, "{seat}"))
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Seats {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        if text == "-" {
            return Ok(Self::NONE);
        }
        text.chars().map(Seat::try_from).collect()
    }
}

impl Serialize for Seats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Seats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seats = tinyvec::ArrayVec::<[Seat; Seat::MOST]>::deserialize(deserializer)?;
        Ok(seats.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_as_they_are_written() {
        for bits in 0..1 << Seat::MOST {
            let seats = Seats(bits);
            assert_eq!(seats.to_string().parse(), Ok(seats));
            let json = serde_json::to_string(&seats).unwrap();
            assert_eq!(serde_json::from_str::<Seats>(&json).unwrap(), seats);
        }
        assert!("AG".parse::<Seats>().is_err());
    }

    #[test]
    fn all_of_three_is_not_all_of_four() {
        let three = Seats::all(3);
        assert!(three.are_all(3) && !three.are_all(4) && !three.are_all(2));
        assert!(three.fit(4) && !three.fit(2));
    }
}
