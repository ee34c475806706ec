//! Everything that has to hold before a change lands.

use anyhow::Result;

use crate::shell::{cargo, run as sh};
use crate::web;

/// Runs the checks, the quickest first.
pub fn run() -> Result<()> {
    sh(&mut cargo(&["fmt", "--all", "--check"]))?;
    sh(&mut cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "--deny",
        "warnings",
    ]))?;
    let mut docs =
        cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"]);
    sh(docs.env("RUSTDOCFLAGS", "--deny warnings"))?;
    tests()?;
    types()?;
    web::test()
}

/// By cargo-nextest where it is installed. It does not run the examples in the documentation.
fn tests() -> Result<()> {
    let nextest = cargo(&["nextest", "--version"]).output().is_ok_and(|out| out.status.success());
    if nextest {
        sh(&mut cargo(&["nextest", "run", "--workspace", "--locked", "--no-fail-fast"]))?;
        sh(&mut cargo(&["test", "--workspace", "--locked", "--doc"]))
    } else {
        sh(&mut cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]))
    }
}

/// What only the feature `ts` compiles, and that `cargo xtask gen` was run after the last change.
fn types() -> Result<()> {
    sh(&mut cargo(&[
        "clippy",
        "--package=rules",
        "--package=wire",
        "--features=wire/ts",
        "--examples",
        "--test=typescript",
        "--locked",
        "--",
        "--deny",
        "warnings",
    ]))?;
    sh(&mut cargo(&["test", "--package=wire", "--features=ts", "--test=typescript", "--locked"]))
}
