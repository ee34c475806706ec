//! What bots that play by a clock need to know of a game.

use rules::family::{FocusCommand, OfferCommand};
use rules::kit::{Chance, Moment, Seats, View, Viewer};

use crate::Bot;
use crate::chair::{Kind, Playable};
use crate::kindred::{Kin, Kindred, Prior};
use crate::random::Random;
use crate::span::Intent;
use crate::steady::{Steady, Temperament};
use crate::waiting::Waiting;

/// A game in which players keep time, so that a bot can play it at a pace.
pub trait Paced: Playable {
    /// What raises a hand for a star; `None` in a game without stars.
    const RAISE: Option<Self::Command> = None;

    /// The state of a proposed star in this view. A game without stars leaves it out.
    fn star(_: &Self::View) -> Star {
        Star::Absent
    }

    /// What a player with this view wants to do next, stars apart.
    fn intent(view: &Self::View, run: &Run, chance: &mut Chance) -> Intent<Self::Command>;

    /// Counts the clock on by what a chair noticed.
    fn count(run: &mut Run, setup: &Self::Setup, at: Moment, sight: &Self::Sight);
}

/// Where the table stands with its stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Star {
    /// There is none, or cards are not being played.
    Absent,
    /// No player has proposed one.
    Offered,
    /// Another player has, and this player has not agreed yet.
    Proposed,
    /// This player's hand is raised.
    Raised,
}

impl Star {
    pub(crate) fn of(stars: u8, raised: Seats, me: Viewer) -> Self {
        match me.seat() {
            Some(seat) if stars > 0 && raised.contains(seat) => Self::Raised,
            Some(_) if stars > 0 && !raised.is_empty() => Self::Proposed,
            Some(_) if stars > 0 => Self::Offered,
            _ => Self::Absent,
        }
    }
}

/// A new bot for a game in which players keep time; `None` for bots that break codes.
pub(crate) fn paced_bot<G: Kin>(kind: Kind) -> Option<Box<dyn Bot<G> + Send>> {
    Some(match kind {
        Kind::Random => Box::new(Random),
        Kind::Steady => Box::new(Steady::<G>::new(Temperament::STEADY)),
        Kind::Hasty => Box::new(Steady::<G>::new(Temperament::HASTY)),
        Kind::Dreamy => Box::new(Steady::<G>::new(Temperament::DREAMY)),
        Kind::Kindred => Box::new(Kindred::<G>::new(Prior::UNKNOWN_PLAYER)),
        Kind::Ghost(ghost) => Box::new(Waiting::<G, _>::new(ghost)),
        Kind::Seeker(_) => return None,
    })
}

pub(crate) fn is_rare_focus(command: FocusCommand) -> bool {
    match command {
        FocusCommand::Lift | FocusCommand::Stop => true,
        FocusCommand::Rest => false,
    }
}

pub(crate) fn is_rare_answer(command: OfferCommand) -> bool {
    match command {
        OfferCommand::Finish => true,
        OfferCommand::Continue => false,
    }
}

/// The intent of a player who agrees to every star that is proposed.
pub fn agreeing<G: Paced>(view: &G::View, run: &Run, chance: &mut Chance) -> Intent<G::Command> {
    match (G::star(view), G::RAISE) {
        (Star::Proposed, Some(raise)) => Intent::Soon(raise),
        _ => G::intent(view, run, chance),
    }
}

/// How far the common clock has run. Where cards lie open it follows from the view; face-down
/// cards do not set it, so it has to be counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Run {
    /// The level that is played.
    pub level: u8,
    /// How many times cards were dealt: levels can be dealt again.
    pub deals: u32,
    /// The place at which the clock was last set: that of an open card.
    pub place: u8,
    /// For how many seconds it has run since, up to the last play or the lifting of hands.
    pub run_s: f64,
    /// How many cards were laid since.
    pub laid: u8,
    /// Since when it runs, unless it stands.
    started: Option<Moment>,
}

impl Run {
    /// A new deal.
    pub fn reset(&mut self, level: u8) {
        *self = Self { level, deals: self.deals + 1, ..Self::default() };
    }

    /// Hands were lifted.
    pub fn start(&mut self, at: Moment) {
        self.started = Some(at);
    }

    /// A card was laid face down: the clock goes on from here.
    pub fn laid(&mut self, at: Moment) {
        self.stand(at);
        self.laid += 1;
        self.started = Some(at);
    }

    /// An open card sets the clock; one that comes late does not turn it back.
    pub fn set(&mut self, at: Moment, place: u8) {
        let place = place.max(self.place);
        *self = Self { place, run_s: 0.0, laid: 0, started: Some(at), ..*self };
    }

    /// The clock stands until hands are lifted again.
    pub fn stand(&mut self, at: Moment) {
        if let Some(started) = self.started.take() {
            self.run_s += started.until(at).as_secs_f64();
        }
    }
}

/// The first of these that the view permits, after a human moment.
pub(crate) fn soon<V: View<Command: Copy>>(view: &V, wanted: &[V::Command]) -> Intent<V::Command> {
    let permitted = wanted.iter().find(|command| view.permits(command).is_ok());
    permitted.map_or(Intent::Wait, |command| Intent::Soon(*command))
}
