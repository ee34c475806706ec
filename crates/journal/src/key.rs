//! The key of a table.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Names a table: 1 to 32 letters, digits, `_` or `-`. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

impl Key {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if (1..=32).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(KeyError)
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is returned for a text that is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table's key has 1 to 32 letters, digits, `_` or `-`")]
pub struct KeyError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back_as_they_were_written() {
        for text in ["a", "k3f9pa", "A-Z_09", &"x".repeat(32)] {
            assert_eq!(text.parse::<Key>().map(|key| key.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn other_texts_are_no_keys() {
        for text in ["", " ", "a b", "a/b", "ä", "a\0", "a\n", &"x".repeat(33)] {
            assert_eq!(text.parse::<Key>(), Err(KeyError), "{text:?}");
        }
    }
}
