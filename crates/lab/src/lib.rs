//! Many seeded games on the server's rules, and statistics of their players.
//!
//! A game is a race of plans: at each step the earliest plan of all seats happens, and of plans
//! for the same microsecond that of the lower seat. Each seat has luck of its own, so a game
//! follows from its number alone and the results do not depend on how many threads play.

mod cast;
mod confidant;
mod fit;
mod linear;
mod logs;
mod people;
mod person;
mod play;
pub mod plot;
mod populations;
mod rounds;
mod simulation;
mod study;
mod sync;
mod tally;
mod waits;

pub use cast::{Cast, First, Role};
pub use confidant::Confidant;
pub use fit::{Quality, Wait, fit, waits_of};
pub use linear::Linear;
pub use logs::{LineMisprint, Log, LogError, Play, Round, read_log, read_logs};
pub use people::{People, PeopleError};
pub use person::Person;
pub use play::{Players, Table, play_game, play_many, watch_game};
pub use populations::{PopulationError, model_populations, population, population_names};
pub use rounds::{Pair, RoundBot, play_rounds};
pub use simulation::{Plan, PlanRefusal, Player, Simulation};
pub use study::Study;
pub use sync::{Team, order_of, teams};
pub use tally::{GameFigures, Share, Tally};
pub use waits::waits_in;
