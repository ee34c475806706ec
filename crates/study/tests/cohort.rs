//! Whole studies in simulated time: every end, every outcome of a person who goes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use study::{
    Arrival, Cohort, EndedGame, Fact, GroupStage, Input, ParticipationId, ParticipationInput,
    Refused, Stage, Study, Time,
};
use wire::{
    Code, Language, StudyAnswer, StudyAnswers, StudyConsent, StudyEnd, StudyForm, StudyNote,
    StudyNoteKind, StudyNotes, StudyStep,
};

const FILE: &str = r#"
[study]
name = "pairs"
title.en = "Pairs"
languages = ["en"]
[consent]
version = "1"
information.en = "What it is about."
text.en = "I take part."
[instructions]
pages = [{ en = "Play low cards first." }]
tries = 2
[[instructions.questions]]
id = "order"
text.en = "Which first?"
answer.choice.options = [{ id = "low", text.en = "Low" }, { id = "high", text.en = "High" }]
right = "low"
[waiting]
limit_s = 60
[table]
away_s = 30
[[questionnaires]]
id = "between"
when = "between"
title.en = "Between"
[[questionnaires.items]]
id = "fun"
text.en = "Was it fun?"
answer.likert = { low.en = "no", high.en = "yes" }
[[questionnaires]]
id = "after"
when = "after"
title.en = "After"
[[questionnaires.items]]
id = "age"
text.en = "How old are you?"
answer.number = { least = 18, most = 120 }
[[conditions]]
name = "one"
partners = ["person"]
[[conditions.games]]
game = "mind"
setup = "levels=3"
[[conditions.games]]
game = "mind"
setup = "levels=3"
[[conditions]]
name = "two"
partners = ["person"]
order = "rotated"
[[conditions.games]]
game = "mind"
setup = "levels=3"
[[conditions.games]]
game = "mind"
setup = "levels=4"
[endings.completed]
code = "DONE"
[data]
retention_days = 10
"#;

/// A study with the time in it, whose facts are written and read back as a log has them.
struct Scene {
    cohort: Cohort,
    study: Arc<Study>,
    now: Time,
    log: Vec<(Time, String)>,
}

impl Scene {
    fn new(file: &str) -> Self {
        let study = Arc::new(Study::read("test.toml", file).unwrap_or_else(|e| panic!("{e}")));
        let cohort = Cohort::new(study.clone());
        Self { cohort, study, now: Time::from_millis(1_000_000), log: Vec::new() }
    }

    fn submit(&mut self, input: Input) -> Result<Vec<Fact>, Refused> {
        let facts = self.cohort.propose(self.now, input)?;
        for fact in &facts {
            self.log.push((self.now, serde_json::to_string(fact).unwrap()));
            self.cohort.apply(self.now, fact).unwrap();
        }
        Ok(facts)
    }

    fn of(&mut self, id: u32, input: ParticipationInput) -> Result<Vec<Fact>, Refused> {
        self.submit(Input::Of(ParticipationId(id), input))
    }

    /// Time passes while the pages of these participants are open.
    fn wait(&mut self, seconds: u64, seen: &[u32]) {
        for _ in 0..seconds {
            self.now = self.now.after(Duration::from_secs(1));
            for id in seen {
                self.cohort.see(ParticipationId(*id), self.now);
            }
            self.submit(Input::Tick).unwrap();
        }
    }

    /// A person arrives; returns their number.
    fn arrive(&mut self, person: u8) -> u32 {
        let participant = Some(format!("id {person}"));
        let arrival = Arrival { participant, ..Arrival::of_test([person; 32], Language::En) };
        self.submit(Input::Arrive(arrival)).unwrap();
        self.cohort.participations().len() as u32 - 1
    }

    fn consent(&mut self, id: u32, given: bool) {
        let consent = StudyConsent { given, version: "1".to_owned() };
        self.of(id, ParticipationInput::Consent(consent)).unwrap();
    }

    fn answer(
        &mut self,
        id: u32,
        to: StudyForm,
        answers: &[(&str, StudyAnswer)],
    ) -> Result<Vec<Fact>, Refused> {
        let answers = answers.iter().map(|(id, answer)| ((*id).to_owned(), answer.clone()));
        let answers = answers.collect::<BTreeMap<_, _>>();
        self.of(id, ParticipationInput::Answers(StudyAnswers { to, answers, took_ms: 5 }))
    }

