//! Recovery phrases: twelve words that sign a person in where they have no device.

use std::str::FromStr;

use bip39::{Language, Mnemonic};
use journal::Hash;
use sha2::{Digest, Sha256};

/// 128 random bits as twelve words of the English list of BIP 39. The last word has a checksum, so
/// a misspelt phrase is refused before anything is looked up.
pub(crate) struct Phrase([u8; 16]);

/// The words are no phrase.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no recovery phrase, check its twelve words")]
pub(crate) struct NoPhrase;

impl Phrase {
    /// A new one, drawn from the system's randomness.
    pub(crate) fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The words, for the person's eyes only.
    pub(crate) fn words(&self) -> Result<String, NoPhrase> {
        let words = Mnemonic::from_entropy_in(Language::English, &self.0).map_err(|_| NoPhrase)?;
        Ok(words.words().collect::<Vec<_>>().join(" "))
    }

    /// What is stored. A phrase has as many random bits as a secret, so it cannot be guessed from
    /// its hash.
    pub(crate) fn hash(&self) -> Hash {
        Sha256::new_with_prefix("recovery phrase").chain_update(self.0).finalize().into()
    }
}

/// Reads words as people type them: with any spaces, capitals, commas or numbers between them.
impl FromStr for Phrase {
    type Err = NoPhrase;

    fn from_str(text: &str) -> Result<Self, NoPhrase> {
        let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        let words = words.map(str::to_lowercase).collect::<Vec<_>>();
        if words.len() != 12 {
            return Err(NoPhrase);
        }
        let read = Mnemonic::parse_in_normalized(Language::English, &words.join(" "));
        let (bytes, _) = read.map_err(|_| NoPhrase)?.to_entropy_array();
        let mut entropy = [0; 16];
        entropy.copy_from_slice(&bytes[..16]);
        Ok(Self(entropy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_reads_back_however_it_is_typed() {
        let phrase = Phrase::fresh().unwrap();
        let words = phrase.words().unwrap();
        assert_eq!(words.split(' ').count(), 12);
        let numbered = words.split(' ').enumerate();
        let numbered = numbered.map(|(place, word)| format!("{}. {word}", place + 1));
        let numbered = numbered.collect::<Vec<_>>().join(",\n");
        for typed in [words.clone(), words.to_uppercase(), numbered] {
            assert_eq!(typed.parse::<Phrase>().map(|it| it.hash()), Ok(phrase.hash()), "{typed}");
        }
    }

    #[test]
    fn what_is_no_phrase_is_refused() {
        let eleven = "abandon ".repeat(11);
        let valid = format!("{eleven}about");
        assert!(valid.parse::<Phrase>().is_ok());
        for wrong in ["", "about", &eleven, &format!("{eleven}abandon"), &format!("{eleven}zebrra")]
        {
            assert!(wrong.parse::<Phrase>().is_err(), "{wrong:?}");
        }
        let other = Phrase::fresh().unwrap().hash();
        assert_ne!(valid.parse::<Phrase>().unwrap().hash(), other);
    }
}
