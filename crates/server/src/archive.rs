//! Tables as JSON lines, out of a journal and into another: backups, moves, research.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use journal::{AppendError, Glance, Journal, Key, Sqlite};
use serde::{Deserialize, Serialize};
use wire::Code;

use crate::table::Kept;

/// The form of the lines after the first one.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// The form of the other lines.
    unspoken: u32,
    /// The table's code.
    table: Code,
}

/// Writes a table's journal. A server may be using the file meanwhile.
pub fn export(data: &Path, table: Code, out: &mut impl Write) -> Result<()> {
    let lines = Glance::open(data)?.lines(&key(table)?)?;
    if lines.is_empty() {
        bail!("there is no table {table} in {}", data.display());
    }
    let head = serde_json::to_string(&Head { unspoken: FORMAT, table })?;
    writeln!(out, "{head}")?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// Reads a table's journal, plays it through by the rules, and keeps it under its code or another.
/// `name` is what the lines come from, for messages. No table is ever overwritten.
pub async fn import(
    data: &Path,
    lines: impl BufRead,
    name: &str,
    code: Option<Code>,
) -> Result<Code> {
    let mut lines = lines.lines();
    let head = lines.next().with_context(|| format!("{name} is empty"))??;
    let head = serde_json::from_str::<Head>(&head)
        .map_err(|e| anyhow!("{name}:1: not a table that was exported: {e}"))?;
    if head.unspoken != FORMAT {
        bail!("{name}:1: this program reads format {FORMAT}, not {}", head.unspoken);
    }
    let lines = lines.map(|line| Ok(line?.into_boxed_str())).collect::<Result<Vec<_>>>()?;
    let kept = Kept::read_with(&lines, |room| room.check())
        .map_err(|bad| anyhow!("{name}:{}: {}", bad.line + 1, bad.error))?
        .with_context(|| format!("{name}: there is nothing after the first line"))?;

    let code = code.unwrap_or(head.table);
    let journal = Sqlite::open(data, journal::Options::default())?;
    match journal.append(&key(code)?, 0, lines, kept.whole_note(code)).await {
        Ok(()) => Ok(code),
        Err(AppendError::Conflict { .. }) => {
            bail!("there is a table {code} already, choose another code with --code")
        }
        Err(error) => Err(error.into()),
    }
}

fn key(code: Code) -> Result<Key> {
    Ok(code.as_str().parse()?)
}
