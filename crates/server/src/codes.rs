//! Codes that replace the one a table was opened with.
//!
//! A table's id, under which its journal is stored, is its first code. Each later code has a side
//! log of its own that names the table. Whether the code still leads there is up to the table.

use std::sync::Arc;

use journal::{AppendError, Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use table::Refused;
use wire::{Code, Refusal};

use crate::replay::side_log;

/// The one line of a code's side log.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum LogEntry {
    /// The code was drawn for this table.
    Table(Code),
}

/// The codes that replaced others.
#[derive(Clone)]
pub(crate) struct Codes(Arc<dyn Journal>);

impl Codes {
    pub(crate) fn new(journal: Arc<dyn Journal>) -> Self {
        Self(journal)
    }

    /// The table that a code was drawn for; `None` for the first code of a table and for one that
    /// no table ever had.
    pub(crate) async fn table_of(&self, code: Code) -> Result<Option<Code>, Fault> {
        let lines = side_log::lines::<LogEntry>(&*self.0, &key(code)?).await?;
        Ok(lines.first().map(|LogEntry::Table(table)| *table))
    }

    /// Draws a code that no table has or had, and stores that it is for this table.
    pub(crate) async fn draw(&self, table: Code) -> Result<Code, Refused> {
        loop {
            let code = fresh_code(getrandom::fill)?;
            if self.store(code, table).await.map_err(Refused::not_kept)? {
                return Ok(code);
            }
        }
    }

    /// Stores that a code is for a table; returns false if the code is taken.
    pub(crate) async fn store(&self, code: Code, table: Code) -> Result<bool, Fault> {
        let own = code.as_str().parse::<Key>().map_err(|e| Fault::Disk(e.to_string()))?;
        if self.0.note(&own).await?.is_some() {
            return Ok(false);
        }
        let line = side_log::written(&LogEntry::Table(table))?;
        match self.0.append(&key(code)?, 0, vec![line], None).await {
            Ok(()) => Ok(true),
            Err(AppendError::Conflict { .. }) => Ok(false),
            Err(AppendError::Fault(fault)) => Err(fault),
        }
    }
}

fn key(code: Code) -> Result<Key, Fault> {
    side_log::key(code, "code")
}

/// A code from random numbers. Fails if `fill`, the system's source of them, does.
pub(crate) fn fresh_code(
    fill: impl Fn(&mut [u8]) -> Result<(), getrandom::Error>,
) -> Result<Code, Refused> {
    // Numbers beyond the largest multiple of the number of codes are drawn again, so that all codes
    // are equally likely.
    let fair = u64::MAX - u64::MAX % Code::ALL;
    loop {
        let mut bytes = [0; 8];
        let none =
            |_| Refused::new(Refusal::NoRandomness, "the server has no randomness, try again");
        fill(&mut bytes).map_err(none)?;
        let number = u64::from_le_bytes(bytes);
        if number < fair {
            return Ok(Code::of(number % Code::ALL));
        }
    }
}

#[cfg(test)]
mod tests {
    use journal::{Options, Sqlite};

    use super::*;

    #[test]
    fn without_randomness_no_code_is_drawn() {
        let none = |_: &mut [u8]| Err(getrandom::Error::UNSUPPORTED);
        assert_eq!(fresh_code(none).map_err(|refused| refused.why.code()), Err("no-randomness"));
        assert!(fresh_code(getrandom::fill).is_ok());
    }

    #[tokio::test]
    async fn a_code_is_for_one_table() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Sqlite::open(folder.path().join("t.db"), Options::default()).unwrap();
        let codes = Codes::new(Arc::new(journal));
        let [first, second, code] = ["aaaaaa", "bbbbbb", "cccccc"].map(|it| it.parse().unwrap());
        assert_eq!(codes.table_of(code).await, Ok(None));
        assert_eq!(codes.store(code, first).await, Ok(true));
        assert_eq!(codes.store(code, second).await, Ok(false));
        assert_eq!(codes.table_of(code).await, Ok(Some(first)));
        let drawn = codes.draw(second).await.unwrap();
        assert_eq!(codes.table_of(drawn).await, Ok(Some(second)));
    }
}
