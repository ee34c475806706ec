//! How a team of one of the Mind games keeps time, from the events and their moments.
//!
//! `docs/tempo.md` says what the figures mean and how they are found. Nothing here reads a clock:
//! the moments stand in the events.
//!
//! ```
//! use rules::family::FocusCommand::Rest;
//! use rules::kit::{Match, Moment, Seat, Seed, Viewer};
//! use rules::mind::{Command, Mind, Setup};
//!
//! let setup = "players=2 levels=1".parse::<Setup>().unwrap();
//! let opened = Match::<Mind>::open(&setup, Seed::from(7));
//! let mut events = opened.events().iter().map(|event| (Moment::START, *event)).collect::<Vec<_>>();
//! let mut live = opened.commit();
//! for (seat, at) in [("A", 1_000), ("B", 1_100)] {
//!     let step = live.submit(Moment::from_millis(at), seat.parse().unwrap(), Rest.into());
//!     let step = step.unwrap();
//!     events.extend(step.events().iter().map(|event| (step.next().at(), *event)));
//!     live = step.commit();
//! }
//! let card = live.view(Viewer::Seat(Seat::A)).hand().lowest().unwrap();
//! let step = live.submit(Moment::from_millis(9_100), Seat::A, Command::Play(card)).unwrap();
//! events.extend(step.events().iter().map(|event| (step.next().at(), *event)));
//!
//! let tempo = tempo::of::<Mind>(&setup, events);
//! assert_eq!(tempo.levels[0].plays[0].at, Moment::from_millis(8_000));
//! ```

#![allow(clippy::cast_precision_loss, reason = "counts and microseconds are far below 2⁵²")]

mod recorder;
mod report;
mod watch;

mod clocks;
mod curve;
mod pace;

pub use pace::{Pace, TooFew, Waited, waits_of};
pub use recorder::Lane;
pub use report::{Closest, Incident, Lean, LevelTempo, Mark, Play, Point, Sync, Tempo};
pub use watch::{Attempt, Timed, Watched, of, of_completed};
