//! Rates and times, as operators write them.

use std::str::FromStr;
use std::time::Duration;

/// A rate: how many at once, and how many a second in the long run. Written `20/5`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// A second.
    pub per_second: f64,
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("write {text:?} as AT_ONCE/PER_SECOND, as in 20/5");
        let (burst, per_second) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        match (number(burst), number(per_second)) {
            (Some(burst), Some(per_second)) if burst >= 1.0 && per_second > 0.0 => {
                Ok(Self { burst, per_second })
            }
            _ => Err(wrong()),
        }
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}/{}", self.burst, self.per_second)
    }
}

/// A time in seconds, with or without a fraction. Written `10` or `0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = text.trim().parse::<f64>().ok();
        // The upper bound keeps deadlines on the clock: a year is as good as never.
        match seconds.filter(|seconds| (0.001..=31_536_000.0).contains(seconds)) {
            Some(seconds) => Ok(Self(Duration::from_secs_f64(seconds))),
            None => Err(format!("write {text:?} as seconds: 10 or 0.5")),
        }
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, millis) in [("10", 10_000), ("0.5", 500), (" 1.25 ", 1_250)] {
            let read = text.parse::<Seconds>().unwrap();
            assert_eq!(read, Seconds(Duration::from_millis(millis)));
            assert_eq!(read.to_string().parse(), Ok(read));
        }
        for wrong in ["", "x", "0", "-1", "NaN", "inf", "1e300"] {
            assert!(wrong.parse::<Seconds>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn rates_are_read() {
        assert_eq!("20/5".parse(), Ok(Rate { burst: 20.0, per_second: 5.0 }));
        for wrong in ["", "20", "x/5", "0/5", "5/0", "5/-1", "NaN/1", "inf/1"] {
            assert!(wrong.parse::<Rate>().is_err(), "{wrong}");
        }
    }
}
