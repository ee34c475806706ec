//! The operator's tools.

mod announce;
mod audit;
mod block;
mod close;
mod doctor;
mod forget;
mod list;
mod parquet;
mod prune;
mod rehearsal;
mod study;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use server::control::{self, CopyKind, Request};
use server::{ClusterAccess, FileCheck, back_up_cluster};

use crate::journal::{Bar, runtime, say};
use crate::out::outln;

pub use announce::{Announce, announce};
pub use audit::{Audit, audit};
pub use block::{Block, Blocks, Unblock, block, blocks, unblock};
pub use close::{Close, close};
pub use doctor::{Doctor, doctor};
pub use forget::{Forget, forget};
pub use list::{People, Tables, people, tables};
pub use prune::{Prune, prune};
pub use study::{Studies, studies};

/// Which file is meant, and how the answer is written.
#[derive(Args)]
struct Common {
    /// The server's data file
    #[arg(long, env = "UNSPOKEN_DATA", default_value = "unspoken.db")]
    data: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Common {
    /// Asks the server that uses the file, or does it on the file. With `--json` the answer is
    /// printed here and `None` is returned.
    fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<Option<T>> {
        let answer: Value = control::ask(&self.data, user(), request)?;
        if self.json {
            outln!("{answer}");
            return Ok(None);
        }
        serde_json::from_value(answer)
            .context("the server is of another version: use its own program")
            .map(Some)
    }
}

/// The number of the user who runs this.
fn user() -> u32 {
    rustix::process::getuid().as_raw()
}

/// The first digits of a person's id.
fn person_id(text: &str) -> Result<String, String> {
    let is_digit = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
    if (8..=64).contains(&text.len()) && text.chars().all(is_digit) {
        return Ok(text.to_owned());
    }
    Err("write 8 to 64 digits of the person's id, as unspoken people prints it".to_owned())
}

/// How long ago a time in seconds since 1970 is, for people.
fn age(at_s: Option<u64>) -> String {
    let Some(at_s) = at_s else { return "not known".to_owned() };
    let now_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    match now_s.saturating_sub(at_s) {
        0..60 => "now".to_owned(),
        s @ 60..7_200 => format!("{} min ago", s / 60),
        s @ 7_200..172_800 => format!("{} h ago", s / 3_600),
        s => format!("{} days ago", s / 86_400),
    }
}

/// `unspoken backup`
#[derive(Args)]
pub struct BackUp {
    /// The file to write; an existing file is not overwritten
    file: PathBuf,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    access: ClusterAccess,
}

/// `unspoken restore`
#[derive(Args)]
pub struct Restore {
    /// The backup
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// `unspoken check`
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    access: ClusterAccess,
}

/// Copies the data file or the cluster into a new file, and checks the copy.
pub fn back_up(BackUp { file, common: Common { data, json }, access }: &BackUp) -> Result<()> {
    if !access.brokers.is_empty() {
        return back_up_all(file, access, *json);
    }
    let bytes = server::back_up(data, file)?;
    control::note_copy(data, user(), CopyKind::Backup, file)?;
    if *json {
        outln!("{}", json!({ "file": file, "bytes": bytes }));
    } else {
        outln!("{} has everything that {} had, {bytes} bytes", file.display(), data.display());
    }
    Ok(())
}

/// Copies a cluster, which nodes may serve, into a new file.
fn back_up_all(file: &Path, access: &ClusterAccess, json: bool) -> Result<()> {
    let mut bar = Bar::default();
    let see = &mut |progress| bar.show(progress);
    let (copied, bytes) = runtime()?.block_on(back_up_cluster(file, access, user(), see))?;
    bar.end();
    if json {
        let mut value = serde_json::to_value(&copied)?;
        value["file"] = json!(file);
        value["bytes"] = json!(bytes);
        outln!("{value}");
    } else {
        say(&copied);
        let (file, name) = (file.display(), &access.name);
        outln!("{file} has everything that the cluster {name} had, {bytes} bytes");
    }
    Ok(())
}

/// Puts a backup in the place of the data file.
pub fn restore(Restore { file, common: Common { data, json } }: &Restore) -> Result<()> {
    let before = server::restore(file, data)?;
    control::note_copy(data, user(), CopyKind::Restore, file)?;
    if *json {
        outln!("{}", json!({ "file": data, "before": before }));
    } else {
        outln!("{} is as {} was; start the server", data.display(), file.display());
        if let Some(before) = before {
            outln!("what was there is in {}", before.display());
        }
    }
    Ok(())
}

/// Checks the data file or the cluster; the exit code is 1 if something is wrong with it.
pub fn check(Check { common: Common { data, json }, access }: &Check) -> Result<ExitCode> {
    let (found, place) = if access.brokers.is_empty() {
        let found = FileCheck::of(data).with_context(|| data.display().to_string())?;
        (found, data.display().to_string())
    } else {
        let found = runtime()?.block_on(FileCheck::of_cluster(access))?;
        (found, format!("the cluster {}", access.name))
    };
    let sound = found.is_sound();
    if *json {
        let mut value = serde_json::to_value(&found)?;
        value["file"] = json!(place);
        value["sound"] = json!(sound);
        outln!("{value}");
    } else {
        let FileCheck { integrity, tables, games, lines, without_checksum, damaged } = &found;
        outln!("{tables} tables, {lines} lines, {games} games made again");
        if *without_checksum > 0 {
            outln!("{without_checksum} lines are from before there were checksums");
        }
        for wrong in integrity {
            outln!("the file: {wrong}");
        }
        for wrong in damaged {
            outln!("table {}: {}", wrong.table, wrong.error);
        }
        outln!(
            "{}",
            match (sound, access.brokers.is_empty()) {
                (true, _) => "nothing is wrong",
                (false, true) => "damaged: restore a backup",
                (false, false) => "damaged: copy a backup into a cluster with another name",
            }
        );
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
