//! Tools for the games' notation: `key=value` fields, lists by seat, words for closed sets.
//!
//! The notation itself is described in `docs/notation.md`.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::seat::{BySeat, Seat};

/// What is wrong with a text, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Misprint(String);

impl Misprint {
    /// An error with that text.
    pub fn new(text: impl Display) -> Self {
        Self(text.to_string())
    }

    /// The same error, saying where it is.
    #[must_use]
    pub fn within(self, place: impl Display) -> Self {
        Self(format!("{place}: {self}"))
    }
}

/// Fields written `key=value`, in any order, each at most once.
pub struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    /// Splits a text at its spaces.
    pub fn parse(text: &'a str) -> Result<Self, Misprint> {
        let mut fields = Self(Vec::new());
        for word in text.split_whitespace() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| Misprint::new(format_args!("write {word:?} as key=value")))?;
            if fields.0.iter().any(|(other, _)| *other == key) {
                return Err(Misprint::new(format_args!("{key}: given twice, leave one out")));
            }
            fields.0.push((key, value));
        }
        Ok(fields)
    }

    /// The fields, as they were written.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        self.0.iter().copied()
    }

    /// Takes a field out, as it was written.
    pub fn take(&mut self, key: &str) -> Option<&'a str> {
        let place = self.0.iter().position(|(other, _)| *other == key)?;
        Some(self.0.remove(place).1)
    }

    /// Takes a field out and reads it.
    pub fn read<T: FromStr<Err: Display>>(&mut self, key: &str) -> Result<Option<T>, Misprint> {
        self.read_with(key, |value| value.parse().map_err(Misprint::new))
    }

    /// Takes a field out and reads it by the given function.
    pub fn read_with<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&'a str) -> Result<T, Misprint>,
    ) -> Result<Option<T>, Misprint> {
        self.take(key).map(read).transpose().map_err(|e| e.within(key))
    }

    /// Takes a field out that has to be there.
    pub fn need<T: FromStr<Err: Display>>(&mut self, key: &str) -> Result<T, Misprint> {
        self.read(key)?.ok_or_else(|| Misprint::new(format_args!("{key}= is missing")))
    }

    /// Fails if a field was not taken.
    pub fn finish(self) -> Result<(), Misprint> {
        match self.0.first() {
            None => Ok(()),
            Some((key, _)) => Err(Misprint::new(format_args!("{key}: no such field, take it out"))),
        }
    }
}

/// The words of a command or an event, taken one after the other.
pub struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    /// Splits a text at its spaces.
    pub fn parse(text: &'a str) -> Self {
        Self(text.split_whitespace())
    }

    /// The next word.
    pub fn take(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    /// The next word, which has to be there.
    pub fn word(&mut self, what: &str) -> Result<&'a str, Misprint> {
        self.take().ok_or_else(|| Misprint::new(format_args!("{what} is missing")))
    }

    /// Reads the next word.
    pub fn read<T: FromStr<Err: Display>>(&mut self, what: &str) -> Result<T, Misprint> {
        self.word(what)?.parse().map_err(|e| Misprint::new(e).within(what))
    }

    /// Reads the next word, which is written `key=value`.
    pub(crate) fn field<T: FieldValue>(&mut self, key: &str) -> Result<T, Misprint> {
        let mut fields = Fields::parse(self.word(key)?)?;
        fields
            .read_with(key, T::read)?
            .ok_or_else(|| Misprint::new(format_args!("{key}= is missing")))
    }

    /// Hands back what was read, if no word is left over.
    pub fn end<T>(mut self, read: T) -> Result<T, Misprint> {
        match self.take() {
            None => Ok(read),
            Some(word) => Err(Misprint::new(format_args!("{word:?} is one word too many"))),
        }
    }
}

/// What stands behind the `=` of an event's field; nothing is written `-`.
pub(crate) trait FieldValue: Sized {
    fn text(&self) -> String;

    fn read(text: &str) -> Result<Self, Misprint>;
}

