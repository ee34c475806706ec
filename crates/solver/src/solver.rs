//! The solver: searches with a cache that grows with the positions it is asked about.

use rules::royale::Pack;

use super::board::Board;
use super::class::Class;
use super::search::{Method, Search, SearchCache};
use super::solution::Solution;
use super::stop::Stop;

/// Finds best rows. What it learns in one position helps it in the next, in whatever pack.
pub struct Solver {
    cache: SearchCache,
    method: Method,
    /// Whether positions are looked up before they are searched.
    pub(crate) remembers: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self::with_method(Method::default())
    }
}

impl Solver {
    /// Room for four million states, 200 MB when all of it is used.
    const USUAL_BITS: u32 = 22;

    /// A solver with these search options.
    pub fn with_method(method: Method) -> Self {
        Self { cache: SearchCache::new(Self::USUAL_BITS), method, remembers: true }
    }

    /// A solver with room for two to the power of `bits` states, 48 bytes each.
    pub fn with_room(bits: u32) -> Self {
        Self { cache: SearchCache::new(bits), method: Method::default(), remembers: true }
    }

    /// The same solver, which searches even what the tablebase knows.
    #[must_use]
    pub fn without_tablebase(self) -> Self {
        Self { remembers: false, ..self }
    }

    /// Solves a pack of at least three cards; `None` if it was time to stop.
    pub fn solve(&mut self, pack: Pack, stop: &mut Stop) -> Option<Solution> {
        let (class, _) = Class::of(pack);
        Solution::compute(&mut self.cache, self.method, class, stop)
    }

    /// Finds the least worst case of a solution, too; false if it was time to stop.
    pub fn solve_worst(&mut self, solution: &mut Solution, stop: &mut Stop) -> bool {
        solution.compute_worst(&mut self.cache, self.method, stop)
    }

    pub(crate) fn with_search<T>(
        &mut self,
        board: &Board,
        stop: &mut Stop,
        with: impl FnOnce(&mut Search) -> T,
    ) -> T {
        let method = self.method;
        with(&mut Search { cache: &mut self.cache, board, method, stop })
    }
}
