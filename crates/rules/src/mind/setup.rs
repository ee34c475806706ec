//! How a table of The Mind is set up.

use serde::{Deserialize, Serialize};

use crate::family::{BlindCost, SetupError, Start};
use crate::kit::text::{Differences, Fields, Misprint, checked_setup};
use crate::kit::{Manners, Preset};

/// A set-up as requested: it may be impossible to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The number of players.
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
    /// The draft of a preset for that number of players.
    pub fn of(preset: Preset, players: u8) -> Result<Self, SetupError> {
        let Start { levels, lives, stars } = Start::of(players)?;
        let (blind_cost, manners) = (BlindCost::PerMistake, Manners::of(preset));
        Ok(Self { players, levels, lives, stars, blind_cost, manners })
    }

    fn read(&mut self, fields: &mut Fields) -> Result<(), Misprint> {
        self.levels = fields.read("levels")?.unwrap_or(self.levels);
        self.lives = fields.read("lives")?.unwrap_or(self.lives);
        self.stars = fields.read("stars")?.unwrap_or(self.stars);
        self.blind_cost = fields.read("blind_cost")?.unwrap_or(self.blind_cost);
        Ok(())
    }

    fn write(&self, faithful: &Self, differences: &mut Differences) {
        differences.field("levels", self.levels, faithful.levels);
        differences.field("lives", self.lives, faithful.lives);
        differences.field("stars", self.stars, faithful.stars);
        differences.field("blind_cost", self.blind_cost, faithful.blind_cost);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::check_text as check;

    #[test]
    fn what_is_as_printed_need_not_be_said() {
        check::<Setup>("players=2 levels=12 lives=2 stars=1", Ok("players=2"));
        check::<Setup>("players=3 lives=5 preset=faithful", Ok("players=3 lives=5"));
        check::<Setup>(
            "preset=friendly players=4",
            Ok("players=4 photo_finish=on tempo_report=every-level"),
        );
        check::<Setup>("preset=research players=4", Ok("players=4 seeding=fixed export=on"));
    }

    #[test]
    fn impossible_tables_say_what_would_be_right() {
        check::<Setup>("players=5", Err("5 players cannot play this, it takes 2 to 4"));
        check::<Setup>("players=1", Err("1 players cannot play this, it takes 2 to 4"));
        check::<Setup>("players=2 lives=9", Err("a team cannot start with 9 lives, choose 1 to 5"));
        check::<Setup>("players=2 lives=0", Err("a team cannot start with 0 lives, choose 1 to 5"));
        check::<Setup>("players=2 stars=4", Err("a team cannot start with 4 stars, choose 0 to 3"));
        check::<Setup>("players=2 levels=0", Err("0 levels cannot be played, choose 1 to 12"));
        check::<Setup>("players=2 levels=13", Err("13 levels cannot be played, choose 1 to 12"));
        check::<Setup>("lives=2", Err("players= is missing"));
        check::<Setup>(
            "players=2 preset=hard",
            Err("preset: \"hard\" is none of faithful, friendly, research"),
        );
    }
}
