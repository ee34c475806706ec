//! Bots with the recorded tempo of a person who lends it.

mod lenders;

pub(crate) use lenders::{Lenders, list};
