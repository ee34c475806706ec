//! What a participant's page shows.

use wire::{Language, StudyDeal, StudyEnd, StudyPage, StudyProgress, StudyResult, StudyStep};

use crate::cohort::Cohort;
use crate::group::GroupStage;
use crate::item::{Item, sent_option};
use crate::participation::{Participation, Phase, Stage};
use crate::study::{Study, When};
use crate::time::Time;

impl Cohort {
    /// The page of a participant. `away` says whether they are missing at the table of their game.
    pub fn page(&self, participation: &Participation, now: Time, away: bool) -> StudyPage {
        let study = self.study();
        let language = participation.language(study);
        let step = self.step(participation, language, now, away);
        let progress = self.progress(participation);
        StudyPage {
            may_withdraw: !participation.erased,
            progress,
            ..study.bare_page(language, step)
        }
    }

    fn step(
        &self,
        participation: &Participation,
        language: Language,
        now: Time,
        away: bool,
    ) -> StudyStep {
        let study = self.study();
        match &participation.stage {
            Stage::Consent => study.consent_step(language),
            Stage::Instructions => {
                let pages = study.instructions.iter().map(|page| page.to(language));
                StudyStep::Instructions { pages: pages.collect() }
            }
            Stage::Comprehension { tries_left, wrong } => {
                let questions = study.comprehension.iter().flat_map(|it| &it.questions);
                let questions = questions.map(|it| it.item.sent(language)).collect();
                StudyStep::Comprehension {
                    questions,
                    tries_left: *tries_left,
                    wrong: wrong.clone(),
                }
            }
            Stage::Form { .. } => match participation.form(study) {
                Some(form) => StudyStep::Questionnaire {
                    id: form.id.clone(),
                    title: form.title.to(language),
                    text: form.text.to(language),
                    items: form.items.iter().map(|item: &Item| item.sent(language)).collect(),
                },
                None => study.ended_step(language, participation.last_end(), Vec::new()),
            },
            Stage::Waiting => self.waiting_step(participation, language, now),
            Stage::Gathered { .. } => self.gathered_step(participation, language, now),
            Stage::Playing { game } => {
                let group = participation.place.and_then(|(group, _)| self.group(group));
                match group.map(|group| (group.stage, group.order.len() as u8)) {
                    Some((GroupStage::Playing { table, .. }, games)) => {
                        StudyStep::Playing { table, game: game + 1, games, away }
                    }
                    _ => self.gathered_step(participation, language, now),
                }
            }
            Stage::Over(end) => study.ended_step(language, *end, self.results(participation)),
        }
    }

    fn waiting_step(
        &self,
        participation: &Participation,
        language: Language,
        now: Time,
    ) -> StudyStep {
        let study = self.study();
        let condition = crate::assignment::next_condition(study, self.groups());
        let needed = study.conditions.get(condition).map_or(1, crate::study::Condition::people);
        let waiting = self.participations().iter().filter(|it| {
            it.stage == Stage::Waiting && (it.id == participation.id || self.is_there(it.id, now))
        });
        StudyStep::Waiting {
            text: study.waiting.text.to(language),
            people: waiting.count().clamp(1, needed) as u8,
            needed: needed as u8,
            waited_s: seconds(now.since(participation.since)),
            limit_s: seconds(study.waiting.limit),
            between: false,
        }
    }

    /// The wait for partners of the group that have not come so far yet.
    fn gathered_step(
        &self,
        participation: &Participation,
        language: Language,
        now: Time,
    ) -> StudyStep {
        let study = self.study();
        let group = participation.place.and_then(|(group, _)| self.group(group));
        let members = group.map(|group| group.members.as_slice()).unwrap_or_default();
        let is_ready = |id: &&crate::fact::ParticipationId| {
            self.participation(**id).is_some_and(|it| it.stage == participation.stage)
        };
        StudyStep::Waiting {
            text: study.waiting.text.to(language),
            people: members.iter().filter(is_ready).count().max(1) as u8,
            needed: members.len().max(1) as u8,
            waited_s: seconds(now.since(participation.since)),
            limit_s: seconds(study.waiting.limit),
            between: true,
        }
    }

    fn results(&self, participation: &Participation) -> Vec<StudyResult> {
        let Some(group) = participation.place.and_then(|(group, _)| self.group(group)) else {
            return Vec::new();
        };
        let games = self.study().conditions.get(group.condition).map(|it| it.games.as_slice());
        let games = games.unwrap_or_default();
        let played = group.played.iter().zip(&group.order).filter_map(|(ended, index)| {
            let game = games.get(usize::from(*index))?.setup.game();
            Some(StudyResult { game, outcome: ended.outcome, reached: ended.reached.clone() })
        });
        played.collect()
    }

