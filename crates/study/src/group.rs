//! Groups: people who play together.

use wire::Code;

use crate::fact::{EndedGame, GroupId, ParticipationId};
use crate::time::Time;

/// A group.
#[derive(Clone, Debug)]
pub struct Group {
    /// Which.
    pub id: GroupId,
    /// The number of its condition.
    pub condition: usize,
    /// Its people, seat A first.
    pub members: Vec<ParticipationId>,
    /// Which of the condition's games comes first, second and so on.
    pub order: Vec<u8>,
    /// How far it is.
    pub stage: GroupStage,
    /// Its tables, one a game.
    pub tables: Vec<Code>,
    /// How its games ended.
    pub played: Vec<EndedGame>,
    /// When it formed.
    pub formed: Time,
}

/// How far a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupStage {
    /// Its people gather for a game.
    Gathering {
        /// Which, from 0 in the order of playing.
        game: u8,
    },
    /// A game is on.
    Playing {
        /// Which.
        game: u8,
        /// Where.
        table: Code,
    },
    /// All its games are over.
    Done,
    /// One of its people has gone for good.
    Broken {
        /// Who.
        by: ParticipationId,
    },
}

impl Group {
    /// Whether games of it are still to be played.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, GroupStage::Gathering { .. } | GroupStage::Playing { .. })
    }

    /// Whether it counts for the balance of conditions: it is open, or played all its games.
    pub fn counts(&self) -> bool {
        !matches!(self.stage, GroupStage::Broken { .. })
    }
}
