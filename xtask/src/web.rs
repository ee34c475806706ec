//! The page: its types, its tests, its size, and its stories in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::shell::{built, root, run as sh};

/// Where Debian puts the browser.
const CHROMIUM: &str = "/usr/bin/chromium";
/// What the stories need, as Debian calls it.
const PACKAGES: [&str; 2] = ["chromium", "fonts-dejavu-core"];

/// Checks everything about the page. The server has been built, and the page with it.
pub fn test() -> Result<()> {
    for script in ["check", "test", "size"] {
        npm(&["run", script], &[])?;
    }
    let chromium = chromium()?;
    let server = built("debug", "unspoken");
    ensure!(server.exists(), "{} was not built", server.display());
    npm(&["run", "e2e"], &[("UNSPOKEN_BIN", &server), ("CHROMIUM", &chromium)])
}

fn npm(arguments: &[&str], variables: &[(&str, &Path)]) -> Result<()> {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(root().join("web")).envs(variables.iter().copied());
    sh(&mut command)
}

/// The browser, installed if that is allowed here.
fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    let chromium = PathBuf::from(CHROMIUM);
    if !chromium.exists() {
        eprintln!("\n$ apt-get install {}", PACKAGES.join(" "));
        let _older_lists_may_do = apt(&["update"]);
        let mut words = vec!["install", "--yes", "--no-install-recommends"];
        words.extend(PACKAGES);
        if !apt(&words) || !chromium.exists() {
            let packages = PACKAGES.join(" ");
            bail!("the stories need a browser: install {packages}, or name one with CHROMIUM");
        }
    }
    Ok(chromium)
}

fn apt(arguments: &[&str]) -> bool {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command.status().is_ok_and(|status| status.success())
}
