//! The operator's tools: `unspoken backup`, `restore` and `check`.

mod audit;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;
use server::FileCheck;

use crate::out::outln;

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

/// `unspoken backup`
#[derive(Args)]
pub struct BackUp {
    /// The file to write; an existing file is not overwritten
    file: PathBuf,
    #[command(flatten)]
    common: Common,
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
}

/// Copies the data file and checks the copy.
pub fn back_up(BackUp { file, common: Common { data, json } }: &BackUp) -> Result<()> {
    let bytes = server::back_up(data, file)?;
    audit::add(data, &json!({ "did": "backup", "file": file }))?;
    if *json {
        outln!("{}", json!({ "file": file, "bytes": bytes }));
    } else {
        outln!("{} has everything that {} had, {bytes} bytes", file.display(), data.display());
    }
    Ok(())
}

/// Puts a backup in the place of the data file.
pub fn restore(Restore { file, common: Common { data, json } }: &Restore) -> Result<()> {
    let before = server::restore(file, data)?;
    audit::add(data, &json!({ "did": "restore", "file": file, "before": before }))?;
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

/// Checks the data file; the exit code is 1 if something is wrong with it.
pub fn check(Check { common: Common { data, json } }: &Check) -> Result<ExitCode> {
    let found = FileCheck::of(data).with_context(|| data.display().to_string())?;
    let sound = found.is_sound();
    if *json {
        let mut value = serde_json::to_value(&found)?;
        value["file"] = json!(data);
        value["sound"] = json!(sound);
        outln!("{value}");
    } else {
        let FileCheck { integrity, tables, games, lines, damaged } = &found;
        outln!("{tables} tables, {lines} lines, {games} games made again");
        for wrong in integrity {
            outln!("the file: {wrong}");
        }
        for wrong in damaged {
            outln!("table {}: {}", wrong.table, wrong.error);
        }
        outln!("{}", if sound { "nothing is wrong" } else { "damaged: restore a backup" });
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
