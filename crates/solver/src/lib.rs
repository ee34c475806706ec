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
pub mod class;
pub mod tree;
pub mod solution;
pub mod tablebase;
pub mod verify;
pub use geometry::ALL;
