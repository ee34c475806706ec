//! Everything that has to hold before a change lands.

use anyhow::Result;
use clap::Args;

use crate::shell::{cargo, run as sh};
use crate::sim;
use crate::web;

/// The types of the page are generated and compared in the same build as everything else: a build
/// of their own would take minutes.
const TYPES: &str = "--features=wire/ts";

/// How much is checked.
#[derive(Args)]
pub struct Options {
    /// Only what takes a few minutes: format, lints, and the tests of the rules, the wire, the
    /// journal and the table, without the laws, the server, the lab and the browser
    #[arg(long)]
    quick: bool,
}

/// Runs the checks, the quickest first.
pub fn run(options: &Options) -> Result<()> {
    if options.quick {
        return quick();
    }
    sh(&mut cargo(&["fmt", "--all", "--check"]))?;
    let mut clippy = cargo(&["clippy", "--workspace", "--all-targets", "--locked", TYPES]);
    sh(clippy.args(["--", "--deny", "warnings"]))?;
    // What people run is built without the types.
    sh(&mut cargo(&["check", "--package=wire", "--locked"]))?;
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
    sh(docs.args(["--locked", TYPES]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    tests()?;
    sim::test()?;
    web::test()
}

/// What a change most often breaks, in the crates that build in little time.
fn quick() -> Result<()> {
    sh(&mut cargo(&["fmt", "--all", "--check"]))?;
    let packages = ["rules", "wire", "journal", "table", "sim", "xtask"];
    let packages = packages.map(|name| format!("--package={name}"));
    let mut clippy = cargo(&["clippy", "--all-targets", "--locked"]);
    sh(clippy.args(&packages).args(["--", "--deny", "warnings"]))?;
    let mut tests = cargo(&["test", "--locked", "--no-fail-fast"]);
    // The laws play for minutes.
    sh(tests.args(&packages).args(["--", "--skip", "law"]))
}

/// By cargo-nextest where it is installed. It does not run the examples in the documentation.
fn tests() -> Result<()> {
    let nextest = cargo(&["nextest", "--version"]).output().is_ok_and(|out| out.status.success());
    if nextest {
        sh(&mut cargo(&["nextest", "run", "--workspace", TYPES, "--locked", "--no-fail-fast"]))?;
        sh(&mut cargo(&["test", "--workspace", TYPES, "--locked", "--doc"]))
    } else {
        sh(&mut cargo(&["test", "--workspace", TYPES, "--locked", "--no-fail-fast"]))
    }
}
