//! What a player of Soulmates can do.

use crate::family::{Card, Cards, FocusCommand, OfferCommand};
use crate::kit::parts::commands;

commands! {
    /// What a player of Soulmates can do.
    #[cfg_attr(feature = "ts", ts(rename = "SoulmatesCommand"))]
    pub enum Command {
        /// As the Seer, have the cards of the level drawn and look at some of them (S5).
        Look = "look",
        /// Write these on the slate, none of them included, and have the cards dealt (S5, S7).
        Hint(hints: Cards) = "hint",
        /// Lay the card face down, which has to be the lowest in the hand (S6).
        Play(card: Card) = "play",
    }
    with {
        /// Focus and stop (S6).
        Focus(FocusCommand),
        /// Answer the offer of the levels beyond the game (S10).
        Offer(OfferCommand),
    }
}
