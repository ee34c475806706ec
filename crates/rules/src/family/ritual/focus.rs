//! The focus (M2) and the stop (M3): everyone lays a hand on the table, all are lifted together.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Holds, Ritual, Stage};
use crate::family::refusal::Refusal;
use crate::kit::parts::{Part, word_part};
use crate::kit::text::{Misprint, Words};
use crate::kit::{Moment, Play, Seat, Seats};

/// Hands on the table, before a level begins or while it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Focus {
    /// Whose hands lie there.
    pub resting: Seats,
    /// Whether the level has begun already and goes on afterwards.
    pub underway: bool,
}

impl Focus {
    /// Before a level.
    pub const BEFORE: Self = Self { resting: Seats::NONE, underway: false };
    /// Within a level: after a stop, a mistake or a star.
    pub const WITHIN: Self = Self { resting: Seats::NONE, underway: true };
}

impl fmt::Display for Focus {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", if self.underway { "refocus" } else { "focus" }, self.resting)
    }
}

/// What a player does to begin, interrupt and resume a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FocusCommand {
    /// Lay a hand on the table (M2).
    Rest,
    /// Take it back while others are missing (M2).
    Lift,
    /// Stop play and focus again (M3).
    Stop,
}

word_part!(FocusCommand { Rest = "rest", Lift = "lift", Stop = "stop" });

impl FocusCommand {
    pub(crate) fn permitted<C>(self, phase: &impl Stage, me: Seat) -> Result<(), Refusal<C>> {
        match (self, phase.held()) {
            (Self::Rest, Some(focus)) if focus.resting.contains(me) => Err(Refusal::AlreadyResting),
            (Self::Lift, Some(focus)) if !focus.resting.contains(me) => Err(Refusal::NotResting),
            (Self::Rest | Self::Lift, Some(_)) => Ok(()),
            (Self::Rest | Self::Lift, None) => Err(Refusal::NotFocusing),
            (Self::Stop, _) if phase.is_playing() => Ok(()),
            (Self::Stop, _) => Err(Refusal::NotPlaying),
        }
    }

    /// Play begins when every hand lies on the table (M2).
    pub(crate) fn act<G>(self, play: &mut Play<G>, seat: Seat)
    where
        G: Ritual<Phase: Stage, Event: From<FocusNotice>>,
    {
        match self {
            Self::Rest => {
                play.emit(FocusNotice::Rested(seat));
                let (players, focus) = (play.state().players(), play.state().phase().held());
                if focus.is_some_and(|focus| focus.resting.are_all(players)) {
                    play.emit(FocusNotice::Begun);
                }
            }
            Self::Lift => play.emit(FocusNotice::Lifted(seat)),
            Self::Stop => play.emit(FocusNotice::Stopped(seat)),
        }
    }
}

/// What everyone notices of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FocusNotice {
    /// A hand was laid on the table.
    Rested(Seat),
    /// A hand was taken back.
    Lifted(Seat),
    /// All hands were lifted together: play begins.
    Begun,
    /// A player stopped play.
    Stopped(Seat),
}

impl FocusNotice {
    /// Moves the table on. `since` is when hands were last lifted or the last card was played.
    pub(crate) fn apply(self, phase: &mut impl Stage, since: &mut Moment, at: Moment) {
        match self {
            Self::Rested(seat) => {
                if let Some(focus) = phase.held_mut() {
                    focus.resting = focus.resting.with(seat);
                }
            }
            Self::Lifted(seat) => {
                if let Some(focus) = phase.held_mut() {
                    focus.resting = focus.resting.without(seat);
                }
            }
            Self::Begun => {
                *phase = Stage::PLAYING;
                *since = at;
            }
            Self::Stopped(_) => *phase = Focus::WITHIN.into(),
        }
    }
}

impl fmt::Display for FocusNotice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rested(seat) => write!(f, "rested {seat}"),
            Self::Lifted(seat) => write!(f, "lifted {seat}"),
            Self::Begun => f.write_str("begun"),
            Self::Stopped(seat) => write!(f, "stopped {seat}"),
        }
    }
}

impl Part for FocusNotice {
    const WORDS: &'static [&'static str] = &["rested", "lifted", "begun", "stopped"];

    fn read(word: &str, words: &mut Words) -> Result<Self, Misprint> {
        Ok(match word {
            "rested" => Self::Rested(words.read("the seat")?),
            "lifted" => Self::Lifted(words.read("the seat")?),
            "begun" => Self::Begun,
            _ => Self::Stopped(words.read("the seat")?),
        })
    }
}
