//! What was found to be wrong.

use std::fmt;

/// What has to hold at every step. `docs/simulation.md` has the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// What is acknowledged is durable, and done once.
    Durable,
    /// Viewers are sent what the durable lines say, and nothing else.
    Told,
    /// What a viewer is sent, and when, does not depend on what they may not know.
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
            Self::Durable => "acknowledged is durable, once",
            Self::Told => "nobody is told what is not durable",
            Self::Leak => "no leaks",
            Self::Order => "order and bounds of presses",
            Self::Liveness => "liveness",
            Self::Bounds => "bounded queues",
            Self::Contract => "contract of effects",
            Self::Panic => "panic",
        })
    }
}

/// Something that does not hold.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What should hold.
    pub check: Check,
    /// What was found.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.text)
    }
}

/// What a check comes to.
pub(crate) type Checked<T = ()> = Result<T, Violation>;

/// Fails unless that holds.
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
