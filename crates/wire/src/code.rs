//! The short code by which a table is found.

use std::fmt;
use std::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Letters and digits that are not easily confused, spoken or written.
const ALPHABET: &[u8; 30] = b"23456789abcdefghjkmnpqrstvwxyz";

/// Six characters that name a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct Code([u8; 6]);

impl Code {
    /// How many codes there are: 30⁶.
    pub const ALL: u64 = 30_u64.pow(6);

    /// The code of a number, modulo the number of codes.
    pub fn of(mut number: u64) -> Self {
        Self(std::array::from_fn(|_| {
            let digit = ALPHABET[(number % 30) as usize];
            number /= 30;
            digit
        }))
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Code {
    type Err = CodeError;

    /// Capitals are taken for small letters: people type codes from a screen.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        let code: [u8; 6] = text.as_bytes().try_into().map_err(|_| CodeError)?;
        let code = code.map(|byte| byte.to_ascii_lowercase());
        if code.iter().all(|byte| ALPHABET.contains(byte)) {
            Ok(Self(code))
        } else {
            Err(CodeError)
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Reads without copying the text: every message names a table.
impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Code;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a table's code")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Code, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// The error for a text that is not a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table's code has six letters and digits, as in k3f9ab")]
pub struct CodeError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        for number in [0, 1, 29, 30, 12_345_678, Code::ALL - 1] {
            let code = Code::of(number);
            assert_eq!(code.to_string().parse(), Ok(code));
            assert_eq!(code.to_string().to_uppercase().parse(), Ok(code));
        }
        for wrong in ["", "k3f9a", "k3f9abc", "k3f9al", "k3f9a0", "k3f9aé", "é3f9a"] {
            assert_eq!(wrong.parse::<Code>(), Err(CodeError), "{wrong:?}");
        }
    }

    #[test]
    fn numbers_give_different_codes() {
        let codes = (0..1_000).map(Code::of).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(codes.len(), 1_000);
    }
}
