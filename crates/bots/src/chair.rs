//! A seat's bot: any kind, also one that joins in the middle of a game.

use rules::kit::{Chance, Game, Moment};

use crate::Bot;
use crate::ghost::Ghost;
use crate::royale::Seeker;

/// The kinds of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any permitted command.
    Random,
    /// A calm pace.
    Steady,
    /// A quick pace.
    Hasty,
    /// A slow pace.
    Dreamy,
    /// The best partner of the game: it learns the tempo of the players it plays with.
    Kindred,
    /// Plays with the recorded tempo of a person.
    Ghost(Ghost),
    /// Breaks codes, and hides them.
    Seeker(Seeker),
}

/// A game that bots can play.
pub trait Playable: Game {
    /// Whether a command interrupts the game or takes something back, so that a calm player does
    /// it only now and then.
    fn is_rare(command: &Self::Command) -> bool;

    /// A new bot of that kind; `None` if no bot of that kind plays the game.
    fn bot(kind: Kind) -> Option<Box<dyn Bot<Self> + Send>>;
}

/// The one bot that sits in a chair. A bot that sits down in the middle of a game has to be shown
/// all of it first.
pub struct Chair<G: Playable> {
    kind: Kind,
    bot: Option<Box<dyn Bot<G> + Send>>,
}

impl<G: Playable> Chair<G> {
    /// A bot before the first deal. A kind that does not play the game never has a plan.
    pub fn new(kind: Kind) -> Self {
        Self { kind, bot: G::bot(kind) }
    }

    /// The kind of bot.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Shows the bot what its seat noticed of an event.
    pub fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        if let Some(bot) = &mut self.bot {
            bot.watch(setup, at, sight);
        }
    }

    /// The bot's plan: when it will do what.
    pub fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        self.bot.as_mut()?.plan(view, now, chance)
    }
}
