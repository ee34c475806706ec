//! How time passes between two observations.

use std::time::Duration;

/// How time passes between two observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// A step lasts until the earliest plan of all seats happens.
    Event,
    /// A step lasts this long. Commands of agents happen at its start, plans of bots within it.
    Tick(Duration),
}

impl Clock {
    /// The shortest and the longest tick, in seconds.
    const TICK_S: (f64, f64) = (0.001, 60.0);

    /// A clock with steps of that length.
    pub fn tick(seconds: f64) -> Result<Self, ClockError> {
        let (least, most) = Self::TICK_S;
        if (least..=most).contains(&seconds) {
            Ok(Self::Tick(Duration::from_secs_f64(seconds)))
        } else {
            Err(ClockError)
        }
    }
}

/// What is returned for a length that no tick has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a tick lasts 0.001 to 60 seconds")]
pub struct ClockError;
