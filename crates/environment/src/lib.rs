//! Games stepped by learning agents: observations, masks and rewards in flat arrays.
//!
//! ```
//! use environment::{Actions, Autoreset, Buffers, Options};
//! use rules::kit::Seed;
//!
//! // Two agents at a table of The Mind, one game.
//! let options = Options::new("mind-event-v0".parse()?, "players=2")?;
//! let mut batch = options.batch(1, Autoreset::Disabled)?;
//! let mut observations = vec![0.0; batch.agents() * batch.observation_len()];
//! let mut masks = vec![0; batch.agents() * batch.commands()];
//! batch.reset(0, Seed::from(7), &mut observations, &mut masks);
//!
//! // Both lay a hand on the table, seat A first.
//! let rest = batch.command_names().iter().position(|name| name == "rest").unwrap() as i32;
//! assert_eq!(masks[rest as usize], 1);
//! let (mut rewards, mut terminated, mut truncated) = ([0.0; 2], [false], [false]);
//! batch.step(
//!     Actions { commands: &[rest, rest], waits_s: &[0.5, 0.9] },
//!     Buffers {
//!         observations: &mut observations,
//!         masks: &mut masks,
//!         rewards: &mut rewards,
//!         terminated: &mut terminated,
//!         truncated: &mut truncated,
//!         finals: None,
//!     },
//! )?;
//! // The earlier plan happened: A's hand lies there, and B may plan anew.
//! assert_eq!((masks[rest as usize], masks[batch.commands() + rest as usize]), (0, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No rule is written here: `rules` decides what is permitted and what happens, `lab` carries the
//! bots and simulated people along, and an observation is made from the view of its seat alone.

mod batch;
mod episode;
mod options;
mod simulate;

mod game;

mod clock;
mod field;
mod name;
mod partner;
mod reward;

pub use batch::{Actions, Autoreset, Batch, Buffers, Finals, Sent, StepError};
pub use clock::{Clock, ClockError};
pub use episode::{WAIT_S_MOST, observed};
pub use field::Field;
pub use game::EnvironmentGame;
pub use name::{EnvironmentName, NameError};
pub use options::{Limits, Options, OptionsError};
pub use partner::{Partner, PartnerError, SeatPlan};
pub use reward::{Gain, Rewards};
pub use simulate::simulate;
