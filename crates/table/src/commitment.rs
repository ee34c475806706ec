//! The commitment to a game's deals, shown when the game begins.

use rules::kit::Seed;
use sha2::{Digest, Sha256};
use wire::{Commitment, hex};

/// The commitment to a seed: the SHA-256 hash of its hexadecimal digits, so that every tool that
/// hashes a text can check it. A seed is 32 random bytes, so it cannot be found from its hash.
pub fn commitment(seed: &Seed) -> Commitment {
    Commitment::from_hash(Sha256::digest(hex(seed.bytes())).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_is_the_hash_of_the_seeds_digits() {
        // printf %s 0000…0000 | sha256sum
        let hash = "60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55";
        assert_eq!(commitment(&Seed::new([0; 32])).to_string(), hash);
    }
}
