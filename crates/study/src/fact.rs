//! What happened in a study: the lines of its log.

use std::collections::BTreeMap;
use std::fmt;

use rules::kit::Outcome;
use serde::{Deserialize, Serialize};
use table::PersonId;
use wire::{Code, Language, Progress, StudyAnswer, StudyEnd, StudyNote};

use crate::time::Time;

/// A participation, counted from 0 in the order of arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ParticipationId(pub u32);

impl fmt::Display for ParticipationId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "participation {}", self.0)
    }
}

/// A group, counted from 0 in the order in which they formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GroupId(pub u32);

/// A line of a study's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Logged {
    /// When it happened.
    pub at: Time,
    /// What.
    pub fact: Fact,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fact {
    /// A participant arrived.
    Arrived {
        /// The participation that begins.
        participation: ParticipationId,
        /// Who, and from where.
        arrival: Arrival,
    },
    /// The participant id came again, from another browser.
    CameAgain {
        /// The participation that it has.
        participation: ParticipationId,
    },
    /// Consent was given.
    Consented {
        /// By whom.
        participation: ParticipationId,
        /// To which version of the texts.
        version: String,
    },
    /// The instructions were read.
    Read {
        /// By whom.
        participation: ParticipationId,
        /// How long they were shown.
        took_ms: u32,
    },
    /// The questions about the instructions were answered.
    Tried {
        /// By whom.
        participation: ParticipationId,
        /// How.
        answers: BTreeMap<String, StudyAnswer>,
        /// The questions whose answers are wrong.
        wrong: Vec<String>,
        /// How long they were shown.
        took_ms: u32,
    },
    /// A questionnaire was answered.
    Answered {
        /// By whom.
        participation: ParticipationId,
        /// Which.
        form: String,
        /// How.
        answers: BTreeMap<String, StudyAnswer>,
        /// How long it was shown.
        took_ms: u32,
    },
    /// A group formed.
    Grouped {
        /// Which.
        group: GroupId,
        /// The name of its condition.
        condition: String,
        /// Its people, seat A first.
        members: Vec<ParticipationId>,
        /// Which of the condition's games comes first, second and so on, counted from 0.
        order: Vec<u8>,
    },
    /// A table was opened for a game of a group.
    Opened {
        /// Which group.
        group: GroupId,
        /// Which of its games, counted from 0 in the order of playing.
        game: u8,
        /// Where.
        table: Code,
    },
    /// A game of a group is over.
    Played {
        /// Which group.
        group: GroupId,
        /// Which of its games.
        game: u8,
        /// How it ended.
        result: EndedGame,
    },
    /// A group plays no further, because one of its people has gone for good.
    Broken {
        /// Which.
        group: GroupId,
        /// Who has gone.
        by: ParticipationId,
    },
    /// The study is over for a participant.
    Ended {
        /// For whom.
        participation: ParticipationId,
        /// How.
        end: StudyEnd,
    },
    /// What a participant gave is deleted, because they withdrew or its time is over.
    Erased {
        /// Whose.
        participation: ParticipationId,
    },
    /// A page noted something.
    Noted {
        /// Whose page.
        participation: ParticipationId,
        /// What.
        notes: Vec<StudyNote>,
    },
    /// The study takes no participants any more.
    Closed,
}

/// Who arrives, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    /// The person; `None` once it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    /// Whether the person was made by this arrival, and is deleted with what they gave.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
    /// A keyed hash of the participant id; `None` if the link had none, or once it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// What the link had, if the file has it stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<LinkParameters>,
    /// The language that is read; `None` once it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Whether the page is shown within another site's page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embedded: bool,
}

impl Arrival {
    /// An arrival without parameters, for tests and examples.
    pub fn of_test(person: [u8; 32], language: Language) -> Self {
        let (person, language) = (Some(PersonId::from_hash(person)), Some(language));
        Self { person, language, ..Self::default() }
    }
}

/// The parameters of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkParameters {
    /// The participant's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// The study's id at the panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// The session's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndedGame {
    /// How; `None` if it was broken off.
    pub outcome: Option<Outcome>,
    /// How far it came.
    pub reached: Option<Progress>,
}

impl Fact {
    /// Whose doing it is, if it is one participant's.
    pub fn participation(&self) -> Option<ParticipationId> {
        match self {
            Self::Arrived { participation, .. }
            | Self::CameAgain { participation }
            | Self::Consented { participation, .. }
            | Self::Read { participation, .. }
            | Self::Tried { participation, .. }
            | Self::Answered { participation, .. }
            | Self::Ended { participation, .. }
            | Self::Erased { participation }
            | Self::Noted { participation, .. } => Some(*participation),
            Self::Grouped { .. }
            | Self::Opened { .. }
            | Self::Played { .. }
            | Self::Broken { .. }
            | Self::Closed => None,
        }
    }

    /// The same fact without anything that its participant gave; `None` if it has nothing of that.
    /// The log is folded to the same stages with it.
    pub fn erased(&self) -> Option<Self> {
        let erased = match self {
            Self::Arrived { participation, .. } => {
                Self::Arrived { participation: *participation, arrival: Arrival::default() }
            }
            Self::Read { participation, .. } => {
                Self::Read { participation: *participation, took_ms: 0 }
            }
            Self::Tried { participation, wrong, .. } => Self::Tried {
                participation: *participation,
                answers: BTreeMap::new(),
                // Only whether it was the last try matters to the fold.
                wrong: if wrong.is_empty() { Vec::new() } else { vec![String::new()] },
                took_ms: 0,
            },
            Self::Answered { participation, form, .. } => Self::Answered {
                participation: *participation,
                form: form.clone(),
                answers: BTreeMap::new(),
                took_ms: 0,
            },
            Self::Noted { participation, .. } => {
                Self::Noted { participation: *participation, notes: Vec::new() }
            }
            Self::CameAgain { .. }
            | Self::Consented { .. }
            | Self::Grouped { .. }
            | Self::Opened { .. }
            | Self::Played { .. }
            | Self::Broken { .. }
            | Self::Ended { .. }
            | Self::Erased { .. }
            | Self::Closed => return None,
        };
        (erased != *self).then_some(erased)
    }
}
