//! A chair that any bot can sit in, at any time in a game.

use rules::kit::{Chance, Moment};
use rules::{extreme, mind, royale, soulmates};

use crate::Bot;
use crate::ghost::Ghost;
use crate::kindred::{Kindred, Prior};
use crate::paced::Paced;
use crate::random::Random;
use crate::royale::{Maker, Seeker, Skill};
use crate::steady::{Steady, Temperament};
use crate::waiting::Waiting;

/// Which machine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything that is permitted.
    Random,
    /// A calm pace.
    Steady,
    /// A quick one.
    Hasty,
    /// A slow one.
    Dreamy,
    /// Learns the tempo of whoever it plays with.
    Kindred,
    /// The recorded tempo of somebody.
    Ghost(Ghost),
    /// Breaks codes, and hides them.
    Seeker(Seeker),
}

/// A game, and the best partner for it.
pub trait Company: Paced {
    /// Who that is.
    type Best: Bot<Self> + Send;

    /// One of them.
    fn best() -> Self::Best;

    /// What a seeker will do and when; nothing in a game without codes.
    fn seek(
        _seeker: Seeker,
        _view: &Self::View,
        _now: Moment,
        _chance: &mut Chance,
    ) -> Option<(Moment, Self::Command)> {
        None
    }
}

impl Company for mind::Mind {
    type Best = Kindred<Self>;

    fn best() -> Self::Best {
        Kindred::new(Prior::ANYBODY)
    }
}

impl Company for extreme::Extreme {
    type Best = Kindred<Self>;

    fn best() -> Self::Best {
        Kindred::new(Prior::ANYBODY)
    }
}

impl Company for soulmates::Soulmates {
    type Best = Kindred<Self>;

    fn best() -> Self::Best {
        Kindred::new(Prior::ANYBODY)
    }
}

impl Company for royale::Royale {
    type Best = Seeker;

    fn best() -> Self::Best {
        Seeker { skill: Skill::Master, maker: Maker::Uniform }
    }

    fn seek(
        mut seeker: Seeker,
        view: &royale::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, royale::Command)> {
        seeker.plan(view, now, chance)
    }
}

/// A bot in a chair. A bot that sits down in the middle of a game is shown all of it first.
pub struct Chair<G: Company> {
    kind: Kind,
    player: Player<G>,
}

enum Player<G: Company> {
    Random(Random),
    Steady(Steady<G>),
    Ghost(Waiting<G, Ghost>),
    Best(G::Best),
    Seeker(Seeker),
}

impl<G: Company> Chair<G> {
    /// A bot before the first deal.
    pub fn new(kind: Kind) -> Self {
        let player = match kind {
            Kind::Random => Player::Random(Random),
            Kind::Steady => Player::Steady(Steady::new(Temperament::STEADY)),
            Kind::Hasty => Player::Steady(Steady::new(Temperament::HASTY)),
            Kind::Dreamy => Player::Steady(Steady::new(Temperament::DREAMY)),
            Kind::Kindred => Player::Best(G::best()),
            Kind::Ghost(ghost) => Player::Ghost(Waiting::new(ghost)),
            Kind::Seeker(seeker) => Player::Seeker(seeker),
        };
        Self { kind, player }
    }

    /// Which bot it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the chair noticed of an event.
    pub fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        match &mut self.player {
            // These two learn nothing.
            Player::Random(_) | Player::Seeker(_) => {}
            Player::Steady(steady) => steady.watch(setup, at, sight),
            Player::Ghost(ghost) => ghost.watch(setup, at, sight),
            Player::Best(best) => best.watch(setup, at, sight),
        }
    }

    /// What the bot will do and when.
    pub fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        match &mut self.player {
            Player::Random(random) => Bot::<G>::plan(random, view, now, chance),
            Player::Steady(steady) => steady.plan(view, now, chance),
            Player::Ghost(ghost) => ghost.plan(view, now, chance),
            Player::Best(best) => best.plan(view, now, chance),
            Player::Seeker(seeker) => G::seek(*seeker, view, now, chance),
        }
    }
}
