//! What the three Mind games share: cards, hands, piles, the focus ritual, the team's lives.
//!
//! Plain parts, no framework: each game has its own phases and puts these together as its rules say.

mod card;
mod deck;
mod focus;
mod hand;
mod pile;
mod refusal;
mod team;

pub use card::{Card, CardError, Cards};
pub use deck::Deck;
pub use focus::Focus;
pub use hand::Hand;
pub use pile::{Face, Laid, Pile, Seen, SeenPile, mistakes};
pub use refusal::Refusal;
pub use team::{BlindCost, LEVELS_MOST, LIVES_MOST, Reward, STARS_MOST, SetupError, Start};
