//! What a person is called at the table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_security::confusable_detection::skeleton;
use unicode_segmentation::UnicodeSegmentation;

/// A name of 1 to 24 characters as people count them, without anything invisible.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[serde(into = "String", try_from = "String")]
pub struct Name(Box<str>);

impl Name {
    /// The most characters of a name.
    pub const LONGEST: usize = 24;
    /// The most bytes of a name: a visible character can be made of many code points.
    const BYTES_MOST: usize = 256;

    /// The name that replaces that of a deleted person.
    pub fn someone() -> Self {
        Self("someone".into())
    }

    /// A name that a person chooses now. It is stricter than what is read from files: joiners stand
    /// only where scripts and emoji need them, so that they do not make two names of one.
    pub fn chosen(text: &str) -> Result<Self, NameError> {
        let name = text.parse::<Self>()?;
        let is_clear = !has_loose_joiner(&name.0) && !name.0.chars().any(is_format);
        if is_clear && !seen(&name.0).is_empty() { Ok(name) } else { Err(NameError::Invisible) }
    }

    /// Whether people could take one name for the other: their skeletons by UTS #39 are the same,
    /// whatever the case, the spaces and the invisible characters.
    pub fn looks_like(&self, other: &Self) -> bool {
        let (one, other) = (&*self.0, &*other.0);
        one == other
            || seen(one) == seen(other)
            || seen(&one.to_lowercase()) == seen(&other.to_lowercase())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

impl FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let text = text.trim();
        if text.chars().any(is_hidden) {
            return Err(NameError::Invisible);
        }
        match text.graphemes(true).take(Self::LONGEST + 1).count() {
            0 => Err(NameError::Empty),
            1..=Self::LONGEST if text.len() <= Self::BYTES_MOST => Ok(Self(text.into())),
            _ => Err(NameError::Long),
        }
    }
}

/// What people see of a text, with look-alikes as one.
fn seen(text: &str) -> String {
    let letters = skeleton(text).filter(|letter| {
        let selects = matches!(letter, '\u{FE00}'..='\u{FE0F}');
        let blank = letter.is_whitespace() || is_joiner(*letter) || is_format(*letter);
        !blank && !is_hidden(*letter) && !selects
    });
    letters.flat_map(char::to_lowercase).collect()
}

/// Invisible signs of shorthand and of music. Names in old files may have them.
fn is_format(letter: char) -> bool {
    matches!(letter, '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}')
}

fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200C}' | '\u{200D}')
}

/// Whether a joiner stands where nothing is joined: at an end, beside another joiner, or beside a
/// letter of a script that has no use for it.
fn has_loose_joiner(text: &str) -> bool {
    let joins = |letter: Option<char>| {
        letter.is_some_and(|letter| {
            !letter.is_ascii()
                && !is_joiner(letter)
                && !matches!(letter, '\u{80}'..='\u{52F}' | '\u{1E00}'..='\u{1FFF}')
        })
    };
    let letters = text.chars().collect::<Vec<_>>();
    letters.iter().enumerate().any(|(place, letter)| {
        let before = place.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(place + 1).copied();
        is_joiner(*letter) && !(joins(before) && joins(after))
    })
}

/// Characters that cannot be seen or that turn the text around them: they make one name pass for
/// another. The joiners of emoji and of Indic scripts are none of them.
pub fn is_hidden(letter: char) -> bool {
    let bidirectional = matches!(letter, '\u{200E}' | '\u{200F}' | '\u{061C}'
        | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let blank = matches!(letter, '\u{00AD}' | '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}'
        | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}' | '\u{2028}' | '\u{2029}'
        | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}');
    letter.is_control() || bidirectional || blank
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0.into()
    }
}

impl TryFrom<String> for Name {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

/// Why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing there.
    #[error("a name has at least one character")]
    Empty,
    /// Too much there.
    #[error("a name has at most {} characters", Name::LONGEST)]
    Long,
    /// Something that cannot be seen.
    #[error("a name has no control characters, no invisible ones and none that turn text around")]
    Invisible,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, NameError>) {
        let found = text.parse::<Name>();
        assert_eq!(found.as_ref().map(Name::as_str).map_err(|e| *e), expected, "{text:?}");
    }

    #[test]
    fn names_are_trimmed_and_counted_as_people_count() {
        check("  Ada ", Ok("Ada"));
        check("李小龍", Ok("李小龍"));
        check("नमस्ते", Ok("नमस्ते"));
        let family = "👨‍👩‍👧‍👦".repeat(10);
        check(&family, Ok(&family));
        check(&"x".repeat(24), Ok(&"x".repeat(24)));
        check(&"x".repeat(25), Err(NameError::Long));
        check(&"e\u{301}".repeat(24), Ok(&"e\u{301}".repeat(24)));
        check(&format!("e{}", "\u{301}".repeat(500)), Err(NameError::Long));
    }

    #[test]
    fn joiners_stand_only_where_they_join() {
        for right in ["👨\u{200d}👩", "क्\u{200d}ष", "علی\u{200c}رضا", "Ada"] {
            assert!(Name::chosen(right).is_ok(), "{right:?}");
        }
        for wrong in
            ["A\u{200d}da", "Ada\u{200c}", "\u{200d}Ada", "А\u{200d}да", "👨\u{200d}\u{200d}👩"]
        {
            assert_eq!(Name::chosen(wrong), Err(NameError::Invisible), "{wrong:?}");
            assert!(wrong.parse::<Name>().is_ok(), "names that were given before are still read");
        }
    }

    #[test]
    fn names_that_look_alike_are_found() {
        let name = |text: &str| text.parse::<Name>().unwrap();
        for (one, other) in [
            ("Ada", "ada"),
            ("Ada", "Аdа"),
            ("paypal", "pаypаl"),
            ("Ila", "lla"),
            ("Ada L", "AdaL"),
            ("A\u{200d}da", "Ada"),
            ("rn", "m"),
            ("Ada\u{1D173}", "Ada"),
        ] {
            assert!(name(one).looks_like(&name(other)), "{one} and {other}");
        }
        for (one, other) in [("Ada", "Ana"), ("Mia", "Lia"), ("李", "王")] {
            assert!(!name(one).looks_like(&name(other)), "{one} and {other}");
        }
    }

    #[test]
    fn invisible_names_are_refused() {
        check("", Err(NameError::Empty));
        check(" \t ", Err(NameError::Empty));
        check("A\u{0}da", Err(NameError::Invisible));
        check("A\nda", Err(NameError::Invisible));
        check("\u{202E}adA", Err(NameError::Invisible));
        check("Ada\u{200B}", Err(NameError::Invisible));
        check("\u{3164}", Err(NameError::Invisible));
        // Names in files may have these, and names that are chosen may not.
        for wrong in ["Ada\u{1D173}", "A\u{1BCA0}da", "\u{FE0F}", "\u{FE0E}\u{FE0F}"] {
            assert_eq!(Name::chosen(wrong), Err(NameError::Invisible), "{wrong:?}");
            assert!(wrong.parse::<Name>().is_ok(), "{wrong:?}");
        }
        assert!(Name::chosen("Ada \u{2764}\u{FE0F}").is_ok(), "a heart in colours is seen");
    }
}
