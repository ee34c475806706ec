//! What a viewer knows of a table of Extreme, and what that lets them do.

use serde::{Deserialize, Serialize};

use super::card::{ByColour, Card, Colour, Hand, Holding};
use super::command::Command;
use super::refusal::Refusal;
use super::state::{Phase, Public};
use crate::family::{self, Focus, FocusCommand, SeenPile, VoteCommand};
use crate::kit::{self, BySeat, Seat, Viewer};

/// What a viewer knows (M14, X7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeView"))]
pub struct View {
    /// The viewer. Not written: a reader knows whose view it is.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// The viewer's own cards, and how many the others hold.
    pub hands: BySeat<Hand>,
    /// The piles, in the order they were laid.
    pub piles: ByColour<SeenPile>,
    /// What the viewer has chosen for the star, if one is being played. Otherwise left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub choice: Option<Colour>,
}

impl View {
    /// The viewer's own cards; a spectator has none.
    pub fn hand(&self) -> Holding {
        self.me.seat().map_or(Holding::NONE, |seat| self.hands[seat].cards())
    }

    fn permits_play(&self, card: Card) -> Result<(), Refusal> {
        let Card { colour, value } = card;
        let hand = self.hand();
        match colour.first(hand[colour]) {
            Some(first) if first == value => Ok(()),
            Some(first) if hand.contains(card) => {
                Err(family::Refusal::NotNext { card, next: Card { colour, value: first } }.into())
            }
            _ => Err(family::Refusal::NotHeld(card).into()),
        }
    }

    fn permits_choice(&self, colour: Colour, chosen: kit::Seats, me: Seat) -> Result<(), Refusal> {
        if chosen.contains(me) {
            Err(Refusal::AlreadyChosen)
        } else if self.hand().is_empty() {
            Err(Refusal::NoCards)
        } else if self.hand()[colour].is_empty() {
            Err(Refusal::NoSuchColour(colour))
        } else {
            Ok(())
        }
    }
}

impl kit::View for View {
    type Command = Command;
    type Refusal = Refusal;

    fn permits(&self, command: &Command) -> Result<(), Refusal> {
        let me = self.me.seat().ok_or(family::Refusal::Watching)?;
        let Public { phase, stars, .. } = &self.public;
        match (phase, *command) {
            (Phase::Over { .. }, _) => Err(family::Refusal::GameOver.into()),
            (Phase::Choosing { chosen }, Command::Choose(colour)) => {
                self.permits_choice(colour, *chosen, me)
            }
            (Phase::Choosing { .. }, _) => Err(Refusal::ChoiceOpen),
            (_, Command::Choose(_)) => Err(Refusal::NoChoice),
            (_, Command::Focus(command)) => Ok(command.permitted(phase, me)?),
            (Phase::Playing(_), Command::Play(card)) => self.permits_play(card),
            (_, Command::Play(_)) => Err(family::Refusal::NotPlaying.into()),
            (_, Command::Vote(command)) => Ok(command.permitted(phase, *stars, me)?),
        }
    }

    fn options(&self) -> Vec<Command> {
        use Command::{Choose, Play};
        let mut options = Vec::with_capacity(9);
        options.extend(FocusCommand::ALL.iter().copied().map(Command::Focus));
        options.extend(VoteCommand::ALL.iter().copied().map(Command::Vote));
        for &colour in Colour::ALL {
            let first = colour.first(self.hand()[colour]);
            options.extend(first.map(|value| Play(Card { colour, value })));
            options.push(Choose(colour));
        }
        options.retain(|command| self.permits(command).is_ok());
        options
    }

    /// Closed from the lifting of hands to the end of the level, stops included (M15).
    fn may_talk(&self) -> bool {
        match self.public.phase {
            Phase::Focus(Focus { underway, .. }) => !underway,
            Phase::Playing { .. } | Phase::Choosing { .. } => false,
            Phase::Over { .. } => true,
        }
    }
}
