//! Plays one example, line by line.

use std::fmt::Display;

use crate::extreme;
use crate::family::{self, Card, Laid};
use crate::kit::text::Fields;
use crate::kit::{Imagine, Match, Moment, Outcome, Reason, Refusal, Seat, Seed, View, Viewer};
use crate::royale::{self, Row};

/// A table and what last happened at it.
pub(super) struct Scene<G: Imagine> {
    table: Option<Table<G>>,
}

struct Table<G: Imagine> {
    now: Moment,
    live: Match<G>,
    /// The match before the last step, which `chance` folds again.
    before: Match<G>,
    events: Vec<G::Event>,
}

impl<G: Imagine> Default for Scene<G> {
    fn default() -> Self {
        Self { table: None }
    }
}

impl<G: Imagine> Scene<G> {
    /// Plays one line; the error says what was found instead.
    pub(super) fn play(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "start" => self.start(rest),
            "open" => self.open(rest),
            "impossible" => impossible::<G>(rest),
            "mistakes" => mistakes(rest),
            "answer" => answer(rest),
            "at" | "do" | "chance" | "refuse" | "events" | "event" | "expect" | "sees"
            | "hides" | "notices" | "misses" | "options" | "talk" | "outcome" => {
                let table = self.table.as_mut();
                table.ok_or("no table stands yet, begin with start or open")?.play(word, rest)
            }
            _ => Err(format!("{word:?} is no directive, docs/notation.md lists them")),
        }
    }

    fn start(&mut self, text: &str) -> Result<(), String> {
        let state = text.parse::<G>().map_err(text_of)?;
        let live = Match::resume(state, Seed::from(0), 0, Moment::START);
        self.table = Some(Table { now: Moment::START, live, before: live, events: Vec::new() });
        Ok(())
    }

    fn open(&mut self, text: &str) -> Result<(), String> {
        let setup = text.parse::<G::Setup>().map_err(text_of)?;
        let step = Match::open(&setup, Seed::from(0));
        let before = Match::resume(G::new(&setup), Seed::from(0), 0, Moment::START);
        let events = step.events().to_vec();
        self.table = Some(Table { now: Moment::START, live: step.commit(), before, events });
        Ok(())
    }
}

impl<G: Imagine> Table<G> {
    fn play(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if word != "chance" {
            self.check_possible()?;
        }
        match word {
            "at" => {
                self.now = Moment::from_micros(rest.parse().map_err(text_of)?);
                Ok(())
            }
            "do" => self.act(rest),
            "chance" => self.chance(rest),
            "refuse" => self.refuse(rest),
            "events" => self.all_events(rest),
            "event" => self.one_event(rest),
            "expect" => compare(&self.live.state().to_string(), rest),
            "sees" => {
                let (viewer, fields) = self.viewer(rest)?;
                compare(&self.live.view(viewer).to_string(), fields)
            }
            "hides" => self.hides(rest),
            "notices" => self.notices(rest),
            "misses" => self.misses(rest),
            "options" => self.options(rest),
            "talk" => {
                let talk =
                    if self.live.view(Viewer::Spectator).may_talk() { "open" } else { "closed" };
                is("talk", talk, rest)
            }
            _ => {
                let outcome = self.live.outcome().map(|outcome: Outcome| outcome.to_string());
                is("the outcome", outcome.as_deref().unwrap_or("none"), rest)
            }
        }
    }

    /// What chance was told to say may be impossible; then nothing that follows means anything.
    fn check_possible(&self) -> Result<(), String> {
        let state = self.live.state();
        match state.to_string().parse::<G>() {
            Ok(again) if again == *state => Ok(()),
            Ok(again) => Err(format!("{state}\n  is read back as\n  {again}")),
            Err(wrong) => Err(format!("chance has led to an impossible table: {wrong}")),
        }
    }

    fn act(&mut self, rest: &str) -> Result<(), String> {
        let (viewer, command) = split_viewer(rest)?;
        let seat = viewer.seat().ok_or("a spectator does nothing, name a seat")?;
        let command = command.parse::<G::Command>().map_err(text_of)?;
        let step =
            self.live.submit(self.now, seat, command).map_err(|refusal| refused(&refusal))?;
        self.before = self.live;
        self.events = step.events().to_vec();
        self.live = step.commit();
        Ok(())
    }

