//! Pictures of every page and moment, at three sizes, by night and by day, and one sheet of them all.

use std::path::Path;

use anyhow::{Result, ensure};
use clap::Args;

use crate::shell::{built, cargo, root, run as sh};
use crate::web::{headless, node, npx};

/// Which pictures to take.
#[derive(Args)]
pub struct Options {
    /// Only stories whose file has this in its name; all of them without it
    only: Vec<String>,
    /// Renew the README's pictures from those that were taken
    #[arg(long)]
    readme: bool,
}

const PLAYWRIGHT: [&str; 3] = ["playwright", "test", "--no-deps"];

/// The stories with slow networks, which are a project of their own, and the one among them that takes a picture.
const RACES: &str = "fair";
const CLOSE_CALL: &str = "close call";

/// Plays the stories that take pictures, and lays the pictures side by side in web/shots.
pub fn run(options: &Options) -> Result<()> {
    // With the features of the tests, so that the builds are shared.
    sh(&mut cargo(&["build", "--locked", "--package", "unspoken", "--features=wire/ts"]))?;
    let server = built("debug", "unspoken");
    ensure!(server.exists(), "{} was not built", server.display());
    let chromium = headless()?;
    let keeps = [
        ("UNSPOKEN_BIN", server.as_path()),
        ("CHROMIUM", chromium.as_path()),
        ("UNSPOKEN_SHOTS", Path::new("1")),
    ];
    let files = if options.only.is_empty() { stories()? } else { options.only.clone() };
    let (races, stories): (Vec<_>, Vec<_>) =
        files.iter().map(String::as_str).partition(|file| file.contains(RACES));
    if !stories.is_empty() {
        npx(&[&PLAYWRIGHT[..], &["--project=stories"], &stories].concat(), &keeps)?;
    }
    if !races.is_empty() {
        npx(&[&PLAYWRIGHT[..], &["--project=fair", "--grep", CLOSE_CALL]].concat(), &keeps)?;
    }
    node(&["build/contact.js"], &[("CHROMIUM", &chromium)])?;
    if options.readme {
        node(&["build/readme.js"], &[("CHROMIUM", &chromium)])?;
    }
    Ok(())
}

/// The stories that take pictures.
fn stories() -> Result<Vec<String>> {
    let mut stories = Vec::new();
    for entry in std::fs::read_dir(root().join("web/e2e"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".spec.ts") && std::fs::read_to_string(&path)?.contains("picture(") {
            stories.push(format!("e2e/{name}"));
        }
    }
    stories.sort();
    Ok(stories)
}
