//! Builds the page that is embedded in the server, when its sources have changed.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The oldest Node that the page's tools run on.
const NODE_LEAST: (u32, u32) = (20, 19);

fn main() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let web = Path::new(root).join("web");
    for file in [
        "index.html",
        "package-lock.json",
        "package.json",
        "svelte.config.js",
        "vite.config.ts",
        "project.inlang/settings.json",
        "build",
        "messages",
        "public",
    ] {
        watch(&web.join(file));
    }
    watch(&Path::new(root).join("docs/rules"));
    let sources = fs::read_dir(web.join("src")).expect("web/src can be read");
    for source in sources.flatten() {
        // Written by the build itself.
        if source.file_name() != "paraglide" && source.file_name() != "fonts" {
            watch(&source.path());
        }
    }
    require_node();
    if !is_installed(&web) {
        npm(&web, &["ci", "--no-audit", "--no-fund"]);
    }
    npm(&web, &["run", "build"]);
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

fn require_node() {
    let (major, minor) = NODE_LEAST;
    let found = Command::new("node").arg("--version").output().ok();
    let found = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let new_enough = found.as_deref().and_then(version).is_some_and(|found| found >= NODE_LEAST);
    assert!(
        new_enough,
        "the page is built with Node {major}.{minor} or newer and its npm, {}: \
         install it from your distribution or nodejs.org, then build again",
        found.map_or("which is not installed".to_owned(), |found| format!("and this is {found}"))
    );
}

/// The first two numbers of a version such as `v20.19.2`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Whether what the lock file names has been installed since it was last changed.
fn is_installed(web: &Path) -> bool {
    let changed = |file: &str| fs::metadata(web.join(file)).and_then(|file| file.modified()).ok();
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Some(installed), Some(locked)) => installed >= locked,
        _ => false,
    }
}

fn npm(web: &Path, arguments: &[&str]) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let run = Command::new(program).args(arguments).current_dir(web).output();
    let output = run.expect("npm runs, it comes with Node");
    assert!(
        output.status.success(),
        "npm {} failed in web/\n{}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
