//! What the team has: levels to go, lives and stars, and what it earns.

use serde::{Deserialize, Serialize};

use crate::kit::text::words;

/// Level cards in the box.
pub const LEVELS_MOST: u8 = 12;
/// The level that a game starts with unless its table agrees on another one (H2).
pub const FIRST_LEVEL: u8 = 1;
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
    /// The set-up table of The Mind and of Extreme; for five and six players that of a house rule
    /// (H1).
    pub fn of(players: u8) -> Result<Self, SetupError> {
        match players {
            2 => Ok(Self { levels: 12, lives: 2, stars: 1 }),
            3 => Ok(Self { levels: 10, lives: 3, stars: 1 }),
            4 => Ok(Self { levels: 8, lives: 4, stars: 1 }),
            5 => Ok(Self { levels: 7, lives: 4, stars: 1 }),
            6 => Ok(Self { levels: 6, lives: 4, stars: 1 }),
            _ => Err(SetupError::Players(players)),
        }
    }

    /// Whether a team can start with this at the level `first`.
    pub fn check(self, first: u8) -> Result<(), SetupError> {
        if !(FIRST_LEVEL..=self.levels).contains(&first) {
            return Err(SetupError::FirstLevel { first, last: self.levels });
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
    #[error("{0} players cannot play this, it takes 2 to 6")]
    Players(u8),
    /// No levels, or more than there are.
    #[error("{levels} levels cannot be played, choose 1 to {most}")]
    Levels {
        /// How many there would be.
        levels: usize,
        /// How many there can be.
        most: u8,
    },
    /// More cards than the deck has (H4).
    #[error("{players} players cannot be dealt level {level} from 100 cards, choose 1 to {most}")]
    Deck {
        /// The number of players.
        players: u8,
        /// The last level there would be.
        level: u8,
        /// The last level that the deck suffices for.
        most: u8,
    },
    /// A level to start with that the table does not have (H2).
    #[error("the game cannot start at level {first}, choose 1 to {last}")]
    FirstLevel {
        /// The level that was named.
        first: u8,
        /// The last level.
        last: u8,
    },
    /// No lives, or more than there are.
    #[error("a team cannot start with {0} lives, choose 1 to {LIVES_MOST}")]
    Lives(u8),
    /// More stars than there are.
    #[error("a team cannot start with {0} stars, choose 0 to {STARS_MOST}")]
    Stars(u8),
}

/// For a field that is left out of a set-up when it has its usual value.
pub(crate) fn first_level() -> u8 {
    FIRST_LEVEL
}

/// Whether a game starts with level 1, so that its set-up need not say so.
pub(crate) fn is_first_level(level: &u8) -> bool {
    *level == FIRST_LEVEL
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
