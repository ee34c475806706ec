//! What can go wrong in a simulated table, as a set of classes that can be left out one by one.

use std::fmt;
use std::str::FromStr;

/// A class of faults or of unusual behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Fault {
    /// Messages take different times; without it every way takes two milliseconds.
    Latency,
    /// Connections break and messages in flight are lost.
    Breaks,
    /// Nothing gets through for a while, in either direction.
    Silence,
    /// Pages are hidden and seen again.
    Hidden,
    /// The journal takes long to write.
    Slow,
    /// The journal refuses to write.
    Refuse,
    /// The journal has written and says that it has not.
    Lost,
    /// The server stops at any moment and starts again.
    Crash,
    /// The server closes the table in good order.
    Close,
    /// People open a second page.
    Pages,
    /// There are spectators.
    Spectators,
    /// Clients claim wrong times, repeat ids, and send commands that are never permitted.
    Cheats,
    /// Hosts kick, leave, hand over and change what is played.
    Hosts,
    /// Players vote to hold seats and to end games.
    Votes,
    /// A person is deleted.
    Delete,
    /// Bots sit at the table.
    Bots,
    /// People write to each other.
    Chat,
}

impl Fault {
    /// All classes.
    pub const ALL: [Self; 17] = [
        Self::Latency,
        Self::Breaks,
        Self::Silence,
        Self::Hidden,
        Self::Slow,
        Self::Refuse,
        Self::Lost,
        Self::Crash,
        Self::Close,
        Self::Pages,
        Self::Spectators,
        Self::Cheats,
        Self::Hosts,
        Self::Votes,
        Self::Delete,
        Self::Bots,
        Self::Chat,
    ];

    /// The word for it on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Breaks => "breaks",
            Self::Silence => "silence",
            Self::Hidden => "hidden",
            Self::Slow => "slow",
            Self::Refuse => "refuse",
            Self::Lost => "lost",
            Self::Crash => "crash",
            Self::Close => "close",
            Self::Pages => "pages",
            Self::Spectators => "spectators",
            Self::Cheats => "cheats",
            Self::Hosts => "hosts",
            Self::Votes => "votes",
            Self::Delete => "delete",
            Self::Bots => "bots",
            Self::Chat => "chat",
        }
    }
}

/// A set of classes, written `latency,crash`, `all` or `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults(u32);

impl Faults {
    /// Everything that can go wrong.
    pub const ALL: Self = Self((1 << Fault::ALL.len()) - 1);
    /// Nothing goes wrong.
    pub const NONE: Self = Self(0);

    /// Whether a class is in the set.
    pub fn has(self, fault: Fault) -> bool {
        self.0 & (1 << fault as u32) != 0
    }

    /// The set with a class.
    #[must_use]
    pub fn with(self, fault: Fault) -> Self {
        Self(self.0 | 1 << fault as u32)
    }

    /// The set without a class.
    #[must_use]
    pub fn without(self, fault: Fault) -> Self {
        Self(self.0 & !(1 << fault as u32))
    }

    /// The classes in the set.
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::ALL.into_iter().filter(move |fault| self.has(*fault))
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::ALL => f.write_str("all"),
            Self::NONE => f.write_str("none"),
            some => f.write_str(&some.iter().map(Fault::word).collect::<Vec<_>>().join(",")),
        }
    }
}

impl FromStr for Faults {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::ALL),
            "none" => Ok(Self::NONE),
            words => words.split(',').try_fold(Self::NONE, |faults, word| {
                let fault = Fault::ALL.into_iter().find(|fault| fault.word() == word);
                let all = || Fault::ALL.map(Fault::word).join(", ");
                let fault = fault.ok_or_else(|| format!("{word:?} is none of {}", all()))?;
                Ok(faults.with(fault))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_as_they_are_written() {
        for faults in [Faults::ALL, Faults::NONE, Faults::NONE.with(Fault::Crash)] {
            assert_eq!(faults.to_string().parse(), Ok(faults));
        }
        for fault in Fault::ALL {
            let others = Faults::ALL.without(fault);
            assert_eq!(others.to_string().parse(), Ok(others));
        }
        assert!("latency,rain".parse::<Faults>().is_err());
    }
}
