//! Studies with people: what a participant's page shows and sends, step by step.
//!
//! Texts come from the study's file, in a language that it offers. `docs/studies.md` describes the
//! paths and the order of the steps.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rules::door::GameName;
use rules::kit::Outcome;
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::commitment::Commitment;
use crate::partners::Language;
use crate::record::Progress;

/// How many characters the name of a study has at the most.
const NAME_CHARS_MOST: usize = 24;

/// The name of a study, which is a part of its address: 1 to 24 small letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct StudyName(String);

impl StudyName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StudyName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for StudyName {
    type Err = StudyNameError;

    fn from_str(text: &str) -> Result<Self, StudyNameError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let fits = (1..=NAME_CHARS_MOST).contains(&text.len()) && text.bytes().all(allowed);
        if fits { Ok(Self(text.to_owned())) } else { Err(StudyNameError) }
    }
}

crate::text_in_json!(StudyName);

/// The error for a text that names no study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of a study has 1 to 24 small letters, digits and hyphens, as in tempo-report")]
pub struct StudyNameError;

/// What a participant's page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyPage {
    /// Which study.
    pub study: StudyName,
    /// What participants know it by.
    pub title: String,
    /// The language of all texts on this page.
    pub language: Language,
    /// The languages that the study offers.
    pub languages: Vec<Language>,
    /// The version of the study's file.
    pub version: String,
    /// Where the participant is.
    pub step: StudyStep,
    /// How many steps are behind the participant, and how many there are: for a bar.
    pub progress: StudyProgress,
    /// Whether the participant can withdraw now, which deletes what they gave.
    pub may_withdraw: bool,
    /// Whether the page sends notes about the device, the screen and what was shown when.
    pub wants_notes: bool,
    /// The origins whose pages may embed the study; an embedded page sends the end to them.
    pub embedders: Vec<String>,
}

/// How far a participant has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyProgress {
    /// How many steps are done.
    pub done: u8,
    /// How many there are in all.
    pub steps: u8,
}

/// Where a participant is in a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StudyStep {
    /// The person takes no part yet: the page sends their arrival.
    Arrive {
        /// The parameters of the link that are sent with it.
        parameters: Vec<String>,
    },
    /// The information is read, and consent given or refused.
    Consent {
        /// What the study is about.
        information: String,
        /// What the participant consents to.
        consent: String,
        /// Sentences to be ticked one by one; all of them have to be for consent.
        statements: Vec<StudyOption>,
        /// The version of both texts, sent back with the answer.
        version: String,
        /// How this data is handled, in sentences that the server adds: what is stored, for how
        /// long, and how to withdraw.
        days: u32,
        /// Whether the parameters of the link are stored with the data.
        stores_parameters: bool,
    },
    /// The instructions, page by page.
    Instructions {
        /// The pages.
        pages: Vec<String>,
    },
    /// Questions about the instructions.
    Comprehension {
        /// The questions.
        questions: Vec<StudyItem>,
        /// How many tries are left, this one included.
        tries_left: u8,
        /// The questions that were answered wrong in the last try.
        wrong: Vec<String>,
    },
    /// Questions before, between or after games.
    Questionnaire {
        /// Which, for the answers.
        id: String,
        /// Its title.
        title: String,
        /// What stands above the questions; may be empty.
        text: String,
        /// The questions.
        items: Vec<StudyItem>,
    },
    /// Partners are waited for, before the first game or between two games.
    Waiting {
        /// What is said meanwhile, and what the participant gets for waiting.
        text: String,
        /// How many people of the group are there, the participant included.
        people: u8,
        /// How many the group has.
        needed: u8,
        /// For how many seconds the participant has waited.
        waited_s: u32,
        /// After how many seconds they are let go.
        limit_s: u32,
        /// Whether it is the wait for partners that the group has already, between two games.
        between: bool,
    },
    /// A game is on at a table.
    Playing {
        /// Which table.
        table: Code,
        /// Which game of the participant it is, from 1.
        game: u8,
        /// How many there are.
        games: u8,
        /// Whether the participant is missing at the table or has not come to it yet.
        away: bool,
    },
    /// The study is over for the participant.
    Ended {
        /// How.
        end: StudyEnd,
        /// What is said.
        text: String,
        /// Where the participant goes from here.
        address: Option<String>,
        /// The code that shows that they took part.
        code: Option<String>,
        /// The games that they played.
        results: Vec<StudyResult>,
    },
}

/// How the study ended for a participant.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StudyEnd {
    /// All games were played and all questions answered.
    Completed,
    /// A partner left for good; the questions at the end were answered.
    PartnerLeft,
    /// No consent was given.
    Refused,
    /// The questions about the instructions were not answered right within the tries.
    NotUnderstood,
    /// No partner came in time.
    NoPartner,
    /// The participant was gone for too long, or left.
    DroppedOut,
    /// The participant id has taken part before, with another browser.
    SecondTry,
    /// The participant withdrew, and what they gave is deleted.
    Withdrawn,
    /// The study takes no participants any more.
    Closed,
}

/// How a game of a participant ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyResult {
    /// Which game.
    pub game: GameName,
    /// How it ended; `None` if it was broken off.
    pub outcome: Option<Outcome>,
    /// How far it came; `None` if it was broken off.
    pub reached: Option<Progress>,
}

/// One question, or a text between questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyItem {
    /// By what its answer is named.
    pub id: String,
    /// The question.
    pub text: String,
    /// Whether it has to be answered.
    pub required: bool,
    /// How it is answered.
    pub kind: StudyItemKind,
}