    fn progress(&self, participation: &Participation) -> StudyProgress {
        let study = self.study();
        let group = participation.place.and_then(|(group, _)| self.group(group));
        let games = group.map_or_else(
            || study.conditions.iter().map(|it| it.games.len()).max().unwrap_or(0),
            |group| group.order.len(),
        );
        let (before, between, after) = (
            study.forms(When::Before).count(),
            study.forms(When::Between).count(),
            study.forms(When::After).count(),
        );
        let first = 1 + usize::from(!study.instructions.is_empty());
        let questions = first + usize::from(study.comprehension.is_some());
        let waiting = questions + before;
        let playing = waiting + 1;
        let round = 1 + between;
        let last = playing + games * round - if games > 0 { between } else { 0 };
        let steps = last + after;
        let done = match &participation.stage {
            Stage::Consent => 0,
            Stage::Instructions => 1,
            Stage::Comprehension { .. } => first,
            Stage::Form { phase: Phase::Before, index } => questions + index,
            Stage::Waiting => waiting,
            Stage::Gathered { game } | Stage::Playing { game } => {
                playing + usize::from(*game) * round
            }
            Stage::Form { phase: Phase::Between { game }, index } => {
                playing + usize::from(*game) * round + 1 + index
            }
            Stage::Form { phase: Phase::After, index } => last + index,
            Stage::Over(_) => steps,
        };
        StudyProgress { done: done as u8, steps: steps as u8 }
    }
}

impl Study {
    /// The page of a person who takes no part yet.
    pub fn first_page(&self, wanted: Language) -> StudyPage {
        let link = &self.link;
        let parameters = [&link.participant, &link.study, &link.session].map(Clone::clone).into();
        self.bare_page(self.language(wanted), StudyStep::Arrive { parameters })
    }

    /// The page of a person who cannot take part, or no longer does.
    pub fn last_page(&self, wanted: Language, end: StudyEnd) -> StudyPage {
        let language = self.language(wanted);
        self.bare_page(language, self.ended_step(language, end, Vec::new()))
    }

    fn bare_page(&self, language: Language, step: StudyStep) -> StudyPage {
        StudyPage {
            study: self.about.name.clone(),
            title: self.about.title.to(language),
            language,
            languages: self.about.languages.clone(),
            version: self.about.version.to_string(),
            step,
            progress: StudyProgress { done: 0, steps: 1 },
            may_withdraw: false,
            wants_notes: self.after.data.notes,
            embedders: self.link.embedders.clone(),
        }
    }

    fn consent_step(&self, language: Language) -> StudyStep {
        let consent = &self.consent;
        let statements = consent.statements.iter();
        StudyStep::Consent {
            information: consent.information.to(language),
            consent: consent.text.to(language),
            statements: statements.map(|(id, text)| sent_option(id, text, language)).collect(),
            version: consent.version.clone(),
            days: self.after.data.retention_days,
            stores_parameters: self.link.store,
        }
    }

    fn ended_step(
        &self,
        language: Language,
        end: StudyEnd,
        results: Vec<StudyResult>,
    ) -> StudyStep {
        let ending = self.after.endings.of(end);
        StudyStep::Ended {
            end,
            text: ending.text.to(language),
            address: ending.address,
            code: ending.code,
            results,
        }
    }

    /// The deals of all conditions. `seed` gives the seed of a condition's game; `shown` says
    /// whether the seeds are public.
    pub fn deals(
        &self,
        shown: bool,
        seed: impl Fn(&crate::study::Game, u8) -> rules::kit::Seed,
    ) -> Vec<StudyDeal> {
        let games = self.conditions.iter().flat_map(|condition| {
            condition.games.iter().enumerate().map(move |(index, game)| (condition, index, game))
        });
        let deals = games.map(|(condition, index, game)| {
            let seed = seed(game, index as u8);
            StudyDeal {
                condition: condition.name.clone(),
                game: index as u8 + 1,
                commitment: table::commitment(&seed),
                seed: shown.then(|| wire::hex(seed.bytes())),
            }
        });
        deals.collect()
    }
}

fn seconds(duration: std::time::Duration) -> u32 {
    u32::try_from(duration.as_secs()).unwrap_or(u32::MAX)
}
