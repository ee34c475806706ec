//! Bots: a view in, a planned command out.
//!
//! A bot sees what a person in its chair sees and nothing else: it is handed views and never
//! holds a state.

mod chair;
mod curve;
mod extreme;
mod ghost;
mod kindred;
mod mind;
mod paced;
mod random;
mod royale;
mod soulmates;
mod span;
mod steady;
mod timing;
mod unison;
mod waiting;

use rules::kit::{Chance, Game, Moment};

pub use chair::{Chair, Kind, Playable};
pub use curve::Curve;
pub use ghost::Ghost;
pub use kindred::{Field, Forecast, Kin, Kindred, Ledger, Partner, Prior, Step, Tempo, threshold};
pub use paced::{Paced, Run, Star, agreeing};
pub use random::Random;
pub use royale::{Maker, Seeker, Skill};
pub use span::{Intent, Resolve, Span, seconds};
pub use steady::{Steady, Temperament};
pub use timing::{Timing, normal_below, normal_pair, uniform};
pub use unison::Unison;
pub use waiting::{Wait, Waiting};

/// A bot for one game.
pub trait Bot<G: Game> {
    /// Takes in what the bot's seat sees of an event. The caller has to pass all sights of the game
    /// in order, from the first deal on: everything that the bot learns follows from them, so it
    /// can be rebuilt from a journal.
    fn watch(&mut self, _setup: &G::Setup, _at: Moment, _sight: &G::Sight) {}

    /// What it will do and when, unless something happens first; `None` if it has nothing to do.
    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)>;
}
