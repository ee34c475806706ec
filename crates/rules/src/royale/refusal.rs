//! Why a command is refused in Royale Mastermind.

use super::card::Card;
use super::zone::Zone;
use crate::kit::{Reason, Seat};

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A spectator asked.
    #[error("only players act, take a seat to join in")]
    Watching,
    /// Nothing can be done any more.
    #[error("the game is over, start a new one")]
    GameOver,
    /// Another player hides the code.
    #[error("{0} hides the code in this round, wait for your turn")]
    NotMaker(Seat),
    /// The codemaker neither asks nor marks.
    #[error("you hide the code in this round, the others break it")]
    NotBreaker,
    /// A code lies there already.
    #[error("your code is hidden already, wait until it is broken")]
    NotChoosing,
    /// No code lies there yet.
    #[error("no code is hidden yet, wait for {0}")]
    NotBreaking(Seat),
    /// Another player asks in that zone (Y8).
    #[error("{breaker} breaks the {zone} in this round, ask in your own zone")]
    NotYourZone {
        /// Where the row belongs.
        zone: Zone,
        /// Who asks there.
        breaker: Seat,
    },
    /// The zone has its three blacks (Y4).
    #[error("the {0} are solved already")]
    ZoneSolved(Zone),
    /// The zone has no row left (Y4).
    #[error("no row is left for the {0}")]
    ZoneSpent(Zone),
    /// A card of the code is covered (Y5).
    #[error("{0} is covered, choose cards of the pack")]
    NotInPack(Card),
    /// A covered card needs no mark.
    #[error("{0} is covered, mark cards of the pack")]
    Covered(Card),
    /// The mark is there.
    #[error("{0} is marked already")]
    AlreadyMarked(Card),
    /// There is no mark.
    #[error("{0} is not marked")]
    NotMarked(Card),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Watching => "watching",
            Self::GameOver => "game-over",
            Self::NotMaker(_) => "not-maker",
            Self::NotBreaker => "not-breaker",
            Self::NotChoosing => "not-choosing",
            Self::NotBreaking(_) => "not-breaking",
            Self::NotYourZone { .. } => "not-your-zone",
            Self::ZoneSolved(_) => "zone-solved",
            Self::ZoneSpent(_) => "zone-spent",
            Self::NotInPack(_) => "not-in-pack",
            Self::Covered(_) => "covered",
            Self::AlreadyMarked(_) => "already-marked",
            Self::NotMarked(_) => "not-marked",
        }
    }
}
