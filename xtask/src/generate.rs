//! Generated files that are kept in the repository.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::shell::{cargo, root};

/// The messages as TypeScript, beside the code of the browser.
const WIRE: &str = "web/src/wire.gen.ts";
/// The same as JSON Schemas, for the description of the HTTP side and for tests.
const SCHEMAS: &str = "crates/wire/schemas.gen.json";

/// Writes both files. Tests of `wire` and of the page compare them with what would be written.
pub fn run() -> Result<()> {
    write_types()?;
    write_schemas()
}

fn write_schemas() -> Result<()> {
    let mut node = Command::new("node");
    node.arg("build/schemas.js").arg(root().join(SCHEMAS)).current_dir(root().join("web"));
    let status = node.status().context("node could not be started")?;
    ensure!(status.success(), "the schemas could not be generated, see above");
    eprintln!("wrote {SCHEMAS}");
    Ok(())
}

fn write_types() -> Result<()> {
    let mut command =
        cargo(&["run", "--quiet", "--locked", "--package", "wire", "--features", "ts"]);
    command.args(["--example", "typescript"]).stderr(std::process::Stdio::inherit());
    let output = command.output().context("cargo could not be started")?;
    ensure!(output.status.success(), "the types could not be generated, see above");

    let path = root().join(WIRE);
    let folder = path.parent().context("the file stands in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    fs::write(&path, output.stdout).with_context(|| format!("write {}", path.display()))?;
    eprintln!("wrote {WIRE}");
    Ok(())
}
