//! What a viewer knows of a table of The Mind, and what that lets them do.

use serde::{Deserialize, Serialize};

use super::Refusal;
use super::command::Command;
use super::state::{Phase, Public};
use crate::family::{Card, Cards, Focus, Hand, SeenPile};
use crate::kit::{self, BySeat, Viewer};

/// What a viewer knows (M14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindView"))]
pub struct View {
    /// Whose eyes these are. Not written: whoever reads it knows.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// One's own cards, and how many the others hold.
    pub hands: BySeat<Hand>,
    /// The pile, in the order it was laid.
    pub pile: SeenPile,
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
            Some(next) if hand.contains(card) => Err(Refusal::NotNext { card, next }),
            _ => Err(Refusal::NotHeld(card)),
        }
    }
}

impl kit::View for View {
    type Command = Command;
    type Refusal = Refusal;

    fn permits(&self, command: &Command) -> Result<(), Refusal> {
        let me = self.me.seat().ok_or(Refusal::Watching)?;
        match (self.public.phase, *command) {
            (Phase::Over { .. }, _) => Err(Refusal::GameOver),

            (Phase::Focus(focus), Command::Rest) => focus.permits_rest(me),
            (Phase::Focus(focus), Command::Lift) => focus.permits_lift(me),
            (_, Command::Rest | Command::Lift) => Err(Refusal::NotFocusing),

            (Phase::Playing { .. }, Command::Stop) => Ok(()),
            (Phase::Playing { .. }, Command::Play(card)) => self.permits_play(card),
            (Phase::Playing { .. }, Command::Raise) if self.public.stars == 0 => {
                Err(Refusal::NoStar)
            }
            (Phase::Playing { raised }, Command::Raise) if raised.contains(me) => {
                Err(Refusal::AlreadyRaised)
            }
            (Phase::Playing { .. }, Command::Raise) => Ok(()),
            (Phase::Playing { raised }, Command::Lower) if raised.contains(me) => Ok(()),
            (Phase::Playing { .. }, Command::Lower) => Err(Refusal::NotRaised),
            (_, Command::Stop | Command::Raise | Command::Lower | Command::Play(_)) => {
                Err(Refusal::NotPlaying)
            }

            (Phase::Offer { agreed }, Command::Continue) if agreed.contains(me) => {
                Err(Refusal::AlreadyAgreed)
            }
            (Phase::Offer { .. }, Command::Continue | Command::Finish) => Ok(()),
            (_, Command::Continue | Command::Finish) => Err(Refusal::NoOffer),
        }
    }

    fn options(&self) -> Vec<Command> {
        use Command::{Continue, Finish, Lift, Lower, Play, Raise, Rest, Stop};
        let mut options = vec![Rest, Lift, Stop, Raise, Lower, Continue, Finish];
        options.extend(self.hand().lowest().map(Play));
        options.retain(|command| self.permits(command).is_ok());
        options
    }

    /// Closed from the lifting of hands to the end of the level, stops included (M15).
    fn may_talk(&self) -> bool {
        match self.public.phase {
            Phase::Focus(Focus { underway, .. }) => !underway,
            Phase::Playing { .. } => false,
            Phase::Offer { .. } | Phase::Over { .. } => true,
        }
    }
}
