//! What a viewer knows of a table of Soulmates, and what that lets them do.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::command::Command;
use super::refusal::Refusal;
use super::state::{Phase, Public};
use crate::family::{self, Cards, FocusCommand, Hand, OfferCommand, SeenPile, permits_lowest};
use crate::kit::{self, BySeat, Seat, Viewer};

/// How many hints the Seer may add after a failed attempt (S7).
const AMENDS: u8 = 1;

/// What a viewer knows (S11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesView"))]
pub struct View {
    /// The viewer. Not written: a reader knows whose view it is.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// What the Seer knows, for the Seer alone.
    pub vision: Vision,
    /// The viewer's own cards, and how many the others hold.
    pub hands: BySeat<Hand>,
    /// The pile, in the order it was laid.
    pub pile: SeenPile,
}

/// What the Seer has seen. Another player's view has no room for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesVision"))]
#[serde(rename_all = "kebab-case")]
pub enum Vision {
    /// The viewer is the Seer.
    Seer {
        /// The cards looked at; after a failed attempt all cards in play.
        known: Cards,
    },
    /// Another player is the Seer.
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
    /// The viewer's own cards; a spectator has none.
    pub fn hand(&self) -> Cards {
        self.me.seat().map_or(Cards::NONE, |seat| self.hands[seat].cards())
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

            (phase, Command::Focus(command)) => Ok(command.permitted(&phase, me)?),
            (Phase::Playing, Command::Play(card)) => Ok(permits_lowest(self.hand(), card)?),
            (_, Command::Play(_)) => Err(Shared::NotPlaying.into()),
            (phase, Command::Offer(command)) => Ok(command.permitted(&phase, me)?),
        }
    }

    fn options(&self) -> Vec<Command> {
        let mut options = Vec::with_capacity(8);
        options.push(Command::Look);
        options.extend(FocusCommand::ALL.iter().copied().map(Command::Focus));
        options.extend(OfferCommand::ALL.iter().copied().map(Command::Offer));
        options.extend(self.hand().lowest().map(Command::Play));
        options.extend(self.hints().into_iter().map(Command::Hint));
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

/// All sets of at most `most` of the cards, the empty one first.
fn subsets(cards: Cards, most: u8) -> Vec<Cards> {
    let mut all = vec![Cards::NONE];
    for card in cards.iter() {
        let larger = all.iter().filter(|set| set.len() < most).map(|set| *set | Cards::one(card));
        let larger = larger.collect::<Vec<_>>();
        all.extend(larger);
    }
    all
}
