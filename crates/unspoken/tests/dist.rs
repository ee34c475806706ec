//! The files in `dist` that no program reads in the other tests.

use std::fs;
use std::path::Path;

/// The system calls that the server makes and that groups of the unit's filter contain: both
/// threads that lower their priority call `setpriority`.
const CALLED: &[&str] = &["setpriority"];

fn unit() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/unspoken.service");
    fs::read_to_string(path).unwrap()
}

/// The values of a key of the unit, in order.
fn values<'a>(unit: &'a str, key: &str) -> Vec<&'a str> {
    let lines = unit.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(name, _)| *name == key).map(|(_, value)| value.trim()).collect()
}

/// Whether a word of a filter is the call or a group that contains it. `systemd-analyze
/// syscall-filter` lists the groups.
fn covers(word: &str, call: &str) -> bool {
    match word {
        "@system-service" | "@resources" => call == "setpriority",
        "@privileged" => false,
        group if group.starts_with('@') => panic!("this test does not know the group {group}"),
        name => name == call,
    }
}

/// Whether the filter of the unit permits a call. As in systemd the first line decides what
/// happens to all others, and each later one adds to the set or takes from it.
fn permits(filters: &[&str], call: &str) -> bool {
    let mut permitted = filters.first().is_none_or(|first| first.starts_with('~'));
    for filter in filters {
        let (adds, words) = match filter.strip_prefix('~') {
            Some(words) => (false, words),
            None => (true, *filter),
        };
        if words.split_whitespace().any(|word| covers(word, call)) {
            permitted = adds;
        }
    }
    permitted
}

#[test]
fn the_unit_permits_every_system_call_that_the_server_makes() {
    let unit = unit();
    let filters = values(&unit, "SystemCallFilter");
    assert!(!filters.is_empty(), "{unit}");
    for call in CALLED {
        assert!(permits(&filters, call), "the unit refuses {call}: {filters:?}");
    }
    assert!(!permits(&filters, "mount"), "{filters:?}");
    assert_eq!(values(&unit, "SystemCallErrorNumber"), ["EPERM"]);
}

#[test]
fn a_filter_is_read_line_by_line() {
    let denied = ["@system-service", "~@privileged @resources"];
    assert!(!permits(&denied, "setpriority"));
    assert!(permits(&["@system-service"], "setpriority"));
    assert!(!permits(&["setpriority", denied[0], denied[1]], "setpriority"), "the order counts");
    assert!(permits(&["~@resources"], "read"), "a filter that takes calls away permits the others");
}