    fn chance(&mut self, rest: &str) -> Result<(), String> {
        let event = rest.parse::<G::Event>().map_err(text_of)?;
        let kind = first_word(rest);
        let place = self.events.iter().position(|event| first_word(&event.to_string()) == kind);
        let place = place.ok_or_else(|| format!("no event {kind} in: {}", joined(&self.events)))?;
        self.events[place] = event;
        let mut state = *self.before.state();
        for event in &self.events {
            state.apply(self.now, event);
        }
        self.live = Match::resume(state, Seed::from(0), self.live.seq(), self.now);
        Ok(())
    }

    fn refuse(&self, rest: &str) -> Result<(), String> {
        let (what, code) =
            rest.rsplit_once(" because ").ok_or("write: refuse A stop because CODE")?;
        let (viewer, command) = split_viewer(what)?;
        let command = command.parse::<G::Command>().map_err(text_of)?;
        let refusal = match viewer {
            Viewer::Seat(seat) => self.live.submit(self.now, seat, command).err(),
            Viewer::Spectator => self.live.view(viewer).permits(&command).err().map(Refusal::Rule),
        };
        match refusal {
            Some(refusal) if refusal.code() == code.trim() => Ok(()),
            Some(refusal) => Err(refused(&refusal)),
            None => Err("accepted".to_owned()),
        }
    }

    fn all_events(&self, rest: &str) -> Result<(), String> {
        let patterns = rest.split(';').map(str::trim).collect::<Vec<_>>();
        let texts = self.events.iter().map(G::Event::to_string).collect::<Vec<_>>();
        let same = patterns.len() == texts.len()
            && patterns.iter().zip(&texts).all(|(pattern, text)| matches(pattern, text));
        if same { Ok(()) } else { Err(format!("the events were: {}", joined(&texts))) }
    }

    fn one_event(&self, pattern: &str) -> Result<(), String> {
        if self.events.iter().any(|event| matches(pattern, &event.to_string())) {
            return Ok(());
        }
        Err(format!("the events were: {}", joined(&self.events)))
    }

    fn hides(&self, rest: &str) -> Result<(), String> {
        let (viewer, fields) = self.viewer(rest)?;
        let now = *self.live.state();
        let text = now.to_string();
        let (setup, position) = text.split_once('|').unwrap_or((&text, ""));
        let (mut position, changes) =
            (Fields::parse(position).map_err(text_of)?, Fields::parse(fields).map_err(text_of)?);
        for (key, _) in changes.iter() {
            position.take(key);
        }
        let words =
            position.iter().chain(changes.iter()).map(|(key, value)| format!("{key}={value}"));
        let other = format!("{setup} | {}", words.collect::<Vec<_>>().join(" "));
        let other = other.parse::<G>().map_err(|e| format!("that would be impossible: {e}"))?;
        if other == now {
            return Err("nothing would be different".to_owned());
        }
        let (seen, other) = (now.view(viewer), other.view(viewer));
        if seen == other {
            return Ok(());
        }
        Err(format!("{viewer} sees the difference:\n  now   {seen}\n  other {other}"))
    }

    fn notices(&self, rest: &str) -> Result<(), String> {
        let (viewer, pattern) = self.viewer(rest)?;
        let sights = self.sights(viewer);
        if sights.iter().any(|sight| matches(pattern, sight)) {
            return Ok(());
        }
        Err(format!("{viewer} noticed: {}", joined(&sights)))
    }

    fn misses(&self, rest: &str) -> Result<(), String> {
        let (viewer, word) = self.viewer(rest)?;
        match self.sights(viewer).iter().find(|sight| first_word(sight) == word) {
            None => Ok(()),
            Some(sight) => Err(format!("{viewer} noticed: {sight}")),
        }
    }

    fn sights(&self, viewer: Viewer) -> Vec<String> {
        let sights = self.events.iter().filter_map(|event| G::witness(event, viewer));
        sights.map(|sight| sight.to_string()).collect()
    }

