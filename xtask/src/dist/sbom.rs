//! The bill of materials: what is in the program, as documents in the form of `CycloneDX`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::tool::Tool;
use crate::shell::root;

const CARGO_SBOM: Tool = Tool { name: "cargo-sbom", version: "0.10.0" };

/// Writes two documents: the crates of the program, and the packages that its page is built with.
pub fn write(release: &Path, version: &str, name: &str) -> Result<()> {
    let mut crates = Command::new(CARGO_SBOM.install()?);
    crates.args(["sbom", "--cargo-package=unspoken", "--output-format=cyclone_dx_json_1_6"]);
    document(crates.current_dir(root()), &release.join(format!("{name}.cdx.json")))?;
    // npm describes only what has a version, and the page has that of the program.
    let folder = tempfile::tempdir()?;
    for name in ["package.json", "package-lock.json"] {
        let mut manifest = fs::read_to_string(root().join("web").join(name))?.parse::<Value>()?;
        manifest["version"] = version.into();
        if let Some(page) = manifest.pointer_mut("/packages/") {
            page["version"] = version.into();
        }
        fs::write(folder.path().join(name), manifest.to_string())?;
    }
    let mut packages = Command::new("npm");
    packages.args(["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]);
    let page = release.join(format!("{name}-page.cdx.json"));
    document(packages.current_dir(&folder), &page)
}

/// Runs a program that prints a document, and writes that to a file.
fn document(command: &mut Command, file: &Path) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{name} cannot be started"))?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} failed: {error}");
    let document = serde_json::from_slice::<Value>(&output.stdout).context(name.clone())?;
    let components = document["components"].as_array().map_or(0, Vec::len);
    ensure!(document["bomFormat"] == "CycloneDX" && components > 0, "{name} names no components");
    eprintln!("{}: {components} components", file.display());
    fs::write(file, serde_json::to_string_pretty(&document)?)?;
    Ok(())
}
