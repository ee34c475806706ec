//! `unspoken study`: studies with people.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;
use server::control::{Request, StudyLine, StudyList};
use study::{Dataset, Study};

use super::parquet::parquet;
use super::{Common, rehearsal};
use crate::out::outln;

/// `unspoken study`
#[derive(Args)]
pub struct Studies {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check a study's file; the exit code is 1 if something is wrong with it
    Check(Check),
    /// Add a study to the server: participants can follow its link from now on
    Add(Add),
    /// List the studies: how many arrived, how they ended, how the conditions are filled
    List(List),
    /// Write the data of a study into a folder, as comma-separated values and Parquet, with a dictionary
    Export(Export),
    /// Take no participants any more; participants on their way go on to their end
    Close(Close),
    /// Run a study with simulated participants on a server of its own, and write the data
    Rehearse(Rehearse),
}

#[derive(Args)]
struct Check {
    /// The study's file
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Add {
    /// The study's file
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct List {
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Export {
    /// The study
    name: String,
    /// The folder to write; one that exists is not overwritten
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Close {
    /// The study
    name: String,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Rehearse {
    /// The study's file
    file: PathBuf,
    /// How many participants arrive
    #[arg(long, default_value_t = 8)]
    participants: u32,
    /// The folder to write the data into
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// After how many minutes the rehearsal stops
    #[arg(long, default_value_t = 30)]
    minutes: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Does what is asked of studies.
pub fn studies(Studies { task }: &Studies) -> Result<ExitCode> {
    match task {
        Task::Check(task) => return check(task),
        Task::Add(Add { file, common }) => add(file, common)?,
        Task::List(List { common }) => list(common)?,
        Task::Export(Export { name, to, common }) => export(name, to, common)?,
        Task::Close(Close { name, common }) => close(name, common)?,
        Task::Rehearse(task) => rehearse(task)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn check(Check { file, json }: &Check) -> Result<ExitCode> {
    let (name, text) = read(file)?;
    match Study::read(&name, &text) {
        Ok(study) => {
            let (name, version) = (study.about.name.to_string(), study.about.version.to_string());
            if *json {
                outln!("{}", json!({ "study": name, "version": version, "faults": [] }));
            } else {
                outln!("{name}, version {version}: the file is right");
                for condition in &study.conditions {
                    let (games, people) = (condition.games.len(), condition.people());
                    outln!("  {}: {games} games, groups of {people}", condition.name);
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(faults) => {
            if *json {
                let faults = faults.0.iter().map(|it| {
                    json!({ "file": it.file, "line": it.line, "field": it.field, "says": it.says })
                });
                outln!("{}", json!({ "faults": faults.collect::<Vec<_>>() }));
            } else {
                outln!("{faults}");
            }
            Ok(ExitCode::from(1))
        }
    }
}

fn add(file: &Path, common: &Common) -> Result<()> {
    let (file, text) = read(file)?;
    let Some(line) = common.ask::<StudyLine>(&Request::AddStudy { file, text })? else {
        return Ok(());
    };
    let did = if line.changed { "added" } else { "there already" };
    outln!("{} is {did}, version {}", line.study, line.version);
    outln!("participants follow {} below the server's address", line.path);
    for deal in &line.deals {
        outln!("  {}, game {}: {}", deal.condition, deal.game, deal.commitment);
    }
    outln!("publish these commitments now: they show that the deals were decided before the study");
    Ok(())
}

fn list(common: &Common) -> Result<()> {
    let Some(StudyList { studies }) = common.ask(&Request::Studies)? else { return Ok(()) };
    for line in studies {
        let state = if line.open { "open" } else { "closed" };
        outln!(
            "{}  {state}, version {}: {} arrived, {} on their way",
            line.study,
            line.version,
            line.arrived,
            line.on
        );
        for (end, count) in &line.ended {
            outln!("  {end}: {count}");
        }
        for (condition, count) in &line.groups {
            outln!("  condition {condition}: {count} groups");
        }
    }
    Ok(())
}

fn export(name: &str, to: &Path, common: &Common) -> Result<()> {
    let request = Request::ExportStudy { study: name.to_owned() };
    let data = server::control::ask::<Dataset>(&common.data, super::user(), &request)?;
    let files = write(&data, to)?;
    tell(&data, to, &files, common.json);
    Ok(())
}

fn close(name: &str, common: &Common) -> Result<()> {
    let request = Request::CloseStudy { study: name.to_owned() };
    let Some(line) = common.ask::<StudyLine>(&request)? else { return Ok(()) };
    let did = if line.changed { "takes no participants any more" } else { "was closed already" };
    outln!("{} {did}; {} are on their way", line.study, line.on);
    Ok(())
}

fn rehearse(task: &Rehearse) -> Result<()> {
    let Rehearse { file, participants, to, minutes, json } = task;
    let (name, text) = read(file)?;
    let limit = std::time::Duration::from_secs(60 * minutes);
    let data = rehearsal::rehearse(&name, &text, *participants, limit)?;
    let files = write(&data, to)?;
    tell(&data, to, &files, *json);
    Ok(())
}

/// Says what was written.
fn tell(data: &Dataset, to: &Path, files: &[String], json: bool) {
    if json {
        let rows = data.tables.iter().map(|table| (table.name.clone(), table.rows.len()));
        let rows = rows.collect::<std::collections::BTreeMap<_, _>>();
        let left_out = &data.left_out;
        outln!("{}", json!({ "folder": to, "files": files, "rows": rows, "left_out": left_out }));
        return;
    }
    for table in &data.tables {
        outln!("{}: {} rows, {} columns", table.name, table.rows.len(), table.columns.len());
    }
    for sentence in &data.left_out {
        outln!("{sentence}");
    }
    outln!("written into {}", to.display());
}

/// The name and the text of a file.
fn read(file: &Path) -> Result<(String, String)> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    Ok((file.display().to_string(), text))
}

/// Writes the tables, the dictionary, the study's file and what is left out into a new folder.
fn write(data: &Dataset, to: &Path) -> Result<Vec<String>> {
    if to.exists() {
        bail!("{} is there already: name a folder that is not", to.display());
    }
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    let mut files = Vec::new();
    let dictionary = data.dictionary();
    let tables = data.tables.iter().chain([&dictionary]);
    let tables = tables.map(|table| (format!("{}.csv", table.name), table.csv()));
    for table in &data.tables {
        let (name, bytes) = (format!("{}.parquet", table.name), parquet(table)?);
        fs::write(to.join(&name), bytes).with_context(|| to.join(&name).display().to_string())?;
        files.push(name);
    }
    let left_out = data.left_out.iter().flat_map(|sentence| [sentence.as_str(), "\n"]).collect();
    let texts =
        [("study.toml".to_owned(), data.file.clone()), ("left-out.txt".to_owned(), left_out)];
    for (name, text) in tables.chain(texts) {
        let path = to.join(&name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        files.push(name);
    }
    Ok(files)
}
