//! A point on the server's clock.

use std::time::Duration;

/// A point on the server's own clock, which only goes forward: microseconds since it started.
///
/// Not a [`Moment`](rules::kit::Moment), which counts from the beginning of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// Later than anything.
    pub const END: Self = Self(u64::MAX);

    /// That number of microseconds after the clock started.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// That number of milliseconds after the clock started.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// As it stands in messages. What lies before the start of the clock counts as its start, and
    /// what is no number, too.
    #[allow(clippy::cast_sign_loss, reason = "the cast saturates, as it should")]
    pub fn from_wire(ms: f64) -> Self {
        Self((ms * 1_000.0).round() as u64)
    }

    /// As it stands in messages: milliseconds.
    #[allow(clippy::cast_precision_loss, reason = "exact for the first 285 years")]
    pub fn to_wire(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// Microseconds since the clock started.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Later by that much.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(micros(wait)))
    }

    /// Earlier by that much; nothing is before the start of the clock.
    #[must_use]
    pub fn before(self, lead: Duration) -> Self {
        Self(self.0.saturating_sub(micros(lead)))
    }

    /// How long before `later` this is; zero if it is not.
    pub fn until(self, later: Self) -> Duration {
        Duration::from_micros(later.0.saturating_sub(self.0))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_carry_it_to_the_microsecond_and_nonsense_does_no_harm() {
        let stamp = Stamp::from_micros(1_234_567_891);
        assert_eq!(Stamp::from_wire(stamp.to_wire()), stamp);
        for nonsense in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(Stamp::from_wire(nonsense), Stamp::default(), "{nonsense}");
        }
        assert_eq!(Stamp::from_wire(1e300), Stamp(u64::MAX));
    }
}
