//! How a table of Soulmates is set up.

use serde::{Deserialize, Serialize};

use super::level::{BEYOND_MOST, Row, Table};
use super::state::Soulmates;
use crate::family::{LEVELS_MOST, LIVES_MOST};
use crate::kit::text::{Differences, Fields, Misprint, checked_setup};
use crate::kit::{Manners, Preset, Seat};

/// The most ways to write the first hints that a player is offered.
const WAYS_MOST: u64 = 4096;
/// With more cards than this at level 12, the levels beyond would run out of cards.
const LAST_CARDS_MOST: u8 = Soulmates::HIGHEST - (BEYOND_MOST - LEVELS_MOST);

/// A set-up as requested: it may be impossible to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The number of players.
    pub players: u8,
    /// Lives at the start (S1).
    pub lives: u8,
    /// The level cards (S4).
    pub table: Table,
    /// The first Seer; drawn at random if none is named (S3).
    pub first_seer: Option<Seat>,
    /// What the table agrees on beside the rules.
    pub manners: Manners,
}

impl Draft {
    /// The draft of a preset for that number of players.
    pub fn of(preset: Preset, players: u8) -> Result<Self, SetupError> {
        let lives = match players {
            2 => 3,
            3..=5 => 4,
            _ => return Err(SetupError::Players(players)),
        };
        let (table, manners) = (Table::Linear, Manners::of(preset));
        Ok(Self { players, lives, table, first_seer: None, manners })
    }

    fn read(&mut self, fields: &mut Fields) -> Result<(), Misprint> {
        self.lives = fields.read("lives")?.unwrap_or(self.lives);
        self.table = fields.read("table")?.unwrap_or(self.table);
        self.first_seer = fields.read("first_seer")?;
        Ok(())
    }

    fn write(&self, faithful: &Self, differences: &mut Differences) {
        differences.field("lives", self.lives, faithful.lives);
        differences.field("table", self.table, faithful.table);
        if let Some(seat) = self.first_seer {
            differences.always("first_seer", seat);
        }
    }
}

/// Why a table of Soulmates cannot be set up so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Too few or too many people.
    #[error("{0} players cannot play this, it takes 2 to 5")]
    Players(u8),
    /// No lives, or more than there are.
    #[error("a team cannot start with {0} lives, choose 1 to {LIVES_MOST}")]
    Lives(u8),
    /// The first Seer does not play.
    #[error("{seat} cannot be the first Seer of {players} players, name one of their seats")]
    FirstSeer {
        /// The seat that was named.
        seat: Seat,
        /// The number of players.
        players: u8,
    },
    /// A free table without rows, or with more than there are levels.
    #[error("a table of {0} levels cannot be played, write 1 to {LEVELS_MOST} as cards/look/hints")]
    Levels(usize),
    /// Five players start at level 2 (S2).
    #[error("five players start at level 2, write at least 2 levels")]
    NoLevelForFive,
    /// No cards, or more than there are.
    #[error("level {level} cannot draw {cards} cards, choose 1 to {}", Soulmates::HIGHEST)]
    Cards {
        /// Which level.
        level: u8,
        /// How many cards it would draw.
        cards: u8,
    },
    /// More looked at than drawn.
    #[error("level {level} cannot look at {} of {} cards, choose 0 to {}", row.look, row.cards, row.cards)]
    Look {
        /// Which level.
        level: u8,
        /// What its card would say.
        row: Row,
    },
    /// More hints than cards looked at.
    #[error("level {level} cannot hint at {} of {} cards looked at, choose 0 to {}", row.hints, row.look, row.look)]
    Hints {
        /// Which level.
        level: u8,
        /// What its card would say.
        row: Row,
    },
    /// More ways to hint than a player can choose from.
    #[error(
        "level {level} has more than {WAYS_MOST} ways to give its hints, look at fewer cards or give fewer hints"
    )]
    Ways {
        /// Which level.
        level: u8,
    },
    /// The levels beyond would need more cards than there are.
    #[error(
        "level {LEVELS_MOST} with {0} cards leaves too few for levels 13 to {BEYOND_MOST}, choose at most {LAST_CARDS_MOST}"
    )]
    LastCards(u8),
}

