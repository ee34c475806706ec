//! Tables of data: typed columns with a description each, written as comma-separated values.

use serde::{Deserialize, Serialize};

/// All data of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    /// The study's name.
    pub study: String,
    /// The text of the study's file, as it was added.
    pub file: String,
    /// The tables.
    pub tables: Vec<DataTable>,
    /// What is stored and not in the tables, a sentence each.
    pub left_out: Vec<String>,
}

/// A table of data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataTable {
    /// Its name, and that of its file.
    pub name: String,
    /// What a row is.
    pub row: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with a value for each column.
    pub rows: Vec<Vec<Value>>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name; the unit ends it.
    pub name: String,
    /// What kind of values it has.
    pub kind: Kind,
    /// What it says.
    pub says: String,
}

/// What kind of values a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Real,
    /// Yes or no.
    Flag,
}

impl Kind {
    /// Its name in the dictionary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Whole => "whole number",
            Self::Real => "number",
            Self::Flag => "true or false",
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// There is none.
    Missing,
    /// Text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// Yes or no.
    Flag(bool),
}

impl Value {
    /// A text.
    pub fn text(text: impl ToString) -> Self {
        Self::Text(text.to_string())
    }

    /// A whole number; missing if it is too large for 63 bits.
    pub fn whole(number: impl TryInto<i64>) -> Self {
        number.try_into().map_or(Self::Missing, Self::Whole)
    }

    /// A value that may be missing.
    pub fn or_missing<T>(value: Option<T>, known: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Missing, known)
    }

    /// The value as a cell. A text that a spreadsheet would take for a formula begins with `'`.
    fn cell(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) if text.starts_with(['=', '+', '-', '@']) => format!("'{text}"),
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
        }
    }
}

impl DataTable {
    /// A table without rows. Each column has its name, its kind and what it says.
    pub fn new(name: &str, row: &str, columns: &[(&str, Kind, &str)]) -> Self {
        let column = |(name, kind, says): &(&str, Kind, &str)| Column {
            name: (*name).to_owned(),
            kind: *kind,
            says: (*says).to_owned(),
        };
        Self {
            name: name.to_owned(),
            row: row.to_owned(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// The table as comma-separated values, with a head line.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        let head = self.columns.iter().map(|column| column.name.clone());
        write_line(&mut text, head);
        for row in &self.rows {
            write_line(&mut text, row.iter().map(Value::cell));
        }
        text
    }
}

impl Dataset {
    /// What every column says, as a table.
    pub fn dictionary(&self) -> DataTable {
        let mut dictionary = DataTable::new(
            "dictionary",
            "one column of one table",
            &[
                ("table", Kind::Text, "The table."),
                ("row", Kind::Text, "What a row of the table is."),
                ("column", Kind::Text, "The column."),
                ("kind", Kind::Text, "What kind of values it has; an empty cell is missing."),
                ("says", Kind::Text, "What it says."),
            ],
        );
        for table in &self.tables {
            for column in &table.columns {
                dictionary.rows.push(vec![
                    Value::text(&table.name),
                    Value::text(&table.row),
                    Value::text(&column.name),
                    Value::text(column.kind.name()),
                    Value::text(&column.says),
                ]);
            }
        }
        dictionary
    }
}

/// Writes a line as RFC 4180 has it.
fn write_line(text: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_cell_is_a_formula() {
        let columns = [("a", Kind::Text, "A."), ("b_ms", Kind::Whole, "B.")];
        let mut table = DataTable::new("t", "one thing", &columns);
        table.rows.push(vec![Value::text("x,\"y\""), Value::Whole(-3)]);
        table.rows.push(vec![Value::text("=1+1"), Value::Missing]);
        assert_eq!(table.csv(), "a,b_ms\r\n\"x,\"\"y\"\"\",-3\r\n'=1+1,\r\n");
    }

    #[test]
    fn the_dictionary_has_every_column() {
        let table = DataTable::new("t", "one thing", &[("a", Kind::Flag, "A.")]);
        let (study, file) = ("s".to_owned(), String::new());
        let data = Dataset { study, file, tables: vec![table], left_out: Vec::new() };
        let dictionary = data.dictionary();
        assert_eq!(dictionary.rows.len(), 1);
        assert!(dictionary.csv().ends_with("t,one thing,a,true or false,A.\r\n"));
    }
}
