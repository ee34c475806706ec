//! Running other programs from the project's root.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};

/// The project's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Where cargo puts what it builds, in the folder of a profile.
pub fn built(profile: &str, name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root().join("target")).join(profile).join(name)
}

/// A cargo command, run from the project's root.
///
/// Variables that cargo set for this program are left out: the build scripts of some dependencies
/// watch them, so a build from here and one from the shell would undo each other.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    for (name, _) in std::env::vars_os() {
        let of_this_package = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        if of_this_package.iter().any(|start| name.to_string_lossy().starts_with(start)) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command to its end, and says what it is and how long it took.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    eprintln!("\n$ {line}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("{line} could not be started"))?;
    ensure!(status.success(), "{line} failed, see above");
    eprintln!("({:.0} s)", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs commands one after the other beside other work that leaves a core idle now and then. What
/// a command has written is shown when it is done. Fails if the work or a command fails, after both
/// have ended.
pub fn run_beside(commands: &mut [Command], work: impl FnOnce() -> Result<()>) -> Result<()> {
    thread::scope(|scope| {
        let beside = scope.spawn(|| commands.iter_mut().try_for_each(run_apart));
        let done = work();
        let beside = beside.join().map_err(|_| anyhow!("a thread panicked"))?;
        done.and(beside)
    })
}

/// Runs a command to its end and shows all that it has written after that.
fn run_apart(command: &mut Command) -> Result<()> {
    let line = line(command);
    let start = Instant::now();
    let output = command.output().with_context(|| format!("{line} could not be started"))?;
    let seconds = start.elapsed().as_secs_f64();
    let mut text = format!("\n$ {line} (beside the above)\n").into_bytes();
    text.extend_from_slice(&output.stdout);
    text.extend_from_slice(&output.stderr);
    text.extend_from_slice(format!("({seconds:.0} s)\n").as_bytes());
    io::stderr().write_all(&text)?;
    ensure!(output.status.success(), "{line} failed, see above");
    Ok(())
}

/// A command as it would be typed.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
