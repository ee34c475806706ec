//! What a player of Extreme can do.

use super::card::{Card, Colour};
use crate::family::{FocusCommand, VoteCommand};
use crate::kit::parts::commands;

commands! {
    /// What a player of Extreme can do.
    #[cfg_attr(feature = "ts", ts(rename = "ExtremeCommand"))]
    pub enum Command {
        /// Play the card: the lowest white or the highest red in the hand (X2).
        Play(card: Card) = "play",
        /// Secretly choose a colour for the star: its lowest white or highest red goes (X5).
        Choose(colour: Colour) = "choose",
    }
    with {
        /// Focus and stop (M2, M3).
        Focus(FocusCommand),
        /// Vote for a star (M7).
        Vote(VoteCommand),
    }
}
