//! The ritual of the three Mind games: hands on the table before every level and after every stop
//! (M2, M3), a vote for a star (M7), the team's lives and rewards (M8), the course of levels up to
//! victory or defeat (M8 to M11), and an offer to play on after a victory (M12, S10).
//!
//! Each part owns its state, its commands, its notices and how they are written. A game takes the
//! parts that its rules have into its own phase, command and notice, and adds what is its own.

mod course;
mod focus;
mod offer;
mod position;
mod team;
mod vote;

pub use course::CourseNotice;
pub(crate) use course::{Course, Mistakes};
pub use focus::{Focus, FocusCommand, FocusNotice};
pub use offer::{Offer, OfferCommand, OfferNotice};
pub(crate) use position::{CardSet, Position, first_wrong, set_aside};
pub use team::{BlindCost, FIRST_LEVEL, LEVELS_MOST, LIVES_MOST, Reward, STARS_MOST};
pub use team::{SetupError, Start};
pub(crate) use team::{first_level, is_first_level};
pub use vote::{Vote, VoteCommand, VoteNotice};

use crate::kit::text::Misprint;
use crate::kit::{BySeat, Game, Outcome, Seats};

/// A game with a phase that the parts can look into.
pub(crate) trait Ritual: Game {
    type Phase;

    fn phase(&self) -> &Self::Phase;
}

/// A game that is played in levels, with hands and lives.
pub(crate) trait Leveled: Ritual {
    /// The cards that a player holds.
    type Cards: CardSet;

    fn hands(&self) -> &BySeat<Self::Cards>;

    /// The level that is played.
    fn level(&self) -> u8;

    fn lives(&self) -> u8;
}

/// Implements [`Ritual`] and [`Leveled`] for a state that has its phase, level and lives in
/// `public` and its cards in `hands`.
macro_rules! leveled {
    ($game:ident holds $cards:ty) => {
        impl $crate::family::ritual::Ritual for $game {
            type Phase = Phase;

            fn phase(&self) -> &Phase {
                &self.public.phase
            }
        }

        impl $crate::family::ritual::Leveled for $game {
            type Cards = $cards;

            fn hands(&self) -> &$crate::kit::BySeat<$cards> {
                &self.hands
            }

            fn level(&self) -> u8 {
                self.public.level
            }

            fn lives(&self) -> u8 {
                self.public.lives
            }
        }
    };
}
pub(crate) use leveled;

/// What a table is doing, as far as all three games have it.
pub(crate) trait Stage: Holds<Focus> {
    /// Cards are played, and no hand is raised.
    const PLAYING: Self;

    /// Whether cards are played.
    fn is_playing(&self) -> bool;

    /// Nothing more can happen.
    fn over(won: bool) -> Self;

    /// How the game ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
}

/// A phase that can be the state of a part.
pub(crate) trait Holds<T>: From<T> {
    fn held(&self) -> Option<&T>;

    fn held_mut(&mut self) -> Option<&mut T>;
}

