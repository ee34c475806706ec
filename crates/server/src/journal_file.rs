//! A table's journal as a file of JSON lines: export, import and replay.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use journal::{AppendError, Glance, Journal, Key, Note, Operations, Sqlite};
use serde::{Deserialize, Serialize};
use wire::{Code, Commitment, GameId};

use crate::calendar::now_s;
use crate::codes::Codes;
use crate::record::export::ExportLine;
use crate::redaction;
use crate::replay::{
    FinishedGame, Games, Repeated, WriteError, check, write_plays, write_transcript,
};
use table::{TableState, commitment};

/// The version of the lines after the first one.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// The version of the other lines.
    unspoken: u32,
    /// The table's code.
    table: Code,
}

/// The first line of a table's export.
pub(crate) fn head(table: Code) -> serde_json::Result<String> {
    serde_json::to_string(&Head { unspoken: FORMAT, table })
}

/// Writes a table's journal, without the names of deleted people. A server may use the file at the
/// same time.
pub fn export(data: &Path, table: Code, out: &mut impl Write) -> Result<()> {
    let lines = redacted_lines(data, table)?;
    writeln!(out, "{}", head(table)?)?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// Writes the plays of all finished games of a table, as comma-separated values.
pub fn export_plays(data: &Path, table: Code, out: &mut impl Write) -> Result<()> {
    let lines = redacted_lines(data, table)?;
    let games = FinishedGame::all(&lines, table);
    let games = games.map_err(|error| anyhow!("table {table}: {error}"))?;
    write_plays(&games, out).map_err(WriteError::into_cause)?;
    Ok(out.flush()?)
}

/// How a game of an exported table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Move by move, each checked by the rules.
    Transcript,
    /// The plays alone, as comma-separated values.
    Plays,
}

/// Reads a table's journal and writes its finished games, or one of them. Fails if there are none.
pub fn replay(
    lines: impl BufRead,
    name: &str,
    game: Option<u32>,
    form: Form,
    out: &mut impl Write,
) -> Result<()> {
    let (table, lines) = read(lines, name)?;
    let games = FinishedGame::all(&lines, table).map_err(|none| none.in_file(name))?;
    let chosen = games.iter().filter(|past| game.is_none_or(|game| past.id.game == game));
    let chosen = chosen.collect::<Vec<_>>();
    match (chosen.is_empty(), game) {
        (true, Some(game)) => bail!("{name}: no game {game} of the table is over"),
        (true, None) => bail!("{name}: no game of the table is over"),
        (false, _) => {}
    }
    match form {
        Form::Transcript => {
            chosen.into_iter().try_for_each(|past| write_transcript(past, name, out))?;
        }
        Form::Plays => write_plays(chosen, out).map_err(WriteError::into_cause)?,
    }
    Ok(out.flush()?)
}

/// What a game's seed proves.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct VerifiedGame {
    /// Which game.
    pub game: GameId,
    /// The commitment that its players saw at its start, if the seed is the game's own.
    pub commitment: Commitment,
    /// How many deals the game had.
    pub deals: u32,
    /// How many of them follow from the seed.
    pub from_seed: u32,
}

impl VerifiedGame {
    /// Whether all deals follow from the seed.
    pub fn is_verified(&self) -> bool {
        self.from_seed == self.deals
    }
}

