//! One participant's way through a study, as a pure machine.

use wire::{Language, StudyAnswers, StudyConsent, StudyEnd, StudyForm, StudyNotes};

use crate::cohort::Refused;
use crate::fact::{Arrival, Fact, GroupId, ParticipationId};
use crate::item::check_answers;
use crate::study::{Questionnaire, Study, When};
use crate::time::Time;

/// How many notes of one participant are stored.
const NOTES_MOST: usize = 50_000;
/// How many notes come at once.
const NOTES_AT_ONCE_MOST: usize = 500;

/// One participant.
#[derive(Clone, Debug)]
pub struct Participation {
    /// Which.
    pub id: ParticipationId,
    /// Who, and from where.
    pub arrival: Arrival,
    /// When they arrived.
    pub arrived: Time,
    /// Where they are.
    pub stage: Stage,
    /// Since when.
    pub since: Time,
    /// Their group and the number of their seat, once they have one.
    pub place: Option<(GroupId, usize)>,
    /// Whether they gave consent.
    pub consented: bool,
    /// Whether a partner left, so that only the questions at the end follow.
    pub cut_short: bool,
    /// How many notes their pages have sent.
    pub notes: usize,
    /// Whether what they gave is deleted.
    pub erased: bool,
}

/// Where a participant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// They read the information and decide about consent.
    Consent,
    /// They read the instructions.
    Instructions,
    /// They answer questions about them.
    Comprehension {
        /// How many tries are left.
        tries_left: u8,
        /// What was wrong in the last one.
        wrong: Vec<String>,
    },
    /// They answer a questionnaire.
    Form {
        /// Before, between or after games.
        phase: Phase,
        /// Which of those, from 0.
        index: usize,
    },
    /// They wait for partners.
    Waiting,
    /// They are ready for a game of their group.
    Gathered {
        /// Which, from 0.
        game: u8,
    },
    /// A game of their group is on.
    Playing {
        /// Which.
        game: u8,
    },
    /// The study is over for them.
    Over(StudyEnd),
}

/// When a questionnaire is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before the first game.
    Before,
    /// After this game, and before the next.
    Between {
        /// The game that was played, from 0.
        game: u8,
    },
    /// After the last game.
    After,
}

impl Phase {
    fn when(self) -> When {
        match self {
            Self::Before => When::Before,
            Self::Between { .. } => When::Between,
            Self::After => When::After,
        }
    }
}

/// What a participant does.
#[derive(Clone, Debug, PartialEq)]
pub enum ParticipationInput {
    /// Give or refuse consent.
    Consent(StudyConsent),
    /// Answer.
    Answers(StudyAnswers),
    /// Note something.
    Notes(StudyNotes),
    /// Leave the study; what was given stays.
    Leave,
    /// Withdraw: what was given is deleted.
    Withdraw,
}

impl Participation {
    /// A participation that begins.
    pub(crate) fn begun(id: ParticipationId, arrival: Arrival, at: Time) -> Self {
        Self {
            id,
            arrival,
            arrived: at,
            stage: Stage::Consent,
            since: at,
            place: None,
            consented: false,
            cut_short: false,
            notes: 0,
            erased: false,
        }
    }

    /// The language of all that they are shown.
    pub fn language(&self, study: &Study) -> Language {
        study.language(self.arrival.language.unwrap_or(Language::En))
    }

    /// Whether the study is over for them.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Whether partners depend on them: a group has formed and its games are not over.
    pub fn is_in_group(&self) -> bool {
        matches!(
            self.stage,
            Stage::Gathered { .. }
                | Stage::Playing { .. }
                | Stage::Form { phase: Phase::Between { .. }, .. }
        )
    }

