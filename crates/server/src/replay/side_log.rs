//! Logs beside the journals of tables, in the same file, for what is no part of a game.

use journal::{AppendError, Fault, Journal, Key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::Code;

/// The key of a side log. No table's code has this form, so it is never a table's journal.
pub(crate) fn key(table: Code, name: &str) -> Result<Key, Fault> {
    own_key(&format!("{table}_{name}"))
}

/// The key of a side log that belongs to no table; its name has a `_`, as no code has.
pub(crate) fn own_key(name: &str) -> Result<Key, Fault> {
    debug_assert!(name.contains('_'), "a table may have the key {name}");
    name.parse().map_err(|e: journal::KeyError| Fault::Disk(e.to_string()))
}

/// All lines of a side log.
pub(crate) async fn lines<L: DeserializeOwned>(
    journal: &dyn Journal,
    key: &Key,
) -> Result<Vec<L>, Fault> {
    let lines = journal.read(key, 0).await?;
    let damaged = |e: serde_json::Error| Fault::Damaged(e.to_string());
    lines.iter().map(|line| serde_json::from_str(line).map_err(damaged)).collect()
}

/// Adds the lines that `missing` finds missing, also if others add lines at the same time.
pub(crate) async fn add<L: Serialize + DeserializeOwned>(
    journal: &dyn Journal,
    key: &Key,
    mut missing: impl FnMut(&[L]) -> Vec<L>,
) -> Result<(), AppendError> {
    loop {
        let known = lines(journal, key).await?;
        let more = missing(&known);
        if more.is_empty() {
            return Ok(());
        }
        let more = more.iter().map(written).collect::<Result<_, _>>()?;
        match journal.append(key, known.len() as u64, more, None).await {
            Err(AppendError::Conflict { .. }) => {}
            done => return done,
        }
    }
}

/// A line as it is kept.
pub(crate) fn written<L: Serialize>(line: &L) -> Result<Box<str>, Fault> {
    Ok(serde_json::to_string(line).map_err(|e| Fault::Disk(e.to_string()))?.into())
}
