//! What a player of Royale Mastermind can do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::card::Card;
use super::code::Code;
use super::row::Row;
use crate::kit::text::{Misprint, Words};

/// What a player of Royale Mastermind can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleCommand"))]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Hide three cards of the pack (Y1).
    Hide(Code),
    /// Ask a row (Y2).
    Ask(Row),
    /// Put a private mark on a card of the grid (Y10).
    Mark(Card),
    /// Take it off again (Y10).
    Unmark(Card),
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Hide(code) => write!(f, "hide {code}"),
            Self::Ask(row) => write!(f, "ask {row}"),
            Self::Mark(card) => write!(f, "mark {card}"),
            Self::Unmark(card) => write!(f, "unmark {card}"),
        }
    }
}

impl FromStr for Command {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut words = Words::parse(text);
        let command = match words.word("a command")? {
            "hide" => Self::Hide(words.read("the code")?),
            "ask" => Self::Ask(words.read("the row")?),
            "mark" => Self::Mark(words.read("the card")?),
            "unmark" => Self::Unmark(words.read("the card")?),
            other => {
                return Err(Misprint::new(format_args!(
                    "{other:?} is none of hide, ask, mark, unmark"
                )));
            }
        };
        words.end(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_command_says_what_would_be_right() {
        let check = |text: &str, error: &str| {
            assert_eq!(text.parse::<Command>().map_err(|e| e.to_string()), Err(error.to_owned()));
        };
        check("hide A1,B2,A1", "the code: a code is three different cards, as in A1,B2,C3");
        check(
            "ask AA1",
            "the row: a row is three colours A to E or three shapes 1 to 5, as in AAB or 112",
        );
        check("mark", "the card is missing");
        check("mark A1 A2", "\"A2\" is one word too many");
        check("guess AAB", "\"guess\" is none of hide, ask, mark, unmark");
    }
}
