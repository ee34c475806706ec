//! What a player of Extreme can do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::card::{Card, Colour};
use crate::kit::text::{Misprint, Words};

/// What a player of Extreme can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeCommand"))]
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
    /// Play the card: the lowest white or the highest red in the hand (X2).
    Play(Card),
    /// Secretly choose a colour for the star: its lowest white or highest red goes (X5).
    Choose(Colour),
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
            Self::Choose(colour) => write!(f, "choose {colour}"),
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
            "choose" => Self::Choose(words.read("the colour")?),
            other => {
                return Err(Misprint::new(format_args!(
                    "{other:?} is none of rest, lift, stop, raise, lower, play, choose"
                )));
            }
        };
        words.end(command)
    }
}
