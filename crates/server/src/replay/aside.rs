//! Logs beside those of tables, in the same file: what is kept of games and is no part of them.

use journal::{AppendError, Fault, Journal, Key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::Code;

/// The key of such a log. No table has a code like it, so no table's lines are meant.
pub(super) fn key(table: Code, name: &str) -> Result<Key, Fault> {
    format!("{table}_{name}").parse().map_err(|e: journal::KeyError| Fault::Disk(e.to_string()))
}

/// Everything that stands there.
pub(super) async fn lines<L: DeserializeOwned>(
    journal: &dyn Journal,
    key: &Key,
) -> Result<Vec<L>, Fault> {
    let lines = journal.read(key, 0).await?;
    let damaged = |e: serde_json::Error| Fault::Damaged(e.to_string());
    lines.iter().map(|line| serde_json::from_str(line).map_err(damaged)).collect()
}

/// Adds what is missing of what stands there, also if others add something at the same time.
pub(super) async fn add<L: Serialize + DeserializeOwned>(
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
pub(super) fn written<L: Serialize>(line: &L) -> Result<Box<str>, Fault> {
    Ok(serde_json::to_string(line).map_err(|e| Fault::Disk(e.to_string()))?.into())
}
