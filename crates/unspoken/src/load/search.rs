//! The search for the highest rate.

use anyhow::Result;

/// How close the highest rate that holds is to one that does not, in percent.
const STEP_PERCENT: u32 = 5;
/// How many rates are tried.
const TRIES: u32 = 16;

/// The highest rate that holds, to 5 %; `None` if none was found. It begins near `guess`, goes up
/// or down until the limit lies between two rates, and halves the distance from then on.
pub fn highest(guess: u32, mut holds: impl FnMut(u32) -> Result<bool>) -> Result<Option<u32>> {
    let (mut good, mut bad) = (None, None);
    let mut rate = guess.max(1);
    for _ in 0..TRIES {
        if holds(rate)? {
            good = Some(rate);
        } else {
            bad = Some(rate);
        }
        rate = match (good, bad) {
            (Some(good), Some(bad)) if bad - good <= good * STEP_PERCENT / 100 => break,
            (Some(good), Some(bad)) => good.midpoint(bad),
            (Some(good), None) => good + good / 7 + 1,
            (None, Some(bad)) if bad > 10 => bad - bad / 3,
            (None, _) => break,
        };
    }
    Ok(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_found_to_5_percent_from_any_guess() {
        for limit in [900, 8_000, 27_200] {
            for guess in [30, 90, 100, 150, 300] {
                let mut tries = 0;
                let holds = |rate| {
                    tries += 1;
                    Ok(rate <= limit)
                };
                let found = highest(limit * guess / 100, holds).unwrap().unwrap();
                assert!(found <= limit && limit - found <= limit / 20, "{found} of {limit}");
                assert!(tries <= TRIES);
            }
        }
        assert_eq!(highest(5_000, |_| Ok(false)).unwrap(), None);
    }
}