/// Says which phases are the state of a part, and what playing is.
macro_rules! stages {
    ($phase:ident { $($variant:ident($part:ty)),+ $(,)? } playing = $playing:expr) => {
        $(impl From<$part> for $phase {
            fn from(part: $part) -> Self {
                Self::$variant(part)
            }
        }

        impl $crate::family::ritual::Holds<$part> for $phase {
            fn held(&self) -> Option<&$part> {
                if let Self::$variant(part) = self { Some(part) } else { None }
            }

            fn held_mut(&mut self) -> Option<&mut $part> {
                if let Self::$variant(part) = self { Some(part) } else { None }
            }
        })+

        impl $crate::family::ritual::Stage for $phase {
            const PLAYING: Self = $playing;

            fn is_playing(&self) -> bool {
                matches!(self, Self::Playing { .. })
            }

            fn over(won: bool) -> Self {
                Self::Over { won }
            }

            fn outcome(&self) -> Option<$crate::kit::Outcome> {
                match self {
                    Self::Over { won: true } => Some($crate::kit::Outcome::Won),
                    Self::Over { won: false } => Some($crate::kit::Outcome::Lost),
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use stages;

/// A phase as it is written: its word, and behind a colon the seats that it names.
#[derive(Clone, Copy)]
pub(crate) struct PhaseText<'a> {
    pub(crate) word: &'a str,
    seats: Option<Seats>,
    players: u8,
}

impl<'a> PhaseText<'a> {
    pub(crate) fn parse(text: &'a str, players: u8) -> Result<Self, Misprint> {
        let (word, seats) = match text.split_once(':') {
            Some((word, seats)) => (word, Some(seats.parse().map_err(Misprint::new)?)),
            None => (text, None),
        };
        Ok(Self { word, seats, players })
    }

    /// Whether the phase names seats.
    pub(crate) fn names_seats(self) -> bool {
        self.seats.is_some()
    }

    /// Some of the seats, but not all: if all had acted, the table would have moved on.
    pub(crate) fn some_seats(self) -> Result<Seats, Misprint> {
        let seats = self.seats.unwrap_or_default();
        if seats.fit(self.players) && !seats.are_all(self.players) {
            return Ok(seats);
        }
        Err(Misprint::new("name some of the seats, but not all of them"))
    }

    /// The state of `focus` and `refocus`.
    pub(crate) fn focus(self) -> Result<Focus, Misprint> {
        Ok(Focus { resting: self.some_seats()?, underway: self.word == "refocus" })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::{
        CourseNotice, FocusCommand, FocusNotice, OfferCommand, OfferNotice, VoteCommand, VoteNotice,
    };
    use crate::kit::parts::Part;
    use crate::mind::{Command, Event};

    fn check<T>(text: &str, json: &str)
    where
        T: FromStr<Err: Debug> + Display + Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let read = text.parse::<T>().unwrap();
        assert_eq!(
            (read.to_string(), serde_json::to_string(&read).unwrap()),
            (text.into(), json.into())
        );
        // From a text, and from values that own their words.
        let value = serde_json::from_str::<serde_json::Value>(json).unwrap();
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), read);
        assert_eq!(serde_json::from_value::<T>(value).unwrap(), read);
    }

    #[test]
    fn parts_are_written_as_if_they_were_the_games_own() {
        check::<Command>("rest", r#""rest""#);
        check::<Command>("lower", r#""lower""#);
        check::<Command>("finish", r#""finish""#);
        check::<Command>("play 34", r#"{"play":34}"#);
        check::<Event>("rested B", r#"{"notice":{"rested":"B"}}"#);
        check::<Event>("begun", r#"{"notice":"begun"}"#);
        check::<Event>("raised A", r#"{"notice":{"raised":"A"}}"#);
        check::<Event>("ended", r#"{"notice":"ended"}"#);
        check::<Event>("won", r#"{"notice":"won"}"#);
        check::<Event>(
            "completed 2 star",
            r#"{"notice":{"completed":{"level":2,"reward":"star"}}}"#,
        );
    }

    #[test]
    fn what_no_part_has_is_refused() {
        for json in
            [r#""resting""#, r#""play""#, r#""focus""#, r#"{"focus":"rest"}"#, r#"{"rest":1}"#, "7"]
        {
            assert!(serde_json::from_str::<Command>(json).is_err(), "{json}");
        }
        assert!("resting".parse::<Command>().is_err());
        assert!("rest A".parse::<Command>().is_err());
    }

    /// A part is found by its words: a variant without one could not be read.
    #[test]
    fn every_variant_has_its_word() {
        fn check<P: Part + Serialize>(all: &[P]) {
            let word = |part: &P| match serde_json::to_value(part).unwrap() {
                serde_json::Value::String(word) => word,
                object => object.as_object().unwrap().keys().next().unwrap().clone(),
            };
            assert_eq!(all.iter().map(word).collect::<Vec<_>>(), P::WORDS);
        }
        let seat = crate::kit::Seat::A;
        check(CourseNotice::ALL);
        check(FocusCommand::ALL);
        check(VoteCommand::ALL);
        check(OfferCommand::ALL);
        check(&[
            FocusNotice::Rested(seat),
            FocusNotice::Lifted(seat),
            FocusNotice::Begun,
            FocusNotice::Stopped(seat),
        ]);
        check(&[VoteNotice::Raised(seat), VoteNotice::Lowered(seat)]);
        check(&[OfferNotice::Agreed(seat), OfferNotice::Finished(seat), OfferNotice::Ended]);
    }
}
