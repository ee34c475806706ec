//! The standard normal distribution, tabulated: a field asks for thousands of its values.

use std::sync::LazyLock;

use super::belief::density;
use crate::timing::normal_below;

/// Units on each side of the middle. Values beyond are taken as those at the end.
const UNITS: usize = 6;
/// Nodes of the table for each unit.
const NODES_PER_UNIT: usize = 64;
const NODES: usize = 2 * UNITS * NODES_PER_UNIT + 1;

const FARTHEST: f64 = UNITS as f64;
const FINENESS: f64 = NODES_PER_UNIT as f64;

/// The share below each node and the density there. Between nodes the Taylor series is used, which
/// is off by less than 1e-7.
#[derive(Debug)]
pub struct Normal {
    nodes: [(f64, f64); NODES],
}

static NORMAL: LazyLock<Normal> = LazyLock::new(|| Normal {
    nodes: std::array::from_fn(|index| {
        let z = index as f64 / FINENESS - FARTHEST;
        (normal_below(z), density(z))
    }),
});

impl Normal {
    /// The table.
    pub fn table() -> &'static Self {
        &NORMAL
    }

    /// The share of the distribution below.
    pub fn below(&self, z: f64) -> f64 {
        let (node, off, (below, density)) = self.near(z);
        below + density * off * (1.0 - 0.5 * off * node)
    }

    /// The density there.
    pub fn density(&self, z: f64) -> f64 {
        let (node, off, (_, density)) = self.near(z);
        density * (1.0 - off * (node - 0.5 * off * (node * node - 1.0)))
    }

    /// The nearest node, how far it is, and the values there.
    fn near(&self, z: f64) -> (f64, f64, (f64, f64)) {
        let z = z.clamp(-FARTHEST, FARTHEST);
        #[expect(clippy::cast_sign_loss, reason = "z is at least the first node")]
        let index = ((z + FARTHEST) * FINENESS + 0.5) as usize;
        let node = index as f64 / FINENESS - FARTHEST;
        (node, z - node, self.nodes[index.min(NODES - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_distribution() {
        for step in -560..=560 {
            let z = f64::from(step) / 100.3;
            let (below, dense) = (Normal::table().below(z), Normal::table().density(z));
            assert!((below - normal_below(z)).abs() < 2e-7, "{z}: {below}");
            assert!((dense - density(z)).abs() < 2e-7, "{z}: {dense}");
        }
        assert!(Normal::table().below(-40.0) < 1e-8 && Normal::table().below(40.0) > 1.0 - 1e-8);
    }
}
