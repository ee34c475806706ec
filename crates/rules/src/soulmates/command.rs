//! What a player of Soulmates can do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::family::{Card, Cards};
use crate::kit::text::{Misprint, Words};

/// What a player of Soulmates can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesCommand"))]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// As the Seer, have the cards of the level drawn and look at some of them (S5).
    Look,
    /// Write these on the slate, none of them included, and have the cards dealt (S5, S7).
    Hint(Cards),
    /// Lay a hand on the table (M2).
    Rest,
    /// Take it back while others are missing (M2).
    Lift,
    /// Stop play and focus again (M3).
    Stop,
    /// Lay the card face down, which has to be the lowest in the hand (S6).
    Play(Card),
    /// Agree to the levels beyond the game (S10).
    Continue,
    /// Leave it at the victory (S10).
    Finish,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Look => f.write_str("look"),
            Self::Hint(cards) => write!(f, "hint {cards}"),
            Self::Rest => f.write_str("rest"),
            Self::Lift => f.write_str("lift"),
            Self::Stop => f.write_str("stop"),
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
            "look" => Self::Look,
            "hint" => Self::Hint(words.read("the hints")?),
            "rest" => Self::Rest,
            "lift" => Self::Lift,
            "stop" => Self::Stop,
            "play" => Self::Play(words.read("the card")?),
            "continue" => Self::Continue,
            "finish" => Self::Finish,
            other => {
                return Err(Misprint::new(format_args!(
                    "{other:?} is none of look, hint, rest, lift, stop, play, continue, finish"
                )));
            }
        };
        words.end(command)
    }
}
