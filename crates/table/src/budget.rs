//! How many lines a table may write outside of play.

use crate::fair::Stamp;

/// How much at once, and how much a second in the long run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// At once.
    pub burst: f64,
    /// A second.
    pub per_second: f64,
}

/// What is left of an allowance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    allowance: Allowance,
    left: f64,
    counted_at: Stamp,
}

impl Budget {
    pub(crate) fn new(allowance: Allowance, now: Stamp) -> Self {
        Self { allowance, left: allowance.burst, counted_at: now }
    }

    /// Adds what came back until now.
    pub(crate) fn refill(&mut self, now: Stamp) {
        let gained = self.counted_at.until(now).as_secs_f64() * self.allowance.per_second;
        self.left = (self.left + gained).min(self.allowance.burst);
        self.counted_at = now;
    }

    /// Takes one; false if there is none left.
    pub(crate) fn take(&mut self) -> bool {
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_comes_back_with_time_and_no_further() {
        let allowance = Allowance { burst: 2.0, per_second: 0.5 };
        let mut budget = Budget::new(allowance, Stamp::default());
        let mut taken = |second: u64| {
            budget.refill(Stamp::from_millis(second * 1_000));
            budget.take()
        };
        assert_eq!([0, 0, 0, 1, 2, 2].map(&mut taken), [true, true, false, false, true, false]);
        assert_eq!([1_000, 1_000, 1_000].map(&mut taken), [true, true, false]);
    }
}
