//! What a viewer knows of a table of The Mind, and what that lets them do.

use serde::{Deserialize, Serialize};

use super::Refusal;
use super::command::Command;
use super::state::{Phase, Public};
use crate::family::permits_lowest;
use crate::family::{Cards, Focus, FocusCommand, Hand, OfferCommand, SeenPile, VoteCommand};
use crate::kit::{self, BySeat, Viewer};

/// What a viewer knows (M14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindView"))]
pub struct View {
    /// The viewer. Not written: a reader knows whose view it is.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// The viewer's own cards, and how many the others hold.
    pub hands: BySeat<Hand>,
    /// The pile, in the order it was laid.
    pub pile: SeenPile,
}

impl View {
    /// The viewer's own cards; a spectator has none.
    pub fn hand(&self) -> Cards {
        self.me.seat().map_or(Cards::NONE, |seat| self.hands[seat].cards())
    }
}

impl kit::View for View {
    type Command = Command;
    type Refusal = Refusal;

    fn permits(&self, command: &Command) -> Result<(), Refusal> {
        let me = self.me.seat().ok_or(Refusal::Watching)?;
        let Public { phase, stars, .. } = &self.public;
        match (phase, *command) {
            (Phase::Over { .. }, _) => Err(Refusal::GameOver),
            (_, Command::Focus(command)) => command.permitted(phase, me),
            (Phase::Playing(_), Command::Play(card)) => permits_lowest(self.hand(), card),
            (_, Command::Play(_)) => Err(Refusal::NotPlaying),
            (_, Command::Vote(command)) => command.permitted(phase, *stars, me),
            (_, Command::Offer(command)) => command.permitted(phase, me),
        }
    }

    fn options(&self) -> Vec<Command> {
        let mut options = Vec::with_capacity(8);
        options.extend(FocusCommand::ALL.iter().copied().map(Command::Focus));
        options.extend(VoteCommand::ALL.iter().copied().map(Command::Vote));
        options.extend(OfferCommand::ALL.iter().copied().map(Command::Offer));
        options.extend(self.hand().lowest().map(Command::Play));
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
