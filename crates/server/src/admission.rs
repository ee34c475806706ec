//! Who may come in, and how often.

use table::PersonId;

use crate::address::{Proxies, Subnet};
use crate::blocks::Blocks;
use crate::guesses::Guesses;
use crate::limits::{Buckets, Limits};
use crate::newcomers::Newcomers;

/// What an address or a person is refused for before anything is done for them.
pub(crate) struct Admission {
    /// Whose word on a client's address is believed.
    pub(crate) proxies: Proxies,
    /// What the operator has blocked.
    pub(crate) blocks: Blocks,
    /// Requests of addresses.
    pub(crate) requests: Buckets<Subnet>,
    /// Tables that people open.
    pub(crate) openings: Buckets<PersonId>,
    /// Codes that no table has.
    pub(crate) guesses: Guesses,
    /// New people from one address.
    pub(crate) newcomers: Newcomers,
}

impl Admission {
    pub(crate) fn new(limits: &Limits, proxies: Proxies, blocks: Blocks) -> Self {
        Self {
            proxies,
            blocks,
            requests: Buckets::new(limits.addresses.requests),
            openings: Buckets::new(limits.people.tables),
            guesses: Guesses::new(limits.addresses.guesses),
            newcomers: Newcomers::new(limits.addresses.newcomers),
        }
    }
}