    fn choose(&mut self, id: u32, option: &str) {
        let answer = StudyAnswer::Choice(option.to_owned());
        self.answer(id, StudyForm::Comprehension, &[("order", answer)]).unwrap();
    }

    fn form(&mut self, id: u32, form: &str, item: &str, answer: StudyAnswer) {
        self.answer(id, StudyForm::Questionnaire(form.to_owned()), &[(item, answer)]).unwrap();
    }

    /// A person who has come as far as the wait for partners.
    fn waiting(&mut self, person: u8) -> u32 {
        let id = self.arrive(person);
        self.consent(id, true);
        self.answer(id, StudyForm::Instructions, &[]).unwrap();
        self.choose(id, "low");
        assert_eq!(self.stage(id), Stage::Waiting);
        id
    }

    /// Two people whose first game is on.
    fn pair(&mut self) -> [u32; 2] {
        let number = self.cohort.participations().len() as u8;
        let pair = [self.waiting(number), self.waiting(number + 1)];
        self.wait(1, &pair);
        self.open();
        pair
    }

    /// Opens tables for all groups that are ready.
    fn open(&mut self) -> usize {
        let ready = self.cohort.ready_groups().map(|(group, _)| group.id).collect::<Vec<_>>();
        for group in &ready {
            let table = Code::of(u64::from(group.0) * 100 + self.log.len() as u64);
            self.submit(Input::Opened { group: *group, table }).unwrap();
        }
        ready.len()
    }

    /// All games that are on end.
    fn end_games(&mut self) {
        let on = self.cohort.playing_groups().map(|(group, _)| group.id).collect::<Vec<_>>();
        for group in on {
            let result = EndedGame { outcome: Some(rules::kit::Outcome::Won), reached: None };
            self.submit(Input::Played { group, result }).unwrap();
        }
    }

    fn stage(&self, id: u32) -> Stage {
        self.cohort.participation(ParticipationId(id)).unwrap().stage.clone()
    }

    fn end(&self, id: u32) -> Option<StudyEnd> {
        match self.stage(id) {
            Stage::Over(end) => Some(end),
            _ => None,
        }
    }

    /// The log gives the same study again.
    fn check_log(&self) {
        let mut again = Cohort::new(self.study.clone());
        for (at, line) in &self.log {
            again.apply(*at, &serde_json::from_str(line).unwrap()).unwrap();
        }
        let stages = |cohort: &Cohort| {
            let each = cohort.participations().iter();
            each.map(|it| (it.stage.clone(), it.since, it.place, it.cut_short)).collect::<Vec<_>>()
        };
        assert_eq!(stages(&again), stages(&self.cohort));
        assert!(!self.log.is_empty());
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check_log();
        }
    }
}

#[test]
fn a_pair_goes_all_the_way() {
    let mut scene = Scene::new(FILE);
    let [a, b] = scene.pair();
    assert_eq!(scene.stage(a), Stage::Playing { game: 0 });
    scene.wait(20, &[a, b]);
    scene.end_games();
    scene.form(a, "between", "fun", StudyAnswer::Likert(5));
    assert_eq!(scene.stage(a), Stage::Gathered { game: 1 });
    assert_eq!(scene.open(), 0, "the partner still answers");
    let page = scene.cohort.page(&scene.cohort.participations()[0].clone(), scene.now, false);
    let StudyStep::Waiting { between: true, people: 1, needed: 2, .. } = page.step else {
        panic!("{:?}", page.step)
    };
    scene.form(b, "between", "fun", StudyAnswer::Likert(6));
    assert_eq!(scene.open(), 1);
    scene.end_games();
    for id in [a, b] {
        scene.form(id, "after", "age", StudyAnswer::Number(30.0));
        assert_eq!(scene.end(id), Some(StudyEnd::Completed));
    }
    let page = scene.cohort.page(&scene.cohort.participations()[1].clone(), scene.now, false);
    assert_eq!(page.progress.done, page.progress.steps);
    let StudyStep::Ended { code, results, .. } = page.step else { panic!("{:?}", page.step) };
    assert_eq!((code.as_deref(), results.len()), (Some("DONE"), 2));
}

#[test]
fn without_consent_there_is_nothing_more() {
    let mut scene = Scene::new(FILE);
    let id = scene.arrive(1);
    let old = StudyConsent { given: true, version: "0".to_owned() };
    assert_eq!(scene.of(id, ParticipationInput::Consent(old)), Err(Refused::Moved));
    scene.consent(id, false);
    assert_eq!(scene.end(id), Some(StudyEnd::Refused));
    let answered = scene.answer(id, StudyForm::Instructions, &[]);
    assert_eq!(answered, Err(Refused::Moved));
}

