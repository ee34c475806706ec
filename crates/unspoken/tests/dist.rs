//! The files in `dist` that no program reads in the other tests, and those of a release.

mod running;

use std::fs;
use std::path::{Path, PathBuf};

use serde_yaml_ng::Value;
use tempfile::TempDir;

use running::{FREE, Running};

/// The system calls that the server makes and that groups of the unit's filter contain: both
/// threads that lower their priority call `setpriority`.
const CALLED: &[&str] = &["setpriority"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn unit() -> String {
    read("dist/unspoken.service")
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
fn systemd_waits_until_the_server_is_ready_and_leaves_a_wrong_one_alone() {
    let unit = unit();
    assert_eq!(values(&unit, "Type"), ["notify"]);
    // The exit status of wrong options and of files that cannot be opened.
    assert_eq!(values(&unit, "RestartPreventExitStatus"), ["2"]);
}

/// Where `cargo xtask dist` puts what the package has of the program itself.
const BUILT: &str = "../../target/dist/built/";

#[test]
fn the_package_is_made_of_what_is_there() {
    let manifest = read("crates/unspoken/Cargo.toml").parse::<toml::Table>().unwrap();
    let deb = &manifest["package"]["metadata"]["deb"];
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut built, mut places) = (Vec::new(), Vec::new());
    for asset in deb["assets"].as_array().unwrap() {
        let [from, to, _mode] = asset.as_array().unwrap().as_slice() else { panic!("{asset}") };
        let (from, to) = (from.as_str().unwrap(), to.as_str().unwrap());
        match from.strip_prefix(BUILT) {
            Some(name) => built.push(name),
            None => {
                let path = here.join(from.trim_end_matches('*'));
                assert!(path.exists(), "{from} is not there");
            }
        }
        // A place that ends in a slash is a folder.
        let file = from.rsplit('/').next().unwrap();
        places.push(if to.ends_with('/') { format!("/{to}{file}") } else { format!("/{to}") });
    }
    let completions = ["unspoken.bash", "_unspoken", "unspoken.fish"];
    let completions = completions.map(|name| format!("completions/{name}"));
    let expected = [&["unspoken", "man/*.1"][..], &completions.each_ref().map(String::as_str)];
    assert_eq!(built, expected.concat());

    let options = deb["conf-files"][0].as_str().unwrap();
    let changes = read("dist/debian/package.conf");
    let unit = deb["systemd-units"]["unit-name"].as_str().unwrap();
    let scripts = deb["systemd-units"]["unit-scripts"].as_str().unwrap();
    assert!(here.join(scripts).join(format!("{unit}.service")).exists());
    let change = format!("/usr/lib/systemd/system/{unit}.service.d/package.conf");
    for place in ["/usr/bin/unspoken", options, &change] {
        assert!(places.iter().any(|found| found == place), "{place} is not in the package");
    }
    assert_eq!(values(&changes, "ExecStart"), ["", "/usr/bin/unspoken serve"]);
    let named = format!("UNSPOKEN_CONFIG={options}");
    assert_eq!(values(&changes, "Environment"), [named.as_str()]);
    let user = values(&changes, "User")[0];
    let made = read("dist/debian/postinst");
    assert!(made.contains("adduser") && made.contains(&format!(" {user}\n")), "{made}");
    assert!(made.contains("\n#DEBHELPER#\n"), "the unit is not started");
    assert!(deb["depends"].as_str().unwrap().contains("adduser"));
}

#[test]
fn every_option_that_the_package_proposes_is_one() {
    let folder = TempDir::new().unwrap();
    let proposed = read("dist/debian/unspoken.toml");
    let options = proposed.lines().filter_map(|line| line.strip_prefix('#'));
    let options = options.filter(|line| !line.starts_with(' ')).collect::<Vec<_>>();
    assert!(options.len() > 3, "{options:?}");
    fs::write(folder.path().join("unspoken.toml"), options.join("\n")).unwrap();
    Running::start(folder.path(), &FREE).end("-TERM");
}

#[test]
fn a_release_is_built_for_both_kinds_of_processors() {
    let workflow = serde_yaml_ng::from_str::<Value>(&read(".github/workflows/release.yml"));
    let workflow = workflow.unwrap();
    let manifest = read("Cargo.toml").parse::<toml::Table>().unwrap();
    let version = manifest["workspace"]["package"]["rust-version"].as_str().unwrap();
    assert_eq!(workflow["env"]["RUSTUP_TOOLCHAIN"].as_str(), Some(version));
    let build = &workflow["jobs"]["build"];
    let machines = build["strategy"]["matrix"]["include"].as_sequence().unwrap();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let machines = machines.iter().map(|it| (word(&it["runner"]), word(&it["static"])));
    let expected = [
        ("ubuntu-24.04", "x86_64-unknown-linux-musl"),
        ("ubuntu-24.04-arm", "aarch64-unknown-linux-musl"),
    ];
    let expected = expected.map(|(runner, target)| (runner.to_owned(), target.to_owned()));
    assert_eq!(machines.collect::<Vec<_>>(), expected);
    let steps = build["steps"].as_sequence().unwrap();
    let commands = steps.iter().filter_map(|step| step["run"].as_str()).collect::<Vec<_>>();
    assert!(commands.contains(&"cargo xtask dist"), "{commands:?}");
    let kept = steps.iter().filter_map(|step| step["with"]["path"].as_str()).collect::<Vec<_>>();
    assert_eq!(kept, ["target/dist/release"]);
    assert_eq!(workflow["jobs"]["publish"]["needs"].as_str(), Some("build"));
    for job in ["build", "publish"] {
        for step in workflow["jobs"][job]["steps"].as_sequence().unwrap() {
            let kinds = ["uses", "run"].map(|kind| step[kind].is_string());
            assert!(kinds[0] != kinds[1], "a step either uses an action or runs: {step:?}");
        }
    }
}

#[test]
fn a_filter_is_read_line_by_line() {
    let denied = ["@system-service", "~@privileged @resources"];
    assert!(!permits(&denied, "setpriority"));
    assert!(permits(&["@system-service"], "setpriority"));
    assert!(!permits(&["setpriority", denied[0], denied[1]], "setpriority"), "the order counts");
    assert!(permits(&["~@resources"], "read"), "a filter that takes calls away permits the others");
}
