//! What the games are: The Mind, The Mind Extreme, The Mind: Soulmates and Royale Mastermind.
//!
//! ```
//! use rules::family::FocusCommand;
//! use rules::kit::{Match, Moment, Seat, Seed, View, Viewer};
//! use rules::mind::{Command, Mind};
//!
//! // Two people open a table, and level 1 is dealt.
//! let setup = "players=2".parse().unwrap();
//! let mut table = Match::<Mind>::open(&setup, Seed::from(7)).commit();
//! let (a, b) = (Seat::A, Seat::A.left(2));
//!
//! // Both lay a hand on the table: play begins.
//! for seat in [a, b] {
//!     let rest = Command::Focus(FocusCommand::Rest);
//!     table = table.submit(Moment::from_millis(900), seat, rest).unwrap().commit();
//! }
//!
//! // Each sees their own card, and how many the other holds.
//! let mine = table.view(Viewer::Seat(a)).hand().lowest().unwrap();
//! let theirs = table.view(Viewer::Seat(b)).hand().lowest().unwrap();
//! assert_eq!(table.view(Viewer::Seat(a)).hands[b].len(), 1);
//!
//! // No player can play another player's card; a step is only proposed until it is committed.
//! assert!(table.submit(Moment::from_millis(2_000), a, Command::Play(theirs)).is_err());
//! let (first, second) = if mine < theirs { ((a, mine), (b, theirs)) } else { ((b, theirs), (a, mine)) };
//! let step = table.submit(Moment::from_millis(2_500), first.0, Command::Play(first.1)).unwrap();
//! assert_eq!(step.events()[0].to_string(), format!("played {}{}", first.0, first.1));
//! table = step.commit();
//! table = table.submit(Moment::from_millis(4_000), second.0, Command::Play(second.1)).unwrap().commit();
//!
//! // In the right order: level 2 is dealt, and no life was lost.
//! let view = table.view(Viewer::Spectator);
//! assert_eq!((view.public.level, view.public.lives), (2, 2));
//! assert_eq!(view.options(), []);
//! ```
//!
//! The crate reads no clock, no file and no randomness of its own: time and chance are handed in.

pub mod kit;

pub mod extreme;
pub mod mind;
pub mod royale;
pub mod soulmates;

pub mod family;

pub mod door;
pub mod examples;
