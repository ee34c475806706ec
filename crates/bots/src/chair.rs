//! A chair that any machine can sit in, at any time in a game.

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

/// What one chair has seen of a game, whoever sits in it: a machine that takes over knows what it
/// would have learnt.
pub struct Chair<G: Company> {
    steady: Steady<G>,
    hasty: Steady<G>,
    dreamy: Steady<G>,
    ghost: Waiting<G, Ghost>,
    best: G::Best,
}

impl<G: Company> Chair<G> {
    /// A chair before the first deal.
    pub fn new() -> Self {
        Self {
            steady: Steady::new(Temperament::STEADY),
            hasty: Steady::new(Temperament::HASTY),
            dreamy: Steady::new(Temperament::DREAMY),
            ghost: Waiting::new(Ghost::NOBODY),
            best: G::best(),
        }
    }

    /// What the chair noticed of an event.
    pub fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        self.steady.watch(setup, at, sight);
        self.hasty.watch(setup, at, sight);
        self.dreamy.watch(setup, at, sight);
        self.ghost.watch(setup, at, sight);
        self.best.watch(setup, at, sight);
    }

    /// What a machine in it will do and when.
    pub fn plan(
        &mut self,
        kind: Kind,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        match kind {
            Kind::Random => Bot::<G>::plan(&mut Random, view, now, chance),
            Kind::Steady => self.steady.plan(view, now, chance),
            Kind::Hasty => self.hasty.plan(view, now, chance),
            Kind::Dreamy => self.dreamy.plan(view, now, chance),
            Kind::Kindred => self.best.plan(view, now, chance),
            Kind::Ghost(ghost) => {
                self.ghost.wait_like(ghost);
                self.ghost.plan(view, now, chance)
            }
            Kind::Seeker(seeker) => G::seek(seeker, view, now, chance),
        }
    }
}

impl<G: Company> Default for Chair<G> {
    fn default() -> Self {
        Self::new()
    }
}
