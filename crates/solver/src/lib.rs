//! Royale Mastermind, solved: best rows, exact endings, and what a row cost.

mod advice;
mod board;
mod bound;
mod candidate;
mod choice;
mod class;
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
pub use judge::Judged;
pub use position::Position;
pub use search::Method;
pub use solution::{Doubt, Solution, Worst};
pub use solver::Solver;
pub use stop::Stop;
pub use tablebase::{HEADER, Tablebase, Unreadable, shipped, write_record};
pub use tree::Tree;
pub use verify::{Broken, Played, play};
