//! Royale Mastermind: three hidden cards, two zones of rows, one grid. The clauses are those of
//! `docs/rules/royale.md`.

mod state;

mod command;
mod event;
mod refusal;
mod setup;
mod view;

mod answer;
mod card;
mod code;
mod possible;
mod role;
mod row;
mod rows;
mod score;
mod zone;

mod imagine;
mod notation;
mod position;

pub use answer::{Pegs, PegsError, answer};
pub use card::{Card, CardError, Colour, Pack, Shape};
pub use code::{Code, CodeError, SeenCode};
pub use command::Command;
pub use event::{Event, Notice, Sight};
pub use possible::{Possible, Triples};
pub use refusal::Refusal;
pub use role::Roles;
pub use row::{Row, RowError, Triple, TripleError};
pub use rows::{Asked, Rows};
pub use score::{Effort, Entry, Sheet};
pub use setup::{Aids, Draft, Setup, SetupError, Variant};
pub use state::{Phase, Public, Royale};
pub use view::View;
pub use zone::{ByZone, Zone};
