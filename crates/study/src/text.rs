//! Texts in the languages of a study.

use serde::{Deserialize, Serialize};
use wire::Language;

/// A text in several languages, as a file has it: `text.en = "…"`, `text.de = "…"`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// In English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
    /// In French.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fr: Option<String>,
    /// In German.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub de: Option<String>,
    /// In Spanish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub es: Option<String>,
    /// In Italian.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub it: Option<String>,
}

impl Text {
    /// The text in a language, if the file has it.
    pub fn find(&self, language: Language) -> Option<&str> {
        match language {
            Language::En => self.en.as_deref(),
            Language::Fr => self.fr.as_deref(),
            Language::De => self.de.as_deref(),
            Language::Es => self.es.as_deref(),
            Language::It => self.it.as_deref(),
        }
    }

    /// The text in a language of the study. Every text of a checked study is there in each of
    /// them; a text that a file may leave out is empty.
    pub fn to(&self, language: Language) -> String {
        self.find(language).unwrap_or_default().trim().to_owned()
    }

    /// The languages in which it is there.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        LANGUAGES.into_iter().filter(|language| self.find(*language).is_some())
    }
}

/// All languages of the interface.
pub(crate) const LANGUAGES: [Language; 5] =
    [Language::En, Language::Fr, Language::De, Language::Es, Language::It];

/// The code of a language, as files and data have it.
pub(crate) fn code(language: Language) -> &'static str {
    match language {
        Language::En => "en",
        Language::Fr => "fr",
        Language::De => "de",
        Language::Es => "es",
        Language::It => "it",
    }
}
