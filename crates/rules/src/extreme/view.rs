//! What a viewer knows of a table of Extreme, and what that lets them do.

use serde::{Deserialize, Serialize};

use super::card::{ByColour, Card, Colour, Hand, Holding};
use super::command::Command;
use super::refusal::Refusal;
use super::state::{Phase, Public};
use crate::family::{self, Focus, SeenPile};
use crate::kit::{self, BySeat, Seat, Viewer};

/// What a viewer knows (M14, X7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeView"))]
pub struct View {
    /// Whose eyes these are. Not written: whoever reads it knows.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// One's own cards, and how many the others hold.
    pub hands: BySeat<Hand>,
    /// The piles, in the order they were laid.
    pub piles: ByColour<SeenPile>,
    /// What the viewer has chosen for the star, if one is being played. Otherwise left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub choice: Option<Colour>,
}

impl View {
    /// The viewer's own cards; a watcher has none.
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
        match (self.public.phase, *command) {
            (Phase::Over { .. }, _) => Err(family::Refusal::GameOver.into()),

            (Phase::Choosing { chosen }, Command::Choose(colour)) => {
                self.permits_choice(colour, chosen, me)
            }
            (Phase::Choosing { .. }, _) => Err(Refusal::ChoiceOpen),
            (_, Command::Choose(_)) => Err(Refusal::NoChoice),

            (Phase::Focus(focus), Command::Rest) => Ok(focus.permits_rest(me)?),
            (Phase::Focus(focus), Command::Lift) => Ok(focus.permits_lift(me)?),
            (Phase::Focus(_), _) => Err(family::Refusal::NotPlaying.into()),

            (Phase::Playing { .. }, Command::Rest | Command::Lift) => {
                Err(family::Refusal::NotFocusing.into())
            }
            (Phase::Playing { .. }, Command::Stop) => Ok(()),
            (Phase::Playing { .. }, Command::Play(card)) => self.permits_play(card),
            (Phase::Playing { .. }, Command::Raise) if self.public.stars == 0 => {
                Err(family::Refusal::NoStar.into())
            }
            (Phase::Playing { raised }, Command::Raise) if raised.contains(me) => {
                Err(family::Refusal::AlreadyRaised.into())
            }
            (Phase::Playing { .. }, Command::Raise) => Ok(()),
            (Phase::Playing { raised }, Command::Lower) if raised.contains(me) => Ok(()),
            (Phase::Playing { .. }, Command::Lower) => Err(family::Refusal::NotRaised.into()),
        }
    }

    fn options(&self) -> Vec<Command> {
        use Command::{Choose, Lift, Lower, Play, Raise, Rest, Stop};
        let mut options = vec![Rest, Lift, Stop, Raise, Lower];
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
