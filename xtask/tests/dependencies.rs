//! The architecture, held by reading what cargo knows of the workspace.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// Which crate of ours may depend on which. `ARCHITECTURE.md` shows the same table.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("journal", &[]),
    ("solver", &["rules"]),
    ("bots", &["rules", "solver"]),
    ("lab", &["rules", "bots", "tempo"]),
    ("tempo", &["rules"]),
    ("wire", &["rules", "tempo"]),
    ("server", &["rules", "solver", "bots", "tempo", "wire", "journal"]),
    ("unspoken", &["rules", "solver", "bots", "lab", "wire", "journal", "server"]),
    ("xtask", &[]),
];

/// What `rules` always uses: nothing that reads a clock, a file, a socket or the system's randomness.
const RULES_MAY_USE: &[&str] =
    &["rand_chacha", "rand_core", "serde", "smallvec", "thiserror", "tinyvec"];

/// What `rules` uses only behind a feature that no running game turns on.
const RULES_MAY_OFFER: &[&str] = &["ts-rs"];

fn metadata() -> Metadata {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata runs")
}

/// The names that each crate depends on, tests and benches left out, and whether it can be built
/// without.
fn dependencies() -> BTreeMap<String, BTreeMap<String, bool>> {
    let normal = |package: &cargo_metadata::Package| {
        let all = package.dependencies.iter();
        let normal = all.filter(|dependency| dependency.kind != DependencyKind::Development);
        normal.map(|dependency| (dependency.name.clone(), dependency.optional)).collect()
    };
    metadata().packages.iter().map(|package| (package.name.to_string(), normal(package))).collect()
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let table = MAY_DEPEND_ON.iter().map(|(name, may)| (*name, *may)).collect::<BTreeMap<_, _>>();
    let found = dependencies();
    assert_eq!(
        found.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        table.keys().copied().collect::<BTreeSet<_>>(),
        "the table and the workspace name different crates"
    );
    for (name, uses) in &found {
        for other in uses.keys().filter(|other| found.contains_key(*other)) {
            let may = table[name.as_str()];
            assert!(may.contains(&other.as_str()), "{name} may not depend on {other}");
        }
    }
}

#[test]
fn the_rules_use_nothing_that_touches_the_world() {
    for (used, optional) in &dependencies()["rules"] {
        let may = if *optional { RULES_MAY_OFFER } else { RULES_MAY_USE };
        assert!(may.contains(&used.as_str()), "rules may not use {used}, optional: {optional}");
    }
    let metadata = metadata();
    let rules = metadata.packages.iter().find(|package| package.name == "rules");
    let features = &rules.expect("the workspace has the rules").features;
    assert!(!features.contains_key("default"), "what is on by default is no choice");
}

/// The standard library can read a clock too.
#[test]
fn the_rules_and_the_solver_read_no_clock_and_no_file() {
    let mut folders = vec![
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/rules/src").into(),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/solver/src").into(),
    ];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir::<std::path::PathBuf>(folder).expect("the folder is there") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("the file is text");
            for word in ["Instant", "SystemTime", "std::fs", "std::env", "std::net", "std::thread"]
            {
                assert!(!text.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}