#[test]
fn comprehension_has_as_many_tries_as_the_file_says() {
    let mut scene = Scene::new(FILE);
    let id = scene.arrive(1);
    scene.consent(id, true);
    scene.answer(id, StudyForm::Instructions, &[]).unwrap();
    scene.choose(id, "high");
    let wrong = vec!["order".to_owned()];
    assert_eq!(scene.stage(id), Stage::Comprehension { tries_left: 1, wrong });
    scene.choose(id, "high");
    assert_eq!(scene.end(id), Some(StudyEnd::NotUnderstood));
}

#[test]
fn answers_have_to_fit() {
    let mut scene = Scene::new(FILE);
    let [a, b] = scene.pair();
    scene.end_games();
    let form = || StudyForm::Questionnaire("between".to_owned());
    for answers in [
        &[][..],
        &[("fun", StudyAnswer::Likert(8))],
        &[("fun", StudyAnswer::Number(3.0))],
        &[("fun", StudyAnswer::Likert(3)), ("more", StudyAnswer::Likert(3))],
    ] {
        let answered = scene.answer(a, form(), answers);
        assert!(matches!(answered, Err(Refused::Answer(_))), "{answered:?}");
    }
    scene.form(a, "between", "fun", StudyAnswer::Likert(7));
    let again = scene.answer(a, form(), &[("fun", StudyAnswer::Likert(7))]);
    assert_eq!(again, Err(Refused::Moved));
    assert_eq!(scene.end(b), None);
}

#[test]
fn a_person_without_a_partner_is_let_go_at_the_limit() {
    let mut scene = Scene::new(FILE);
    let id = scene.waiting(1);
    scene.wait(59, &[id]);
    assert_eq!(scene.end(id), None);
    scene.wait(1, &[id]);
    assert_eq!(scene.end(id), Some(StudyEnd::NoPartner));
}

#[test]
fn a_page_that_was_closed_is_not_matched() {
    let mut scene = Scene::new(FILE);
    let gone = scene.waiting(1);
    scene.wait(20, &[]);
    let here = scene.waiting(2);
    scene.wait(5, &[here]);
    assert_eq!(scene.stage(here), Stage::Waiting);
    scene.wait(10, &[here]);
    assert_eq!(scene.end(gone), Some(StudyEnd::DroppedOut));
    let other = scene.waiting(3);
    scene.wait(1, &[here, other]);
    assert_eq!(scene.stage(here), Stage::Gathered { game: 0 });
}

#[test]
fn a_partner_who_leaves_breaks_the_group() {
    let mut scene = Scene::new(FILE);
    let [a, b] = scene.pair();
    scene.wait(29, &[b]);
    assert_eq!(scene.stage(a), Stage::Playing { game: 0 }, "she may come back");
    scene.wait(2, &[b]);
    assert_eq!(scene.end(a), Some(StudyEnd::DroppedOut));
    assert!(matches!(scene.cohort.groups()[0].stage, GroupStage::Broken { .. }));
    scene.form(b, "after", "age", StudyAnswer::Number(30.0));
    assert_eq!(scene.end(b), Some(StudyEnd::PartnerLeft));
}

#[test]
fn both_partners_may_go_at_once() {
    let mut scene = Scene::new(FILE);
    let [a, b] = scene.pair();
    scene.wait(40, &[]);
    assert_eq!(
        (scene.end(a), scene.end(b)),
        (Some(StudyEnd::DroppedOut), Some(StudyEnd::DroppedOut))
    );
}

#[test]
fn a_participant_comes_back_and_a_second_try_does_not() {
    let mut scene = Scene::new(FILE);
    let id = scene.arrive(1);
    scene.consent(id, true);
    let same =
        Arrival { participant: Some("id 1".to_owned()), ..Arrival::of_test([1; 32], Language::En) };
    assert_eq!(scene.submit(Input::Arrive(same)), Ok(vec![]));
    assert_eq!(scene.stage(id), Stage::Instructions, "where they were");
    let other_browser =
        Arrival { participant: Some("id 1".to_owned()), ..Arrival::of_test([2; 32], Language::En) };
    let participation = ParticipationId(id);
    let again = scene.submit(Input::Arrive(other_browser));
    assert_eq!(again, Ok(vec![Fact::CameAgain { participation }]));
    let other_id =
        Arrival { participant: Some("id 2".to_owned()), ..Arrival::of_test([1; 32], Language::En) };
    assert_eq!(scene.submit(Input::Arrive(other_id)), Err(Refused::SecondTry(participation)));
    assert_eq!(scene.cohort.participations().len(), 1);
}

