//! What is wrong with a study's file, and where.

use std::fmt;

use toml::de::{DeTable, DeValue};

/// One fault of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFault {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The field, as in `conditions[1].games[0].setup`; empty if the file is not TOML.
    pub field: String,
    /// What is wrong, and what to write.
    pub says: String,
}

impl fmt::Display for StudyFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.says)
    }
}

/// Everything that is wrong with a file, in the order of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<StudyFault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Collects the faults of a file while it is checked.
pub(crate) struct Findings<'a> {
    file: &'a str,
    text: &'a str,
    tree: Option<DeTable<'a>>,
    found: Vec<StudyFault>,
}

impl<'a> Findings<'a> {
    pub(crate) fn new(file: &'a str, text: &'a str) -> Self {
        let tree = DeTable::parse(text).ok().map(toml::Spanned::into_inner);
        Self { file, text, tree, found: Vec::new() }
    }

    /// A field is wrong; `says` tells what to write there.
    pub(crate) fn wrong(&mut self, field: impl fmt::Display, says: impl fmt::Display) {
        let field = field.to_string();
        let line = self.line_of(&field);
        let (file, says) = (self.file.to_owned(), says.to_string());
        self.found.push(StudyFault { file, line, field, says });
    }

    /// The text cannot be read at all.
    pub(crate) fn unread(&mut self, error: &toml::de::Error) {
        let line = error.span().map_or(1, |span| line_at(self.text, span.start));
        let says = error.message().trim().replace('\n', ", ");
        let (file, field) = (self.file.to_owned(), String::new());
        self.found.push(StudyFault { file, line, field, says });
    }

    /// All faults, if there are any.
    pub(crate) fn into_result(mut self) -> Result<(), Faults> {
        self.found.sort_by_key(|fault| fault.line);
        if self.found.is_empty() { Ok(()) } else { Err(Faults(self.found)) }
    }

    /// The line of a field, or of the nearest table around it that is there.
    fn line_of(&self, field: &str) -> usize {
        let Some(tree) = &self.tree else { return 1 };
        let (mut line, mut table) = (1, Some(tree));
        let mut list = None;
        for part in field.split(['.', '[']).filter(|part| !part.is_empty()) {
            let found = match part.strip_suffix(']') {
                Some(index) => {
                    let index = index.parse::<usize>().ok();
                    list.take().and_then(|list: &toml::de::DeArray<'_>| list.get(index?))
                }
                None => table.take().and_then(|table| table.get(part)),
            };
            let Some(found) = found else { break };
            line = line_at(self.text, found.span().start);
            match found.get_ref() {
                DeValue::Table(inner) => table = Some(inner),
                DeValue::Array(inner) => list = Some(inner),
                _ => {}
            }
        }
        line
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or(text).matches('\n').count() + 1
}
