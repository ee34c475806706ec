//! People without accounts: a secret in a cookie, its hash on the server, and a name.

use std::fmt;
use std::str::FromStr;

use journal::Hash;
use sha2::{Digest, Sha256};
use wire::{NotHex, hex, unhex};

/// The 128 random bits that a device is signed in by. Only its browser keeps them.
pub(crate) struct Secret([u8; 16]);

impl Secret {
    /// A new one, drawn from the system's randomness.
    pub(crate) fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The hash that the server knows the device by. The secret cannot be found from it.
    pub(crate) fn hash(&self) -> Hash {
        Sha256::digest(self.0).into()
    }

    /// The secret for the cookie. It must go nowhere else.
    pub(crate) fn to_cookie(&self) -> String {
        hex(&self.0)
    }
}

/// Prints nothing of the secret.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_back_from_its_cookie_and_shows_nowhere_else() {
        let secret = Secret::fresh().unwrap();
        let again = secret.to_cookie().parse::<Secret>().unwrap();
        assert_eq!(secret.hash(), again.hash());
        assert_eq!(format!("{secret:?}"), "Secret");
        assert_ne!(Secret::fresh().unwrap().hash(), secret.hash());
        for wrong in ["", "xx", &"0".repeat(31), &"G".repeat(32), &"é".repeat(16)] {
            assert!(wrong.parse::<Secret>().is_err(), "{wrong:?}");
        }
    }
}
