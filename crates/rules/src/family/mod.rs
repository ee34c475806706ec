//! What the three Mind games share: cards, hands, piles, and the ritual of a level.
//!
//! Plain parts, no framework: each game has its own phases and puts these together as its rules say.

mod card;
mod deck;
mod hand;
mod level_game;
mod pile;
mod refusal;
pub(crate) mod ritual;

pub use card::{Card, CardError, Cards};
pub use deck::Deck;
pub use hand::Hand;
pub(crate) use hand::{permits_lowest, seen_hand};
pub use level_game::LevelGame;
pub use pile::{Face, Laid, Pile, Seen, SeenPile, mistakes};
pub use refusal::Refusal;
pub use ritual::CourseNotice;
pub use ritual::{BlindCost, FIRST_LEVEL, LEVELS_MOST, LIVES_MOST, Reward, STARS_MOST};
pub use ritual::{Focus, FocusCommand, FocusNotice};
pub use ritual::{Offer, OfferCommand, OfferNotice};
pub use ritual::{SetupError, Start};
pub use ritual::{Vote, VoteCommand, VoteNotice};
pub(crate) use ritual::{first_level, is_first_level};
