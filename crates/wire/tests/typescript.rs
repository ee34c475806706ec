//! The TypeScript declarations and the JSON Schemas made from them fit the messages: samples of
//! every message are checked by the schemas.

mod samples;
mod studies;

use std::collections::BTreeMap;

use jsonschema::Validator;
use rules::door::GameName;
use rules::kit::{Outcome, Preset};
use rules::with_name;
use serde::Serialize;
use serde_json::{Value, json};
use strum::VariantNames;
use tempo::Tempo;
use wire::typescript::typescript;
use wire::{
    CheckedSetup, Commitment, Companion, Consent, DailyDeal, DailyDeals, DailyTeam, DeviceLink,
    DeviceLinkState, DeviceRequest, Devices, Help, Invitation, Language, Lender, Listing, Mark,
    MarkColour, MarkPicture, Me, NamedSetup, Participant, PartnerSearch, Phrase, Problem, Progress,
    Reaction, Refusal, Refused, Replay, RevealedDeal, SCHEMAS, SameDeal, SameDealGame, SeatedChair,
    SeatedTable, ServerMessage, Setup, SignIn, WireGame,
};

#[test]
fn the_file_in_the_repository_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire.gen.ts");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == typescript(), "web/src/wire.gen.ts is out of date: run cargo xtask gen");
}

/// Every message fits its schema, and every alternative of a schema fits a part of a sample.
#[test]
fn messages_have_the_shapes_that_are_declared() {
    let mut types = Schemas::read();
    for (_, message) in samples::client() {
        types.check("ClientMessage", &message);
    }
    for (_, message) in samples::server().into_iter().chain(samples::updates()) {
        types.check("ServerMessage", &message);
    }
    for (_, setup) in samples::setups() {
        types.check("Setup", &setup);
    }
    for (_, stage) in samples::stages() {
        types.check("Stage", &stage);
    }
    for (_, sitter) in samples::sitters() {
        types.check("Sitter", &sitter);
    }
    for code in Refusal::VARIANTS {
        // What does not belong to the code is left out.
        let all = json!({
            "code": code, "given": 4, "most": 3, "plays": 7, "needed": 20, "colour": "red",
            "seer": "A", "maker": "B", "breaker": "C", "challenge": 5, "bits": 17,
        });
        let why = serde_json::from_value::<Refusal>(all).expect("every code has its fields");
        assert_eq!(why.code(), *code);
        let refused = Refused { table: None, id: None, why, text: String::new() };
        types.check("Refusal", &why);
        types.check("Refused", &refused);
        types.check("ServerMessage", &ServerMessage::Refused(refused));
        types.check("Problem", &Problem { why, text: String::new() });
    }
    types.check("Help", &Help { codes: None, cards: None, suggestion: None });
    for offered in NamedSetup::all() {
        types.check("NamedSetup", &offered);
    }
    for &game in GameName::ALL {
        let code = samples::read("k3f9ab");
        types.check("Listing", &Listing { code, game, taken: 1, chairs: 2, playing: true });
        let chairs = vec![
            SeatedChair { who: Participant::You, here: false },
            SeatedChair {
                who: Participant::Named { name: samples::read("Ben"), mark: samples::mark() },
                here: true,
            },
        ];
        types.check("SeatedTable", &SeatedTable { code, game, chapter: 3, chairs });
    }
    for text in ["players=2", "players=3 table=4/3/1"] {
        let setup = Setup::read(GameName::Soulmates, text).unwrap();
        let table = setup.level_table();
        types.check("CheckedSetup", &CheckedSetup::Playable { setup, table });
    }
    let setup = Setup::read(GameName::Royale, "players=3").unwrap();
    types.check("CheckedSetup", &CheckedSetup::Playable { setup, table: None });
    types.check("CheckedSetup", &CheckedSetup::Impossible { text: "not like this".to_owned() });
    types.check("Consent", &Consent { lends_tempo: true });
    for picture in MarkPicture::ALL {
        for colour in MarkColour::ALL {
            types.check("Mark", &Mark { picture, colour });
        }
    }
    for sign in Reaction::ALL {
        types.check("Reaction", &sign);
    }
    check_devices(&mut types);
    check_people(&mut types);
    check_daily(&mut types);
    check_studies(&mut types);
    for (record, history) in samples::past() {
        types.check("PlayRecord", &record);
        types.check("History", &history);
        types.check("SameDeal", &SameDeal { open: history.games, closed: 1 });
    }
    let replay = samples::replay();
    types.check("Replay", &replay);
    let (name, seat) = (samples::read("Ada"), samples::read("B"));
    types.check("Lender", &Lender { name, game: samples::read("k3f9ab-1"), seat });
    let Replay { table, tempo, frames, .. } = replay.clone();
    let (game, end) = (samples::read("k3f9ab-1"), frames[0].spectator.view);
    let rerun = SameDealGame { game, open: true, table, you: None, end, tempo };
    types.check("SameDealGame", &rerun);
    types.check("SameDealGame", &SameDealGame { tempo: None, ..rerun });
    types.check("Replay", &Replay { tempo: None, ..replay.clone() });
    if let Some(tempo) = replay.tempo {
        types.check("Tempo", &Tempo { sync: None, ..tempo });
    }
    types.check("Judgement", &samples::judgement());
    for &game in GameName::ALL {
        with_name!(game, G => check_examples::<G>(&mut types));
    }

    let (count, missing) = types.uncovered();
    assert!(count > 300, "only {count} alternatives were compared");
    assert!(missing.is_empty(), "no sample fits these alternatives:\n{}", missing.join("\n"));
}

