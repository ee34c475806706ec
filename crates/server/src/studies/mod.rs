//! Studies with people: their logs, their HTTP side, their tables and their data.
//!
//! What a study decides is decided by the pure machines of the crate `study`. This module stores
//! their facts, hands them the time, opens their tables and tells them what happened there.

mod clock;
mod deals;
mod erase;
mod export;
mod groups;
mod http;
mod ledger;
mod registry;

pub(crate) use deals::deals;
pub(crate) use export::export;
pub(crate) use groups::{StudyGame, run};
pub(crate) use http::routes;
pub(crate) use ledger::NotDone;
pub(crate) use registry::{RunningStudy, Studies};
