//! A study's file as it was written: it may say anything that has the right form.

use serde::Deserialize;
use wire::Language;

use crate::text::Text;

/// A whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    /// What the study is called.
    pub study: AboutSection,
    /// Information and consent.
    pub consent: ConsentSection,
    /// What stands in the link that participants follow.
    #[serde(default)]
    pub link: LinkSection,
    /// Instructions and the questions about them.
    #[serde(default)]
    pub instructions: InstructionsSection,
    /// How partners are waited for.
    #[serde(default)]
    pub waiting: WaitingSection,
    /// What holds at the tables.
    #[serde(default)]
    pub table: TableSection,
    /// What is compared.
    pub conditions: Vec<ConditionSection>,
    /// Questions before, between and after games.
    #[serde(default)]
    pub questionnaires: Vec<QuestionnaireSection>,
    /// Where participants go at the end.
    pub endings: EndingsSection,
    /// What is stored, and for how long.
    pub data: DataSection,
}

/// `[study]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AboutSection {
    /// A part of its address.
    pub name: String,
    /// What participants know it by.
    pub title: Text,
    /// The languages of all its texts, the first for people who read none of them.
    pub languages: Vec<Language>,
}

/// `[consent]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsentSection {
    /// The version of both texts.
    pub version: String,
    /// What the study is about.
    pub information: Text,
    /// What is consented to.
    pub text: Text,
    /// Sentences to be ticked.
    #[serde(default)]
    pub statements: Vec<OptionEntry>,
}

/// An option of a question, or a statement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionEntry {
    /// By what it is named in the data.
    pub id: String,
    /// What is shown.
    pub text: Text,
}

/// `[link]`
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkSection {
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
    /// Whether a browser can take part only once, whatever id the link has.
    pub once_per_browser: bool,
    /// The origins of pages that may embed the study.
    pub embedders: Vec<String>,
}

impl Default for LinkSection {
    fn default() -> Self {
        Self {
            participant: "PROLIFIC_PID".to_owned(),
            study: "STUDY_ID".to_owned(),
            session: "SESSION_ID".to_owned(),
            required: false,
            store: false,
            once_per_browser: true,
            embedders: Vec::new(),
        }
    }
}

/// `[instructions]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InstructionsSection {
    /// The pages.
    pub pages: Vec<Text>,
    /// How many tries there are; 2 if left out.
    pub tries: Option<u8>,
    /// The questions.
    pub questions: Vec<QuestionEntry>,
}

/// A question with its right answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionEntry {
    /// By what it is named in the data.
    pub id: String,
    /// The question.
    pub text: Text,
    /// How it is answered.
    pub answer: AnswerEntry,
    /// The right answer.
    pub right: RightEntry,
}

/// The right answer to a question.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum RightEntry {
    /// The id of an option.
    Choice(String),
    /// The ids of options.
    Choices(Vec<String>),
    /// A number.
    Number(f64),
}

/// `[waiting]`
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WaitingSection {
    /// After how many seconds without partners a participant is let go.
    pub limit_s: u32,
    /// What is said meanwhile, and what they get for it.
    pub text: Text,
}

impl Default for WaitingSection {
    fn default() -> Self {
        Self { limit_s: 300, text: Text::default() }
    }
}

/// `[table]`
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableSection {
    /// Whether players may chat between levels.
    pub chat: bool,
    /// Whether players may send signs.
    pub signs: bool,
    /// What players are called, seat A first; `A`, `B` and so on if left out.
    pub names: Vec<String>,
    /// After how many seconds a player who is gone counts as having left.
    pub away_s: u32,
}

impl Default for TableSection {
    fn default() -> Self {
        Self { chat: false, signs: false, names: Vec::new(), away_s: 90 }
    }
}

/// `[[conditions]]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionSection {
    /// By what it is named in the data.
    pub name: String,
    /// Who plays beside the participant: `person` or the name of a bot.
    pub partners: Vec<String>,
    /// In which order the games are played; as written if left out.
    #[serde(default)]
    pub order: OrderEntry,
    /// The games.
    pub games: Vec<GameEntry>,
}

