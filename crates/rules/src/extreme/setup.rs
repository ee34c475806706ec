//! How a table of Extreme is set up: as The Mind, with a table of levels that says which piles
//! are face down.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use super::card::{ByColour, Colour};
use crate::family::{BlindCost, FIRST_LEVEL, Face, LEVELS_MOST, Reward, SetupError, Start};
use crate::family::{first_level, is_first_level};
use crate::kit::text::{Differences, Fields, Misprint, checked_setup, listed, read_list};
use crate::kit::{Manners, Preset};

/// One level: how each colour is laid and what completing it earns, written `bo+life` for blind
/// whites, open reds and a life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeLevel"))]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// How each colour is laid.
    pub faces: ByColour<Face>,
    /// What it earns.
    pub reward: Reward,
}

impl Level {
    /// The level as X4 has it.
    pub fn of(level: u8) -> Self {
        let face = |blind| if blind { Face::Blind } else { Face::Open };
        let faces = ByColour::new(|colour| match colour {
            Colour::White => face(matches!(level, 3 | 6 | 8 | 10)),
            Colour::Red => face(matches!(level, 4 | 6 | 10 | 12)),
        });
        Self { faces, reward: Reward::of(level) }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for &colour in Colour::ALL {
            f.write_str(match self.faces[colour] {
                Face::Open => "o",
                Face::Blind => "b",
            })?;
        }
        match self.reward {
            Reward::Nothing => Ok(()),
            reward => write!(f, "+{reward}"),
        }
    }
}

impl FromStr for Level {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (faces, reward) = text.split_once('+').unwrap_or((text, "nothing"));
        let (white, red) = match faces {
            "oo" => (Face::Open, Face::Open),
            "ob" => (Face::Open, Face::Blind),
            "bo" => (Face::Blind, Face::Open),
            "bb" => (Face::Blind, Face::Blind),
            _ => {
                let text = format_args!("write {faces:?} as oo, ob, bo or bb: white, then red");
                return Err(Misprint::new(text));
            }
        };
        Ok(Self { faces: ByColour { white, red }, reward: reward.parse()? })
    }
}

/// The rows of a level table, level 1 first.
pub type Levels = ArrayVec<[Level; LEVELS_MOST as usize]>;

/// A set-up as requested: it may be impossible to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The number of players.
    pub players: u8,
    /// The levels to complete (X4).
    #[cfg_attr(feature = "ts", ts(as = "Vec<Level>"))]
    pub table: Levels,
    /// The level that the game starts with (H2). Left out if it is level 1.
    #[serde(default = "first_level", skip_serializing_if = "is_first_level")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<u8>"))]
    pub first_level: u8,
    /// Lives at the start.
    pub lives: u8,
    /// Stars at the start.
    pub stars: u8,
    /// What mistakes cost in face-down piles (M13).
    pub blind_cost: BlindCost,
    /// What the table agrees on beside the rules.
    pub manners: Manners,
}

impl Draft {
    /// The draft of a preset for that number of players.
    pub fn of(preset: Preset, players: u8) -> Result<Self, SetupError> {
        let Start { levels, lives, stars } = Start::of(players)?;
        let table = (1..=levels).map(Level::of).collect();
        let (first_level, blind_cost) = (FIRST_LEVEL, BlindCost::PerMistake);
        let manners = Manners::of(preset);
        Ok(Self { players, table, first_level, lives, stars, blind_cost, manners })
    }

    fn read(&mut self, fields: &mut Fields) -> Result<(), Misprint> {
        if let Some(levels) = fields.read::<u8>("levels")? {
            self.table = rows((1..=levels).map(Level::of).collect())?;
        }
        if let Some(table) = fields.read_with("table", |text| read_list(text, str::parse))? {
            self.table = rows(table)?;
        }
        if let Some(face) = fields.read("face")? {
            for level in &mut self.table {
                level.faces = ByColour::new(|_| face);
            }
        }
        self.first_level = fields.read("first_level")?.unwrap_or(self.first_level);
        self.lives = fields.read("lives")?.unwrap_or(self.lives);
        self.stars = fields.read("stars")?.unwrap_or(self.stars);
        self.blind_cost = fields.read("blind_cost")?.unwrap_or(self.blind_cost);
        Ok(())
    }

    fn write(&self, faithful: &Self, differences: &mut Differences) {
        if self.table != faithful.table {
            differences.always("table", listed(self.table, ","));
        }
        differences.field("first_level", self.first_level, faithful.first_level);
        differences.field("lives", self.lives, faithful.lives);
        differences.field("stars", self.stars, faithful.stars);
        differences.field("blind_cost", self.blind_cost, faithful.blind_cost);
    }
}

/// A set-up that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Draft", rename = "ExtremeSetup"))]
#[serde(try_from = "Draft", into = "Draft")]
pub struct Setup(Draft);

impl Setup {
    /// The set-up of that draft, if it can be played.
    pub fn new(draft: Draft) -> Result<Self, SetupError> {
        Start::of(draft.players)?;
        let Draft { table, first_level, lives, stars, .. } = draft;
        let levels = table.len() as u8;
        if levels == 0 {
            return Err(SetupError::Levels { levels: 0, most: LEVELS_MOST });
        }
        Start { levels, lives, stars }.check(first_level)?;
        Ok(Self(draft))
    }

    /// How many levels there are.
    pub fn levels(&self) -> u8 {
        self.table.len() as u8
    }

    /// The levels that are played.
    pub fn played_levels(&self) -> RangeInclusive<u8> {
        self.first_level..=self.levels()
    }

    /// A level's row, counted from 1; one beyond the table earns nothing and hides nothing.
    pub fn level(&self, level: u8) -> Level {
        let row = usize::from(level).checked_sub(1);
        row.and_then(|row| self.table.get(row)).copied().unwrap_or_default()
    }
}

checked_setup!();

fn rows(levels: Vec<Level>) -> Result<Levels, Misprint> {
    if levels.len() > usize::from(LEVELS_MOST) {
        let (levels, most) = (levels.len(), LEVELS_MOST);
        return Err(Misprint::new(SetupError::Levels { levels, most }));
    }
    Ok(levels.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::check_text as check;

    #[test]
    fn the_table_of_levels_is_data() {
        check::<Setup>("players=2 levels=12", Ok("players=2"));
        check::<Setup>("players=4 levels=3", Ok("players=4 table=oo,oo+star,bo+life"));
        check::<Setup>("players=2 table=bb+star,ob", Ok("players=2 table=bb+star,ob"));
        check::<Setup>("players=2 table=-", Err("0 levels cannot be played, choose 1 to 12"));
        check::<Setup>("players=2 levels=0", Err("0 levels cannot be played, choose 1 to 12"));
        check::<Setup>("players=2 levels=200", Err("200 levels cannot be played, choose 1 to 12"));
        check::<Setup>(
            "players=2 table=ox",
            Err("table: write \"ox\" as oo, ob, bo or bb: white, then red"),
        );
        check::<Setup>("players=4 levels=3 face=open", Ok("players=4 table=oo,oo+star,oo+life"));
        check::<Setup>("face=blind levels=2 players=2", Ok("players=2 table=bb,bb+star"));
        check::<Setup>("players=2 first_level=1", Ok("players=2"));
        check::<Setup>("players=3 first_level=10", Ok("players=3 first_level=10"));
        check::<Setup>(
            "players=2 table=oo,ob first_level=3",
            Err("the game cannot start at level 3, choose 1 to 2"),
        );
        check::<Setup>("players=7", Err("7 players cannot play this, it takes 2 to 6"));
    }
}
