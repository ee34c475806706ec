//! Enums with parts: variants that several games share, taken into each game's own enum.
//!
//! In JSON and in the notation a part's variants look as if they were the enum's own. Reading
//! keeps no copy of the input: the word decides which part the rest is read by.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::EnumAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer};
use serde::de::{VariantAccess, Visitor};

use super::text::{Misprint, Words};

/// An enum that is taken into others.
pub(crate) trait Part: Sized {
    /// The word of each variant, in JSON and in the notation.
    const WORDS: &'static [&'static str];

    /// Reads the variant of that word, which is one of [`WORDS`](Self::WORDS).
    fn read(word: &str, words: &mut Words) -> Result<Self, Misprint>;
}

/// Makes an enum whose variants carry nothing a part.
macro_rules! word_part {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $crate::kit::text::words!($name { $($variant = $word),+ });

        impl $crate::kit::parts::Part for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn read(
                word: &str,
                _: &mut $crate::kit::text::Words,
            ) -> Result<Self, $crate::kit::text::Misprint> {
                word.parse()
            }
        }
    };
}
pub(crate) use word_part;

/// Declares an enum that takes in parts: its own variants first, then each part as one variant.
///
/// Serde's traits are derived for the own variants only (`remote = "Self"` makes them functions of
/// the enum); the implementations below lead a part's words to the part.
macro_rules! with_parts {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($own:tt)* }
        with { $($(#[$doc:meta])* $variant:ident($part:ty)),+ $(,)? }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[cfg_attr(feature = "ts", derive(::ts_rs::TS))]
        #[serde(rename_all = "kebab-case", remote = "Self")]
        $(#[$meta])*
        pub enum $name {
            $($own)*
            $(
                $(#[$doc])*
                #[serde(skip_deserializing)]
                #[cfg_attr(feature = "ts", ts(untagged))]
                $variant($part),
            )+
        }

        $(impl From<$part> for $name {
            fn from(part: $part) -> Self {
                Self::$variant(part)
            }
        })+

        impl $name {
            /// Reads a variant of one of the parts; `None` if no part has the word.
            pub(super) fn read_part(
                word: &str,
                words: &mut $crate::kit::text::Words,
            ) -> Option<Result<Self, $crate::kit::text::Misprint>> {
                use $crate::kit::parts::Part;
                $(if <$part>::WORDS.contains(&word) {
                    return Some(<$part>::read(word, words).map(Self::$variant));
                })+
                None
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(part) => ::serde::Serialize::serialize(part, serializer),)+
                    own => Self::serialize(own, serializer),
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct ByWord;

                impl<'de> ::serde::de::Visitor<'de> for ByWord {
                    type Value = $name;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                        f.write_str(concat!("enum ", stringify!($name)))
                    }

                    fn visit_enum<A: ::serde::de::EnumAccess<'de>>(
                        self,
                        access: A,
                    ) -> Result<$name, A::Error> {
                        use $crate::kit::parts::{Part, Tagged};
                        let tagged = Tagged::read(access)?;
                        $(if <$part>::WORDS.contains(&tagged.word()) {
                            let part = <$part as ::serde::Deserialize>::deserialize(tagged.again());
                            return part.map($name::$variant);
                        })+
                        $name::deserialize(tagged.again())
                    }
                }

                from.deserialize_enum(stringify!($name), &[], ByWord)
            }
        }
    };
}
pub(crate) use with_parts;

