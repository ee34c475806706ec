//! How often an address may try codes that no table has.
//!
//! The first half of the burst is answered at once, for people who mistype. The other half is
//! answered late, and after that no code is looked up, so that a right one does not tell itself
//! apart from a wrong one.

use std::time::Duration;

use table::Refused;
use wire::Refusal;

use crate::address::Subnet;
use crate::limits::{Buckets, Rate};

/// How long the answer to a wrong code takes after the first few.
const DELAY: Duration = Duration::from_secs(2);

/// The wrong codes of all addresses.
pub(crate) struct Guesses {
    rate: Rate,
    addresses: Buckets<Subnet>,
}

impl Guesses {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, addresses: Buckets::new(rate) }
    }

    /// The budgets of all addresses.
    pub(crate) fn addresses(&self) -> &Buckets<Subnet> {
        &self.addresses
    }

    /// Whether a code from this address is looked up.
    pub(crate) fn permit(&self, from: Subnet) -> Result<(), Refused> {
        if self.addresses.left(from) >= 1.0 {
            return Ok(());
        }
        let text = "too many wrong codes came from your address, wait a minute";
        Err(Refused::new(Refusal::CodeRate, text))
    }

    /// Counts a wrong code; how long its answer takes.
    pub(crate) fn wrong(&self, from: Subnet) -> Duration {
        let few = self.addresses.left(from) - 1.0 >= self.rate.burst / 2.0;
        self.addresses.charge(from, 1.0);
        if few { Duration::ZERO } else { DELAY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::subnet_of;

    #[test]
    fn the_first_few_are_answered_at_once_and_the_last_not_at_all() {
        let guesses = Guesses::new(Rate { burst: 4.0, per_second: 1e-6 });
        let from = subnet_of("192.0.2.1".parse().unwrap());
        let answered = [(); 4].map(|()| {
            assert!(guesses.permit(from).is_ok());
            guesses.wrong(from)
        });
        assert_eq!(answered, [Duration::ZERO, Duration::ZERO, DELAY, DELAY]);
        assert_eq!(guesses.permit(from).unwrap_err().why, Refusal::CodeRate);
        assert!(guesses.permit(subnet_of("192.0.2.2".parse().unwrap())).is_ok());
    }
}
