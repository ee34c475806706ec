//! How a table of The Mind is set up.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::state::Mind;
use crate::family::{BlindCost, FIRST_LEVEL, Face, SetupError, Start, first_level, is_first_level};
use crate::kit::text::{Differences, Fields, Misprint, checked_setup, is_default};
use crate::kit::{Manners, Preset};

/// A set-up as requested: it may be impossible to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The number of players.
    pub players: u8,
    /// The last level: as many cards each as the deck suffices for (H4).
    pub levels: u8,
    /// The level that the game starts with (H2). Left out if it is level 1.
    #[serde(default = "first_level", skip_serializing_if = "is_first_level")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<u8>"))]
    pub first_level: u8,
    /// How cards are laid before the encore (H3). Left out if they are laid open.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Face>"))]
    pub face: Face,
    /// Lives at the start.
    pub lives: u8,
    /// Stars at the start.
    pub stars: u8,
    /// What mistakes cost in a face-down pile (M13).
    pub blind_cost: BlindCost,
    /// What the table agrees on beside the rules.
    pub manners: Manners,
}

impl Draft {
    /// The draft of a preset for that number of players.
    pub fn of(preset: Preset, players: u8) -> Result<Self, SetupError> {
        let Start { levels, lives, stars } = Start::of(players)?;
        let (first_level, face) = (FIRST_LEVEL, Face::Open);
        let (blind_cost, manners) = (BlindCost::PerMistake, Manners::of(preset));
        Ok(Self { players, levels, first_level, face, lives, stars, blind_cost, manners })
    }

    fn read(&mut self, fields: &mut Fields) -> Result<(), Misprint> {
        self.levels = fields.read("levels")?.unwrap_or(self.levels);
        self.first_level = fields.read("first_level")?.unwrap_or(self.first_level);
        self.face = fields.read("face")?.unwrap_or(self.face);
        self.lives = fields.read("lives")?.unwrap_or(self.lives);
        self.stars = fields.read("stars")?.unwrap_or(self.stars);
        self.blind_cost = fields.read("blind_cost")?.unwrap_or(self.blind_cost);
        Ok(())
    }

    fn write(&self, faithful: &Self, differences: &mut Differences) {
        differences.field("levels", self.levels, faithful.levels);
        differences.field("first_level", self.first_level, faithful.first_level);
        differences.field("face", self.face, faithful.face);
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
        let Draft { players, levels, first_level, lives, stars, .. } = draft;
        Start::of(players)?;
        let most = Mind::HIGHEST / players;
        if levels == 0 {
            return Err(SetupError::Levels { levels: 0, most });
        }
        if levels > most {
            return Err(SetupError::Deck { players, level: levels, most });
        }
        Start { levels, lives, stars }.check(first_level)?;
        Ok(Self(draft))
    }

    /// The levels that are played.
    pub fn played_levels(&self) -> RangeInclusive<u8> {
        self.first_level..=self.levels
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
    fn house_rules_are_written_only_where_they_are_played() {
        check::<Setup>("players=2 first_level=1 face=open", Ok("players=2"));
        check::<Setup>(
            "face=blind first_level=3 levels=50 players=2",
            Ok("players=2 levels=50 first_level=3 face=blind"),
        );
        let json = |text: &str| serde_json::to_string(&text.parse::<Setup>().unwrap()).unwrap();
        let house = json("players=2 first_level=3 face=blind");
        assert!(house.contains(r#""first_level":3,"face":"blind""#), "{house}");
        // Set-ups from before these rules are read, and are written as they were.
        let plain = json("players=2");
        assert!(!plain.contains("first_level") && !plain.contains("face"), "{plain}");
        assert_eq!(
            serde_json::from_str::<Setup>(&plain).unwrap(),
            "players=2".parse::<Setup>().unwrap()
        );
    }

    #[test]
    fn impossible_tables_say_what_would_be_right() {
        check::<Setup>("players=7", Err("7 players cannot play this, it takes 2 to 6"));
        check::<Setup>("players=1", Err("1 players cannot play this, it takes 2 to 6"));
        check::<Setup>("players=2 lives=9", Err("a team cannot start with 9 lives, choose 1 to 5"));
        check::<Setup>("players=2 lives=0", Err("a team cannot start with 0 lives, choose 1 to 5"));
        check::<Setup>("players=2 stars=4", Err("a team cannot start with 4 stars, choose 0 to 3"));
        check::<Setup>("players=2 levels=0", Err("0 levels cannot be played, choose 1 to 50"));
        check::<Setup>(
            "players=4 levels=26",
            Err("4 players cannot be dealt level 26 from 100 cards, choose 1 to 25"),
        );
        check::<Setup>(
            "players=3 first_level=11",
            Err("the game cannot start at level 11, choose 1 to 10"),
        );
        check::<Setup>(
            "players=3 first_level=0",
            Err("the game cannot start at level 0, choose 1 to 10"),
        );
        check::<Setup>("players=2 face=down", Err("face: \"down\" is none of open, blind"));
        check::<Setup>("lives=2", Err("players= is missing"));
        check::<Setup>(
            "players=2 preset=hard",
            Err("preset: \"hard\" is none of faithful, friendly, research"),
        );
    }
}
