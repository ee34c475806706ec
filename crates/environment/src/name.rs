//! The names of environments: a game, a clock and a version, as in `mind-event-v0`.

use std::fmt;
use std::str::FromStr;

use rules::door::GameName;

/// The version of what environments mean: observations, commands, rewards and time. It is raised
/// when the same seed and the same actions would give something else.
const VERSION: u32 = 0;

/// Which game is played by which clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvironmentName {
    /// The game.
    pub game: GameName,
    /// Whether steps have a fixed length.
    pub ticks: bool,
}

impl EnvironmentName {
    /// Every environment that there is.
    pub fn all() -> impl Iterator<Item = Self> {
        GameName::ALL.iter().flat_map(|&game| [false, true].map(|ticks| Self { game, ticks }))
    }
}

impl fmt::Display for EnvironmentName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let clock = if self.ticks { "tick" } else { "event" };
        write!(f, "{}-{clock}-v{VERSION}", self.game)
    }
}

impl FromStr for EnvironmentName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let found = Self::all().find(|name| name.to_string() == text);
        found.ok_or_else(|| {
            let names = Self::all().map(|name| name.to_string()).collect::<Vec<_>>();
            NameError { name: text.to_owned(), names: names.join(", ") }
        })
    }
}

/// What is returned for a name that no environment has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no environment {name:?}, choose from {names}")]
pub struct NameError {
    name: String,
    names: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        assert_eq!(EnvironmentName::all().count(), 8);
        for name in EnvironmentName::all() {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        let error = "mind-event-v1".parse::<EnvironmentName>().unwrap_err().to_string();
        assert!(error.contains("choose from mind-event-v0, mind-tick-v0"), "{error}");
    }
}
