//! Royale Mastermind, solved: best rows, exact endings, and what a row cost.
//!
//! ```
//! use rules::royale::Pack;
//! use solver::{Aim, Position, Solver, Stop};
//!
//! let pack = "A1,A2,B1,B3,C5,D1,D5".parse::<Pack>()?;
//! let mut solver = Solver::default();
//! let advice = solver.advise(&Position::of(pack), Aim::Mean, &mut Stop::never());
//! let advice = advice.expect("nothing was asked yet");
//! assert!(advice.is_exact());
//! assert_eq!((advice.codes, advice.most), (210, 996));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every row touches one zone, so a codebreaker's knowledge is a set of colour triples times a set
//! of shape triples, restricted to the pack: two machine words of 125 bits and a relation (`board`).
//! `search` is a depth-first branch and bound over these states; `bound` and `one` prune it,
//! `choice` leaves out superfluous rows, and `key` renames states so that one `table` serves all
//! packs. `tree` writes a whole strategy as bytes, `verify` plays it without any code of the search,
//! and `tablebase` stores it under the [`Class`] of its pack. The solver reads no clock: a search
//! ends after a number of steps, or when the caller's [`Stop`] says so.
//!
//! `docs/royale-solved.md` says why the results can be trusted.

mod advice;
mod board;
mod bound;
mod candidate;
mod choice;
mod class;
mod depth;
mod geometry;
mod greedy;
mod judge;
mod key;
mod memo;
mod one;
mod position;
mod search;
mod solution;
mod solver;
mod stop;
mod table;
mod tablebase;
mod tree;
mod verify;
mod weighted;

pub use advice::{Advice, Aim};
pub use class::{Class, Renaming};
pub use judge::{Breakers, Judged};
pub use position::Position;
pub use search::Method;
pub use solution::{Doubt, Solution, Worst};
pub use solver::Solver;
pub use stop::Stop;
pub use tablebase::{HEADER, Tablebase, Unreadable, shipped, write_solution};
pub use tree::Tree;
pub use verify::{Broken, RowCounts, play};
