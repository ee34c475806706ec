//! What the team has: levels to go, lives and stars, and what it earns.

use serde::{Deserialize, Serialize};

use crate::kit::text::words;

/// Level cards in the box.
pub const LEVELS_MOST: u8 = 12;
/// No team ever has more lives (M8).
pub const LIVES_MOST: u8 = 5;
/// No team ever has more stars (M8).
pub const STARS_MOST: u8 = 3;

/// What a team of a given size starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// How many levels there are.
    pub levels: u8,
    /// How many lives the team has.
    pub lives: u8,
    /// How many stars the team has.
    pub stars: u8,
}

impl Start {
    /// The set-up table of The Mind and of Extreme.
    pub fn of(players: u8) -> Result<Self, SetupError> {
        match players {
            2 => Ok(Self { levels: 12, lives: 2, stars: 1 }),
            3 => Ok(Self { levels: 10, lives: 3, stars: 1 }),
            4 => Ok(Self { levels: 8, lives: 4, stars: 1 }),
            _ => Err(SetupError::Players(players)),
        }
    }

    /// Whether a team can start with this.
    pub fn check(self) -> Result<(), SetupError> {
        if !(1..=LEVELS_MOST).contains(&self.levels) {
            return Err(SetupError::Levels(usize::from(self.levels)));
        }
        if !(1..=LIVES_MOST).contains(&self.lives) {
            return Err(SetupError::Lives(self.lives));
        }
        if self.stars > STARS_MOST {
            return Err(SetupError::Stars(self.stars));
        }
        Ok(())
    }
}

/// Why a table of The Mind or Extreme cannot be set up so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Too few or too many people.
    #[error("{0} players cannot play this, it takes 2 to 4")]
    Players(u8),
    /// No levels, or more than there are.
    #[error("{0} levels cannot be played, choose 1 to {LEVELS_MOST}")]
    Levels(usize),
    /// No lives, or more than there are.
    #[error("a team cannot start with {0} lives, choose 1 to {LIVES_MOST}")]
    Lives(u8),
    /// More stars than there are.
    #[error("a team cannot start with {0} stars, choose 0 to {STARS_MOST}")]
    Stars(u8),
}

/// What a completed level earns (M8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Reward {
    /// Nothing.
    #[default]
    Nothing,
    /// A life.
    Life,
    /// A star.
    Star,
}

words!(Reward { Nothing = "nothing", Life = "life", Star = "star" });

impl Reward {
    /// The printed reward of a level.
    pub fn of(level: u8) -> Self {
        match level {
            2 | 5 | 8 => Self::Star,
            3 | 6 | 9 => Self::Life,
            _ => Self::Nothing,
        }
    }

    /// Hands the reward out. What goes beyond the caps is lost.
    pub fn earn(self, lives: &mut u8, stars: &mut u8) {
        match self {
            Self::Nothing => {}
            Self::Life => *lives = lives.saturating_add(1).min(LIVES_MOST),
            Self::Star => *stars = stars.saturating_add(1).min(STARS_MOST),
        }
    }
}

/// What the mistakes of a face-down pile cost (M13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BlindCost {
    /// A life for each.
    #[default]
    PerMistake,
    /// One life however many.
    OnePerLevel,
}

words!(BlindCost { PerMistake = "per-mistake", OnePerLevel = "one-per-level" });

impl BlindCost {
    /// The lives that this number of mistakes costs.
    pub fn lives(self, mistakes: u8) -> u8 {
        match self {
            Self::PerMistake => mistakes,
            Self::OnePerLevel => mistakes.min(1),
        }
    }
}
