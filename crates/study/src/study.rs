//! A study that can be run.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wire::{BotKind, Language, NotHex, Setup, StudyEnd, StudyName, hex, unhex};

use crate::check::check;
use crate::fault::{Faults, Findings};
use crate::file::StudyFile;
use crate::item::Item;
use crate::text::Text;

/// A study whose file was checked. Every text is there in every language of the study.
#[derive(Clone, Debug)]
pub struct Study {
    /// What it is called.
    pub about: About,
    /// Information and consent.
    pub consent: ConsentTexts,
    /// What stands in the link that participants follow.
    pub link: Link,
    /// The pages of the instructions.
    pub instructions: Vec<Text>,
    /// The questions about them, if there are any.
    pub comprehension: Option<Comprehension>,
    /// How partners are waited for.
    pub waiting: WaitingRoom,
    /// What holds at the tables.
    pub table: TableTerms,
    /// What is compared.
    pub conditions: Vec<Condition>,
    /// All questionnaires.
    pub questionnaires: Vec<Questionnaire>,
    /// Where participants go, and what is stored of them.
    pub after: After,
}

/// What a study is called.
#[derive(Clone, Debug)]
pub struct About {
    /// A part of its address.
    pub name: StudyName,
    /// What participants know it by.
    pub title: Text,
    /// The languages of all texts, the first for people who read none of them.
    pub languages: Vec<Language>,
    /// The version of the file.
    pub version: StudyVersion,
}

/// The version of a study: the first 64 bits of the SHA-256 hash of its file, as 16 digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct StudyVersion([u8; 8]);

impl StudyVersion {
    /// The version of a file with this text.
    pub fn of(text: &str) -> Self {
        let hash = Sha256::digest(text);
        Self(std::array::from_fn(|index| hash[index]))
    }
}

impl fmt::Display for StudyVersion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for StudyVersion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<StudyVersion> for String {
    fn from(version: StudyVersion) -> Self {
        version.to_string()
    }
}

impl TryFrom<String> for StudyVersion {
    type Error = NotHex;

    fn try_from(text: String) -> Result<Self, NotHex> {
        unhex(&text).map(Self)
    }
}

/// Information and consent.
#[derive(Clone, Debug)]
pub struct ConsentTexts {
    /// The version of both.
    pub version: String,
    /// What the study is about.
    pub information: Text,
    /// What is consented to.
    pub text: Text,
    /// Sentences to be ticked, by their ids.
    pub statements: Vec<(String, Text)>,
}

/// What stands in the link that participants follow.
#[derive(Clone, Debug)]
pub struct Link {
    /// The parameter with the participant's id.
    pub participant: String,
    /// The parameter with the id of the study at the panel.
    pub study: String,
    /// The parameter with the id of the session.
    pub session: String,
    /// Whether a link without a participant id is refused.
    pub required: bool,
    /// Whether the parameters are stored with the data.
    pub store: bool,
    /// Whether a browser can take part only once.
    pub once_per_browser: bool,
    /// The origins of pages that may embed the study.
    pub embedders: Vec<String>,
}

/// The questions about the instructions.
#[derive(Clone, Debug)]
pub struct Comprehension {
    /// How many tries there are.
    pub tries: u8,
    /// The questions.
    pub questions: Vec<Question>,
}

/// A question with its right answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question.
    pub item: Item,
    /// The right answer.
    pub right: wire::StudyAnswer,
}

/// How partners are waited for.
#[derive(Clone, Debug)]
pub struct WaitingRoom {
    /// After how long without partners a participant is let go.
    pub limit: Duration,
    /// What is said meanwhile; may be empty.
    pub text: Text,
}

/// What holds at the tables.
#[derive(Clone, Debug)]
pub struct TableTerms {
    /// Whether players may chat between levels.
    pub chat: bool,
    /// Whether players may send signs.
    pub signs: bool,
    /// What players are called, seat A first.
    pub names: Vec<wire::Name>,
    /// After how long a player who is gone counts as having left.
    pub away: Duration,
}

