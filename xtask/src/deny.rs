//! `cargo xtask deny`: checks the dependencies' licences, sources and versions by `deny.toml`.
//!
//! cargo-deny reads the same file and does more. It is not used here because building it takes
//! longer than the checks of a change may, and because its only prebuilt package that a registry
//! has (0.14.2) cannot read the metadata of today's cargo.

mod licence;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, ensure};
use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::shell::root;

/// The platform whose dependencies are checked: Linux, on which servers run. `deny.toml` names it, too.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Where dependencies may come from, as cargo writes it.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Fails if a dependency has a licence that `deny.toml` does not allow, comes from elsewhere than
/// crates.io, or is required in any version. Several versions of one package are a warning.
pub fn run() -> Result<()> {
    eprintln!("\n$ cargo xtask deny");
    let policy = fs::read_to_string(root().join("deny.toml")).context("deny.toml is missing")?;
    let allowed = allowed_licences(&policy)?;
    let platform = ["--locked", "--filter-platform", PLATFORM].map(str::to_owned);
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).other_options(platform);
    let metadata = command.exec().context("cargo metadata failed")?;

    for (name, versions) in duplicates(&metadata) {
        eprintln!("warning: {name} is there in several versions: {versions}");
    }
    let packages = metadata.packages.iter().filter(|package| package.source.is_some());
    let count = packages.clone().count();
    ensure!(count > 0, "cargo metadata names no dependencies");
    let mut refused = packages.filter_map(|package| refusal(package, &allowed)).collect::<Vec<_>>();
    refused.extend(wildcards(&metadata));
    ensure!(refused.is_empty(), "dependencies are refused:\n{}", refused.join("\n"));
    eprintln!("{count} dependencies have allowed licences and come from crates.io");
    Ok(())
}

/// The licences that the policy allows.
fn allowed_licences(policy: &str) -> Result<BTreeSet<String>> {
    let policy = policy.parse::<toml::Table>().context("deny.toml is not written as TOML")?;
    let list = policy.get("licenses").and_then(|licenses| licenses.get("allow"));
    let list = list.and_then(toml::Value::as_array).context("deny.toml has no licenses.allow")?;
    let names = list.iter().map(|name| name.as_str().map(str::to_owned));
    names.collect::<Option<_>>().context("licenses.allow in deny.toml is a list of names")
}

/// Why a package may not be used.
fn refusal(package: &Package, allowed: &BTreeSet<String>) -> Option<String> {
    let Package { name, version, .. } = package;
    if package.source.as_ref().is_none_or(|source| source.repr != CRATES_IO) {
        return Some(format!("{name} {version} does not come from crates.io"));
    }
    let Some(expression) = &package.license else {
        return Some(format!("{name} {version} names no licence"));
    };
    match licence::permits(expression, allowed) {
        Some(true) => None,
        Some(false) => Some(format!("{name} {version} has the licence {expression}")),
        None => Some(format!("{name} {version} has a licence that is no expression: {expression}")),
    }
}

/// Dependencies of our own crates that accept any version.
fn wildcards(metadata: &Metadata) -> impl Iterator<Item = String> {
    metadata.workspace_packages().into_iter().flat_map(|package| {
        let any = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.path.is_none() && dependency.req.to_string() == "*");
        any.map(|dependency| format!("{} accepts any version of {}", package.name, dependency.name))
    })
}

/// Packages that are used in more than one version, with their versions.
fn duplicates(metadata: &Metadata) -> impl Iterator<Item = (String, String)> {
    let mut versions = BTreeMap::<String, Vec<String>>::new();
    for package in &metadata.packages {
        versions.entry(package.name.to_string()).or_default().push(package.version.to_string());
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    several.map(|(name, versions)| (name, versions.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_licences() {
        let allowed = allowed_licences("[licenses]\nallow = [\"MIT\", \"Zlib\"]").unwrap();
        assert_eq!(allowed.into_iter().collect::<Vec<_>>(), ["MIT", "Zlib"]);
        for wrong in ["", "licenses = 1", "[licenses]\nallow = [1]", "["] {
            assert!(allowed_licences(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_policy_and_the_check_name_the_same_platform() {
        let policy = fs::read_to_string(root().join("deny.toml")).unwrap();
        let policy = policy.parse::<toml::Table>().unwrap();
        let targets = policy["graph"]["targets"].as_array().unwrap();
        assert_eq!(targets, &[toml::Value::from(PLATFORM)]);
    }
}
