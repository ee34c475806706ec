//! Why nothing happened.

use std::borrow::Cow;

/// Why nothing happened: a word for catalogues, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The word.
    pub code: &'static str,
    /// The sentence.
    pub text: Cow<'static, str>,
}

impl Refused {
    /// A refusal.
    pub fn new(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { code, text: text.into() }
    }

    /// The journal cannot take it.
    pub fn not_kept(error: impl std::fmt::Display) -> Self {
        Self::new("not-kept", format!("the table cannot be kept at the moment: {error}"))
    }
}
