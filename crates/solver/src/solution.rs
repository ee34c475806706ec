//! A pack solved: its least total, its least worst case, and a tree that shows it.

use super::board::Board;
use super::class::Class;
use super::search::{IMPOSSIBLE, Method, Search, SearchCache, UNLIMITED};
use super::stop::Stop;
use super::tree::Tree;
use super::verify::{Broken, play};

/// A class of packs, solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The class of packs.
    pub class: Class,
    /// The least total of rows over all codes.
    pub total: u32,
    /// The least worst case, once it was computed.
    pub worst: Option<Worst>,
    /// A strategy with the least total; if one of them has the least worst case too, it does.
    pub tree: Tree,
}

/// The least worst case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worst {
    /// The least number of rows that suffice for every code.
    pub rows: u32,
    /// The least total of a strategy that never needs more.
    pub total: u32,
}

/// Why a solution is not what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The tree cannot be played.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The tree needs another total.
    #[error("the tree needs {played} rows over all codes and not {said}, compute it again")]
    Total {
        /// The total that the solution claims.
        said: u32,
        /// The total that playing the tree took.
        played: u32,
    },
    /// More rows than a zone has.
    #[error("the tree asks {0} rows in one zone, where there are 8")]
    Rows(u32),
}

impl Solution {
    /// Solves the packs of a class; `None` if it was time to stop.
    pub fn compute(
        cache: &mut SearchCache,
        method: Method,
        class: Class,
        stop: &mut Stop,
    ) -> Option<Self> {
        let board = Board::new(class.pack());
        let mut search = Search { cache, board: &board, method, stop };
        let node = search.node(board.start(), UNLIMITED);
        let total = search.value(&node, IMPOSSIBLE);
        let tree = search.tree(board.start(), UNLIMITED)?;
        Some(Self { class, total, worst: None, tree })
    }

    /// Finds the least worst case, too; false if it was time to stop.
    pub fn compute_worst(
        &mut self,
        cache: &mut SearchCache,
        method: Method,
        stop: &mut Stop,
    ) -> bool {
        let board = Board::new(self.class.pack());
        let mut search = Search { cache, board: &board, method, stop };
        let Some(rows) = search.least_worst(board.start()) else { return false };
        let mut total = self.total;
        // Of the strategies with the least total, that of the tree may ask more than it has to.
        if play(&self.tree, self.class.pack()).is_ok_and(|played| played.worst > rows) {
            let node = search.node(board.start(), rows);
            // It is seldom much more, and a narrow search is a quick one.
            let limits = [1, 4, 32].map(|more| self.total + more).into_iter().chain([IMPOSSIBLE]);
            for limit in limits {
                total = search.value(&node, limit);
                if total < limit {
                    break;
                }
            }
            if total == self.total {
                let Some(tree) = search.tree(board.start(), rows) else { return false };
                self.tree = tree;
            }
        }
        if search.stop.stopped() {
            return false;
        }
        self.worst = Some(Worst { rows, total });
        true
    }

    /// Plays the tree against every code, and compares.
    pub fn verify(&self) -> Result<(), Doubt> {
        let played = play(&self.tree, self.class.pack())?;
        if played.total != self.total {
            return Err(Doubt::Total { said: self.total, played: played.total });
        }
        if played.zone_most > 8 { Err(Doubt::Rows(played.zone_most)) } else { Ok(()) }
    }

    /// How many codes each of its packs makes.
    pub fn codes(&self) -> u32 {
        let cards = u32::from(self.class.size());
        cards * (cards - 1) * (cards - 2)
    }

    /// The least expected number of rows.
    pub fn mean(&self) -> f64 {
        f64::from(self.total) / f64::from(self.codes())
    }
}
