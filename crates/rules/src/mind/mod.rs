//! The Mind: one pile, upwards, without a word. The clauses are those of `docs/rules/mind.md`.

mod state;

mod command;
mod event;
mod progress;
mod setup;
mod view;

mod imagine;
mod notation;

pub use command::Command;
pub use event::{Event, Notice, Sight};
pub use setup::{Draft, Setup};
pub use state::{Mind, Mode, Phase, Public};
pub use view::View;

/// Why a command is refused.
pub type Refusal = crate::family::Refusal<crate::family::Card>;
