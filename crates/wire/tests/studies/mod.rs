//! Samples of what the pages of studies show and send.

use serde_json::{Value, json};
use wire::{
    StudyAnswers, StudyArrival, StudyConsent, StudyDeal, StudyEnd, StudyNotes, StudyPage, StudyStep,
};

use super::samples::read;

/// A page at each step, and at each end.
pub fn pages() -> Vec<StudyPage> {
    let ends = [
        StudyEnd::Completed,
        StudyEnd::PartnerLeft,
        StudyEnd::Refused,
        StudyEnd::NotUnderstood,
        StudyEnd::NoPartner,
        StudyEnd::DroppedOut,
        StudyEnd::SecondTry,
        StudyEnd::Withdrawn,
        StudyEnd::Closed,
    ];
    steps().into_iter().chain(ends.map(ended)).map(page).collect()
}

fn page(step: StudyStep) -> StudyPage {
    let page = json!({
        "study": "tempo-report", "title": "Keeping time", "language": "en", "languages": ["en", "de"],
        "version": "0123456789abcdef", "step": step, "progress": {"done": 2, "steps": 9},
        "may_withdraw": true, "wants_notes": true, "embedders": ["https://lab.example"],
    });
    written(page)
}

fn steps() -> Vec<StudyStep> {
    let steps = [
        json!({"arrive": {"parameters": ["PROLIFIC_PID"]}}),
        json!({"consent": {
            "information": "What it is about.", "consent": "I take part.", "version": "1", "days": 90,
            "statements": [{"id": "adult", "text": "I am 18 or older."}], "stores_parameters": false,
        }}),
        json!({"instructions": {"pages": ["One.", "Two."]}}),
        json!({"comprehension": {"questions": items(), "tries_left": 2, "wrong": ["goal"]}}),
        json!({"questionnaire": {"id": "before", "title": "You", "text": "", "items": items()}}),
        json!({"waiting": {
            "text": "A moment.", "people": 1, "needed": 2, "waited_s": 12, "limit_s": 300,
            "between": false,
        }}),
        json!({"playing": {"table": "k3f9ab", "game": 1, "games": 2, "away": true}}),
    ];
    steps.map(written).into()
}

/// A question of each kind.
fn items() -> Value {
    let options = json!([{"id": "a", "text": "Yes"}, {"id": "b", "text": "No"}]);
    let kinds = [
        json!("note"),
        json!({"text": {"lines": 3, "chars_most": 500}}),
        json!({"number": {"least": 18.0, "most": 99.0, "whole": true}}),
        json!({"choice": {"options": options}}),
        json!({"choices": {"options": options, "least": 0, "most": 2}}),
        json!({"likert": {"points": 7, "low": "never", "high": "always"}}),
        json!({"slider": {"least": 0.0, "most": 1.0, "step": 0.1, "low": "no", "high": "yes"}}),
    ];
    let item = |(number, kind)| json!({"id": format!("q{number}"), "text": "?", "required": true, "kind": kind});
    kinds.into_iter().enumerate().map(item).collect()
}

fn ended(end: StudyEnd) -> StudyStep {
    let reached = json!({"level": {"level": 3, "of": 12, "beyond": 0, "lives": 1, "stars": 1}});
    let results = json!([
        {"game": "mind", "outcome": "lost", "reached": reached},
        {"game": "mind", "outcome": null, "reached": null},
    ]);
    let is_completed = end == StudyEnd::Completed;
    let address = is_completed.then_some("https://lab.example/done");
    let code = is_completed.then_some("C1A2");
    written(json!({"ended": {
        "end": end, "text": "Thank you.", "address": address, "code": code, "results": results,
    }}))
}

/// What a page sends when it is opened.
pub fn arrival() -> StudyArrival {
    written(json!({"parameters": {"PROLIFIC_PID": "p1"}, "language": "en", "embedded": true}))
}

/// Consent.
pub fn consent() -> StudyConsent {
    StudyConsent { given: true, version: "1".to_owned() }
}

/// Answers of each kind, to each form.
pub fn answers() -> Vec<StudyAnswers> {
    let answers = json!({
        "a": {"text": "x"}, "b": {"number": 31.0}, "c": {"choice": "a"}, "d": {"choices": ["a", "b"]},
        "e": {"likert": 4},
    });
    let forms = [json!("instructions"), json!("comprehension"), json!({"questionnaire": "before"})];
    forms.map(|to| written(json!({"to": to, "answers": answers, "took_ms": 900}))).into()
}

/// Notes of each kind, with each input.
pub fn notes() -> StudyNotes {
    let mut kinds = vec![
        json!({"screen": {"width": 360, "height": 740, "scale": 3.0}}),
        json!("hidden"),
        json!("seen"),
        json!({"shown": {"table": "k3f9ab", "seq": 41}}),
    ];
    for input in ["mouse", "touch", "pen", "keyboard", "other"] {
        kinds.push(json!({"pressed": {"table": "k3f9ab", "client": 1, "id": 17, "input": input}}));
    }
    let notes = kinds.into_iter().map(|what| json!({"at": 1_234.5, "what": what}));
    written(json!({"notes": notes.collect::<Value>()}))
}

/// A deal before and after the study is closed.
pub fn deals() -> Vec<StudyDeal> {
    let deal = |seed| StudyDeal {
        condition: "report".to_owned(),
        game: 1,
        commitment: read(&"60".repeat(32)),
        seed,
    };
    vec![deal(None), deal(Some("00".repeat(32)))]
}

/// A message from its JSON, which has all that the message has and nothing else.
fn written<T: serde::de::DeserializeOwned>(json: Value) -> T {
    let text = json.to_string();
    serde_json::from_value(json).unwrap_or_else(|error| panic!("{error}: {text}"))
}
