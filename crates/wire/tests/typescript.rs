//! The TypeScript types are those of the messages: the file is fresh, and whatever is sent has the
//! shape that it declares.

mod samples;

use std::collections::{BTreeMap, BTreeSet};

use rules::extreme::Extreme;
use rules::mind::Mind;
use rules::royale::Royale;
use rules::soulmates::Soulmates;
use serde::Serialize;
use serde_json::Value;
use tempo::Tempo;
use wire::typescript::{Declaration, Field, Shape, typescript};
use wire::{Consent, Help, Known, Lender, Listing, Offered, Replay, Rerun, SameDeal, Sight, View};

#[test]
fn the_file_in_the_repository_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire.gen.ts");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == typescript(), "web/src/wire.gen.ts is out of date: run cargo xtask gen");
}

#[test]
fn what_is_written_is_read_back() {
    for (name, declaration) in &Types::declared().declarations {
        let written = declaration.to_string();
        assert_eq!(written.parse().as_ref(), Ok(declaration), "{name}: {written}");
    }
}

/// Everything that can be said is said here, and looks as declared.
#[test]
fn messages_have_the_shapes_that_are_declared() {
    let mut types = Types::declared();
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
    types.check("Help", &Help { codes: None, cards: None, suggestion: None });
    for offered in Offered::all() {
        types.check("Offered", &offered);
    }
    for game in ["mind", "extreme", "soulmates", "royale"] {
        let game = samples::read(game);
        let code = samples::read("k3f9ab");
        types.check("Listing", &Listing { code, game, taken: 1, chairs: 2, playing: true });
    }
    types.check("Consent", &Consent { lends_tempo: true });
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
    let (game, end) = (samples::read("k3f9ab-1"), frames[0].watcher.view);
    let rerun = Rerun { game, open: true, table, you: None, end, tempo };
    types.check("Rerun", &rerun);
    types.check("Rerun", &Rerun { tempo: None, ..rerun });
    types.check("Replay", &Replay { tempo: None, ..replay.clone() });
    if let Some(tempo) = replay.tempo {
        types.check("Tempo", &Tempo { sync: None, ..tempo });
    }
    types.check("Judgement", &samples::judgement());
    check_examples::<Mind>(&mut types, include_str!("../../rules/tests/mind.examples"));
    check_examples::<Extreme>(&mut types, include_str!("../../rules/tests/extreme.examples"));
    check_examples::<Soulmates>(&mut types, include_str!("../../rules/tests/soulmates.examples"));
    check_examples::<Royale>(&mut types, include_str!("../../rules/tests/royale.examples"));

    let never = types.alternatives().difference(&types.met).cloned().collect::<Vec<_>>();
    assert!(never.is_empty(), "no sample has these shapes:\n{}", never.join("\n"));
}

fn check_examples<G: Known>(types: &mut Types, examples: &str) {
    samples::seen_in_examples::<G>(examples, |view: &View, sights: &[Sight]| {
        types.check("View", view);
        for sight in sights {
            types.check("Sight", sight);
        }
    });
}

