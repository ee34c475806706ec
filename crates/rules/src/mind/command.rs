//! What a player of The Mind can do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::family::Card;
use crate::kit::text::{Misprint, Words};

/// What a player of The Mind can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindCommand"))]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Lay a hand on the table (M2).
    Rest,
    /// Take it back while others are missing (M2).
    Lift,
    /// Stop play and focus again (M3).
    Stop,
    /// Raise a hand for a star (M7).
    Raise,
    /// Lower it again (M7).
    Lower,
    /// Play the card, which has to be the lowest in the hand (M5).
    Play(Card),
    /// Agree to the blind encore (M12).
    Continue,
    /// Leave it at the victory (M12).
    Finish,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rest => f.write_str("rest"),
            Self::Lift => f.write_str("lift"),
            Self::Stop => f.write_str("stop"),
            Self::Raise => f.write_str("raise"),
            Self::Lower => f.write_str("lower"),
            Self::Play(card) => write!(f, "play {card}"),
            Self::Continue => f.write_str("continue"),
            Self::Finish => f.write_str("finish"),
        }
    }
}

impl FromStr for Command {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut words = Words::parse(text);
        let command = match words.word("a command")? {
            "rest" => Self::Rest,
            "lift" => Self::Lift,
            "stop" => Self::Stop,
            "raise" => Self::Raise,
            "lower" => Self::Lower,
            "play" => Self::Play(words.read("the card")?),
            "continue" => Self::Continue,
            "finish" => Self::Finish,
            other => {
                return Err(Misprint::new(format_args!(
                    "{other:?} is none of rest, lift, stop, raise, lower, play, continue, finish"
                )));
            }
        };
        words.end(command)
    }
}
