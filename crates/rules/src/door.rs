//! The door: a closed set of games, and the way from a name to its rules.

use serde::{Deserialize, Serialize};

use crate::kit::Imagine;
use crate::kit::text::words;
use crate::{extreme, mind, royale, soulmates};

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

/// Something to be done with a game whose name is only known when the program runs.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it with the game's own types.
    fn visit<G: Imagine>(self) -> Self::Output;
}

impl GameName {
    /// Whether the players win and lose together.
    pub fn is_cooperative(self) -> bool {
        struct Cooperative;

        impl Visitor for Cooperative {
            type Output = bool;

            fn visit<G: Imagine>(self) -> bool {
                G::IS_COOPERATIVE
            }
        }

        self.visit(Cooperative)
    }

    /// Leads a visitor to the rules of that name.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Mind => visitor.visit::<mind::Mind>(),
            Self::Extreme => visitor.visit::<extreme::Extreme>(),
            Self::Soulmates => visitor.visit::<soulmates::Soulmates>(),
            Self::Royale => visitor.visit::<royale::Royale>(),
        }
    }
}