fn check_devices(types: &mut Schemas) {
    let asked = DeviceLinkState::Asked { number: 42 };
    let (waiting, done) = (DeviceLinkState::Waiting, DeviceLinkState::Done);
    for state in [waiting, asked, DeviceLinkState::Confirmed, done, DeviceLinkState::Ended] {
        types.check("DeviceLinkState", &state);
    }
    let me = Me { name: samples::read("Ada"), mark: samples::mark() };
    for answer in [SignIn::Waiting, SignIn::Done(me)] {
        types.check("SignIn", &answer);
    }
    let text = "0123456789abcdef".to_owned();
    types.check("Devices", &Devices { devices: 2, phrase: true });
    types.check("DeviceLink", &DeviceLink { token: text.clone(), seconds: 120 });
    types.check("DeviceRequest", &DeviceRequest { ticket: text.clone(), number: 42 });
    types.check("Phrase", &Phrase { words: text });
}

fn check_people(types: &mut Schemas) {
    let table = samples::code();
    let waiting = PartnerSearch::Waiting { people: 1, players: 3, bots_in_s: 15 };
    let (found, joining) = (PartnerSearch::Found { table }, PartnerSearch::Joining { table });
    for search in [PartnerSearch::Idle, waiting, found, joining] {
        types.check("PartnerSearch", &search);
    }
    for language in [Language::En, Language::Fr, Language::De, Language::Es, Language::It] {
        types.check("Language", &language);
    }
    let setup = Setup::of(GameName::Mind, 2, Preset::Faithful).unwrap();
    let (id, name) = ("0123456789abcdef".to_owned(), samples::read("Mia"));
    for invited in [None, Some(table)] {
        let (id, name) = (id.clone(), Clone::clone(&name));
        let companion = Companion { id, name, mark: samples::mark(), games: 3, setup, invited };
        types.check("Companion", &companion);
    }
    types.check("Invitation", &Invitation { id, from: name, setup, table, at_s: 1_700_000_000 });
}

fn check_daily(types: &mut Schemas) {
    let commitment: Commitment = samples::read(&"60".repeat(32));
    let (game, players, seed) = (GameName::Mind, 2, "00".repeat(32));
    let deal =
        |played| DailyDeal { game, players, commitment, tomorrow: commitment, teams: 1, played };
    let deals = vec![deal(None), deal(Some(samples::read("k3f9ab-1")))];
    let revealed = vec![RevealedDeal { game, players, commitment, seed, teams: 4 }];
    let (day, seconds_left) = ("2026-11-18".to_owned(), 86_400);
    types.check("DailyDeals", &DailyDeals { day, seconds_left, deals, revealed });
    let reached = Progress::Level { level: 3, of: 12, beyond: 0, lives: 0, stars: Some(1) };
    let lost = Some(Outcome::Lost);
    let team = DailyTeam { you: true, bots: 1, outcome: lost, reached, mistakes: Some(3) };
    types.check("DailyTeam", &team);
    let reached = Progress::Points(vec![30, 31]);
    let team = DailyTeam { you: false, bots: 0, outcome: None, reached, mistakes: None };
    types.check("DailyTeam", &team);
}

