//! Chance: one seed for a table, and unbiased draws from it.

use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

/// All the luck of a table. It decides every deal, so it is as secret as the hands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A seed from 32 bytes. The server draws them from the system's randomness.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes: for the journal only.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A small seed for tests, simulations and repeatable games.
impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Self(bytes)
    }
}

/// 64 hexadecimal digits, or a plain number up to 2⁶⁴ − 1.
impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        if text.len() != 64 {
            return text.parse::<u64>().map(Self::from).map_err(|_| SeedError);
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).ok_or(SeedError);
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Ok(Self(bytes))
    }
}

/// Prints nothing of the seed: a log line must not tell the deals.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// What is returned for a text that is no seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed is a number below 2^64 or 64 hexadecimal digits")]
pub struct SeedError;

/// Draws for one step of a game.
///
/// Every step has its own stream of the seed, so that what one step draws never shifts what the
/// next one gets. Most steps draw nothing, so the generator is made at the first draw.
pub struct Chance {
    seed: Seed,
    stream: u64,
    generator: Option<ChaCha12Rng>,
}

impl Chance {
    /// The draws of one step.
    pub const fn new(seed: Seed, stream: u64) -> Self {
        Self { seed, stream, generator: None }
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        let (seed, stream) = (self.seed, self.stream);
        self.generator
            .get_or_insert_with(|| {
                let mut generator = ChaCha12Rng::from_seed(seed.0);
                generator.set_stream(stream);
                generator
            })
            .next_u32()
    }

    /// A number from 0 to `bound` − 1, each equally likely; 0 when `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Lemire's method: the products that would favour some numbers are drawn again.
        let unfair = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        loop {
            let product = u64::from(self.bits()) * u64::from(bound);
            if product as u32 >= unfair {
                return (product >> 32) as u32;
            }
        }
    }

    /// True with a probability of one in that number.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of the items, each equally likely.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Brings `count` items, drawn without return in random order, to the front.
    pub fn draw<'a, T>(&mut self, items: &'a mut [T], count: usize) -> &'a mut [T] {
        let count = count.min(items.len());
        for place in 0..count {
            let left = (items.len() - place) as u32;
            items.swap(place, place + self.below(left) as usize);
        }
        &mut items[..count]
    }

    /// Puts the items in random order, each order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.draw(items, items.len());
    }
}

/// Prints nothing of the seed.
impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Chance(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(stream: u64) -> Chance {
        Chance::new(Seed::from(11), stream)
    }

    #[test]
    fn all_orders_of_four_are_equally_likely() {
        let mut counts = std::collections::BTreeMap::<[u8; 4], f64>::new();
        let rounds = 24_000;
        let mut chance = chance(0);
        for _ in 0..rounds {
            let mut order = [1, 2, 3, 4];
            chance.shuffle(&mut order);
            *counts.entry(order).or_default() += 1.0;
        }
        let expected = f64::from(rounds) / 24.0;
        let chi2: f64 = counts.values().map(|n| (n - expected).powi(2) / expected).sum();
        assert_eq!(counts.len(), 24);
        // The 99.9 % point of chi-square with 23 degrees of freedom.
        assert!(chi2 < 49.7, "chi-square {chi2}");
    }

    #[test]
    fn a_bound_that_does_not_divide_the_range_favours_no_number() {
        // Three quarters of the range: taking the remainder would double the first third.
        let bound = 3 << 30;
        let mut chance = chance(1);
        let low = (0..30_000).filter(|_| chance.below(bound) < 1 << 30).count();
        assert!((9_600..10_400).contains(&low), "{low}");
    }

    #[test]
    fn a_step_repeats_and_steps_differ() {
        let draw = |stream| (0..8).map(|_| chance(stream).bits()).collect::<Vec<_>>();
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }

    #[test]
    fn empty_choices_are_no_accident() {
        assert_eq!(chance(0).below(0), 0);
        assert_eq!(chance(0).pick::<u8>(&[]), None);
        assert!(chance(0).draw::<u8>(&mut [], 3).is_empty());
    }

    #[test]
    fn seeds_are_read_from_numbers_and_digits() {
        assert_eq!("7".parse(), Ok(Seed::from(7)));
        assert_eq!("ff".repeat(32).parse(), Ok(Seed::new([255; 32])));
        assert_eq!("x".repeat(64).parse::<Seed>(), Err(SeedError));
        assert_eq!("é".repeat(32).parse::<Seed>(), Err(SeedError));
        assert_eq!(format!("{:?} {:?}", Seed::from(7), chance(7)), "Seed(secret) Chance(secret)");
    }
}
