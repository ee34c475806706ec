//! The level cards (S4): how many cards are drawn, looked at and hinted at.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use super::setup::SetupError;
use crate::family::LEVELS_MOST;
use crate::kit::text::{Misprint, listed, read_list};

/// The last of the levels that follow a table of twelve (S10).
pub const BEYOND_MOST: u8 = 18;
/// How many cards the Seer looks at beyond level 12 (S4).
const BEYOND_LOOK: u8 = 5;

/// What one level card says, written `4/3/1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesRow"))]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Cards drawn for the whole team.
    pub cards: u8,
    /// How many of them the Seer looks at.
    pub look: u8,
    /// How many hints the Seer may give at first.
    pub hints: u8,
}

impl Row {
    /// In how many ways the Seer can write the first hints; every one of them is an option.
    pub fn ways(self) -> u64 {
        // The ways to write one hint more, from the ways to write this number.
        let ways_of = |ways: u64, written: u8| {
            let left = u64::from(self.look.saturating_sub(written));
            ways.saturating_mul(left) / u64::from(written + 1)
        };
        let counts = (0..self.hints.min(self.look)).scan(1, |ways, written| {
            *ways = ways_of(*ways, written);
            Some(*ways)
        });
        counts.fold(1, u64::saturating_add)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}/{}", self.cards, self.look, self.hints)
    }
}

impl FromStr for Row {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let wrong = || Misprint::new(format_args!("write {text:?} as cards/look/hints, as 4/3/1"));
        let numbers = text.split('/').map(str::parse).collect::<Result<Vec<u8>, _>>();
        match numbers.map_err(|_| wrong())?[..] {
            [cards, look, hints] => Ok(Self { cards, look, hints }),
            _ => Err(wrong()),
        }
    }
}

/// The rows of a free table.
pub type Rows = ArrayVec<[Row; LEVELS_MOST as usize]>;

/// The level cards that a table plays with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesTable"))]
#[serde(rename_all = "kebab-case")]
pub enum Table {
    /// One card more at every level.
    #[default]
    Linear,
    /// One card more at every other level.
    Gentle,
    /// The rows that the host wrote down.
    Free(#[cfg_attr(feature = "ts", ts(as = "Vec<Row>"))] Rows),
}

impl Table {
    /// How many levels make up the game.
    pub fn levels(&self) -> u8 {
        match self {
            Self::Linear | Self::Gentle => LEVELS_MOST,
            Self::Free(rows) => rows.len() as u8,
        }
    }

    /// The last level that can be played, those beyond the game included: they follow twelve.
    pub fn levels_with_beyond(&self) -> u8 {
        if self.goes_beyond() { BEYOND_MOST } else { self.levels() }
    }

    /// Whether a team that has won may go on.
    pub fn goes_beyond(&self) -> bool {
        self.levels() == LEVELS_MOST
    }

    /// What the card of that level says, if there is one.
    pub fn row(&self, level: u8) -> Option<Row> {
        if !(1..=self.levels_with_beyond()).contains(&level) {
            return None;
        }
        if level > LEVELS_MOST {
            let last = self.row(LEVELS_MOST)?;
            let cards = last.cards.saturating_add(level - LEVELS_MOST);
            return Some(Row { cards, look: cards.min(BEYOND_LOOK), hints: 1 });
        }
        match self {
            Self::Linear => Some(Row { cards: level + 3, ..guessed(level) }),
            Self::Gentle => Some(Row { cards: level / 2 + 4, ..guessed(level) }),
            Self::Free(rows) => rows.get(usize::from(level) - 1).copied(),
        }
    }
}

/// What both of our own tables have in common; only levels 1 and 2 are known from print.
fn guessed(level: u8) -> Row {
    let look = match level {
        ..=4 => 3,
        5..=8 => 4,
        9.. => 5,
    };
    let hints = if (2..=9).contains(&level) { 2 } else { 1 };
    Row { cards: 0, look, hints }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Linear => f.write_str("linear"),
            Self::Gentle => f.write_str("gentle"),
            Self::Free(rows) => f.write_str(&listed(rows, ",")),
        }
    }
}

impl FromStr for Table {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        match text {
            "linear" => Ok(Self::Linear),
            "gentle" => Ok(Self::Gentle),
            _ => {
                let rows = read_list(text, str::parse::<Row>)?;
                if rows.len() > usize::from(LEVELS_MOST) {
                    return Err(Misprint::new(SetupError::Levels(rows.len())));
                }
                Ok(Self::Free(rows.into_iter().collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &str, rows: &str) {
        let table = table.parse::<Table>().unwrap();
        let found = (1..=u8::MAX).map_while(|level| table.row(level)).collect::<Vec<_>>();
        assert_eq!(listed(found, " "), rows);
        assert_eq!(table.row(0), None);
    }

    #[test]
    fn every_level_of_every_table() {
        check(
            "linear",
            "4/3/1 5/3/2 6/3/2 7/3/2 8/4/2 9/4/2 10/4/2 11/4/2 12/5/2 13/5/1 14/5/1 15/5/1 \
             16/5/1 17/5/1 18/5/1 19/5/1 20/5/1 21/5/1",
        );
        check(
            "gentle",
            "4/3/1 5/3/2 5/3/2 6/3/2 6/4/2 7/4/2 7/4/2 8/4/2 8/5/2 9/5/1 9/5/1 10/5/1 \
             11/5/1 12/5/1 13/5/1 14/5/1 15/5/1 16/5/1",
        );
        check("9/2/1,1/1/1", "9/2/1 1/1/1");
        check("-", "-");
    }

    #[test]
    fn twelve_free_rows_have_levels_beyond() {
        let rows = ["1/0/0"; 12].join(",");
        check(&rows, &(rows.replace(',', " ") + " 2/2/1 3/3/1 4/4/1 5/5/1 6/5/1 7/5/1"));
    }

    #[test]
    fn tables_are_read_as_they_are_written() {
        for text in ["linear", "gentle", "-", "4/3/1", "4/3/1,50/0/0"] {
            assert_eq!(text.parse::<Table>().unwrap().to_string(), text);
        }
        for wrong in ["", "4/3", "4/3/1/1", "4/3/x", "4/3/300", "4/3/1,", &["1/1/1"; 13].join(",")]
        {
            assert!(wrong.parse::<Table>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn ways_to_hint_are_counted() {
        let ways = |look, hints| Row { cards: 50, look, hints }.ways();
        assert_eq!((ways(3, 1), ways(3, 2), ways(3, 3)), (4, 7, 8));
        assert_eq!((ways(0, 0), ways(5, 0), ways(2, 9)), (1, 1, 4));
        assert_eq!((ways(50, 2), ways(50, 50)), (1276, 1 << 50));
        assert!(ways(255, 255) > 1 << 50);
    }
}
