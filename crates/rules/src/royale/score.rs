//! What a round earns its codemaker (Y4), and the sheet where it is written down.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use super::code::Code;
use super::role::Roles;
use super::rows::Rows;
use super::setup::Setup;
use super::zone::ByZone;
use crate::kit::text::Misprint;
use crate::kit::{BySeat, Seat};

/// How many rows a zone took, written `5`, or `x` if it was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleEffort"))]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Solved by that row.
    Solved(u8),
    /// Not solved by the last one.
    Unsolved,
}

impl Effort {
    /// The points it makes; `unsolved` is what an unsolved zone counts.
    pub fn points(self, unsolved: u8) -> u8 {
        match self {
            Self::Solved(rows) => rows,
            Self::Unsolved => unsolved,
        }
    }
}

/// Fixed lists need something in their unused places.
impl Default for Effort {
    fn default() -> Self {
        Self::Solved(1)
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Solved(rows) => rows.fmt(f),
            Self::Unsolved => f.write_str("x"),
        }
    }
}

impl FromStr for Effort {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        match text.parse::<u8>() {
            _ if text == "x" => Ok(Self::Unsolved),
            Ok(rows) if (1..=Rows::MOST).contains(&rows) => Ok(Self::Solved(rows)),
            _ => Err(Misprint::new("a zone takes 1 to 8 rows, or x if it was not solved")),
        }
    }
}

/// Both zones, written `5+x`: the colours first.
impl fmt::Display for ByZone<Effort> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}+{}", self.colours, self.shapes)
    }
}

impl FromStr for ByZone<Effort> {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (colours, shapes) = text.split_once('+').ok_or_else(|| {
            Misprint::new(format_args!("write {text:?} as the rows of both zones, as in 5+x"))
        })?;
        Ok(Self { colours: colours.parse()?, shapes: shapes.parse()? })
    }
}

/// One line of the sheet: a round that is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleEntry"))]
pub struct Entry {
    /// Who hid the code and scores.
    pub maker: Seat,
    /// What it was.
    pub code: Code,
    /// What each zone took.
    pub efforts: ByZone<Effort>,
    /// What that makes together.
    pub points: u8,
}

impl Entry {
    /// The line of a round, counted from 1.
    pub(super) fn of(setup: &Setup, round: u8, code: Code, efforts: ByZone<Effort>) -> Self {
        let points = efforts.values().map(|effort| effort.points(setup.unsolved)).sum();
        Self { maker: Roles::of(setup, round).maker, code, efforts, points }
    }
}

/// The rounds that are over, the first one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleSheet"))]
#[serde(transparent)]
pub struct Sheet(
    #[cfg_attr(feature = "ts", ts(as = "Vec<Entry>"))] ArrayVec<[Entry; Sheet::MOST as usize]>,
);

impl Sheet {
    /// The most rounds that any game has.
    pub const MOST: u8 = 24;

    /// Writes a round down. No game has more than fit, so a line too many is no line at all.
    pub fn add(&mut self, entry: Entry) {
        let _full = self.0.try_push(entry);
    }

    /// Each line, the first round first.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.0.iter().copied()
    }

    /// How many rounds are over.
    pub fn len(&self) -> u8 {
        self.0.len() as u8
    }

    /// Whether no round is over.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What everyone has scored as codemaker.
    pub fn scores(&self, players: u8) -> BySeat<u8> {
        BySeat::new(players, |seat| {
            let own = self.iter().filter(|entry| entry.maker == seat);
            own.fold(0u8, |sum, entry| sum.saturating_add(entry.points))
        })
    }
}