/// How a question is answered: a closed set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StudyItemKind {
    /// It is no question: a text to be read.
    Note,
    /// By a text.
    Text {
        /// How many lines the field has.
        lines: u8,
        /// How many characters the answer may have.
        chars_most: u32,
    },
    /// By a number.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// Whether it has to be a whole number.
        whole: bool,
    },
    /// By one of some options.
    Choice {
        /// The options.
        options: Vec<StudyOption>,
    },
    /// By several of some options.
    Choices {
        /// The options.
        options: Vec<StudyOption>,
        /// How many have to be chosen.
        least: u8,
        /// How many may be chosen.
        most: u8,
    },
    /// By a point on a scale with a word at each end.
    Likert {
        /// How many points it has.
        points: u8,
        /// What the first point means.
        low: String,
        /// What the last point means.
        high: String,
    },
    /// By a place on a line.
    Slider {
        /// The number at its left end.
        least: f64,
        /// The number at its right end.
        most: f64,
        /// The distance of two places.
        step: f64,
        /// What its left end means.
        low: String,
        /// What its right end means.
        high: String,
    },
}

/// One of some options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyOption {
    /// By what it is named in answers.
    pub id: String,
    /// What is shown.
    pub text: String,
}

/// The answer to a question. A question that is left out has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StudyAnswer {
    /// A text.
    Text(String),
    /// A number, or a place on a line.
    Number(f64),
    /// The id of an option.
    Choice(String),
    /// The ids of options.
    Choices(Vec<String>),
    /// A point of a scale, from 1.
    Likert(u8),
}

/// The arrival of a participant: `POST /api/study/{name}/arrival`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyArrival {
    /// The parameters of the link that the study asks for, by name.
    pub parameters: BTreeMap<String, String>,
    /// The language that the participant reads.
    pub language: Language,
    /// Whether the page is shown within a page of another site.
    pub embedded: bool,
}

/// Consent: `POST /api/study/{name}/consent`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyConsent {
    /// Whether it is given.
    pub given: bool,
    /// The version of the texts that were shown.
    pub version: String,
}

/// Answers: `POST /api/study/{name}/answers`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyAnswers {
    /// To what.
    pub to: StudyForm,
    /// The answers by the ids of their questions; empty for instructions.
    pub answers: BTreeMap<String, StudyAnswer>,
    /// How long the form was shown, in milliseconds.
    pub took_ms: u32,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StudyForm {
    /// The instructions were read.
    Instructions,
    /// The questions about the instructions.
    Comprehension,
    /// The questionnaire with this id.
    Questionnaire(String),
}

/// What a page notes for the data: `POST /api/study/{name}/notes`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyNotes {
    /// The notes in the order of their times, at most 500.
    pub notes: Vec<StudyNote>,
}

/// A note of a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyNote {
    /// When it happened, in milliseconds of the server's clock, as `pressed` of a move is.
    pub at: f64,
    /// What.
    pub what: StudyNoteKind,
}

/// What a page notes. No decision of a table depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StudyNoteKind {
    /// The page has this size, in CSS pixels; `scale` is the number of device pixels in one.
    Screen {
        /// The width of the page.
        width: u16,
        /// The height of the page.
        height: u16,
        /// Device pixels in a CSS pixel.
        scale: f32,
    },
    /// The page was hidden.
    Hidden,
    /// The page is seen again.
    Seen,
    /// An update of the table was on the screen.
    Shown {
        /// Which table.
        table: Code,
        /// The `seq` of the update.
        seq: u32,
    },
    /// A move was pressed.
    Pressed {
        /// At which table.
        table: Code,
        /// The number of the page, as in its hello.
        client: u32,
        /// The number of the message, as in the move.
        id: u32,
        /// By what.
        input: StudyInput,
    },
}

/// What a move was pressed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StudyInput {
    /// A mouse or trackpad.
    Mouse,
    /// A finger.
    Touch,
    /// A pen.
    Pen,
    /// A key.
    Keyboard,
    /// Something else, such as an assistive device.
    Other,
}

/// What the tables of a study differ in: a part of [`Table`](crate::Table).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyTable {
    /// Which study the table belongs to: its page is at `/study/` and this.
    pub name: StudyName,
    /// Whether players may chat.
    pub chat: bool,
    /// Whether players may greet each other by signs.
    pub signs: bool,
}

/// A deal of a study, which every group of a condition gets: `GET /api/study/{name}/deals`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyDeal {
    /// For groups of which condition.
    pub condition: String,
    /// In which of the condition's games, from 1.
    pub game: u8,
    /// The commitment to its seed.
    pub commitment: Commitment,
    /// The seed, as hexadecimal digits; `None` while the study is open.
    pub seed: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_were_written() {
        for text in ["a", "tempo-report", "x2", &"a".repeat(NAME_CHARS_MOST)] {
            assert_eq!(text.parse::<StudyName>().map(|name| name.to_string()), Ok(text.to_owned()));
        }
        for wrong in ["", "A", "a_b", "a b", "ä", &"a".repeat(NAME_CHARS_MOST + 1)] {
            assert_eq!(wrong.parse::<StudyName>(), Err(StudyNameError), "{wrong:?}");
        }
    }

    #[test]
    fn answers_are_short_json() {
        let answers = StudyAnswers {
            to: StudyForm::Questionnaire("before".to_owned()),
            answers: [
                ("age".to_owned(), StudyAnswer::Number(31.0)),
                ("played".to_owned(), StudyAnswer::Choice("often".to_owned())),
            ]
            .into(),
            took_ms: 9_000,
        };
        let text = r#"{"to":{"questionnaire":"before"},"answers":{"age":{"number":31.0},"played":{"choice":"often"}},"took_ms":9000}"#;
        assert_eq!(serde_json::to_string(&answers).unwrap(), text);
        assert_eq!(serde_json::from_str::<StudyAnswers>(text).unwrap(), answers);
    }
}
