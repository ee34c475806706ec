//! The Mind: Soulmates: one pile, face down, and a Seer who knows a little more. The clauses are
//! those of `docs/rules/soulmates.md`.

mod state;

mod command;
mod event;
mod level;
mod progress;
mod refusal;
mod setup;
mod view;

mod check;
mod imagine;
mod notation;

pub use command::Command;
pub use event::{Event, Notice, Sight};
pub use level::{BEYOND_MOST, Row, Rows, Table};
pub use refusal::Refusal;
pub use setup::{Draft, Setup, SetupError};
pub use state::{Mode, Phase, Public, Soulmates};
pub use view::{View, Vision};
