//! Everything that has to hold before a change lands.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::cluster;
use crate::deny;
use crate::python;
use crate::shell::{cargo, run as sh, run_beside};
use crate::sim;
use crate::web;

/// The types of the page are generated and compared in the same build as everything else: a build
/// of their own would take minutes.
pub const TYPES: &str = "--features=wire/ts";

/// Integration tests that `--quick` runs beside all unit tests: examples of the rules, messages,
/// the journal, the table, the architecture, prose and refusals. None of them takes more than seconds.
const QUICK_TESTS: &[&str] = &[
    "architecture",
    "dependencies",
    "examples",
    "journal",
    "messages",
    "prose",
    "refusals",
    "table",
    "typescript",
    "worked",
];

/// How much is checked.
#[derive(Args)]
pub struct Options {
    /// The inner loop, in minutes: format, dependencies, lints, unit tests, the quick integration
    /// tests, and the page's types and unit tests. Leaves out the laws, the server's tests, the
    /// simulation, the lab, the Python package and the browser
    #[arg(long)]
    quick: bool,
}

impl Options {
    /// A cargo command. All tests are mostly built from nothing, and then preparing for small
    /// changes costs minutes and gigabytes; the inner loop lives on it.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo(arguments);
        if !self.quick {
            command.env("CARGO_INCREMENTAL", "0");
        }
        command
    }
}

/// Runs the checks, the quickest first. Fails at the first one that does not hold.
///
/// Two cores are not always busy: while tests are linked, or wait for time to pass, steps that need
/// no result of theirs run beside them.
pub fn run(options: &Options) -> Result<()> {
    sh(&mut cargo(&["fmt", "--all", "--check"]))?;
    deny::run()?;
    // First, because it builds the page: the page's own checks write files that the build reads.
    clippy(options)?;
    if options.quick {
        return run_beside(&mut web::checks(), || quick(options));
    }
    proxies()?;
    cluster::install()?;
    run_beside(&mut web::checks(), || sh(&mut all(options, &["--no-run"])))?;
    // The server is built without the feature for types.
    let without_types = options.cargo(&["check", "--package=wire", "--locked"]);
    run_beside(&mut [docs(options), without_types], || sh(&mut all(options, &["--no-fail-fast"])))?;
    // The simulation takes the same time however much else there is to do, and one core. cargo-nextest
    // does not run the examples in the documentation, so cargo does.
    let mut examples = options.cargo(&["test", "--workspace", TYPES, "--locked", "--doc"]);
    run_beside(&mut [sim::test()?], || {
        sh(&mut examples)?;
        python::test(TYPES)
    })?;
    web::test()
}

/// The programs that the server is tested behind, with the files in `dist`.
fn proxies() -> Result<()> {
    let programs = ["/usr/sbin/nginx", "/usr/bin/caddy"];
    web::install(&["nginx-light", "caddy"], || programs.iter().all(|it| Path::new(it).exists()))
}

fn clippy(options: &Options) -> Result<()> {
    let mut clippy = options.cargo(&["clippy", "--workspace", "--all-targets", "--locked", TYPES]);
    sh(clippy.args(["--", "--deny", "warnings"]))
}

fn docs(options: &Options) -> Command {
    let mut docs = options.cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
    docs.args(["--locked", TYPES]).env("RUSTDOCFLAGS", "--deny warnings");
    docs
}

/// All tests. Examples are left to clippy: linking them, some with the whole server inside, takes
/// time, and they have no tests.
fn all(options: &Options, arguments: &[&str]) -> Command {
    runner(options, &[&["--lib", "--bins", "--tests"][..], arguments].concat())
}

/// The tests of `--quick`. They are built with the same features as all tests, so that
/// the two commands share their builds.
fn quick(options: &Options) -> Result<()> {
    let mut tests = runner(options, &["--no-fail-fast", "--lib"]);
    tests.args(QUICK_TESTS.iter().map(|name| format!("--test={name}")));
    sh(&mut tests)
}

/// A command that runs tests of all crates, by cargo-nextest where it is installed.
fn runner(options: &Options, arguments: &[&str]) -> Command {
    let has_nextest =
        cargo(&["nextest", "--version"]).output().is_ok_and(|out| out.status.success());
    let mut tests = options.cargo(if has_nextest { &["nextest", "run"] } else { &["test"] });
    tests.args(["--workspace", TYPES, "--locked"]).args(arguments);
    tests
}
