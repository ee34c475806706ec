//! A level of each game with Orca, the screen reader, in a real browser with real keys.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::shell::{built, cargo, root, run as sh};
use crate::web::{chromium, install};

/// What the screen reader needs, as Debian calls it.
const PACKAGES: [&str; 7] =
    ["orca", "xvfb", "xauth", "xdotool", "openbox", "at-spi2-core", "dbus-daemon"];
/// What is started of them.
const PROGRAMS: [&str; 5] = ["orca", "xvfb-run", "xdotool", "openbox", "dbus-run-session"];

/// How to go about it.
#[derive(Args)]
pub struct Options {
    /// Write what was said into docs/accessibility.md instead of comparing it
    #[arg(long)]
    accept: bool,
    /// Only games whose name has this in it; all of them without it
    #[arg(long)]
    only: Option<String>,
}

/// Plays a level of each game with keys alone, records what Orca hands to speech, and compares it
/// with the transcripts in docs/accessibility.md.
pub fn run(options: &Options) -> Result<()> {
    install(&PACKAGES, || PROGRAMS.iter().all(|program| is_installed(program)))?;
    sh(&mut cargo(&["build", "--locked", "--package", "unspoken"]))?;
    let server = built("debug", "unspoken");
    ensure!(server.exists(), "{} was not built", server.display());
    let chromium = chromium()?;

    // Orca keeps settings, and the message bus a socket, in places of this run's own.
    let home = std::env::temp_dir().join(format!("unspoken-orca-home-{}", std::process::id()));
    let runtime = home.join("run");
    fs::create_dir_all(&runtime).context("no place for the screen reader's settings")?;
    let mut command = Command::new("dbus-run-session");
    command.args(["--", "xvfb-run", "--auto-servernum", "--server-args=-screen 0 1280x900x24"]);
    command.args(["npx", "playwright", "test", "--no-deps", "--project=orca"]);
    if let Some(only) = &options.only {
        command.args(["--grep", only]);
    }
    command.current_dir(root().join("web"));
    command.env("UNSPOKEN_BIN", &server).env("CHROMIUM", &chromium);
    command.env("UNSPOKEN_ORCA", if options.accept { "accept" } else { "compare" });
    command.env("HOME", &home).env("XDG_CONFIG_HOME", home.join("config"));
    command.env("XDG_DATA_HOME", home.join("data")).env("XDG_RUNTIME_DIR", &runtime);
    // What is handed to speech is recorded; a synthesiser would only wait for a sound card.
    command.env("SPEECHD_ADDRESS", "unix_socket:/nonexistent");
    let played = sh(&mut command);
    let removed = fs::remove_dir_all(&home).context("the screen reader's settings are still there");
    played.and(removed)
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
