//! The record of people and teams: cards of finished games, made from the journal.

mod card;
mod counts;
mod label;
mod team;

mod catalogue_writer;
pub(crate) mod companions;
pub(crate) mod daily;
pub(crate) mod export;
pub(crate) mod http;
mod recorded;

pub(crate) use catalogue_writer::{CatalogueWriter, GameOverSignal};
