//! Bots with the recorded tempo of a person who lends it.

pub(crate) mod lenders;

pub(crate) use lenders::Lenders;
