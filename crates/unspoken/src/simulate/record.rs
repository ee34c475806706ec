//! A result with everything that made it, in one shape for all commands of the lab: as a line of
//! JSON, or as a line of CSV with the same names.

use anyhow::{Context, Result};
use lab::{Share, Tally};
use serde::Serialize;
use serde_json::{Map, Value};

use super::cell::{Cell, Played};
use crate::out::outln;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
    /// A line of names, and one line a result.
    Csv,
}

/// A result. Shares are between 0 and 1, times in seconds.
#[derive(Serialize)]
struct Record<'a, T> {
    command: &'a str,
    version: &'a str,
    #[serde(flatten)]
    result: T,
}

/// The result of a cell.
#[derive(Serialize)]
pub(crate) struct Outcome<'a> {
    #[serde(flatten)]
    cell: &'a Cell,
    scale_s: f64,
    won: Share,
    levels: f64,
    lives: f64,
    stars: f64,
    mistakes_per_level: f64,
    mistakes_at_level: Vec<f64>,
    play_s: f64,
}

impl<'a> Outcome<'a> {
    pub(crate) fn of(cell: &'a Cell, played: &Played) -> Self {
        let tally: &Tally = &played.tally;
        Self {
            cell,
            scale_s: played.scale_s,
            won: tally.win(),
            levels: tally.mean(tally.levels),
            lives: tally.mean(tally.lives),
            stars: tally.mean(tally.stars),
            mistakes_per_level: tally.mistakes_per_level(),
            mistakes_at_level: tally.mistakes_at_level(),
            play_s: tally.play_s(),
        }
    }

    /// The figures beside the share of games won, with their names.
    pub(crate) fn figures(&self) -> [(&'static str, f64); 5] {
        [
            ("levels completed", self.levels),
            ("lives left", self.lives),
            ("stars left", self.stars),
            ("mistakes per level", self.mistakes_per_level),
            ("play time, s", self.play_s),
        ]
    }
}

/// Prints results as JSON or CSV. Every result of a run has the same names in the same order.
pub(crate) struct Printer {
    command: &'static str,
    form: Form,
    has_header: bool,
}

impl Printer {
    pub(crate) fn new(command: &'static str, form: Form) -> Self {
        Self { command, form, has_header: false }
    }

    /// Prints a result; nothing in the form for people.
    pub(crate) fn print(&mut self, result: &impl Serialize) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let record = Record { command: self.command, version, result };
        match self.form {
            Form::Text => {}
            Form::Json => outln!("{}", serde_json::to_string(&record)?),
            Form::Csv => {
                let value = serde_json::to_value(&record)?;
                let fields = value.as_object().context("a result has fields")?;
                let mut columns = Vec::new();
                flatten("", fields, &mut columns);
                if !std::mem::replace(&mut self.has_header, true) {
                    outln!("{}", line(columns.iter().map(|(name, _)| name.clone())));
                }
                outln!("{}", line(columns.into_iter().map(|(_, value)| value)));
            }
        }
        Ok(())
    }
}

/// Fields within fields are called `outer.inner`; lists stand in one column, between spaces.
fn flatten(outer: &str, fields: &Map<String, Value>, columns: &mut Vec<(String, String)>) {
    for (name, value) in fields {
        let name = format!("{outer}{name}");
        match value {
            Value::Object(inner) => flatten(&format!("{name}."), inner, columns),
            Value::Array(values) => {
                let values = values.iter().map(text).collect::<Vec<_>>();
                columns.push((name, values.join(" ")));
            }
            value => columns.push((name, text(value))),
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// A line of CSV: a field with a comma, a quote or a line break stands between quotes.
fn line(fields: impl Iterator<Item = String>) -> String {
    let quoted = fields.map(|field| {
        if field.contains([',', '"', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// A share in percent with its interval, for people.
pub(crate) fn percent(share: Share) -> String {
    let [share, low, high] = [share.share, share.low, share.high].map(|share| 100.0 * share);
    format!("{share:.2} % ({low:.2} to {high:.2})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_line_are_quoted_where_they_have_to_be() {
        let fields = ["human,kindred", "said \"no\"", "plain"].map(str::to_owned);
        assert_eq!(line(fields.into_iter()), "\"human,kindred\",\"said \"\"no\"\"\",plain");
    }

    #[test]
    fn columns_are_named_by_their_way() {
        let value = serde_json::json!({ "won": { "share": 0.5 }, "at": [1, 2], "none": null });
        let mut columns = Vec::new();
        flatten("", value.as_object().unwrap(), &mut columns);
        let columns = columns.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let mut columns = columns.collect::<Vec<_>>();
        columns.sort_unstable();
        assert_eq!(columns, [("at", "1 2"), ("none", ""), ("won.share", "0.5")]);
    }
}
