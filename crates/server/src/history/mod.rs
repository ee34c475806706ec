//! What people and teams have played: cards about games that are over, made from the journal.

mod card;
mod counts;
mod label;
mod team;

mod clerk;
mod export;
pub(crate) mod http;
mod told;

pub(crate) use clerk::{Bell, Clerk};