/// A set-up that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Draft", rename = "SoulmatesSetup"))]
#[serde(try_from = "Draft", into = "Draft")]
pub struct Setup(Draft);

impl Setup {
    /// The set-up of that draft, if it can be played.
    pub fn new(draft: Draft) -> Result<Self, SetupError> {
        let Draft { players, lives, table, first_seer, .. } = draft;
        Draft::of(Preset::Faithful, players)?;
        if !(1..=LIVES_MOST).contains(&lives) {
            return Err(SetupError::Lives(lives));
        }
        if let Some(seat) = first_seer
            && seat.index() >= usize::from(players)
        {
            return Err(SetupError::FirstSeer { seat, players });
        }
        let setup = Self(draft);
        match table.levels() {
            0 => return Err(SetupError::Levels(0)),
            last if last < setup.first_level() => return Err(SetupError::NoLevelForFive),
            last => (1..=last).try_for_each(|level| check_row(level, table.row(level)))?,
        }
        match table.row(LEVELS_MOST) {
            Some(row) if row.cards > LAST_CARDS_MOST => Err(SetupError::LastCards(row.cards)),
            _ => Ok(setup),
        }
    }

    /// The level that the game starts with (S2).
    pub fn first_level(&self) -> u8 {
        if self.players == 5 { 2 } else { 1 }
    }

    /// The Seer of a level; `None` if the first Seer is drawn at random (S3).
    pub fn seer_of(&self, level: u8) -> Option<Seat> {
        let passed = level.saturating_sub(self.first_level());
        let first = self.first_seer?;
        Some((0..passed).fold(first, |seer, _| seer.left(self.players)))
    }
}

fn check_row(level: u8, row: Option<Row>) -> Result<(), SetupError> {
    let row = row.unwrap_or_default();
    if !(1..=Soulmates::HIGHEST).contains(&row.cards) {
        return Err(SetupError::Cards { level, cards: row.cards });
    }
    if row.look > row.cards {
        return Err(SetupError::Look { level, row });
    }
    if row.hints > row.look {
        return Err(SetupError::Hints { level, row });
    }
    if row.ways() > WAYS_MOST {
        return Err(SetupError::Ways { level });
    }
    Ok(())
}

checked_setup!();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::check_text as check;

    #[test]
    fn what_is_as_printed_need_not_be_said() {
        check::<Setup>("players=2 lives=3 table=linear", Ok("players=2"));
        check::<Setup>("players=5 lives=4 preset=faithful", Ok("players=5"));
        check::<Setup>(
            "first_seer=B table=gentle players=3 lives=5",
            Ok("players=3 lives=5 table=gentle first_seer=B"),
        );
        check::<Setup>("players=2 table=4/3/1,50/2/2", Ok("players=2 table=4/3/1,50/2/2"));
        check::<Setup>("preset=research players=4", Ok("players=4 seeding=fixed export=on"));
    }

    #[test]
    fn what_the_examples_do_not_call_impossible() {
        check::<Setup>("lives=2", Err("players= is missing"));
        check::<Setup>("players=2 stars=1", Err("stars: no such field, take it out"));
        check::<Setup>(
            "players=2 first_seer=X",
            Err("first_seer: a seat is one of the letters A to F"),
        );
        check::<Setup>(
            "players=2 table=hard",
            Err("table: write \"hard\" as cards/look/hints, as 4/3/1"),
        );
    }

    #[test]
    fn set_ups_survive_the_way_through_json() {
        for text in ["players=5", "players=2 table=gentle", "players=3 table=2/2/1 first_seer=C"] {
            let setup = text.parse::<Setup>().unwrap();
            let json = serde_json::to_string(&setup).unwrap();
            assert_eq!(serde_json::from_str::<Setup>(&json).unwrap(), setup);
            assert!(
                serde_json::from_str::<Setup>(&json.replace("\"lives\":", "\"lives\":9")).is_err()
            );
        }
    }
}