/// The order of a condition's games.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderEntry {
    /// As they are written.
    #[default]
    AsWritten,
    /// Another order for each group, by chance.
    Shuffled,
    /// Each group begins one game later than the one before.
    Rotated,
}

/// `[[conditions.games]]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    /// Which game.
    pub game: String,
    /// Its set-up in the game's notation, without the number of players.
    #[serde(default)]
    pub setup: String,
    /// Which deals it has: games with the same label, at the same place of their conditions, are dealt
    /// the same. The name of the condition if left out.
    #[serde(default)]
    pub deals: String,
}

fn yes() -> bool {
    true
}

/// `[[questionnaires]]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionnaireSection {
    /// By what it is named in the data.
    pub id: String,
    /// Before the first game, between two games or after the last.
    pub when: WhenEntry,
    /// Its title.
    pub title: Text,
    /// What stands above the questions.
    #[serde(default)]
    pub text: Text,
    /// The questions.
    pub items: Vec<ItemEntry>,
}

/// When a questionnaire is shown.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenEntry {
    /// Before the first game.
    Before,
    /// Between two games, each time.
    Between,
    /// After the last game.
    After,
}

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemEntry {
    /// By what it is named in the data.
    pub id: String,
    /// The question.
    pub text: Text,
    /// Whether it has to be answered.
    #[serde(default = "yes")]
    pub required: bool,
    /// How it is answered.
    pub answer: AnswerEntry,
}

/// How a question is answered.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AnswerEntry {
    /// Not at all: it is a text to be read.
    Note {},
    /// By a text.
    Text {
        /// How many lines the field has.
        #[serde(default = "one")]
        lines: u8,
        /// How many characters it may have.
        #[serde(default = "some_characters")]
        chars_most: u32,
    },
    /// By a number.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// Whether it has to be whole.
        #[serde(default = "yes")]
        whole: bool,
    },
    /// By one option.
    Choice {
        /// The options.
        options: Vec<OptionEntry>,
    },
    /// By several options.
    Choices {
        /// The options.
        options: Vec<OptionEntry>,
        /// How many have to be chosen.
        #[serde(default)]
        least: u8,
        /// How many may be chosen; all of them if left out.
        #[serde(default)]
        most: Option<u8>,
    },
    /// By a point on a scale.
    Likert {
        /// How many points it has.
        #[serde(default = "seven")]
        points: u8,
        /// What the first means.
        low: Text,
        /// What the last means.
        high: Text,
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
        low: Text,
        /// What its right end means.
        high: Text,
    },
}

fn one() -> u8 {
    1
}

fn seven() -> u8 {
    7
}

fn some_characters() -> u32 {
    500
}

/// `[endings]`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EndingsSection {
    /// All games were played and all questions answered.
    pub completed: EndingEntry,
    /// A partner left; as for `completed` if left out.
    #[serde(default)]
    pub partner_left: Option<EndingEntry>,
    /// No consent was given.
    #[serde(default)]
    pub refused: EndingEntry,
    /// The questions about the instructions were not answered right.
    #[serde(default)]
    pub not_understood: EndingEntry,
    /// No partner came.
    #[serde(default)]
    pub no_partner: EndingEntry,
    /// The participant was gone for too long.
    #[serde(default)]
    pub dropped_out: EndingEntry,
    /// The participant id had taken part before.
    #[serde(default)]
    pub second_try: EndingEntry,
    /// The participant withdrew.
    #[serde(default)]
    pub withdrawn: EndingEntry,
    /// The study takes no participants any more.
    #[serde(default)]
    pub closed: EndingEntry,
}

/// Where a participant goes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EndingEntry {
    /// What is said.
    pub text: Text,
    /// The address.
    pub address: Option<String>,
    /// The code for the payment.
    pub code: Option<String>,
    /// What is paid, for the data alone.
    pub pay: Option<String>,
}

/// `[data]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSection {
    /// After how many days what a participant gave is deleted.
    pub retention_days: u32,
    /// Whether pages note the device, the screen and what was shown when.
    #[serde(default = "yes")]
    pub notes: bool,
}
