//! Why nothing happened.

use std::borrow::Cow;

use wire::{Code, Refusal};

/// Why nothing happened, and a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub why: Refusal,
    /// The sentence.
    pub text: Cow<'static, str>,
}

impl Refused {
    /// A refusal.
    pub fn new(why: Refusal, text: impl Into<Cow<'static, str>>) -> Self {
        Self { why, text: text.into() }
    }

    /// The code leads to no table.
    pub fn no_table(code: Code) -> Self {
        Self::new(Refusal::NoTable, format!("there is no table {code}, check the code"))
    }

    /// The journal cannot take it.
    pub fn not_kept(error: impl std::fmt::Display) -> Self {
        Self::new(Refusal::NotKept, format!("the table cannot be kept at the moment: {error}"))
    }
}