    /// The questionnaire that they answer.
    pub fn form<'a>(&self, study: &'a Study) -> Option<&'a Questionnaire> {
        match &self.stage {
            Stage::Form { phase, index } => study.forms(phase.when()).nth(*index),
            _ => None,
        }
    }

    /// What follows from what the participant does. It changes nothing: the facts become true when
    /// they are applied. Fails if it is not possible at this stage.
    pub fn handle(&self, study: &Study, input: ParticipationInput) -> Result<Vec<Fact>, Refused> {
        let participation = self.id;
        let ended = |end| Fact::Ended { participation, end };
        if self.erased {
            return Err(Refused::Moved);
        }
        match input {
            ParticipationInput::Consent(StudyConsent { given, version }) => {
                if self.stage != Stage::Consent {
                    return Err(Refused::Moved);
                }
                if !given {
                    return Ok(vec![ended(StudyEnd::Refused)]);
                }
                if version != study.consent.version {
                    return Err(Refused::Moved);
                }
                Ok(vec![Fact::Consented { participation, version }])
            }
            ParticipationInput::Answers(answers) => self.answer(study, answers),
            ParticipationInput::Notes(StudyNotes { mut notes }) => {
                // Notes are data alone: what comes too late or is too much is left out.
                let room = NOTES_MOST.saturating_sub(self.notes).min(NOTES_AT_ONCE_MOST);
                notes.retain(|note| note.at.is_finite());
                notes.truncate(room);
                let is_wanted = study.after.data.notes && self.stage != Stage::Consent;
                if notes.is_empty() || !is_wanted {
                    return Ok(Vec::new());
                }
                Ok(vec![Fact::Noted { participation, notes }])
            }
            ParticipationInput::Leave if self.is_over() => Err(Refused::Moved),
            ParticipationInput::Leave => Ok(vec![ended(StudyEnd::DroppedOut)]),
            ParticipationInput::Withdraw => {
                let mut facts = Vec::new();
                if !self.is_over() {
                    facts.push(ended(StudyEnd::Withdrawn));
                }
                facts.push(Fact::Erased { participation });
                Ok(facts)
            }
        }
    }

    fn answer(
        &self,
        study: &Study,
        StudyAnswers { to, answers, took_ms }: StudyAnswers,
    ) -> Result<Vec<Fact>, Refused> {
        let participation = self.id;
        match (to, &self.stage) {
            (StudyForm::Instructions, Stage::Instructions) => {
                Ok(vec![Fact::Read { participation, took_ms }])
            }
            (StudyForm::Comprehension, Stage::Comprehension { tries_left, .. }) => {
                let Some(comprehension) = &study.comprehension else {
                    return Err(Refused::Moved);
                };
                let questions = &comprehension.questions;
                check_answers(questions.iter().map(|it| &it.item), &answers)
                    .map_err(Refused::Answer)?;
                let wrong = questions.iter().filter(|question| {
                    let given = answers.get(&question.item.id).cloned().map(sorted);
                    given.as_ref() != Some(&question.right)
                });
                let wrong = wrong.map(|question| question.item.id.clone()).collect::<Vec<_>>();
                let is_last = !wrong.is_empty() && *tries_left <= 1;
                let mut facts = vec![Fact::Tried { participation, answers, wrong, took_ms }];
                if is_last {
                    let end = StudyEnd::NotUnderstood;
                    facts.push(Fact::Ended { participation, end });
                }
                Ok(facts)
            }
            (StudyForm::Questionnaire(id), Stage::Form { phase, index }) => {
                let form = self.form(study).filter(|form| form.id == id).ok_or(Refused::Moved)?;
                check_answers(form.items.iter(), &answers).map_err(Refused::Answer)?;
                let form = form.id.clone();
                let mut facts = vec![Fact::Answered { participation, form, answers, took_ms }];
                let is_last = study.forms(phase.when()).count() == index + 1;
                if *phase == Phase::After && is_last {
                    facts.push(Fact::Ended { participation, end: self.last_end() });
                }
                Ok(facts)
            }
            _ => Err(Refused::Moved),
        }
    }

    /// How the study ends after the last question.
    pub(crate) fn last_end(&self) -> StudyEnd {
        if self.cut_short { StudyEnd::PartnerLeft } else { StudyEnd::Completed }
    }

    /// Takes in one of the participant's own facts.
    pub(crate) fn apply(&mut self, study: &Study, at: Time, fact: &Fact) {
        let stage = match fact {
            Fact::Consented { .. } => {
                self.consented = true;
                if study.instructions.is_empty() {
                    after_instructions(study)
                } else {
                    Stage::Instructions
                }
            }
            Fact::Read { .. } => after_instructions(study),
            Fact::Tried { wrong, .. } => match &self.stage {
                Stage::Comprehension { tries_left, .. } if !wrong.is_empty() => {
                    let tries_left = tries_left.saturating_sub(1);
                    Stage::Comprehension { tries_left, wrong: wrong.clone() }
                }
                _ => form_or(study, Phase::Before, 0, Stage::Waiting),
            },
            Fact::Answered { .. } => match &self.stage {
                Stage::Form { phase, index } => after_form(study, *phase, index + 1),
                other => other.clone(),
            },
            Fact::Ended { end, .. } => Stage::Over(*end),
            Fact::Erased { .. } => {
                (self.erased, self.arrival) = (true, Arrival::default());
                return;
            }
            Fact::Noted { notes, .. } => {
                self.notes += notes.len();
                return;
            }
            Fact::Arrived { .. }
            | Fact::CameAgain { .. }
            | Fact::Grouped { .. }
            | Fact::Opened { .. }
            | Fact::Played { .. }
            | Fact::Broken { .. }
            | Fact::Closed => return,
        };
        self.go_to(stage, at);
    }

    /// Goes to another stage.
    pub(crate) fn go_to(&mut self, stage: Stage, at: Time) {
        if self.stage != stage {
            (self.stage, self.since) = (stage, at);
        }
    }
}

/// What comes after the instructions.
fn after_instructions(study: &Study) -> Stage {
    match &study.comprehension {
        Some(comprehension) => {
            Stage::Comprehension { tries_left: comprehension.tries, wrong: Vec::new() }
        }
        None => form_or(study, Phase::Before, 0, Stage::Waiting),
    }
}

/// What comes after a game; `last` says whether it was the group's last.
pub(crate) fn after_game(study: &Study, game: u8, last: bool) -> Stage {
    if last {
        form_or(study, Phase::After, 0, Stage::Over(StudyEnd::Completed))
    } else {
        after_form(study, Phase::Between { game }, 0)
    }
}

/// The questionnaire with this number in its phase, or what follows the last one.
fn after_form(study: &Study, phase: Phase, index: usize) -> Stage {
    let next = match phase {
        Phase::Before => Stage::Waiting,
        Phase::Between { game } => Stage::Gathered { game: game + 1 },
        // The end is a fact of its own, which follows.
        Phase::After => Stage::Over(StudyEnd::Completed),
    };
    form_or(study, phase, index, next)
}

fn form_or(study: &Study, phase: Phase, index: usize, next: Stage) -> Stage {
    let has = study.forms(phase.when()).nth(index).is_some();
    if has { Stage::Form { phase, index } } else { next }
}

/// The same answer whatever the order of its options.
fn sorted(answer: wire::StudyAnswer) -> wire::StudyAnswer {
    match answer {
        wire::StudyAnswer::Choices(mut ids) => {
            ids.sort();
            wire::StudyAnswer::Choices(ids)
        }
        other => other,
    }
}
