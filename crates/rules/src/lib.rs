//! What the games are.

pub mod family;
pub mod kit;
pub mod mind;
