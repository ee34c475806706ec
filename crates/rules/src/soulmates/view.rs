//! What a viewer knows of a table of Soulmates, and what that lets them do.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::command::Command;
use super::refusal::Refusal;
use super::state::{Phase, Public};
use crate::family::{self, Card, Cards, Hand, SeenPile};
use crate::kit::{self, BySeat, Seat, Viewer};

/// How many hints the Seer may add after a failed attempt (S7).
const AMENDS: u8 = 1;

/// What a viewer knows (S11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesView"))]
pub struct View {
    /// Whose eyes these are. Not written: whoever reads it knows.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// What the Seer knows, for the Seer alone.
    pub vision: Vision,
    /// One's own cards, and how many the others hold.
    pub hands: BySeat<Hand>,
    /// The pile, in the order it was laid.
    pub pile: SeenPile,
}

/// What the Seer has seen. There is no room for it in anybody else's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesVision"))]
#[serde(rename_all = "kebab-case")]
pub enum Vision {
    /// The viewer is the Seer.
    Seer {
        /// The cards looked at; after a failed attempt all cards in play.
        known: Cards,
    },
    /// Somebody else is.
    Blind,
}

impl Vision {
    /// What the Seer looked at, as the viewer knows it.
    pub fn of(looked: Cards, seer: Seat, viewer: Viewer) -> Self {
        if viewer == Viewer::Seat(seer) { Self::Seer { known: looked } } else { Self::Blind }
    }

    /// The cards, if the viewer is the Seer.
    pub fn known(self) -> Cards {
        match self {
            Self::Seer { known } => known,
            Self::Blind => Cards::NONE,
        }
    }
}

/// The cards, or `*`.
impl fmt::Display for Vision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Seer { known } => known.fmt(f),
            Self::Blind => f.write_str("*"),
        }
    }
}

impl View {
    /// The viewer's own cards; a watcher has none.
    pub fn hand(&self) -> Cards {
        self.me.seat().map_or(Cards::NONE, |seat| self.hands[seat].cards())
    }

    fn permits_play(&self, card: Card) -> Result<(), Refusal> {
        let hand = self.hand();
        match hand.lowest() {
            Some(next) if next == card => Ok(()),
            Some(next) if hand.contains(card) => {
                Err(family::Refusal::NotNext { card, next }.into())
            }
            _ => Err(family::Refusal::NotHeld(card).into()),
        }
    }

    /// The first hints are cards that the Seer has looked at (S5).
    fn permits_first_hints(&self, hints: Cards) -> Result<(), Refusal> {
        self.permits_writing(hints, self.public.row().hints)?;
        match (hints - self.vision.known()).lowest() {
            Some(card) => Err(Refusal::NotLookedAt(card)),
            None => Ok(()),
        }
    }

    /// Another hint may be any card in play, all of which the Seer has seen by then (S7).
    fn permits_amend(&self, hints: Cards) -> Result<(), Refusal> {
        self.permits_writing(hints, AMENDS)?;
        match hints.lowest() {
            Some(card) if !self.vision.known().contains(card) => Err(Refusal::NotInPlay(card)),
            Some(card) if self.public.slate.contains(card) => Err(Refusal::AlreadyOnSlate(card)),
            _ => Ok(()),
        }
    }

    fn permits_writing(&self, hints: Cards, most: u8) -> Result<(), Refusal> {
        let (seer, given) = (self.public.seer, hints.len());
        if self.me != Viewer::Seat(seer) {
            return Err(Refusal::NotSeer { seer });
        }
        if given > most { Err(Refusal::TooManyHints { given, most }) } else { Ok(()) }
    }

    /// Every set of hints that might be permitted now.
    fn hints(&self) -> Vec<Cards> {
        let known = self.vision.known();
        match self.public.phase {
            Phase::Hinting => subsets(known, self.public.row().hints),
            Phase::Amending => subsets(known - self.public.slate, AMENDS),
            Phase::Looking | Phase::Focus(_) | Phase::Playing => vec![],
            Phase::Offer { .. } | Phase::Over { .. } => vec![],
        }
    }
}

impl kit::View for View {
    type Command = Command;
    type Refusal = Refusal;

    fn permits(&self, command: &Command) -> Result<(), Refusal> {
        use family::Refusal as Shared;
        let me = self.me.seat().ok_or(Shared::Watching)?;
        match (self.public.phase, *command) {
            (Phase::Over { .. }, _) => Err(Shared::GameOver.into()),

            (Phase::Looking, Command::Look) if self.me == Viewer::Seat(self.public.seer) => Ok(()),
            (Phase::Looking, Command::Look) => Err(Refusal::NotSeer { seer: self.public.seer }),
            (_, Command::Look) => Err(Refusal::NotLooking),
            (Phase::Looking, _) => Err(Refusal::SeerLooks { seer: self.public.seer }),

            (Phase::Hinting, Command::Hint(hints)) => self.permits_first_hints(hints),
            (Phase::Amending, Command::Hint(hints)) => self.permits_amend(hints),
            (_, Command::Hint(_)) => Err(Refusal::NotHinting),
            (Phase::Hinting | Phase::Amending, _) => {
                Err(Refusal::SeerWrites { seer: self.public.seer })
            }

            (Phase::Focus(focus), Command::Rest) => Ok(focus.permits_rest(me)?),
            (Phase::Focus(focus), Command::Lift) => Ok(focus.permits_lift(me)?),
            (_, Command::Rest | Command::Lift) => Err(Shared::NotFocusing.into()),

            (Phase::Playing, Command::Stop) => Ok(()),
            (Phase::Playing, Command::Play(card)) => self.permits_play(card),
            (_, Command::Stop | Command::Play(_)) => Err(Shared::NotPlaying.into()),

            (Phase::Offer { agreed }, Command::Continue) if agreed.contains(me) => {
                Err(Shared::AlreadyAgreed.into())
            }
            (Phase::Offer { .. }, Command::Continue | Command::Finish) => Ok(()),
            (_, Command::Continue | Command::Finish) => Err(Shared::NoOffer.into()),
        }
    }

    fn options(&self) -> Vec<Command> {
        use Command::{Continue, Finish, Hint, Lift, Look, Play, Rest, Stop};
        let mut options = vec![Look, Rest, Lift, Stop, Continue, Finish];
        options.extend(self.hand().lowest().map(Play));
        options.extend(self.hints().into_iter().map(Hint));
        options.retain(|command| self.permits(command).is_ok());
        options
    }

    /// Closed as long as anyone has seen cards of a level that is not complete (M15): once the
    /// Seer has looked, a word before the deal would be one more hint.
    fn may_talk(&self) -> bool {
        match self.public.phase {
            Phase::Hinting | Phase::Focus(_) | Phase::Playing | Phase::Amending => false,
            Phase::Looking | Phase::Offer { .. } | Phase::Over { .. } => true,
        }
    }
}

/// All choices of at most so many of the cards, the empty one first.
fn subsets(cards: Cards, most: u8) -> Vec<Cards> {
    let mut all = vec![Cards::NONE];
    for card in cards.iter() {
        let larger = all.iter().filter(|set| set.len() < most).map(|set| *set | Cards::one(card));
        let larger = larger.collect::<Vec<_>>();
        all.extend(larger);
    }
    all
}
