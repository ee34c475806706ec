//! The Python package in `python/`: its wheel and its tests.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::shell::{built, root, run as sh};

/// What the tests install beside the package, from Python's own registry.
const PACKAGES: [&str; 5] = ["maturin", "numpy", "gymnasium", "pettingzoo", "pytest"];

/// Builds the wheel for release in `target/wheels`.
pub fn wheel() -> Result<()> {
    let wheel = build(&environment()?, &["--release"])?;
    eprintln!("{}", wheel.display());
    Ok(())
}

/// The package's tests, with a wheel of the debug build installed. It has the features of all other
/// tests, so that our own crates are not built again.
pub fn test(features: &str) -> Result<()> {
    let python = environment()?;
    let wheel = build(&python, &[features])?;
    let mut install = pip(&python, &["install", "--quiet", "--force-reinstall", "--no-deps"]);
    sh(install.arg(wheel))?;
    let mut tests = in_package(&python);
    sh(tests.args(["-m", "pytest", "--quiet", "--durations=5"]))
}

/// A virtual environment in `target` with what the tests need; its Python.
fn environment() -> Result<PathBuf> {
    let python = bare_environment()?;
    sh(pip(&python, &["install", "--quiet", "--upgrade"]).args(PACKAGES))?;
    Ok(python)
}

/// Installs one package with this version into the same environment. Asks no registry if it is
/// there.
pub fn install(package: &str, version: &str) -> Result<()> {
    let python = bare_environment()?;
    sh(pip(&python, &["install", "--quiet"]).arg(format!("{package}=={version}")))
}

/// The environment as Python makes it.
fn bare_environment() -> Result<PathBuf> {
    let folder = built("python", "environment");
    let python = folder.join("bin").join("python");
    if !python.exists() {
        let system = std::env::var_os("PYTHON").unwrap_or_else(|| OsString::from("python3"));
        check_version(&system)?;
        sh(Command::new(&system).args(["-m", "venv"]).arg(&folder))?;
    }
    Ok(python)
}

/// Fails with what to do if there is no Python that the package can be built for.
fn check_version(python: &OsString) -> Result<()> {
    const NEEDED: &str =
        "this needs Python 3.10 or newer with venv: install it, or name it by PYTHON";
    let is_new = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    let output = Command::new(python).args(["-c", is_new]).output().context(NEEDED)?;
    if !output.status.success() {
        bail!("{NEEDED} ({} is another one)", python.to_string_lossy());
    }
    Ok(())
}

/// Builds a wheel and returns where it is.
fn build(python: &Path, arguments: &[&str]) -> Result<PathBuf> {
    let profile = if arguments.contains(&"--release") { "wheels" } else { "wheels-debug" };
    let folder = built("", profile);
    if folder.exists() {
        fs::remove_dir_all(&folder).context("old wheels cannot be removed")?;
    }
    let mut build = in_package(python);
    build.args(["-m", "maturin", "build", "--locked", "--out"]).arg(&folder).args(arguments);
    sh(&mut build)?;
    let mut wheels = fs::read_dir(&folder).context("no wheel was built")?;
    let wheel = wheels.next().context("no wheel was built")??.path();
    ensure!(wheel.extension().is_some_and(|ending| ending == "whl"), "no wheel was built");
    Ok(wheel)
}

fn pip(python: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--disable-pip-version-check"]).args(arguments);
    command
}

/// A command of Python in the package's folder.
fn in_package(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.current_dir(root().join("python"));
    command
}
