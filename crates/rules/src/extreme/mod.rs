//! The Mind Extreme: white upwards, red downwards, some piles face down. The clauses are those of
//! `docs/rules/extreme.md`.

mod state;

mod card;
mod command;
mod event;
mod progress;
mod refusal;
mod setup;
mod view;

mod imagine;
mod notation;

pub use card::{ByColour, Card, Colour, Hand, Holding};
pub use command::Command;
pub use event::{Choice, Event, Notice, Sight};
pub use refusal::Refusal;
pub use setup::{Draft, Level, Setup};
pub use state::{Extreme, Lead, Phase, Public};
pub use view::View;
