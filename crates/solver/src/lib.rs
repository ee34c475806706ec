//! Royale solved.
#![allow(missing_docs)]
pub mod board;
mod bound;
mod candidate;
pub mod choice;
mod geometry;
mod key;
mod memo;
pub mod one;
pub mod search;
pub mod table;
pub use geometry::ALL;
