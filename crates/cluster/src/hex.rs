//! Bytes as hexadecimal digits.

use std::fmt::{self, Write};

use journal::Hash;
use serde::{Deserialize, Serialize};

/// A hash that is written as 64 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct HexHash(pub(crate) Hash);

impl fmt::Display for HexHash {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl From<HexHash> for String {
    fn from(hash: HexHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for HexHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        unhex(&text).map(Self).ok_or("a hash has 64 hexadecimal digits")
    }
}

/// Two small digits for each byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _a_string_takes_everything = write!(text, "{byte:02x}");
        text
    })
}

/// Bytes from twice as many digits.
pub(crate) fn unhex<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    let digit = |digit: &u8| (*digit as char).to_digit(16);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let bytes = pairs.iter().map(|[high, low]| Some(((digit(high)? << 4) | digit(low)?) as u8));
    bytes.collect::<Option<Vec<_>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_read_back_as_they_were_written() {
        assert_eq!(hex(&[0, 0x0f, 0xa0, 0xff]), "000fa0ff");
        assert_eq!(unhex("000fa0ff"), Some([0, 0x0f, 0xa0, 0xff]));
    }

    #[test]
    fn a_hash_reads_back_as_it_was_written() {
        let hash = HexHash([0xa5; 32]);
        assert_eq!(HexHash::try_from(String::from(hash)), Ok(hash));
        assert!(HexHash::try_from("a5".to_owned()).is_err());
    }

    #[test]
    fn other_texts_are_no_bytes() {
        for text in ["", "0", "000", "00000", "0g", "é0"] {
            assert_eq!(unhex::<2>(text), None, "{text:?}");
        }
    }
}
