//! The course of a game: level after level until the last one is complete (M8 to M11), or until
//! the lives are gone.

use serde::{Deserialize, Serialize};

use super::position::CardSet;
use super::{Leveled, Stage};
use crate::family::pile::Face;
use crate::kit::parts::word_part;
use crate::kit::{BySeat, Chance, Play};

/// How the course of a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CourseNotice {
    /// The last level is complete (M11).
    Won,
    /// The last life is gone (M10), or an attempt failed without one (S9).
    Lost,
}

word_part!(CourseNotice { Won = "won", Lost = "lost" });

impl CourseNotice {
    /// Moves the table on. `victory` is the phase after a victory: the end, or an offer to play on.
    pub(crate) fn apply<P: Stage>(self, phase: &mut P, victory: P) {
        *phase = match self {
            Self::Won => victory,
            Self::Lost => P::over(false),
        };
    }
}

/// A game that is played level after level.
pub(crate) trait Course: Leveled<Event: From<CourseNotice>> {
    /// The last level, after which the game is won.
    fn last_level(&self) -> u8;

    /// Starts a level.
    fn start(play: &mut Play<Self>, level: u8, chance: &mut Chance);

    /// What happens when the last level is complete, or when the lives are gone. A team that plays
    /// on after its victory has no second one and no defeat.
    fn end(&self, how: CourseNotice) -> Self::Event {
        how.into()
    }

    /// Whether no player holds a card, so that the level is over.
    fn is_played_out(&self) -> bool {
        self.hands().values().all(|hand| hand.is_empty())
    }

    /// After a completed level: the next one, or the victory.
    fn advance(play: &mut Play<Self>, chance: &mut Chance) {
        let level = play.state().level();
        if level < play.state().last_level() {
            Self::start(play, level + 1, chance);
        } else {
            let victory = play.state().end(CourseNotice::Won);
            play.emit(victory);
        }
    }
}

/// A game in which a mistake costs a life when it is noticed: at once on an open pile (M6, X3), at
/// the end of the level on a face-down pile (B1).
pub(crate) trait Mistakes: Course {
    /// The mistake of a player while these cards were held.
    fn erred(earlier: BySeat<Self::Cards>) -> Self::Event;

    /// Turns the face-down piles over and takes the lives that their mistakes cost.
    fn check(play: &mut Play<Self>);

    /// The completion of the level, with its reward.
    fn completed(&self) -> Self::Event;

    /// After a card has gone down: `earlier` are the cards that should have come before it.
    fn laid(play: &mut Play<Self>, face: Face, earlier: BySeat<Self::Cards>, chance: &mut Chance) {
        if face == Face::Open && earlier.values().any(|cards| !cards.is_empty()) {
            play.emit(Self::erred(earlier));
            if play.state().lives() == 0 {
                // Lost even if no card is left: no reward comes to the rescue (M10), and no
                // face-down pile is checked (X8).
                let defeat = play.state().end(CourseNotice::Lost);
                return play.emit(defeat);
            }
        }
        Self::end_level(play, chance);
    }

    /// Ends the level if no player holds a card.
    fn end_level(play: &mut Play<Self>, chance: &mut Chance) {
        if !play.state().is_played_out() {
            return;
        }
        Self::check(play);
        // The check comes before the reward (B2).
        if play.state().lives() == 0 {
            let defeat = play.state().end(CourseNotice::Lost);
            return play.emit(defeat);
        }
        let completed = play.state().completed();
        play.emit(completed);
        Self::advance(play, chance);
    }
}