/// Makes every move of all finished games of a file again by the rules, and says which deals
/// follow from the seeds. The file is the export of a table, or what a person has downloaded of
/// their games. Fails if it has no games, or if a move does not follow.
pub fn verify(lines: impl BufRead, name: &str) -> Result<Vec<VerifiedGame>> {
    let mut tables = Vec::<(Code, Vec<Box<str>>)>::new();
    for (number, line) in lines.lines().enumerate() {
        let line = line.with_context(|| format!("{name} cannot be read"))?;
        if let Ok(head) = serde_json::from_str::<Head>(&line) {
            check_format(&head, name, number + 1)?;
            tables.push((head.table, Vec::new()));
        } else if serde_json::from_str::<ExportLine>(&line).is_err() {
            let (_, lines) = tables
                .last_mut()
                .with_context(|| format!("{name}:{}: not a table that was exported", number + 1))?;
            lines.push(line.into_boxed_str());
        }
    }
    let mut verified = Vec::new();
    for (table, lines) in tables {
        let name = format!("{name}, table {table}");
        for past in FinishedGame::all(&lines, table).map_err(|none| none.in_file(&name))? {
            let Repeated { all, same } = check(&past, &name, true)?;
            let commitment = commitment(&past.seed);
            verified.push(VerifiedGame { game: past.id, commitment, deals: all, from_seed: same });
        }
    }
    if verified.is_empty() {
        bail!("{name}: no game in it is over");
    }
    Ok(verified)
}

/// Reads a table's journal, makes every move again by the rules as [`replay`] does, and keeps it
/// under its code or another.
/// `name` is what the lines come from, for messages. No table is ever overwritten.
pub async fn import(
    data: &Path,
    lines: impl BufRead,
    name: &str,
    code: Option<Code>,
) -> Result<Code> {
    let (table, lines) = read(lines, name)?;
    let state = TableState::read_checked(&lines)
        .map_err(|bad| anyhow!("{name}:{}: {}", bad.line + 1, bad.error))?
        .with_context(|| format!("{name}: there are no entries after the first line"))?;

    let games = Games::read(&lines, table).map_err(|none| none.in_file(name))?;
    for past in &games.over {
        check(past, name, true)?;
    }
    if let Some(on) = &games.on {
        check(on, name, false)?;
    }

    let code = code.unwrap_or(table);
    let journal = Sqlite::open(data, journal::Options::default())?;
    let note = state.note(code).map_err(|refused| anyhow!("{name}: {}", refused.text))?;
    let note = Note { text: note.text, listed: note.listed, ended: note.ended };
    match journal.append(&key(code)?, 0, lines, Some(note)).await {
        Ok(()) => {
            journal.touch(&key(code)?, now_s()).await?;
            if let Some(shown) = state.admission().code {
                let codes = Codes::new(Arc::new(journal));
                if !codes.store(shown, code).await? && codes.table_of(shown).await? != Some(code) {
                    bail!("table {code} was imported, but its code {shown} leads to another table");
                }
            }
            Ok(code)
        }
        Err(AppendError::Conflict { .. }) => {
            bail!("there is a table {code} already, choose another code with --code")
        }
        Err(error) => Err(error.into()),
    }
}

/// The lines of a table, redacted. Fails if there is no such table.
fn redacted_lines(data: &Path, table: Code) -> Result<Vec<Box<str>>> {
    let mut glance = Glance::open(data)?;
    let mut lines = glance.lines(&key(table)?)?;
    if lines.is_empty() {
        bail!("there is no table {table} in {}", data.display());
    }
    let forgotten = glance.forgotten(redaction::people_in(&lines))?;
    redaction::forget(&mut lines, &forgotten)?;
    Ok(lines)
}

/// Reads an export: the table's code and its lines.
fn read(lines: impl BufRead, name: &str) -> Result<(Code, Vec<Box<str>>)> {
    let mut lines = lines.lines();
    let head = lines.next().with_context(|| format!("{name} is empty"))??;
    let head = serde_json::from_str::<Head>(&head)
        .map_err(|e| anyhow!("{name}:1: not a table that was exported: {e}"))?;
    check_format(&head, name, 1)?;
    let lines = lines.map(|line| Ok(line?.into_boxed_str())).collect::<Result<Vec<_>>>()?;
    Ok((head.table, lines))
}

fn check_format(head: &Head, name: &str, line: usize) -> Result<()> {
    if head.unspoken != FORMAT {
        bail!("{name}:{line}: this program reads format {FORMAT}, not {}", head.unspoken);
    }
    Ok(())
}

fn key(code: Code) -> Result<Key> {
    Ok(code.as_str().parse()?)
}
