//! What a new identity costs: nothing at first, and work after the address has used up its budget.
//!
//! The work is a small puzzle that the page solves by itself. The more new people came from an
//! address beyond its budget, or were given a puzzle and have not solved it, the harder it is; with
//! time it gets easier again.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use wire::Refusal;

use crate::address::Subnet;
use crate::limits::{Buckets, Rate, lock};

/// The zero bits of the first proof: about half a second in a browser on a laptop.
const BITS_LEAST: u32 = 17;
/// The zero bits of the hardest proof: minutes in a browser.
const BITS_MOST: u32 = 25;
/// A proof gets twice as hard with each of this many people beyond the budget.
const PEOPLE_PER_BIT: f64 = 4.0;
/// How long a challenge is good for.
const GOOD_FOR: Duration = Duration::from_mins(5);
/// How many challenges are remembered.
const CHALLENGES_MOST: usize = 4_096;

/// The budgets of all addresses, and the challenges that were given out.
pub(crate) struct Newcomers {
    addresses: Buckets<Subnet>,
    challenges: Mutex<HashMap<u32, Challenge>>,
}

struct Challenge {
    to: Subnet,
    bits: u32,
    until: Instant,
}

/// The answer to a refusal with the code `proof`: the SHA-256 of `challenge:nonce`, both in
/// decimal, begins with as many zero bits as it asks for. It counts once.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proof {
    challenge: u32,
    nonce: u32,
}

impl Newcomers {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { addresses: Buckets::new(rate), challenges: Mutex::default() }
    }

    /// The budgets of all addresses.
    pub(crate) fn addresses(&self) -> &Buckets<Subnet> {
        &self.addresses
    }

    /// Whether one more new person may come from an address. A proof counts once.
    pub(crate) fn permit(&self, from: Subnet, proof: Option<Proof>) -> Result<(), Refusal> {
        if self.addresses.take(from) {
            return Ok(());
        }
        if let Some(proof) = proof
            && self.is_good(from, proof)
        {
            self.addresses.charge(from, 1.0);
            return Ok(());
        }
        Err(self.challenge(from))
    }

    fn is_good(&self, from: Subnet, proof: Proof) -> bool {
        let given = lock(&self.challenges).remove(&proof.challenge);
        given.is_some_and(|Challenge { to, bits, until }| {
            to == from && Instant::now() < until && zero_bits(proof) >= bits
        })
    }

    fn challenge(&self, to: Subnet) -> Refusal {
        let mut bytes = [0; 4];
        if getrandom::fill(&mut bytes).is_err() {
            return Refusal::NoRandomness;
        }
        let (challenge, now) = (u32::from_le_bytes(bytes), Instant::now());
        let mut challenges = lock(&self.challenges);
        if challenges.len() >= CHALLENGES_MOST {
            challenges.retain(|_, challenge| now < challenge.until);
        }
        if challenges.len() >= CHALLENGES_MOST
            && let Some(oldest) = challenges.iter().min_by_key(|(_, it)| it.until)
        {
            let oldest = *oldest.0;
            challenges.remove(&oldest);
        }
        // Puzzles that were only collected count like people: none is kept for later at the price
        // of the first.
        let is_open = |it: &&Challenge| it.to == to && now < it.until;
        let open = challenges.values().filter(is_open).count() as f64;
        let beyond = (open - self.addresses.left(to).min(0.0)) / PEOPLE_PER_BIT;
        #[expect(clippy::cast_sign_loss, reason = "it is between 0 and 100")]
        let more = beyond.clamp(0.0, 100.0) as u32;
        let bits = (BITS_LEAST + more).min(BITS_MOST);
        challenges.insert(challenge, Challenge { to, bits, until: now + GOOD_FOR });
        Refusal::Proof { challenge, bits }
    }
}

/// With how many zero bits the hash of a proof begins.
fn zero_bits(Proof { challenge, nonce }: Proof) -> u32 {
    let hash = Sha256::digest(format!("{challenge}:{nonce}"));
    let bytes = hash.iter().take_while(|byte| **byte == 0).count() as u32;
    let next = hash.iter().find(|byte| **byte != 0).map_or(0, |byte| byte.leading_zeros());
    bytes * 8 + next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::subnet_of;

    fn solve(challenge: u32, bits: u32) -> Proof {
        let nonces = (0..u32::MAX).map(|nonce| Proof { challenge, nonce });
        nonces.into_iter().find(|proof| zero_bits(*proof) >= bits).unwrap()
    }

    #[test]
    fn a_proof_counts_once_and_for_its_address() {
        let people = Newcomers::new(Rate { burst: 2.0, per_second: 1e-6 });
        let [here, there] = ["192.0.2.1", "192.0.2.2"].map(|ip| subnet_of(ip.parse().unwrap()));
        assert!(people.permit(here, None).is_ok() && people.permit(here, None).is_ok());
        let Err(Refusal::Proof { challenge, bits }) = people.permit(here, None) else {
            panic!("a proof is asked");
        };
        assert_eq!(bits, BITS_LEAST);
        let proof = solve(challenge, bits);
        assert!(people.permit(here, Some(Proof { nonce: proof.nonce + 1, ..proof })).is_err());
        assert!(people.permit(here, Some(proof)).is_err(), "a wrong answer uses it up");
        let Err(Refusal::Proof { challenge, bits }) = people.permit(here, None) else {
            panic!("a proof is asked");
        };
        let proof = solve(challenge, bits);
        assert!(people.permit(here, Some(proof)).is_ok());
        assert!(people.permit(here, Some(proof)).is_err(), "it counts once");
        assert!(people.permit(there, None).is_ok(), "others have their own budget");
    }

    #[test]
    fn puzzles_are_not_collected_at_the_price_of_the_first() {
        let people = Newcomers::new(Rate { burst: 1.0, per_second: 1e-6 });
        let from = subnet_of("192.0.2.1".parse().unwrap());
        assert!(people.permit(from, None).is_ok());
        let asked = [(); 64].map(|()| match people.permit(from, None) {
            Err(Refusal::Proof { bits, .. }) => bits,
            other => panic!("a proof is asked, not {other:?}"),
        });
        assert_eq!((asked[0], asked[63]), (BITS_LEAST, BITS_MOST));
        let cheap = asked.iter().filter(|bits| **bits < BITS_LEAST + 2).count();
        assert_eq!(cheap, 8, "four people a bit");
    }

    #[test]
    fn many_people_beyond_the_budget_make_it_hard() {
        let people = Newcomers::new(Rate { burst: 1.0, per_second: 1e-6 });
        let from = subnet_of("192.0.2.1".parse().unwrap());
        people.addresses.charge(from, 17.5);
        let asked = people.permit(from, None);
        assert!(matches!(asked, Err(Refusal::Proof { bits: 21, .. })), "{asked:?}");
        people.addresses.charge(from, 1e9);
        let asked = people.permit(from, None);
        assert!(matches!(asked, Err(Refusal::Proof { bits: BITS_MOST, .. })), "{asked:?}");
        for _ in 0..2 * CHALLENGES_MOST {
            assert!(people.permit(from, None).is_err());
        }
        assert!(lock(&people.challenges).len() <= CHALLENGES_MOST);
    }
}