impl FieldValue for u8 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<Self, Misprint> {
        text.parse().map_err(Misprint::new)
    }
}

impl<T: Display + FromStr<Err: Display>> FieldValue for Option<T> {
    fn text(&self) -> String {
        listed(self, "")
    }

    fn read(text: &str) -> Result<Self, Misprint> {
        match text {
            "-" => Ok(None),
            _ => text.parse().map(Some).map_err(Misprint::new),
        }
    }
}

/// One part for each seat, split by `/`.
impl<T: Copy + Default + Display> Display for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&by_seat(self))
    }
}

impl<T: Copy + Default + FromStr<Err: Display>> FromStr for BySeat<T> {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        read_by_seat(text, |part| part.parse().map_err(Misprint::new))
    }
}

/// Reads one part for each seat, split by `/`; the number of parts is the number of players.
pub fn read_by_seat<T: Copy + Default>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<T, Misprint>,
) -> Result<BySeat<T>, Misprint> {
    let parts = text.split('/').collect::<Vec<_>>();
    if parts.len() > Seat::MOST {
        return Err(Misprint::new(format_args!("a table has at most {} seats", Seat::MOST)));
    }
    let mut all = BySeat::new(parts.len() as u8, |_| T::default());
    for (seat, part) in Seat::all(all.players()).zip(parts) {
        all[seat] = read(part).map_err(|e| e.within(seat))?;
    }
    Ok(all)
}

/// Reads one part for each player, split by `/`.
pub fn read_for<T: Copy + Default>(
    players: u8,
    text: &str,
    read: impl FnMut(&str) -> Result<T, Misprint>,
) -> Result<BySeat<T>, Misprint> {
    let all = read_by_seat(text, read)?;
    if all.players() == players {
        return Ok(all);
    }
    let (given, wanted) = (all.players(), players);
    Err(Misprint::new(format_args!("{given} parts for {wanted} seats, write one part for each")))
}

/// Writes one part for each seat, split by `/`.
pub fn by_seat<T: Copy + Default + Display>(values: &BySeat<T>) -> String {
    listed(values.values(), "/")
}

/// Writes items with something between them, `-` for none.
pub fn listed<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let items = items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>();
    if items.is_empty() { "-".to_owned() } else { items.join(between) }
}

/// Writes items with commas between them, `-` for none, without keeping them anywhere.
pub(crate) fn write_list<T: Display>(
    f: &mut fmt::Formatter,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return f.write_str("-") };
    first.fmt(f)?;
    items.try_for_each(|item| write!(f, ",{item}"))
}

/// Whether a field can be left out of what is written, since its reader fills it in by itself.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads items with commas between them, `-` for none.
pub fn read_list<T>(
    text: &str,
    read: impl FnMut(&str) -> Result<T, Misprint>,
) -> Result<Vec<T>, Misprint> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.split(',').map(read).collect()
}

/// A switch of a set-up, written `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0 { "on" } else { "off" })
    }
}

impl FromStr for Switch {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err(Misprint::new("write on or off")),
        }
    }
}

/// Writes the fields of a set-up that differ from the preset `faithful`.
pub(crate) struct Differences(String);

impl Differences {
    pub(crate) fn new(players: u8) -> Self {
        Self(format!("players={players}"))
    }

    pub(crate) fn field<T: Copy + Display + PartialEq>(
        &mut self,
        key: &str,
        value: T,
        faithful: T,
    ) {
        if value != faithful {
            self.always(key, value);
        }
    }

