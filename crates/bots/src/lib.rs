//! Machine players: a view in, a planned command out.
//!
//! A bot sees what a person in its chair sees and nothing else: it is handed views and never
//! holds a state.

mod random;
mod royale;
mod steady;

use rules::kit::{Chance, Game, Moment};

pub use random::{Random, Temper};
pub use royale::{Maker, Seeker, Skill};
pub use steady::{Intent, Paced, Steady};

/// A machine player of one game.
pub trait Bot<G: Game> {
    /// What it will do and when, unless something happens first; `None` if it has nothing to do.
    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)>;
}
