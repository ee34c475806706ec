//! A smaller run that fails in the same way.

use crate::faults::Faults;
use crate::violation::Violation;
use crate::world::Run;
use crate::{STEPS, simulate};

/// The command that repeats a run.
pub fn repeat(run: Run) -> String {
    let Run { seed, faults, steps, .. } = run;
    let faults = if faults == Faults::ALL { String::new() } else { format!(" --faults {faults}") };
    let steps = if steps == STEPS { String::new() } else { format!(" --steps {steps}") };
    format!("cargo xtask sim --seed {seed} --games 1 --threads 1{faults}{steps}")
}

/// Leaves out faults and steps as long as the run fails the same check, and says what it ends
/// with.
pub fn shrink(run: Run, violation: &Violation) -> (Run, Violation) {
    let attempt = |run: Run| {
        let failure = simulate(run).err()?;
        (failure.violation.check == violation.check).then_some((run, failure.violation))
    };
    let mut small = (run, violation.clone());
    loop {
        let Run { faults, steps, .. } = small.0;
        for fault in faults.iter() {
            let run = Run { faults: small.0.faults.without(fault), ..small.0 };
            small = attempt(run).unwrap_or(small);
        }
        while small.0.steps > 16
            && let Some(less) = attempt(Run { steps: small.0.steps * 2 / 3, ..small.0 })
        {
            small = less;
        }
        if (small.0.faults, small.0.steps) == (faults, steps) {
            return small;
        }
    }
}
