//! The door: a closed set of games, and the way from a name to its rules.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::kit::Game;
use crate::kit::text::words;

/// The games that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum GameName {
    /// The Mind.
    Mind,
    /// The Mind Extreme.
    Extreme,
    /// The Mind: Soulmates.
    Soulmates,
    /// Royale Mastermind.
    Royale,
}

words!(GameName {
    Mind = "mind",
    Extreme = "extreme",
    Soulmates = "soulmates",
    Royale = "royale",
});

impl GameName {
    /// Whether the players win and lose together.
    pub fn is_cooperative(self) -> bool {
        crate::with_name!(self, G => <G as Game>::IS_COOPERATIVE)
    }

    /// The numbers of players that the box is for.
    pub fn players_in_box(self) -> RangeInclusive<u8> {
        crate::with_name!(self, G => <G as Game>::PLAYERS_IN_BOX)
    }
}

/// Evaluates an expression with the rules of a name: `G` is the game's state. Code that goes from a
/// name to a game uses this macro.
///
/// ```
/// use rules::door::GameName;
/// use rules::{kit::Game, with_name};
///
/// fn title(name: GameName) -> &'static str {
///     with_name!(name, G => G::NAME)
/// }
/// assert_eq!(title(GameName::Soulmates), "soulmates");
/// ```
#[macro_export]
macro_rules! with_name {
    ($name:expr, $game:ident => $work:expr) => {
        match $name {
            $crate::door::GameName::Mind => $crate::with_name!(@ mind::Mind, $game, $work),
            $crate::door::GameName::Extreme => {
                $crate::with_name!(@ extreme::Extreme, $game, $work)
            }
            $crate::door::GameName::Soulmates => {
                $crate::with_name!(@ soulmates::Soulmates, $game, $work)
            }
            $crate::door::GameName::Royale => $crate::with_name!(@ royale::Royale, $game, $work),
        }
    };
    (@ $module:ident::$state:ident, $game:ident, $work:expr) => {{
        type $game = $crate::$module::$state;
        $work
    }};
}
