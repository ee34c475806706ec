//! What is written by machine and kept in the repository.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::shell::{cargo, root};

/// The messages as TypeScript, beside the code of the browser.
const WIRE: &str = "web/src/wire.gen.ts";

/// Writes it anew. A test of `wire` compares it with what would be written.
pub fn run() -> Result<()> {
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
