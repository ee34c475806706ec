//! Sets of cards in one machine word.

/// What every set of cards has: `impl`s for a set kept as bits, whose cards are numbered by their
/// one field. The set itself says how its cards are listed, by an `iter`.
macro_rules! card_set {
    ($set:ident of $card:ident) => {
        impl $set {
            /// No cards.
            pub const NONE: Self = Self(0);

            /// Just this card.
            pub const fn one(card: $card) -> Self {
                Self(1 << card.0)
            }

            /// Whether the card is among them.
            pub const fn contains(self, card: $card) -> bool {
                self.0 & Self::one(card).0 != 0
            }

            /// Whether all of the others are among them.
            pub const fn contain(self, others: Self) -> bool {
                others.0 & !self.0 == 0
            }

            /// How many they are.
            pub const fn len(self) -> u8 {
                self.0.count_ones() as u8
            }

            /// Whether there are none.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }
        }

        impl ::std::ops::BitOr for $set {
            type Output = Self;

            fn bitor(self, others: Self) -> Self {
                Self(self.0 | others.0)
            }
        }

        impl ::std::ops::BitOrAssign for $set {
            fn bitor_assign(&mut self, others: Self) {
                self.0 |= others.0;
            }
        }

        impl ::std::ops::BitAnd for $set {
            type Output = Self;

            fn bitand(self, others: Self) -> Self {
                Self(self.0 & others.0)
            }
        }

        impl ::std::ops::Sub for $set {
            type Output = Self;

            fn sub(self, others: Self) -> Self {
                Self(self.0 & !others.0)
            }
        }

        impl ::std::ops::SubAssign for $set {
            fn sub_assign(&mut self, others: Self) {
                self.0 &= !others.0;
            }
        }

        impl FromIterator<$card> for $set {
            fn from_iter<I: IntoIterator<Item = $card>>(cards: I) -> Self {
                cards.into_iter().fold(Self::NONE, |all, card| all | Self::one(card))
            }
        }

        impl FromIterator<Self> for $set {
            fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
                sets.into_iter().fold(Self::NONE, |all, more| all | more)
            }
        }

        impl ::std::fmt::Display for $set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                f.write_str(&$crate::kit::text::listed(self.iter(), ","))
            }
        }

        impl ::std::fmt::Debug for $set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                write!(f, "{self}")
            }
        }

        impl ::std::str::FromStr for $set {
            type Err = $crate::kit::text::Misprint;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let read = |card: &str| card.parse::<$card>().map_err(Self::Err::new);
                let cards = $crate::kit::text::read_list(text, read)?;
                let set = cards.iter().copied().collect::<Self>();
                if usize::from(set.len()) == cards.len() {
                    Ok(set)
                } else {
                    Err(Self::Err::new("a card stands there twice, leave one out"))
                }
            }
        }

        impl ::serde::Serialize for $set {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $set {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Ok(Vec::<$card>::deserialize(from)?.into_iter().collect())
            }
        }
    };
}
pub(crate) use card_set;
