//! How a table of The Mind is set up.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::family::{BlindCost, SetupError, Start};
use crate::kit::text::{Differences, Fields, Misprint, checked_setup};
use crate::kit::{Manners, Preset};

/// What somebody would like to play; not necessarily possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// How many people play.
    pub players: u8,
    /// How many levels there are to complete.
    pub levels: u8,
    /// Lives at the start.
    pub lives: u8,
    /// Stars at the start.
    pub stars: u8,
    /// What mistakes cost in the blind encore (M13).
    pub blind_cost: BlindCost,
    /// What the table agrees on beside the rules.
    pub manners: Manners,
}

impl Draft {
    /// A preset for so many players.
    pub fn of(preset: Preset, players: u8) -> Result<Self, SetupError> {
        let Start { levels, lives, stars } = Start::of(players)?;
        let (blind_cost, manners) = (BlindCost::PerMistake, Manners::of(preset));
        Ok(Self { players, levels, lives, stars, blind_cost, manners })
    }
}

/// A set-up that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Draft", rename = "MindSetup"))]
#[serde(try_from = "Draft", into = "Draft")]
pub struct Setup(Draft);

impl Setup {
    /// The set-up of that draft, if it can be played.
    pub fn new(draft: Draft) -> Result<Self, SetupError> {
        Start::of(draft.players)?;
        let Draft { levels, lives, stars, .. } = draft;
        Start { levels, lives, stars }.check()?;
        Ok(Self(draft))
    }
}

checked_setup!();

/// The players, and whatever differs from the preset `faithful`.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let faithful = Draft::of(Preset::Faithful, self.players).map_err(|_| fmt::Error)?;
        let mut differences = Differences::new(self.players);
        differences.field("levels", self.levels, faithful.levels);
        differences.field("lives", self.lives, faithful.lives);
        differences.field("stars", self.stars, faithful.stars);
        differences.field("blind_cost", self.blind_cost, faithful.blind_cost);
        self.manners.write(&mut differences);
        f.write_str(&differences.finish())
    }
}

impl FromStr for Setup {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut fields = Fields::parse(text)?;
        let preset = fields.read("preset")?.unwrap_or_default();
        let mut draft = Draft::of(preset, fields.need("players")?).map_err(Misprint::new)?;
        draft.levels = fields.read("levels")?.unwrap_or(draft.levels);
        draft.lives = fields.read("lives")?.unwrap_or(draft.lives);
        draft.stars = fields.read("stars")?.unwrap_or(draft.stars);
        draft.blind_cost = fields.read("blind_cost")?.unwrap_or(draft.blind_cost);
        draft.manners.read(&mut fields)?;
        fields.finish()?;
        Self::new(draft).map_err(Misprint::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let found = text.parse::<Setup>();
        let found = found.map(|setup| setup.to_string()).map_err(|e| e.to_string());
        assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
    }

    #[test]
    fn what_is_as_printed_need_not_be_said() {
        check("players=2 levels=12 lives=2 stars=1", Ok("players=2"));
        check("players=3 lives=5 preset=faithful", Ok("players=3 lives=5"));
        check(
            "preset=friendly players=4",
            Ok("players=4 photo_finish=on tempo_report=every-level"),
        );
        check("preset=research players=4", Ok("players=4 seeding=fixed export=on"));
    }

    #[test]
    fn impossible_tables_say_what_would_be_right() {
        check("players=5", Err("5 players cannot play this, it takes 2 to 4"));
        check("players=1", Err("1 players cannot play this, it takes 2 to 4"));
        check("players=2 lives=9", Err("a team cannot start with 9 lives, choose 1 to 5"));
        check("players=2 lives=0", Err("a team cannot start with 0 lives, choose 1 to 5"));
        check("players=2 stars=4", Err("a team cannot start with 4 stars, choose 0 to 3"));
        check("players=2 levels=0", Err("0 levels cannot be played, choose 1 to 12"));
        check("players=2 levels=13", Err("13 levels cannot be played, choose 1 to 12"));
        check("lives=2", Err("players= is missing"));
        check(
            "players=2 preset=hard",
            Err("preset: \"hard\" is none of faithful, friendly, research"),
        );
    }
}
