//! The vote for a star (M7): it is played when every hand is raised.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Holds, Ritual};
use crate::family::refusal::Refusal;
use crate::kit::parts::{Part, word_part};
use crate::kit::text::{Misprint, Words, is_default};
use crate::kit::{Play, Seat, Seats};

/// Whose hands are raised for a star while cards are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Vote {
    /// Whose hands are raised for a star (M7). Left out if none is.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Seats>"))]
    pub raised: Seats,
}

impl Vote {
    /// No hand is raised. A card played, a mistake or a stop lowers all of them (M7).
    pub const NONE: Self = Self { raised: Seats::NONE };
}

impl fmt::Display for Vote {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "play:{}", self.raised)
    }
}

/// What a player does about a star.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum VoteCommand {
    /// Raise a hand for a star (M7).
    Raise,
    /// Lower it again (M7).
    Lower,
}

word_part!(VoteCommand { Raise = "raise", Lower = "lower" });

impl VoteCommand {
    pub(crate) fn permitted<C>(
        self,
        phase: &impl Holds<Vote>,
        stars: u8,
        me: Seat,
    ) -> Result<(), Refusal<C>> {
        let Some(vote) = phase.held() else { return Err(Refusal::NotPlaying) };
        match (self, vote.raised.contains(me)) {
            (Self::Raise, _) if stars == 0 => Err(Refusal::NoStar),
            (Self::Raise, true) => Err(Refusal::AlreadyRaised),
            (Self::Lower, false) => Err(Refusal::NotRaised),
            (Self::Raise, false) | (Self::Lower, true) => Ok(()),
        }
    }

    /// Returns whether every hand is raised now.
    pub(crate) fn act<G>(self, play: &mut Play<G>, seat: Seat) -> bool
    where
        G: Ritual<Phase: Holds<Vote>, Event: From<VoteNotice>>,
    {
        play.emit(match self {
            Self::Raise => VoteNotice::Raised(seat),
            Self::Lower => VoteNotice::Lowered(seat),
        });
        let (players, vote) = (play.state().players(), play.state().phase().held());
        vote.is_some_and(|vote| vote.raised.are_all(players))
    }
}

/// What everyone notices of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum VoteNotice {
    /// A hand was raised for a star.
    Raised(Seat),
    /// It was lowered again.
    Lowered(Seat),
}

impl VoteNotice {
    pub(crate) fn apply(self, phase: &mut impl Holds<Vote>) {
        let Some(vote) = phase.held_mut() else { return };
        vote.raised = match self {
            Self::Raised(seat) => vote.raised.with(seat),
            Self::Lowered(seat) => vote.raised.without(seat),
        };
    }
}

impl fmt::Display for VoteNotice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Raised(seat) => write!(f, "raised {seat}"),
            Self::Lowered(seat) => write!(f, "lowered {seat}"),
        }
    }
}

impl Part for VoteNotice {
    const WORDS: &'static [&'static str] = &["raised", "lowered"];

    fn read(word: &str, words: &mut Words) -> Result<Self, Misprint> {
        let seat = words.read("the seat")?;
        Ok(if word == "raised" { Self::Raised(seat) } else { Self::Lowered(seat) })
    }
}
