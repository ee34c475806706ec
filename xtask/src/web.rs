//! The page: its types, its tests, its size, and its stories in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::shell::{built, root, run as sh};

/// Where Debian puts the browser.
const CHROMIUM: &str = "/usr/bin/chromium";
/// Where Debian puts the same browser without its windows. Stories take a third less time with it.
const HEADLESS: &str = "/usr/bin/chromium-headless-shell";
/// What the stories need, as Debian calls it.
const PACKAGES: [&str; 2] = ["chromium", "fonts-dejavu-core"];
const HEADLESS_PACKAGES: [&str; 2] = ["chromium-headless-shell", "fonts-dejavu-core"];

/// The page's format, lints, types and unit tests, which need neither the server nor a browser.
pub fn checks() -> Vec<Command> {
    ["lint", "check", "test"].map(|script| in_web("npm", &["run", script], &[])).into()
}

/// Checks the page's size, and tells its stories in a browser. The server has been built, and the
/// page with it.
pub fn test() -> Result<()> {
    npm(&["run", "size"], &[])?;
    let chromium = headless()?;
    let server = built("debug", "unspoken");
    ensure!(server.exists(), "{} was not built", server.display());
    // On a busy machine a story can miss a moment. One that passes only the second time is reported
    // as flaky.
    let stories = ["run", "e2e", "--", "--retries=1"];
    npm(&stories, &[("UNSPOKEN_BIN", &server), ("CHROMIUM", &chromium)])
}

fn npm(arguments: &[&str], variables: &[(&str, &Path)]) -> Result<()> {
    sh(&mut in_web("npm", arguments, variables))
}

/// Runs a program of the page's own packages.
pub fn npx(arguments: &[&str], variables: &[(&str, &Path)]) -> Result<()> {
    sh(&mut in_web("npx", arguments, variables))
}

/// Runs a script of the page's in Node.
pub fn node(arguments: &[&str], variables: &[(&str, &Path)]) -> Result<()> {
    sh(&mut in_web("node", arguments, variables))
}

fn in_web(program: &str, arguments: &[&str], variables: &[(&str, &Path)]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root().join("web")).envs(variables.iter().copied());
    command
}

/// The browser for the stories: the one without windows, or else the whole browser. Installs what is
/// missing if apt-get may.
pub fn headless() -> Result<PathBuf> {
    if std::env::var_os("CHROMIUM").is_some() {
        return chromium();
    }
    let headless = PathBuf::from(HEADLESS);
    match install(&HEADLESS_PACKAGES, || headless.exists()) {
        Ok(()) => Ok(headless),
        Err(error) => {
            eprintln!("{error:#}; the whole browser is used instead");
            chromium()
        }
    }
}

/// The whole browser. Installs it if apt-get may.
pub fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    let chromium = PathBuf::from(CHROMIUM);
    install(&PACKAGES, || chromium.exists()).context("CHROMIUM names a browser elsewhere")?;
    Ok(chromium)
}

/// Installs packages of Debian's if they are not there and apt-get may.
pub fn install(packages: &[&str], are_there: impl Fn() -> bool) -> Result<()> {
    if are_there() {
        return Ok(());
    }
    let names = packages.join(" ");
    eprintln!("\n$ apt-get install {names}");
    let _older_lists_may_do = apt(&["update"]);
    let words = ["install", "--yes", "--no-install-recommends"];
    if !apt(&[&words, packages].concat()) || !are_there() {
        bail!("this needs {names}: install them");
    }
    Ok(())
}

fn apt(arguments: &[&str]) -> bool {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command.status().is_ok_and(|status| status.success())
}
