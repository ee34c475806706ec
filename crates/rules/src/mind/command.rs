//! What a player of The Mind can do.

use crate::family::{Card, FocusCommand, OfferCommand, VoteCommand};
use crate::kit::parts::commands;

commands! {
    /// What a player of The Mind can do.
    #[cfg_attr(feature = "ts", ts(rename = "MindCommand"))]
    pub enum Command {
        /// Play the card, which has to be the lowest in the hand (M5).
        Play(card: Card) = "play",
    }
    with {
        /// Focus and stop (M2, M3).
        Focus(FocusCommand),
        /// Vote for a star (M7).
        Vote(VoteCommand),
        /// Answer the offer of a blind encore (M12).
        Offer(OfferCommand),
    }
}