fn check_studies(types: &mut Schemas) {
    for page in studies::pages() {
        types.check("StudyPage", &page);
    }
    types.check("StudyArrival", &studies::arrival());
    types.check("StudyConsent", &studies::consent());
    for answers in studies::answers() {
        types.check("StudyAnswers", &answers);
    }
    types.check("StudyNotes", &studies::notes());
    for deal in studies::deals() {
        types.check("StudyDeal", &deal);
    }
}

fn check_examples<G: WireGame>(types: &mut Schemas) {
    samples::seen_in_examples::<G>(|_, _, view, sights| {
        types.check("View", view);
        for sight in sights {
            types.check("Sight", sight);
        }
    });
}

/// The schemas refuse other values.
#[test]
fn other_shapes_are_noticed() {
    let mut types = Schemas::read();
    for (name, json) in [
        ("Seat", r#""G""#),
        ("Laid", r#"{"seat":"A"}"#),
        ("Laid", r#"{"seat":"A","card":"7"}"#),
        ("Laid", r#"{"seat":"A","card":7,"colour":"red"}"#),
        ("Hand", r#"{"theirs":1}"#),
        ("MindView", r#"{"public":{},"hands":[],"pile":[]}"#),
        ("Cards", "[1,null]"),
        ("RoyaleTriple", "[1,2]"),
        ("BySeat-Hand", "{}"),
        ("Stage", r#"{"playing":{"missing":[],"hold":[]}}"#),
        ("ServerMessage", r#"{"t":"update"}"#),
        ("Update", r#"{"code":"k3f9ab","seq":1,"show_at":1.5,"ack":null}"#),
    ] {
        let value = serde_json::from_str(json).expect("the text is JSON");
        assert!(!types.validator(name).is_valid(&value), "{json} passed for a {name}");
    }
}

/// The schemas, and all values that were checked by them.
struct Schemas {
    schemas: Value,
    validators: BTreeMap<String, Validator>,
    /// Every sample and every part of it, by its text.
    values: BTreeMap<String, Value>,
}

impl Schemas {
    fn read() -> Self {
        let schemas = serde_json::from_str(SCHEMAS).expect("the schemas are JSON");
        Self { schemas, validators: BTreeMap::new(), values: BTreeMap::new() }
    }

    fn check(&mut self, name: &str, message: &impl Serialize) {
        let value = serde_json::to_value(message).expect("a message can be written");
        if let Err(error) = self.validator(name).validate(&value) {
            panic!("{error}, at {}\nin a {name}\n{value:#}", error.instance_path());
        }
        self.collect(value);
    }

    fn collect(&mut self, value: Value) {
        match &value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(item.clone())),
            Value::Object(fields) => fields.values().for_each(|field| self.collect(field.clone())),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        self.values.insert(value.to_string(), value);
    }

    fn validator(&mut self, name: &str) -> &Validator {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        let schemas = &self.schemas;
        self.validators.entry(name.to_owned()).or_insert_with(|| compiled(schemas, schema))
    }

    /// How many alternatives the schemas have, and those that fit no value.
    fn uncovered(&self) -> (usize, Vec<String>) {
        let mut alternatives = BTreeMap::new();
        alternatives_in(&self.schemas, &mut alternatives);
        let count = alternatives.len();
        let missing = alternatives.into_iter().filter(|(_, schema)| {
            let is_met = match schema.get("const") {
                Some(literal) => self.values.contains_key(&literal.to_string()),
                None => {
                    let validator = compiled(&self.schemas, schema.clone());
                    self.values.values().any(|value| validator.is_valid(value))
                }
            };
            !is_met
        });
        (count, missing.map(|(text, _)| text).collect())
    }
}

/// A validator for a schema that refers to others by name.
fn compiled(schemas: &Value, schema: Value) -> Validator {
    let root = json!({ "allOf": [schema], "components": { "schemas": schemas } });
    jsonschema::validator_for(&root).expect("the schema is valid")
}

/// Every alternative of a schema: the branches of its unions and the values of its enums.
fn alternatives_in(schema: &Value, found: &mut BTreeMap<String, Value>) {
    match schema {
        Value::Object(fields) => {
            for branch in fields.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
                found.insert(branch.to_string(), branch.clone());
            }
            for literal in fields.get("enum").and_then(Value::as_array).into_iter().flatten() {
                found.insert(literal.to_string(), json!({ "const": literal }));
            }
            fields.values().for_each(|inner| alternatives_in(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| alternatives_in(inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
