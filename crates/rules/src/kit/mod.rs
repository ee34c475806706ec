//! The little that all games share: seats, time, chance, and what a game is.

mod game;
mod play;
mod seat;
mod seats;
mod table;
pub mod text;

pub(crate) mod card_set;
mod chance;
pub(crate) mod parts;
mod time;

pub use chance::{Chance, Seed, SeedError};
pub(crate) use game::own_types;
pub use game::{Game, Imagine, Outcome, Reason, TableSetup, View};
pub use play::{Match, Play, Refusal, Step};
pub use seat::{BySeat, Seat, SeatError, Viewer};
pub use seats::Seats;
pub use table::{Manners, Preset, Report, Seeding};
pub use time::Moment;