#[test]
fn withdrawing_leaves_nothing_behind() {
    let mut scene = Scene::new(FILE);
    let [a, b] = scene.pair();
    let what = StudyNoteKind::Hidden;
    let notes = StudyNotes { notes: vec![StudyNote { at: 1.0, what }] };
    scene.of(a, ParticipationInput::Notes(notes)).unwrap();
    scene.of(a, ParticipationInput::Withdraw).unwrap();
    assert_eq!(scene.end(a), Some(StudyEnd::Withdrawn));
    scene.form(b, "after", "age", StudyAnswer::Number(30.0));
    assert_eq!(scene.end(b), Some(StudyEnd::PartnerLeft));
    let gone = &scene.cohort.participations()[a as usize];
    assert!(gone.erased && gone.arrival == Arrival::default());
    let mut replaced = 0;
    for (_, line) in &mut scene.log {
        let fact = serde_json::from_str::<Fact>(line).unwrap();
        if fact.participation() == Some(ParticipationId(a))
            && let Some(erased) = fact.erased()
        {
            *line = serde_json::to_string(&erased).unwrap();
            assert_eq!(erased.erased(), None);
            replaced += 1;
        }
    }
    assert!(replaced >= 4, "arrival, instructions, comprehension and notes, not {replaced}");
    let text = scene.log.iter().map(|(_, line)| line.as_str()).collect::<String>();
    assert!(!text.contains(&"00".repeat(32)) && !text.contains("hidden"), "{text}");
}

#[test]
fn what_was_given_is_deleted_when_its_time_is_over() {
    let mut scene = Scene::new(FILE);
    let id = scene.arrive(1);
    scene.consent(id, false);
    scene.now = scene.now.after(Duration::from_hours(24 * 10 - 1));
    scene.wait(1, &[]);
    assert!(!scene.cohort.participations()[0].erased);
    scene.now = scene.now.after(Duration::from_hours(1));
    scene.wait(1, &[]);
    assert!(scene.cohort.participations()[0].erased);
}

#[test]
fn conditions_are_filled_evenly_and_broken_groups_do_not_count() {
    let mut scene = Scene::new(FILE);
    let mut broken = [0, 0];
    for number in 0..20 {
        let [a, b] = scene.pair();
        let group = scene.cohort.groups().last().unwrap().clone();
        if number % 4 == 0 {
            scene.of(a, ParticipationInput::Leave).unwrap();
            broken[group.condition] += 1;
        } else {
            scene.end_games();
            for id in [a, b] {
                scene.form(id, "between", "fun", StudyAnswer::Likert(1));
            }
            scene.open();
            scene.end_games();
        }
        let count = |condition: usize| {
            let counts = |it: &&study::Group| it.counts() && it.condition == condition;
            scene.cohort.groups().iter().filter(counts).count()
        };
        assert!(count(0).abs_diff(count(1)) <= 1, "{} and {}", count(0), count(1));
    }
    assert_eq!(broken[0] + broken[1], 5);
    let orders = scene.cohort.groups().iter().filter(|it| it.condition == 1 && it.counts());
    let orders = orders.map(|it| it.order.clone()).collect::<Vec<_>>();
    assert!(orders.contains(&vec![0, 1]) && orders.contains(&vec![1, 0]), "{orders:?}");
}

#[test]
fn a_closed_study_takes_no_more_and_lets_the_others_finish() {
    let mut scene = Scene::new(FILE);
    let [a, b] = scene.pair();
    scene.submit(Input::Close).unwrap();
    let late = Arrival::of_test([9; 32], Language::En);
    assert_eq!(scene.submit(Input::Arrive(late)), Err(Refused::Closed));
    scene.end_games();
    assert_eq!((scene.end(a), scene.end(b)), (None, None));
    assert_eq!(scene.submit(Input::Close), Err(Refused::Closed));
}

#[test]
fn with_bots_alone_no_person_is_waited_for() {
    let file = FILE.replace(r#"partners = ["person"]"#, r#"partners = ["kindred"]"#);
    let mut scene = Scene::new(&file);
    let id = scene.waiting(1);
    scene.wait(1, &[id]);
    assert_eq!(scene.stage(id), Stage::Gathered { game: 0 });
}