/// The checker itself can say no.
#[test]
fn other_shapes_are_noticed() {
    for (name, json) in [
        ("Seat", r#""F""#),
        ("Laid", r#"{"seat":"A"}"#),
        ("Laid", r#"{"seat":"A","card":"7"}"#),
        ("Laid", r#"{"seat":"A","card":7,"colour":"red"}"#),
        ("Hand", r#"{"theirs":1}"#),
        ("MindView", r#"{"public":{},"hands":[],"pile":[]}"#),
        ("Cards", "[1,null]"),
        ("RoyaleTriple", "[1,2]"),
        ("BySeat", "{}"),
        ("Stage", r#"{"playing":{"missing":[],"hold":[]}}"#),
        ("ServerMessage", r#"{"t":"update"}"#),
        ("Update", r#"{"code":"k3f9ab","seq":1,"show_at":1.5,"ack":null}"#),
    ] {
        let mut types = Types::declared();
        let value = serde_json::from_str(json).expect("the text is JSON");
        let shape = Shape::Named(name.into(), vec![]);
        assert!(types.fits(name, &shape, &value).is_err(), "{json} passed for a {name}");
    }
}

struct Types {
    declarations: BTreeMap<String, Declaration>,
    /// The alternatives that some value was, each behind the name of its declaration.
    met: BTreeSet<String>,
}

impl Types {
    fn declared() -> Self {
        let text = typescript();
        let texts = text.split("export ").filter(|text| text.starts_with("type "));
        let texts = texts.map(|text| text.split("\n\n").next().unwrap_or(text));
        let all = texts.map(samples::read::<Declaration>);
        let declarations = all.map(|declared| (declared.name.clone(), declared)).collect();
        Self { declarations, met: BTreeSet::new() }
    }

    fn check(&mut self, name: &str, message: &impl Serialize) {
        let value = serde_json::to_value(message).expect("a message can be written");
        let shape = Shape::Named(name.into(), vec![]);
        if let Err(why) = self.fits(name, &shape, &value) {
            panic!("{why}\nin a {name}\n{value:#}");
        }
    }

    /// Whether a value has a shape that is written in the declaration of that name.
    fn fits(&mut self, inside: &str, shape: &Shape, value: &Value) -> Result<(), String> {
        let fits = match (shape, value) {
            (Shape::Literal(text), Value::String(value)) => text == value,
            (Shape::Tuple(shapes), Value::Array(values)) if shapes.len() == values.len() => {
                for (shape, value) in shapes.iter().zip(values) {
                    self.fits(inside, shape, value)?;
                }
                true
            }
            (Shape::Object(_) | Shape::Both(_), Value::Object(values)) => {
                let fields = self.fields(inside, shape);
                let mut known = 0;
                for (inside, Field { key, optional, shape, .. }) in &fields {
                    let Some(value) = values.get(key) else {
                        if *optional {
                            continue;
                        }
                        return Err(format!("{key} is missing"));
                    };
                    self.fits(inside, shape, value).map_err(|why| format!("{key}: {why}"))?;
                    known += 1;
                }
                values.len() == known
            }
            (Shape::Union(shapes), value) => {
                let mut fitting = vec![];
                for shape in shapes {
                    if self.fits(inside, shape, value).is_ok() {
                        fitting.push(alternative(inside, shape));
                    }
                }
                // A client has to know which one it holds.
                let one = fitting.len() == 1;
                self.met.extend(fitting);
                one
            }
            (Shape::Named(name, inner), value) => return self.is_a(inside, name, inner, value),
            (Shape::Literal(_) | Shape::Tuple(_) | Shape::Object(_) | Shape::Both(_), _) => false,
        };
        if fits { Ok(()) } else { Err(format!("{value} is not {shape}")) }
    }

    fn is_a(
        &mut self,
        inside: &str,
        name: &str,
        inner: &[Shape],
        value: &Value,
    ) -> Result<(), String> {
        match (name, inner, value) {
            ("number", [], Value::Number(_))
            | ("string", [], Value::String(_))
            | ("boolean", [], Value::Bool(_))
            | ("null", [], Value::Null) => Ok(()),
            ("Array", [shape], Value::Array(values)) => {
                values.iter().try_for_each(|value| self.fits(inside, shape, value))
            }
            _ => match self.declarations.get(name).cloned() {
                Some(declared) => {
                    let given = declared.parameters.iter().zip(inner).collect();
                    self.fits(name, &filled(&declared.shape, &given), value)
                }
                None => Err(format!("{value} is not {name}")),
            },
        }
    }

    /// The fields of an object, each behind the name of its declaration.
    fn fields(&self, inside: &str, shape: &Shape) -> Vec<(String, Field)> {
        match shape {
            Shape::Object(fields) => {
                fields.iter().map(|field| (inside.into(), field.clone())).collect()
            }
            Shape::Both(shapes) => {
                shapes.iter().flat_map(|shape| self.fields(inside, shape)).collect()
            }
            Shape::Named(name, _) => self.fields(name, &self.declarations[name].shape),
            other => panic!("{other} has no fields"),
        }
    }

    /// Every alternative that is declared anywhere.
    fn alternatives(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (name, declared) in &self.declarations {
            let mut shapes = vec![&declared.shape];
            while let Some(shape) = shapes.pop() {
                match shape {
                    Shape::Literal(_) => {}
                    Shape::Object(fields) => {
                        shapes.extend(fields.iter().map(|field| &field.shape));
                    }
                    Shape::Union(inner) => {
                        all.extend(inner.iter().map(|shape| alternative(name, shape)));
                        shapes.extend(inner);
                    }
                    Shape::Named(_, inner) | Shape::Tuple(inner) | Shape::Both(inner) => {
                        shapes.extend(inner);
                    }
                }
            }
        }
        all
    }
}

fn alternative(inside: &str, shape: &Shape) -> String {
    format!("{inside}: {shape}")
}

/// The shape with its parameters filled in.
fn filled(shape: &Shape, given: &BTreeMap<&String, &Shape>) -> Shape {
    let all = |shapes: &[Shape]| shapes.iter().map(|shape| filled(shape, given)).collect();
    match shape {
        Shape::Named(name, _) if given.contains_key(name) => given[name].clone(),
        Shape::Named(name, inner) => Shape::Named(name.clone(), all(inner)),
        Shape::Literal(text) => Shape::Literal(text.clone()),
        Shape::Tuple(shapes) => Shape::Tuple(all(shapes)),
        Shape::Union(shapes) => Shape::Union(all(shapes)),
        Shape::Both(shapes) => Shape::Both(all(shapes)),
        Shape::Object(fields) => Shape::Object(
            fields
                .iter()
                .map(|field| Field { shape: filled(&field.shape, given), ..field.clone() })
                .collect(),
        ),
    }
}
