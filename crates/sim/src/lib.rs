//! Whole tables in simulated time: the real table, rules, fair order and bots, with people,
//! networks and a journal that fail in every way, and checks at every step.
//!
//! Everything follows from one seed. `docs/simulation.md` says what is simulated and checked.
//!
//! ```
//! use sim::{Faults, Run, STEPS, simulate};
//!
//! let run = Run { seed: 1, faults: Faults::ALL, steps: STEPS, trace: false, tamper: None };
//! let tally = simulate(run).unwrap();
//! assert!(tally.games > 0 && tally.texts > 0);
//! ```

mod agenda;
mod check;
mod connection;
mod faults;
mod game;
mod journal;
mod network;
mod order;
mod people;
mod reference;
mod scenario;
mod sent;
mod server;
mod shrinking;
mod takeovers;
mod tally;
mod tamper;
mod trouble;
mod twins;
mod violation;
mod world;

pub use faults::{Fault, Faults};
pub use shrinking::{repeat, shrink};
pub use takeovers::{Fence, Takeovers, simulate_takeovers};
pub use tally::Tally;
pub use tamper::Tamper;
pub use violation::{Check, Violation};
pub use world::Run;

use std::panic::{AssertUnwindSafe, catch_unwind};

use world::World;

/// After how many events faults stop, by default.
pub const STEPS: u64 = 3_000;

/// At one table of this number, worlds that differ in hidden cards are compared.
const TWINS_EVERY: u64 = 8;

/// A failed run: the violation, and the inputs before it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The check that failed.
    pub violation: Violation,
    /// The last inputs, if they were kept.
    pub trace: Vec<String>,
}

/// Simulates one table from its opening to its sleep. Fails at the first thing that is wrong.
pub fn simulate(run: Run) -> Result<Tally, Box<Failure>> {
    let failed = |violation, trace| Box::new(Failure { violation, trace });
    let mut world = World::new(run).map_err(|violation| failed(violation, Vec::new()))?;
    let result = catch_unwind(AssertUnwindSafe(|| {
        world.simulate()?;
        if run.seed.is_multiple_of(TWINS_EVERY) {
            twins::compare(&mut world)?;
        }
        Ok(())
    }));
    let trace = || world.trace.iter().cloned().collect();
    match result {
        Ok(Ok(())) => Ok(world.tally),
        Ok(Err(violation)) => Err(failed(violation, trace())),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            let text = text.unwrap_or_default();
            Err(failed(Violation { check: Check::Panic, text }, trace()))
        }
    }
}
