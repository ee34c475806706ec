//! How long something may take.

use std::str::FromStr;
use std::time::{Duration, Instant};

use solver::Stop;

/// A span of time, written `100ms`, `2s` or `1m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(Duration);

impl Limit {
    /// Ends a search when the limit, counted from now, is over.
    pub fn stop(limit: Option<Self>) -> Stop<'static> {
        limit.map_or_else(Stop::never, |Self(limit)| {
            let begun = Instant::now();
            Stop::when(move || begun.elapsed() >= limit)
        })
    }
}

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
        let unit_ms = match &text[number.len()..] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            _ => return Err("a limit is a number with ms, s or m, as in 100ms"),
        };
        let number = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit_ms));
        number
            .map(|ms| Self(Duration::from_millis(ms)))
            .ok_or("a limit is a whole number with ms, s or m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_whole_numbers_with_a_unit() {
        for (text, ms) in [("100ms", 100), ("2s", 2_000), ("1m", 60_000), ("0s", 0)] {
            assert_eq!(text.parse(), Ok(Limit(Duration::from_millis(ms))), "{text}");
        }
        for wrong in ["", "100", "s", "1.5s", "-1s", "1h", "99999999999999999999s"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong:?}");
        }
    }
}