    fn options(&self, rest: &str) -> Result<(), String> {
        let (viewer, list) = self.viewer(rest)?;
        let mut wanted =
            list.split(';').map(str::trim).filter(|word| *word != "-").collect::<Vec<_>>();
        let options = self.live.view(viewer).options();
        let mut found = options.iter().map(G::Command::to_string).collect::<Vec<_>>();
        wanted.sort_unstable();
        found.sort_unstable();
        if wanted == found {
            return Ok(());
        }
        Err(format!("{viewer} may: {}", joined(&found)))
    }

    fn viewer<'a>(&self, rest: &'a str) -> Result<(Viewer, &'a str), String> {
        let (viewer, rest) = split_viewer(rest)?;
        if viewer.at_table_of(self.live.state().players()) == viewer {
            Ok((viewer, rest))
        } else {
            Err(format!("the table has no seat {viewer}"))
        }
    }
}

fn split_viewer(text: &str) -> Result<(Viewer, &str), String> {
    let (viewer, rest) = text.split_once(char::is_whitespace).ok_or("name a seat, then what")?;
    Ok((viewer.parse().map_err(text_of)?, rest.trim()))
}

/// Compares some `key=value` fields with a state or a view. A field that is not written is `-`,
/// and an empty list of seats behind a phase may be left out.
fn compare(text: &str, wanted: &str) -> Result<(), String> {
    let (setup, position) = text.split_once('|').unwrap_or(("", text));
    let mut position = Fields::parse(position).map_err(text_of)?;
    let mut setup = Fields::parse(setup).map_err(text_of)?;
    for (key, value) in Fields::parse(wanted).map_err(text_of)?.iter() {
        let found = position.take(key).or_else(|| setup.take(key)).unwrap_or("-");
        if found.strip_suffix(":-") != Some(value) {
            is(key, found, value)?;
        }
    }
    Ok(())
}

fn is(what: &str, found: &str, wanted: &str) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what} is {found}, not {wanted}")) }
}

/// Whether an event is as written; `…` at the end stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix('…') {
        Some(start) => format!("{text} ").starts_with(start),
        None => pattern == text,
    }
}

fn impossible<G: Imagine>(rest: &str) -> Result<(), String> {
    let (setup, wanted) =
        rest.split_once(" because ").ok_or("write: impossible SETUP because TEXT")?;
    match setup.parse::<G::Setup>() {
        Ok(setup) => Err(format!("it is possible: {setup}")),
        Err(wrong) => is("the reason", &wrong.to_string(), wanted.trim()),
    }
}

/// `[red] 2-13-11-28 = 1`: the mistakes of a face-down pile (B1).
fn mistakes(rest: &str) -> Result<(), String> {
    let (pile, wanted) = rest.split_once('=').ok_or("write: mistakes 10-20-5 = 1")?;
    let (red, pile) = match pile.trim().strip_prefix("red ") {
        Some(pile) => (true, pile),
        None => (false, pile),
    };
    let cards = pile.trim().split('-').map(|card| card.trim().parse::<Card>());
    let cards = cards.collect::<Result<Vec<_>, _>>().map_err(text_of)?;
    let pile = cards.into_iter().map(|card| Laid { seat: Seat::A, card }).collect();
    let found = if red { extreme::Colour::Red.mistakes(&pile) } else { family::mistakes(&pile) };
    is("the number of mistakes", &found.to_string(), wanted.trim())
}

/// `AAE AEA = 1b2w`: what a row is answered, the code first (Y3).
fn answer(rest: &str) -> Result<(), String> {
    let wrong = "write the code, then the row: answer AAE AEA = 1b2w";
    let (zones, wanted) = rest.split_once('=').ok_or(wrong)?;
    let (code, row) = zones.trim().split_once(char::is_whitespace).ok_or(wrong)?;
    let (code, row) =
        (code.parse::<Row>().map_err(text_of)?, row.trim().parse::<Row>().map_err(text_of)?);
    if code.zone() != row.zone() {
        return Err("the code and the row are of different zones".to_owned());
    }
    let pegs = royale::answer(row.triple(), code.triple());
    is("the answer", &pegs.to_string(), wanted.trim())
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

fn joined<T: Display>(items: &[T]) -> String {
    crate::kit::text::listed(items, " ; ")
}

fn text_of(error: impl Display) -> String {
    error.to_string()
}

fn refused<R: Reason>(refusal: &Refusal<R>) -> String {
    format!("refused because {}: {refusal}", refusal.code())
}
