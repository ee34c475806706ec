//! What the games are.

pub mod door;
pub mod examples;
pub mod extreme;
pub mod family;
pub mod kit;
pub mod mind;
