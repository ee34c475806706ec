//! Violations: checks that failed.

use std::fmt;

/// The checks of every step. `docs/simulation.md` has the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Every acknowledged message is durable and done once.
    Durable,
    /// Viewers are sent what follows from the durable lines, and nothing else.
    Sent,
    /// The messages to a viewer, and their times, do not depend on secrets of others.
    Leak,
    /// Presses keep their order and their bounds.
    Order,
    /// Once faults stop, everything is answered and the game ends.
    Liveness,
    /// Queues, effects and texts stay small.
    Bounds,
    /// The table keeps the contract of its effects.
    Contract,
    /// The table's code panicked.
    Panic,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Durable => "acknowledged messages are durable, once",
            Self::Sent => "only durable changes are sent",
            Self::Leak => "no leaks",
            Self::Order => "order and bounds of presses",
            Self::Liveness => "liveness",
            Self::Bounds => "bounded queues",
            Self::Contract => "contract of effects",
            Self::Panic => "panic",
        })
    }
}

/// A check that failed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The check.
    pub check: Check,
    /// What was found instead, for people.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.text)
    }
}

/// The result of a check.
pub(crate) type Checked<T = ()> = Result<T, Violation>;

/// Returns a violation unless the condition holds.
macro_rules! hold {
    ($holds:expr, $check:ident, $($text:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            let check = $crate::violation::Check::$check;
            return Err($crate::violation::Violation { check, text: format!($($text)+) });
        }
    };
}

pub(crate) use hold;