/// What a group plays.
#[derive(Clone, Debug)]
pub struct Condition {
    /// By what it is named in the data.
    pub name: String,
    /// Who plays beside the first participant, seat B first.
    pub partners: Vec<Partner>,
    /// In which order the games are played.
    pub order: Order,
    /// The games.
    pub games: Vec<Game>,
}

impl Condition {
    /// How many people a group has.
    pub fn people(&self) -> usize {
        1 + self.partners.iter().filter(|partner| matches!(partner, Partner::Person)).count()
    }
}

/// Who plays beside a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// Another participant.
    Person,
    /// A bot.
    Bot(BotKind),
}

/// In which order a group plays the games of its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they are written.
    AsWritten,
    /// By chance, anew for each group.
    Shuffled,
    /// Each group begins one game later than the one before.
    Rotated,
}

/// A game of a condition.
#[derive(Clone, Debug)]
pub struct Game {
    /// What is played.
    pub setup: Setup,
    /// Games with this label are dealt the same where they stand at the same place of their conditions.
    pub deals: String,
}

/// Questions before, between or after games.
#[derive(Clone, Debug)]
pub struct Questionnaire {
    /// By what it is named in the data.
    pub id: String,
    /// When it is shown.
    pub when: When,
    /// Its title.
    pub title: Text,
    /// What stands above the questions; may be empty.
    pub text: Text,
    /// The questions.
    pub items: Vec<Item>,
}

/// When a questionnaire is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the first game.
    Before,
    /// Between two games, each time.
    Between,
    /// After the last game.
    After,
}

/// What comes after the study.
#[derive(Clone, Debug)]
pub struct After {
    /// Where participants go.
    pub endings: Endings,
    /// What is stored, and for how long.
    pub data: DataTerms,
}

/// Where participants go, by how the study ended for them.
#[derive(Clone, Debug)]
pub struct Endings(pub(crate) Vec<(StudyEnd, Ending)>);

impl Endings {
    /// The ending for an end; an empty one if the file names none.
    pub fn of(&self, end: StudyEnd) -> Ending {
        let found = self.0.iter().find(|(of, _)| *of == end);
        found.map(|(_, ending)| ending.clone()).unwrap_or_default()
    }
}

/// Where a participant goes.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// What is said; may be empty.
    pub text: Text,
    /// The address.
    pub address: Option<String>,
    /// The code for the payment.
    pub code: Option<String>,
    /// What is paid.
    pub pay: Option<String>,
}

/// What is stored, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct DataTerms {
    /// After how many days what a participant gave is deleted.
    pub retention_days: u32,
    /// Whether pages note the device, the screen and what was shown when.
    pub notes: bool,
}

impl Study {
    /// Reads and checks a file. `file` is its name, for the faults, which name every line that is
    /// wrong and what to write there.
    pub fn read(file: &str, text: &str) -> Result<Self, Faults> {
        let mut findings = Findings::new(file, text);
        match toml::from_str::<StudyFile>(text) {
            Ok(written) => {
                let study = check(written, StudyVersion::of(text), &mut findings);
                findings.into_result()?;
                study.ok_or_else(|| Faults(Vec::new()))
            }
            Err(error) => {
                findings.unread(&error);
                Err(findings.into_result().err().unwrap_or(Faults(Vec::new())))
            }
        }
    }

    /// The language of a participant: the one they read if the study offers it.
    pub fn language(&self, wanted: Language) -> Language {
        let offered = &self.about.languages;
        if offered.contains(&wanted) { wanted } else { offered.first().copied().unwrap_or(wanted) }
    }

    /// The questionnaires of a time.
    pub fn forms(&self, when: When) -> impl Iterator<Item = &Questionnaire> {
        self.questionnaires.iter().filter(move |form| form.when == when)
    }
}
