//! Checks of the architecture: dependencies by `cargo metadata`, absences by reading the sources.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// Which crate of ours may depend on which. `ARCHITECTURE.md` shows the layers.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("journal", &[]),
    ("cluster", &["journal"]),
    ("solver", &["rules"]),
    ("bots", &["rules", "solver"]),
    ("lab", &["rules", "bots", "tempo"]),
    ("tempo", &["rules"]),
    ("wire", &["rules", "tempo"]),
    ("table", &["rules", "solver", "bots", "tempo", "wire"]),
    ("study", &["rules", "wire", "table"]),
    (
        "server",
        &["rules", "solver", "bots", "tempo", "wire", "table", "study", "journal", "cluster"],
    ),
    ("sim", &["rules", "solver", "bots", "tempo", "wire", "table", "cluster"]),
    ("environment", &["rules", "bots", "lab", "wire", "table"]),
    (
        "unspoken",
        &["rules", "solver", "bots", "lab", "wire", "journal", "table", "study", "server"],
    ),
    ("unspoken-python", &["rules", "solver", "lab", "wire", "environment"]),
    ("xtask", &[]),
];

/// What `rules` always uses: nothing that reads a clock, a file, a socket or the system's randomness.
const RULES_MAY_USE: &[&str] =
    &["rand_chacha", "rand_core", "serde", "smallvec", "thiserror", "tinyvec"];

/// What `rules` uses only behind a feature that no running game turns on.
const RULES_MAY_OFFER: &[&str] = &["ts-rs"];

/// What `table` uses beside crates of ours.
const TABLE_MAY_USE: &[&str] =
    &["bytes", "itoa", "serde", "serde_json", "sha2", "smallvec", "thiserror"];

/// What `study` uses beside crates of ours.
const STUDY_MAY_USE: &[&str] = &["serde", "serde_json", "sha2", "thiserror", "toml"];

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
    assert!(!features.contains_key("default"), "rules has a default feature");
}

#[test]
fn the_table_uses_nothing_that_touches_the_world() {
    let found = dependencies();
    for (used, optional) in &found["table"] {
        let may = found.contains_key(used) || TABLE_MAY_USE.contains(&used.as_str());
        assert!(may && !optional, "table may not use {used}");
    }
}

#[test]
fn the_study_uses_nothing_that_touches_the_world() {
    let found = dependencies();
    for (used, optional) in &found["study"] {
        let may = found.contains_key(used) || STUDY_MAY_USE.contains(&used.as_str());
        assert!(may && !optional, "study may not use {used}");
    }
}

/// The standard library can read a clock too.
#[test]
fn the_rules_the_solver_the_table_and_the_study_read_no_clock_and_no_file() {
    let mut folders = vec![
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/rules/src").into(),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/solver/src").into(),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/table/src").into(),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/study/src").into(),
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

/// Files on the way to the disk drop no error: a line that cannot be written has to refuse its
/// change.
#[test]
fn no_error_is_dropped_on_the_way_to_the_disk() {
    let files = [
        "table/src/entry.rs",
        "table/src/any_match.rs",
        "table/src/requests.rs",
        "table/src/founding.rs",
        "table/src/state.rs",
        "table/src/writing.rs",
        "server/src/tables/load.rs",
        "server/src/replay/side_log.rs",
        "server/src/record/card.rs",
        "server/src/studies/ledger.rs",
        "journal/src/sqlite/writer.rs",
        "journal/src/sqlite/appender.rs",
        "cluster/src/attempt.rs",
        "cluster/src/bundle.rs",
        "cluster/src/cluster.rs",
        "cluster/src/index.rs",
        "cluster/src/line_stream.rs",
    ];
    for file in files {
        let path = format!("{}/../crates/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        for dropped in [".unwrap_or_default()", ".ok())", ".ok()?"] {
            assert!(!text.contains(dropped), "{file} drops an error by {dropped}");
        }
    }
}