    pub(crate) fn always(&mut self, key: &str, value: impl Display) {
        self.0.extend([" ", key, "=", &value.to_string()]);
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Makes `Setup` a `Draft` that `Setup::new` has checked, wherever it comes from, and gives it its
/// notation.
///
/// A game writes `Draft::of` (the draft of a preset), `Draft::read` (takes its own fields out of a
/// text), `Draft::write` (writes its own fields that differ from the preset `faithful`) and
/// `Setup::new` (the check); `players` and `manners` are fields of every draft.
macro_rules! checked_setup {
    () => {
        impl Setup {
            /// The set-up of a preset for that number of players.
            pub fn of(preset: $crate::kit::Preset, players: u8) -> Result<Self, SetupError> {
                Draft::of(preset, players).and_then(Self::new)
            }
        }

        impl ::std::ops::Deref for Setup {
            type Target = Draft;

            fn deref(&self) -> &Draft {
                &self.0
            }
        }

        impl From<Setup> for Draft {
            fn from(setup: Setup) -> Self {
                setup.0
            }
        }

        impl TryFrom<Draft> for Setup {
            type Error = SetupError;

            fn try_from(draft: Draft) -> Result<Self, SetupError> {
                Self::new(draft)
            }
        }

        impl $crate::kit::TableSetup for Setup {
            fn players(&self) -> u8 {
                self.players
            }

            fn manners(&self) -> $crate::kit::Manners {
                self.manners
            }
        }

        /// The players, and each field that differs from the preset `faithful`.
        impl ::std::fmt::Display for Setup {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                let faithful = Draft::of($crate::kit::Preset::Faithful, self.players)
                    .map_err(|_| ::std::fmt::Error)?;
                let mut differences = $crate::kit::text::Differences::new(self.players);
                self.write(&faithful, &mut differences);
                self.manners.write(&mut differences);
                f.write_str(&differences.finish())
            }
        }

        impl ::std::str::FromStr for Setup {
            type Err = $crate::kit::text::Misprint;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::kit::text::Misprint;
                let mut fields = $crate::kit::text::Fields::parse(text)?;
                let preset = fields.read("preset")?.unwrap_or_default();
                let players = fields.need("players")?;
                let mut draft = Draft::of(preset, players).map_err(Misprint::new)?;
                draft.read(&mut fields)?;
                draft.manners.read(&mut fields)?;
                fields.finish()?;
                Self::new(draft).map_err(Misprint::new)
            }
        }
    };
}
pub(crate) use checked_setup;

/// Writes a type to JSON, and reads it, as a string in its notation.
macro_rules! serde_as_text {
    ($name:ty, |$value:ident, $text:ident| $push:expr) => {
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut text = String::with_capacity(64);
                let ($value, $text) = (self, &mut text);
                $push;
                serializer.serialize_str(&text)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = ::std::borrow::Cow::<str>::deserialize(from)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use serde_as_text;

/// Gives each variant of a closed set its word: `Display`, `FromStr` and a list of all.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// Every one there is.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter) -> ::std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $word),+ })
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::kit::text::Misprint;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::kit::text::Misprint::new(
                        format_args!("{text:?} is none of {}", [$($word),+].join(", ")),
                    )),
                }
            }
        }
    };
}
pub(crate) use words;

/// Checks what a text is read as and how that is written again, or why it is refused.
#[cfg(test)]
pub(crate) fn check_text<T>(text: &str, expected: Result<&str, &str>)
where
    T: FromStr<Err = Misprint> + Display,
{
    let found = text.parse::<T>().map(|read| read.to_string()).map_err(|e| e.to_string());
    assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, error: &str) {
        let found = Fields::parse(text).and_then(|mut fields| {
            fields.need::<u8>("level")?;
            fields.finish()
        });
        assert_eq!(found.map_err(|e| e.to_string()), Err(error.to_owned()));
    }

    #[test]
    fn a_wrong_field_is_named() {
        check("level", "write \"level\" as key=value");
        check("level=1 level=2", "level: given twice, leave one out");
        check("level=x", "level: invalid digit found in string");
        check("", "level= is missing");
        check("level=1 colour=red", "colour: no such field, take it out");
    }

    #[test]
    fn parts_by_seat_are_counted() {
        let read = |text: &str| text.parse::<u8>().map_err(Misprint::new);
        assert_eq!(read_for(2, "3/4", read).map(|all| by_seat(&all)), Ok("3/4".to_owned()));
        assert!(read_for(3, "3/4", read).is_err());
        assert!(read_by_seat("1/2/3/4/5/6/7", read).is_err());
    }
}
