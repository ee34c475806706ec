//! `cargo xtask dist`: what a release consists of, in `target/dist/release`.

mod checksums;
mod sbom;
mod tool;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;
use clap::Args;

use crate::shell::{built, cargo, root, run as sh};
use tool::Tool;

/// Makes the Debian package, by `package.metadata.deb` of crates/unspoken.
const CARGO_DEB: Tool = Tool { name: "cargo-deb", version: "3.8.0" };

/// Shells and where the archive has their completions.
const SHELLS: [(&str, &str); 3] =
    [("bash", "unspoken.bash"), ("zsh", "_unspoken"), ("fish", "unspoken.fish")];

/// Files of the project that the archive has beside the program.
const BESIDE: [&str; 10] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "docs/operating.md",
    "docs/cluster.md",
    "dist/unspoken.service",
    "dist/grafana.json",
    "dist/nginx",
    "dist/caddy",
    "dist/nats",
];

/// What is made.
#[derive(Args)]
pub struct Options {
    /// Leave out the Debian package
    #[arg(long)]
    without_deb: bool,
}

/// Builds everything for this machine's kind of processor.
pub fn run(options: &Options) -> Result<()> {
    let release = folder("release");
    if release.exists() {
        fs::remove_dir_all(&release).context("the last release cannot be removed")?;
    }
    fs::create_dir_all(&release)?;
    let version = version()?;
    let host = host()?;
    let program = Program::build(None, &host)?;
    program.archive(&release, &version)?;
    if options.without_deb {
        eprintln!("no Debian package was asked for");
    } else {
        deb(&release)?;
    }
    let musl = host.replace("-gnu", "-musl");
    match missing_for(&musl)? {
        None => Program::build(Some(&musl), &musl)?.archive(&release, &version)?,
        Some(advice) => eprintln!("\nno static build for {musl}: {advice}"),
    }
    let name = format!("unspoken-{version}-{host}");
    sbom::write(&release, &version, &name)?;
    let sums = checksums::write(&release, &format!("{name}.sha256"))?;
    println!("{}", release.display());
    print!("{sums}");
    Ok(())
}

/// A folder of this chore's.
fn folder(name: &str) -> PathBuf {
    root().join("target/dist").join(name)
}

/// The version in Cargo.toml.
fn version() -> Result<String> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec();
    let metadata = metadata.context("cargo metadata failed")?;
    let found = metadata.packages.iter().find(|package| package.name.as_str() == "unspoken");
    Ok(found.context("there is no package unspoken")?.version.to_string())
}

/// The target of this machine, as in `x86_64-unknown-linux-gnu`.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("rustc cannot be started")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

/// What has to be installed before a target can be built; `None` if everything is there.
fn missing_for(target: &str) -> Result<Option<String>> {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]);
    let libraries = String::from_utf8(command.output()?.stdout)?;
    if !Path::new(libraries.trim()).exists() {
        return Ok(Some(format!("rustup target add {target}")));
    }
    // SQLite and the cipher of TLS are in C.
    let has_compiler = Command::new("musl-gcc").arg("--version").output().is_ok();
    Ok((!has_compiler).then(|| "apt-get install musl-tools".to_owned()))
}

/// The program for a target, stripped, with its debug information and what it says of itself.
struct Program {
    target: String,
    /// `unspoken`, `unspoken.debug`, `man` and `completions` are there.
    folder: PathBuf,
}

impl Program {
    fn build(cross: Option<&str>, target: &str) -> Result<Self> {
        let mut build = cargo(&["build", "--release", "--locked", "--package", "unspoken"]);
        build.args(cross.map(|target| format!("--target={target}")));
        sh(&mut build)?;
        let profile = cross.map_or("release".to_owned(), |target| format!("{target}/release"));
        // The Debian package takes its files from `built`, whatever the processor.
        let folder = folder(if cross.is_some() { "static" } else { "built" });
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(folder.join("completions"))?;
        let (program, debug) = (folder.join("unspoken"), folder.join("unspoken.debug"));
        let whole = built(&profile, "unspoken");
        sh(Command::new("objcopy").arg("--only-keep-debug").arg(&whole).arg(&debug))?;
        sh(Command::new("strip").arg("--strip-all").arg("-o").arg(&program).arg(&whole))?;
        // A debugger finds the information beside the program.
        let link = ["--add-gnu-debuglink=unspoken.debug", "unspoken"];
        sh(Command::new("objcopy").args(link).current_dir(&folder))?;
        sh(Command::new(&program).arg("manual").arg(folder.join("man")))?;
        for (shell, name) in SHELLS {
            let output = Command::new(&program).args(["completions", shell]).output()?;
            ensure!(output.status.success(), "there are no completions for {shell}");
            fs::write(folder.join("completions").join(name), output.stdout)?;
        }
        Ok(Self { target: target.to_owned(), folder })
    }

    /// Writes an archive of the program with its documents, and one of the debug information.
    fn archive(&self, release: &Path, version: &str) -> Result<()> {
        let name = format!("unspoken-{version}-{}", self.target);
        let staged = self.folder.join(&name);
        fs::create_dir_all(&staged)?;
        for part in ["unspoken", "man", "completions"] {
            copy(&self.folder.join(part), &staged)?;
        }
        for file in BESIDE {
            copy(&root().join(file), &staged)?;
        }
        tar(&self.folder, &name, &release.join(format!("{name}.tar.gz")))?;
        tar(&self.folder, "unspoken.debug", &release.join(format!("{name}-debug.tar.gz")))
    }
}

/// Copies a file or a folder into a folder.
fn copy(from: &Path, into: &Path) -> Result<()> {
    ensure!(from.exists(), "{} is missing", from.display());
    let status = Command::new("cp").args(["-r", "--"]).arg(from).arg(into).status()?;
    ensure!(status.success(), "{} cannot be copied", from.display());
    Ok(())
}

/// An archive that is the same whenever and by whatever user it is made.
fn tar(folder: &Path, name: &str, archive: &Path) -> Result<()> {
    let log = Command::new("git").args(["log", "-1", "--format=@%ct"]).current_dir(root()).output();
    let time = log.ok().filter(|output| output.status.success());
    let time = time.map_or("@0".to_owned(), |output| {
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    });
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime={time}")).args(["--use-compress-program=gzip -9n", "--file"]);
    sh(tar.arg(archive).arg("--directory").arg(folder).arg(name))
}

/// The Debian package. The program has been built and stripped.
fn deb(release: &Path) -> Result<()> {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        bail!("a Debian package is made on Debian or a system like it; or give --without-deb");
    }
    let mut deb = Command::new(CARGO_DEB.install()?);
    deb.args(["deb", "--no-build", "--no-strip", "--package", "unspoken", "--output"]);
    sh(deb.arg(release).current_dir(root()))
}