/// Declares the commands of a game: its own with their words, which carry nothing or one thing,
/// and the parts. In the notation a command is its word and what it carries.
macro_rules! commands {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $own:ident $(($arg:ident: $type:ty))? = $word:literal),+ $(,)?
        }
        with { $($(#[$part_doc:meta])* $variant:ident($part:ty)),+ $(,)? }
    ) => {
        $crate::kit::parts::with_parts! {
            $(#[$meta])*
            #[derive(Hash)]
            pub enum $name { $($(#[$doc])* $own $(($type))?,)+ }
            with { $($(#[$part_doc])* $variant($part)),+ }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                match self {
                    $(Self::$own $(($arg))? => {
                        f.write_str($word)?;
                        $(write!(f, " {}", $arg)?;)?
                        Ok(())
                    })+
                    $(Self::$variant(part) => ::std::fmt::Display::fmt(part, f),)+
                }
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::kit::text::Misprint;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::kit::parts::Part;
                let mut words = $crate::kit::text::Words::parse(text);
                let command = match words.word("a command")? {
                    $($word => Self::$own $((
                        words.read::<$type>(concat!("the ", stringify!($arg)))?
                    ))?,)+
                    word => Self::read_part(word, &mut words).ok_or_else(|| {
                        let all = [&[$($word),+][..], $(<$part>::WORDS),+].concat().join(", ");
                        $crate::kit::text::Misprint::new(format_args!("{word:?} is none of {all}"))
                    })??,
                };
                words.end(command)
            }
        }
    };
}
pub(crate) use commands;

/// Declares the notices of a game: its own with their words, and the parts. In the notation a
/// notice is its word, its fields one after the other, and behind a semicolon those that are
/// written `key=value`.
macro_rules! notices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $(
                $(#[$doc:meta])*
                $own:ident $({
                    $($(#[$field_doc:meta])* $field:ident: $type:ty),*
                    $(; $($(#[$key_doc:meta])* $key:ident: $key_type:ty),*)? $(,)?
                })? = $word:literal
            ),+ $(,)?
        }
        with { $($(#[$part_doc:meta])* $variant:ident($part:ty)),+ $(,)? }
    ) => {
        $crate::kit::parts::with_parts! {
            $(#[$meta])*
            pub enum $name {
                $(
                    $(#[$doc])*
                    $own $({
                        $($(#[$field_doc])* $field: $type,)*
                        $($($(#[$key_doc])* $key: $key_type,)*)?
                    })?,
                )+
            }
            with { $($(#[$part_doc])* $variant($part)),+ }
        }

        impl<N: Into<$name>> From<N> for Event {
            fn from(notice: N) -> Self {
                Self::Notice(notice.into())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                match self {
                    $(Self::$own $({ $($field,)* $($($key,)*)? })? => {
                        f.write_str($word)?;
                        $(
                            $(write!(f, " {}", $field)?;)*
                            $($({
                                let value = $crate::kit::text::FieldValue::text($key);
                                write!(f, concat!(" ", stringify!($key), "={}"), value)?;
                            })*)?
                        )?
                        Ok(())
                    })+
                    $(Self::$variant(part) => ::std::fmt::Display::fmt(part, f),)+
                }
            }
        }

        impl $name {
            /// Reads the notice of that word.
            pub(super) fn read(
                word: &str,
                words: &mut $crate::kit::text::Words,
            ) -> Result<Self, $crate::kit::text::Misprint> {
                Ok(match word {
                    $($word => Self::$own $({
                        $($field: words.read(stringify!($field))?,)*
                        $($($key: words.field(stringify!($key))?,)*)?
                    })?,)+
                    word => Self::read_part(word, words).ok_or_else(|| {
                        let text = format_args!("{word:?} is no event of this game");
                        $crate::kit::text::Misprint::new(text)
                    })??,
                })
            }
        }
    };
}
pub(crate) use notices;

/// A variant whose word was read and whose value is still to be read.
pub(crate) struct Tagged<'de, V> {
    word: Cow<'de, str>,
    value: V,
}

impl<'de, V: VariantAccess<'de>> Tagged<'de, V> {
    pub(crate) fn read<A: EnumAccess<'de, Variant = V>>(access: A) -> Result<Self, A::Error> {
        let (Word(word), value) = access.variant()?;
        Ok(Self { word, value })
    }

    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    /// The variant as it was found, for the enum that it belongs to.
    pub(crate) fn again(self) -> EnumAccessDeserializer<Self> {
        EnumAccessDeserializer::new(self)
    }
}

impl<'de, V: VariantAccess<'de>> EnumAccess<'de> for Tagged<'de, V> {
    type Error = V::Error;
    type Variant = V;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, V), V::Error> {
        let word = match self.word {
            Cow::Borrowed(word) => seed.deserialize(word.into_deserializer()),
            Cow::Owned(word) => seed.deserialize(word.into_deserializer()),
        };
        Ok((word?, self.value))
    }
}

/// A variant's word, copied only where the input does not have it in one piece.
struct Word<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Word<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Borrow;

        impl<'de> Visitor<'de> for Borrow {
            type Value = Word<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("variant identifier")
            }

            fn visit_borrowed_str<E: Error>(self, word: &'de str) -> Result<Word<'de>, E> {
                Ok(Word(Cow::Borrowed(word)))
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Word<'de>, E> {
                Ok(Word(Cow::Owned(word.to_owned())))
            }
        }

        from.deserialize_identifier(Borrow)
    }
}
