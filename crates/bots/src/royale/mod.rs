//! Machine players of Royale Mastermind: three who break codes and two who hide them.

mod maker;
mod seeker;

pub use maker::Maker;
pub use seeker::{Seeker, Skill};
