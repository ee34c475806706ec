//! A table's journal as a file of JSON lines: export, import and replay.

use std::fmt;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use cluster::Archive;
use journal::{AppendError, Glance, Inventory, Journal, Key, Note, Operations, Sqlite};
use serde::{Deserialize, Serialize};
use wire::{Code, Commitment, GameId};

use crate::ClusterAccess;
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

/// Where tables are taken from and stored.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// A data file. A server may use it while tables are taken from it.
    File(&'a Path),
    /// A cluster. Nodes may serve it.
    Cluster(&'a ClusterAccess),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::File(data) => write!(f, "{}", data.display()),
            Self::Cluster(access) => write!(f, "the cluster {}", access.name),
        }
    }
}

/// Writes a table's journal, without the names of deleted people.
pub async fn export(place: Place<'_>, table: Code, out: &mut impl Write) -> Result<()> {
    let lines = redacted_lines(place, table).await?;
    writeln!(out, "{}", head(table)?)?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// Writes the plays of all finished games of a table, as comma-separated values.
pub async fn export_plays(place: Place<'_>, table: Code, out: &mut impl Write) -> Result<()> {
    let lines = redacted_lines(place, table).await?;
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
    place: Place<'_>,
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
    let note = state.note(code).map_err(|refused| anyhow!("{name}: {}", refused.text))?;
    let note = Note { text: note.text, listed: note.listed, ended: note.ended };
    let shown = state.admission().code;
    match place {
        Place::File(data) => {
            let journal = Sqlite::open(data, journal::Options::default())?;
            append(journal.append(&key(code)?, 0, lines, Some(note)).await, code)?;
            journal.touch(&key(code)?, now_s()).await?;
            store_code(Arc::new(journal), code, shown).await?;
        }
        Place::Cluster(access) => {
            let archive = Archive::find(&access.writing()).await?;
            append_to_cluster(&archive, code, lines, note).await?;
            store_code(Arc::new(archive), code, shown).await?;
        }
    }
    Ok(code)
}

/// Says what to do if there is such a table.
fn append(appended: Result<(), AppendError>, code: Code) -> Result<()> {
    match appended {
        Err(AppendError::Conflict { .. }) => {
            bail!("there is a table {code} already, choose another code with --code")
        }
        done => Ok(done?),
    }
}

/// Many lines are several messages: what an import that was killed has left is gone on with.
async fn append_to_cluster(
    archive: &Archive,
    code: Code,
    lines: Vec<Box<str>>,
    note: Note,
) -> Result<()> {
    let held = archive.table(&key(code)?).await?;
    let is_part = held.note.is_none() && lines.starts_with(&held.lines);
    let after = if is_part { held.lines.len() } else { 0 };
    let rest = lines[after..].to_vec();
    append(archive.extend(&key(code)?, after as u64, rest, Some(note)).await, code)
}

/// Stores the code that leads to a table, if it is not the first one.
async fn store_code(journal: Arc<dyn Journal>, table: Code, shown: Option<Code>) -> Result<()> {
    let Some(shown) = shown else { return Ok(()) };
    let codes = Codes::new(journal);
    if !codes.store(shown, table).await? && codes.table_of(shown).await? != Some(table) {
        bail!("table {table} was imported, but its code {shown} leads to another table");
    }
    Ok(())
}

/// The lines of a table, redacted. Fails if there is no such table.
async fn redacted_lines(place: Place<'_>, table: Code) -> Result<Vec<Box<str>>> {
    let key = key(table)?;
    let (mut lines, forgotten) = match place {
        Place::File(data) => {
            let mut glance = Glance::open(data)?;
            let lines = glance.lines(&key)?;
            let forgotten = glance.forgotten(redaction::people_in(&lines))?;
            (lines, forgotten)
        }
        Place::Cluster(access) => {
            let archive = Archive::find(&access.reading()).await?;
            let lines = archive.read(&key, 0).await?;
            let forgotten = archive.forgotten(redaction::people_in(&lines)).await?;
            (lines, forgotten)
        }
    };
    if lines.is_empty() {
        bail!("there is no table {table} in {place}");
    }
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
