//! A hand of cards as a viewer knows it.

use super::card::{Card, Cards};
use super::refusal::Refusal;

/// Declares the type `Hand`: the viewer's own cards, or how many another player holds. There is no
/// room for another player's cards.
macro_rules! seen_hand {
    ($(#[$meta:meta])* pub enum Hand of $cards:ty) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[derive(::serde::Serialize, ::serde::Deserialize)]
        #[cfg_attr(feature = "ts", derive(::ts_rs::TS))]
        #[serde(untagged)]
        $(#[$meta])*
        pub enum Hand {
            /// The viewer's own cards.
            Mine($cards),
            /// Another player's hand: only its size is public.
            Theirs(u8),
        }

        impl Hand {
            /// The hand of a seat as the viewer knows it.
            pub fn seen(
                cards: $cards,
                seat: $crate::kit::Seat,
                viewer: $crate::kit::Viewer,
            ) -> Self {
                if viewer == $crate::kit::Viewer::Seat(seat) {
                    Self::Mine(cards)
                } else {
                    Self::Theirs(cards.len())
                }
            }

            /// The cards, if the viewer knows them.
            pub fn cards(self) -> $cards {
                match self {
                    Self::Mine(cards) => cards,
                    Self::Theirs(_) => <$cards>::NONE,
                }
            }

            /// The number of cards.
            pub fn len(self) -> u8 {
                match self {
                    Self::Mine(cards) => cards.len(),
                    Self::Theirs(count) => count,
                }
            }

            /// Whether there are none.
            pub fn is_empty(self) -> bool {
                self.len() == 0
            }

            /// The number of cards that the viewer does not know.
            pub fn hidden(self) -> u8 {
                match self {
                    Self::Mine(_) => 0,
                    Self::Theirs(count) => count,
                }
            }
        }

        impl Default for Hand {
            fn default() -> Self {
                Self::Theirs(0)
            }
        }

        /// The cards, or `*` and their number.
        impl ::std::fmt::Display for Hand {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                match self {
                    Self::Mine(cards) => ::std::fmt::Display::fmt(cards, f),
                    Self::Theirs(count) => write!(f, "*{count}"),
                }
            }
        }
    };
}
pub(crate) use seen_hand;

seen_hand! {
    /// The viewer's own cards, or how many another player holds.
    ///
    /// In JSON a list of cards, or a number.
    pub enum Hand of Cards
}

/// Whether a player with these cards may play this one: only the lowest goes down (M5, S6).
pub(crate) fn permits_lowest(hand: Cards, card: Card) -> Result<(), Refusal<Card>> {
    match hand.lowest() {
        Some(next) if next == card => Ok(()),
        Some(next) if hand.contains(card) => Err(Refusal::NotNext { card, next }),
        _ => Err(Refusal::NotHeld(card)),
    }
}
