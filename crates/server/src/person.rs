//! People without accounts: a secret in a cookie, its hash on the server, and a name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wire::Name;

/// The 128 random bits that make somebody who they are. Only their browser keeps it.
pub(crate) struct Secret([u8; 16]);

impl Secret {
    /// A new one, drawn from the system's randomness.
    pub(crate) fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Who this is. The hash can be stored and shown to no harm: nobody finds the secret from it.
    pub(crate) fn person(&self) -> PersonId {
        PersonId(Sha256::digest(self.0).into())
    }

    /// The secret as it goes into the cookie, and nowhere else.
    pub(crate) fn to_cookie(&self) -> String {
        hex(&self.0)
    }
}

/// Nothing of a secret is ever printed.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl FromStr for Secret {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        unhex(text).map(Self)
    }
}

/// A person, by the hash of their secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct PersonId([u8; 32]);

impl PersonId {
    /// The hash itself, by which the store finds the person.
    pub(crate) fn hash(&self) -> [u8; 32] {
        self.0
    }
}

/// Enough to tell people apart in a log.
impl fmt::Debug for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0[..4]))
    }
}

impl From<PersonId> for String {
    fn from(person: PersonId) -> Self {
        hex(&person.0)
    }
}

impl TryFrom<String> for PersonId {
    type Error = NotHex;

    fn try_from(text: String) -> Result<Self, NotHex> {
        unhex(&text).map(Self)
    }
}

/// Somebody who is known by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) id: PersonId,
    pub(crate) name: Name,
    /// Whether others may play with a machine that keeps their recorded tempo.
    pub(crate) lends_tempo: bool,
}

/// What is returned for a text that is not the hexadecimal digits it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are not the hexadecimal digits that belong there")]
pub(crate) struct NotHex;

/// Small hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes of so many small hexadecimal digits.
pub(crate) fn unhex<const N: usize>(text: &str) -> Result<[u8; N], NotHex> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(NotHex),
    };
    if text.len() != 2 * N {
        return Err(NotHex);
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_back_from_its_cookie_and_shows_nowhere_else() {
        let secret = Secret::fresh().unwrap();
        let again = secret.to_cookie().parse::<Secret>().unwrap();
        assert_eq!(secret.person(), again.person());
        assert_eq!(format!("{secret:?}"), "Secret");
        assert_ne!(Secret::fresh().unwrap().person(), secret.person());
        for wrong in ["", "xx", &"0".repeat(31), &"G".repeat(32), &"é".repeat(16)] {
            assert!(wrong.parse::<Secret>().is_err(), "{wrong:?}");
        }
    }
}
