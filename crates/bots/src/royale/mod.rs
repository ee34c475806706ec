//! Bots for Royale Mastermind: ways to break codes and ways to hide them.

mod guesser;
mod maker;
mod seeker;

pub use maker::Maker;
pub use seeker::{Seeker, Skill};

use rules::royale::{Command, Royale};

use crate::Bot;
use crate::chair::{Kind, Playable};
use crate::random::Random;
use guesser::Guesser;

impl Playable for Royale {
    fn is_rare(command: &Command) -> bool {
        match command {
            Command::Mark(_) | Command::Unmark(_) => true,
            Command::Hide(_) | Command::Ask(_) => false,
        }
    }

    /// Royale has no tempo, so the kinds that differ by their tempo are all guessers.
    fn bot(kind: Kind) -> Option<Box<dyn Bot<Self> + Send>> {
        Some(match kind {
            Kind::Random => Box::new(Random),
            Kind::Steady | Kind::Hasty | Kind::Dreamy | Kind::Ghost(_) => {
                Box::new(Guesser::default())
            }
            Kind::Kindred => Box::new(Seeker { skill: Skill::Master, maker: Maker::Uniform }),
            Kind::Seeker(seeker) => Box::new(seeker),
        })
    }
}
